"""The installed package holds the library, its command and its data, and needs neither repository nor pages."""

import ast
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from email.parser import HeaderParser
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import privcause_core

ROOT = Path(__file__).parents[2]
INGREDIENTS = ("pyproject.toml", "README.md", "LICENSE", "requirements-library.txt", "requirements-dask.txt")
LIBRARY = ROOT / "requirements-library.txt"
CODE = ROOT / "privcause_core"


def run(*command, cwd):
    done = subprocess.run([*map(str, command)], cwd=cwd, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build from a copy, so that nothing is left behind and no former build is taken for this one."""
    source = tmp_path_factory.mktemp("source")
    shutil.copytree(CODE, source / CODE.name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in INGREDIENTS:
        shutil.copy(ROOT / name, source)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check")
    run(*pip, "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", "built", ".", cwd=source)
    (built,) = (source / "built").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """Return the folder of the programs of an environment where the wheel is installed, apart from the repository."""
    home = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", home, cwd=home)
    programs = home / ("Scripts" if sys.platform == "win32" else "bin")
    pip = (sys.executable, "-m", "pip", "--python", programs / "python", "install", "--quiet")
    run(*pip, "--disable-pip-version-check", "--no-index", "--no-deps", wheel, cwd=home)
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    installed = Path(run(programs / "python", "-c", asked, cwd=home).strip())
    (installed / "dependencies.pth").write_text(sysconfig.get_path("purelib"))  # what pip would have downloaded
    return programs


def names(text):
    return {re.split(r"[<>=;\s]", line)[0].lower() for line in text.splitlines() if line and line[0] not in "#-"}


def test_the_command_analyses_a_sample_outside_the_repository(environment, tmp_path):
    printed = run(environment / "privcause", "analyse", "sample:diabetes-age-bp", "--json", cwd=tmp_path)
    assert json.loads(printed)["version"] == privcause_core.__version__
    run(environment / "privcause", "report", "sample:diabetes-age-bp", "--out", "report.html", cwd=tmp_path)
    css = (CODE / "report" / "report.css").read_text(encoding="utf-8")
    assert css in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_library_is_imported_from_the_installed_package(environment, tmp_path):
    code = "import privcause_core, sys; print(privcause_core.__file__, 'streamlit' in sys.modules)"
    place, streamlit = run(environment / "python", "-c", code, cwd=tmp_path).split()
    assert Path(place).is_relative_to(environment.parent)
    assert streamlit == "False"


def test_the_wheel_holds_the_library_and_its_data_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    ours = {str(path.relative_to(ROOT)) for path in CODE.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert held == {name.replace("\\", "/") for name in ours}
    assert "privcause_core/py.typed" in held


def test_the_wheel_asks_for_what_the_library_imports(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        asked = HeaderParser().parsestr(archive.read(metadata).decode()).get_all("Requires-Dist")
    needed = names("\n".join(line for line in asked if "extra ==" not in line))
    assert needed == names(LIBRARY.read_text(encoding="utf-8"))
    assert needed | {"distributed"} == imported()


def imported():
    """Return the distributions that the code imports, in any function."""
    modules = set()
    for path in CODE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                modules.add(node.module.split(".")[0])
    providers = packages_distributions()
    return {providers[one][0].lower() for one in modules - sys.stdlib_module_names - {"privcause_core"}}
