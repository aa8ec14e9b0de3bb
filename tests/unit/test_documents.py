"""What the documents say about limits is what the program does."""

import tomllib
from pathlib import Path

from privcause_core.loading import limits

ROOT = Path(__file__).parents[2]
MEGABYTE = 1024 * 1024


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
