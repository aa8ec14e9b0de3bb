"""Whether a table's first row names its columns, and how many of its cells are numbers."""

import re
from collections import Counter
from collections.abc import Sequence

from privcause_core.loading.cell import BARE, TRUTHS, Kind, Plain, is_missing, plain_cell
from privcause_core.loading.grammar import GRAMMARS, DecimalMark, readers

_BARE = re.compile(BARE)
_WHOLE = re.compile(r"[0-9]{1,9}")
_NAME = re.compile(r"\w+(?:[._-]\w+)*")


def numeric_share(rows: Sequence[Sequence[str]]) -> float:
    """Return the share of numbers among the cells that are not missing, each column under its best grammar."""
    read = filled = 0
    for column in zip(*rows, strict=True):
        counts, cells = _counts(column)
        read += max(counts.values(), default=0)
        filled += cells
    return read / max(filled, 1)


def likelier_mark(column: Sequence[str]) -> DecimalMark:
    """Return the decimal mark under which more cells are numbers; the point if both do equally well."""
    counts, _ = _counts(column)
    point, comma = (
        max((counts[place] for place, grammar in enumerate(GRAMMARS) if grammar.decimal is mark), default=0)
        for mark in DecimalMark
    )
    return DecimalMark.COMMA if comma > point else DecimalMark.POINT


def is_one_number(cells: Sequence[str]) -> bool:
    """Say whether one grammar reads all these cells, each as one number."""
    counts, filled = _counts(cells)
    return filled > 0 and max(counts.values(), default=0) == filled


def has_measurement(row: Sequence[str]) -> bool:
    """Say whether any cell is a number, censored or not, under some grammar."""
    return any(_is_measurement(cell) for cell in row)


def has_only_numbers(row: Sequence[str]) -> bool:
    """Say whether every cell is a number."""
    return all(_judged(cell).number is not None for cell in row)


def is_header(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Say whether the first row names the columns: words alone or, in a wide table, words beside what is unlike data.

    In a table of two columns a word beside a number is data: as a pair that row is incomplete either way, and a value
    must not become a name. In a wider one a word must stand over numbers, and the numbers beside it must be names too:
    whole, and unlike those below. What looks like a number and is none, such as a date, is a name where no such cell
    stands below it.
    """
    columns = list(zip(*below, strict=True)) or [()] * len(first)
    odd = [_is_odd(cell) for cell in first]
    words = [not one and not is_missing(cell) for one, cell in zip(odd, first, strict=True)]
    if not any(odd):
        return any(words)
    over_numbers = any(
        word and numeric_share([[cell] for cell in column]) > 0.5 for word, column in zip(words, columns, strict=True)
    )
    if len(first) == 2 or not (over_numbers if has_measurement(first) else any(words)):
        return False
    return all(_is_name(cell, column) for one, cell, column in zip(odd, first, columns, strict=True) if one)


def header_note(word: str, number: int, names: Sequence[str]) -> tuple[str, ...]:
    """Say which row was taken for names although it may hold numbers; nothing for a header of words alone."""
    if not any(map(may_be_data, names)):
        return ()
    return (f"The names of the columns are those of {word} {number}, although it holds numbers.",)


def may_be_data(cell: str) -> bool:
    """Say whether a cell of a first row reads or looks like a number in any way, and not like the name "x_1"."""
    kind = _judged(cell).kind
    is_name = cell[:1].isalpha() and _NAME.fullmatch(cell)
    return kind in (Kind.NUMBER, Kind.TRUTH, Kind.CENSORED) or (kind is Kind.UNREAD and not is_name)


def no_header_note(word: str, number: int) -> tuple[str, ...]:
    """Say that the first row was taken for data."""
    return (f"The first row ({word} {number}) is read as data; if it names the columns, put words there.",)


def _judged(cell: str) -> Plain:
    return Plain(Kind.NUMBER, cell) if _BARE.match(cell) else plain_cell(cell)


def _counts(column: Sequence[str]) -> tuple[Counter[int], int]:
    """Return how many cells each of ``GRAMMARS`` reads, and how many are not missing."""
    counts, filled = Counter[int](), 0
    for cell in column:
        judged = _judged(cell)
        filled += judged.kind is not Kind.MISSING
        if judged.number is not None:
            counts.update(readers(judged.number))
    return counts, filled


def _is_measurement(cell: str) -> bool:
    return _judged(cell).kind in (Kind.NUMBER, Kind.CENSORED)


def _is_odd(cell: str) -> bool:
    """Say whether a cell of a first row is rather data than a name; a letter or a formula's sign begins a name here."""
    begins_name = cell[:1].isalpha() or cell[:1] == "="
    return may_be_data(cell) and (_is_measurement(cell) or not begins_name or cell.lower() in TRUTHS)


def _is_name(cell: str, column: Sequence[str]) -> bool:
    """Say whether a cell can be a name: a whole number outside the range of those below, or unreadable as none is."""
    kind = _judged(cell).kind
    if kind not in (Kind.NUMBER, Kind.CENSORED):
        return kind is Kind.UNREAD and not any(_judged(one).kind is Kind.UNREAD for one in column)
    whole = _WHOLE.fullmatch(cell.lstrip("<>=≤≥~≈ "))
    if not whole:
        return False
    values = [value for value in map(_roughly, column) if value is not None]
    return not values or not min(values) <= int(whole[0]) <= max(values)


def _roughly(cell: str) -> float | None:
    number = _judged(cell).number
    try:
        return float(number.replace(",", ".")) if number else None
    except ValueError:
        return None
