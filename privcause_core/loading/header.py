"""Whether a table's first row names its columns."""

import re
from collections.abc import Sequence

from privcause_core.loading.numbers import DecimalMark, is_missing, is_number

_CENSORED = re.compile(r"(?:[<>]=?|=[<>]|[≤≥~≈])\s*(?P<limit>.+)")  # "<0.1", ">= 5": a value known to a bound only


def numeric_share(rows: Sequence[Sequence[str]]) -> float:
    """Return the share of numbers among the cells that are not missing, under the mark that suits them better."""
    cells = [cell for row in rows for cell in row if not is_missing(cell)]
    best = max(sum(is_number(cell, mark) for cell in cells) for mark in DecimalMark)
    return best / max(len(cells), 1)


def has_measurement(row: Sequence[str]) -> bool:
    """Say whether any cell is a number, censored or not, under either decimal mark."""
    return any(_is_measurement(cell) for cell in row)


def is_header(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Say whether the first row names the columns: no number in it or, in a wide table, words over numbers.

    In a table of two columns a word beside a number is data: as a pair that row is incomplete either way, and a value
    must not become a name.
    """
    words = [not _is_measurement(cell) and not is_missing(cell) for cell in first]
    if not has_measurement(first):
        return any(words)
    return len(first) > 2 and any(
        word and numeric_share([[row[place]] for row in below]) > 0.5 for place, word in enumerate(words)
    )


def header_note(word: str, number: int, names: Sequence[str]) -> tuple[str, ...]:
    """Say which row was taken for names although it holds numbers; nothing for a header of words alone."""
    if not has_measurement(names):
        return ()
    return (f"The names of the columns are those of {word} {number}, although it holds numbers.",)


def _is_measurement(cell: str) -> bool:
    censored = _CENSORED.fullmatch(cell)
    text = censored["limit"] if censored else cell
    return any(is_number(text, mark) for mark in DecimalMark)
