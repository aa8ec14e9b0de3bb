"""The direction of imports, and how light the core stays; the rules are in .importlinter."""

import subprocess
import sys
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parents[2]
RULES = ROOT / ".importlinter"
HEAVY = ("opendp", "plotly", "sklearn", "dask", "distributed", "streamlit", "pandas", "joblib", "openpyxl")


def broken(config):
    return lint_imports(config_filename=str(config), no_cache=True) != 0


def test_every_import_keeps_the_rules():
    assert not broken(RULES)


@pytest.mark.parametrize(
    ("rule", "violated"),
    [
        ("    scores\n    fits\n", "    fits\n    scores\n"),
        ("forbidden_modules =\n    streamlit\n", "forbidden_modules =\n    scipy\n"),
        ("    privcause_core.figures.** -> plotly\n", ""),
        (
            "forbidden_modules =\n    privcause_core.explore.simulation\n",
            "forbidden_modules =\n    privcause_core.scores\n",
        ),
        ("allowed_importers =\n    privcause_core.release\n", "allowed_importers =\n    privcause_core.report\n"),
        ("    privcause_core.text.names\n", "    privcause_core.text.typed\n"),
    ],
    ids=["layers", "streamlit", "plotly", "seeded noise", "secure noise", "words"],
)
def test_a_rule_that_the_code_does_not_keep_is_reported(rule, violated, tmp_path):
    text = RULES.read_text()
    assert text.count(rule) == 1
    config = tmp_path / "importlinter.ini"
    config.write_text(text.replace(rule, violated))
    assert broken(config)


@pytest.mark.parametrize(
    "module", ["privcause_core", "privcause_core.explore.analysis", "privcause_core.verdicts.mechanisms"]
)
def test_importing_the_core_loads_nothing_heavy(module):
    code = f"import sys, {module}; print(*(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
