"""Whether a table's first row names its columns."""

from collections.abc import Sequence

from privcause_core.loading.numbers import DecimalMark, is_missing, is_number


def numeric_share(rows: Sequence[Sequence[str]]) -> float:
    """Return the share of numbers among the cells that are not missing, under the mark that suits them better."""
    cells = [cell for row in rows for cell in row if not is_missing(cell)]
    best = max(sum(is_number(cell, mark) for cell in cells) for mark in DecimalMark)
    return best / max(len(cells), 1)


def has_number(row: Sequence[str]) -> bool:
    """Say whether any cell is a number under either decimal mark."""
    return any(is_number(cell, mark) for cell in row for mark in DecimalMark)


def is_header(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Say whether the first row names the columns: words over numbers, or no number at all in it."""
    words = [not has_number([cell]) and not is_missing(cell) for cell in first]
    if not has_number(first):
        return any(words)
    return any(word and numeric_share([[row[place]] for row in below]) > 0.5 for place, word in enumerate(words))
