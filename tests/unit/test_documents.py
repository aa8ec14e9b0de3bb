"""What the documents say about limits is what the program does, and what they name exists."""

import importlib
import re
import tomllib
from pathlib import Path

import pytest

from privcause_core.loading import limits

ROOT = Path(__file__).parents[2]
MEGABYTE = 1024 * 1024
PROGRAM = (".py", ".md", ".txt", ".toml", ".lock", ".yaml", ".css", ".cff")
MADE_BY_READERS = {  # of the documents: nothing in the repository
    ".streamlit/secrets.toml", "out/experiment.csv", "out/experiment.html",
    "privcause_core/scores/your_score.py", "assets/methods/scores/your-score.md",
}  # fmt: skip
IMPORT = re.compile(r"^from (privcause_core[\w.]*) import (\w+(?:, \w+)*)$", re.MULTILINE)


def test_the_documented_limits_on_files_are_the_real_ones():
    text = (ROOT / "docs" / "known-limits.md").read_text(encoding="utf-8")
    with (ROOT / ".streamlit" / "config.toml").open("rb") as file:
        configured = tomllib.load(file)["server"]["maxUploadSize"]
    assert configured * MEGABYTE == limits.MAX_UPLOAD_BYTES
    assert f"takes {configured} MB per file" in text
    assert f"unpack to {limits.MAX_UNPACKED_BYTES // MEGABYTE} MB" in text
    assert f"at most {limits.MAX_ENTRIES:,} entries" in text
    assert "proxy" in text


def test_saving_a_picture_needs_no_chrome_on_the_server():
    assert "kaleido" not in (ROOT / "requirements.txt").read_text(encoding="utf-8")
    sources = [*(ROOT / "privcause_core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    assert [path.name for path in sources if "to_image" in path.read_text(encoding="utf-8")] == []


def documents():
    return [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]


def named_paths(text):
    """Return what reads as a path: a link's target, or code with a folder in it or the name of a program's file."""
    code = re.findall(r"`(\.?[\w-][\w./-]*)`", text)
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", text)
    return {one for one in code if one.endswith(PROGRAM) or "/" in one} | set(links)


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_path_that_a_document_names_exists(document):
    paths = named_paths(document.read_text(encoding="utf-8")) - MADE_BY_READERS
    assert [path for path in sorted(paths) if not any((at / path).exists() for at in (ROOT, document.parent))] == []


def test_a_path_that_does_not_exist_is_noticed():
    text = "See `release.py`, [this](docs/none.md), `privcause_core/no/` and [that](https://example.org/a.md)."
    assert named_paths(text) == {"release.py", "docs/none.md", "privcause_core/no/"}


def test_the_benchmarks_import_what_exists():
    for path in (ROOT / "tests" / "benchmarks").glob("*.py"):
        for module, names in IMPORT.findall(path.read_text(encoding="utf-8")):
            for name in re.findall(r"\w+", names):
                found = importlib.import_module(module)
                assert hasattr(found, name) or importlib.import_module(f"{module}.{name}"), (path.name, name)
