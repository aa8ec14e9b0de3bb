"""Cells that a spreadsheet may open: text that it would take for a formula is neutralised."""

import re

from privcause_core.text.names import unsteered

_FORMULA = re.compile(r"[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def safe_cell(text: str) -> str:
    """Return the text with a leading apostrophe if a spreadsheet would run it; plain numbers stay as they are."""
    text = unsteered(text)
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text
