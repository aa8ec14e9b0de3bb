"""Small pieces of sentences that every loader shares: counts, lists of rows, sizes."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from privcause_core.text.names import isolated

MAX_LISTED = 8  # a longer list of rows or labels says how many more there are
MAX_NAME = 60  # characters of a name in a sentence
SAVE_VALUES = "open the workbook in a spreadsheet program and save it, or export it as CSV, and load that"
_NUMBERED = re.compile(r"column [0-9]+")
_BYTES_PER_MEGABYTE = 1024 * 1024


def counted(number: int, noun: str) -> str:
    """Return ``"1 row"`` or ``"2 rows"``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def listed(items: Iterable[object], total: int | None = None) -> str:
    """Join the first few items; ``total`` is how many there are when only the first few are passed."""
    texts = [str(item) for item in items]
    total = len(texts) if total is None else total
    if total > MAX_LISTED:
        return f"{', '.join(texts[:MAX_LISTED])} and {total - MAX_LISTED:,} more"
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)


def rows_named(word: str, numbers: Iterable[int], total: int | None = None) -> str:
    """Return ``"line 4"`` or ``"lines 4, 9 and 12"``, shortened when long; ``total`` as in ``listed``."""
    shown = [int(number) for number in numbers]
    total = len(shown) if total is None else total
    return f"{word if total == 1 else word + 's'} {listed(shown, total)}"


def formulas_at_fault(labels: Sequence[str], number: int) -> str:
    """Return the end of a sentence about what is lacking: formulas saved without values, and in which columns."""
    if not number:
        return ""
    where = f" (they stand in {', '.join(map(shortened, labels[:MAX_LISTED]))})" if labels else ""
    return f": {counted(number, 'formula')} without a stored value; {SAVE_VALUES}{where}"


def shortened(text: str) -> str:
    """Return what a person or a file wrote, on one line and no longer than a name in a sentence may be."""
    text = one_line(text)
    return isolated(text if len(text) <= MAX_NAME else f"{text[:MAX_NAME]}...")


def name_of(label: str) -> str:
    """Return ``"column x"``; just the label where that already says so, as where the file gives no name."""
    return label if _NUMBERED.fullmatch(label) else f"column {shortened(label)}"


def title_of(label: str) -> str:
    """Return ``"Column x"``, to begin a sentence."""
    return f"C{name_of(label)[1:]}"


def one_line(text: str) -> str:
    """Return a name as it can stand in a sentence: control characters become blanks."""
    return "".join(" " if unicodedata.category(character) == "Cc" else character for character in text)


def megabytes(size: int) -> str:
    """Return a size in MB (of 1024 * 1024 bytes), rounded up: never within a limit it broke."""
    return f"{-(-size // _BYTES_PER_MEGABYTE):,} MB"
