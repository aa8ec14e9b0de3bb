"""The cells of one sheet as a table: where it starts, its header, its numbers, some of them stored as text."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from privcause_core.loading.builder import ColumnBuilder
from privcause_core.loading.chunk import digits_of
from privcause_core.loading.columns import assemble, distinct_labels
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.header import header_note, is_header, no_header_note
from privcause_core.loading.numbers import number_cells
from privcause_core.loading.reading import MAX_SKIPPED, Reading
from privcause_core.loading.reasons import other_cells
from privcause_core.loading.settle import settled
from privcause_core.loading.table import Table
from privcause_core.loading.wording import SAVE_VALUES, counted, listed, name_of, rows_named, title_of
from privcause_core.pair import MAX_EXACT_INTEGER

Row = tuple[Any, ...]
UNVALUED = object()  # stands in a row for a formula that was saved without its value
_HEADER_SAMPLE = 400
_DATES = "dates or times"
_NUMBERS = (int, float)
_UNTYPED = (*_NUMBERS, str, type(None), object)


def is_blank(cell: object) -> bool:
    """Say whether a cell holds nothing."""
    return cell is None or (type(cell) is str and not cell.strip())


def sheet_table(title: str, rows: Sequence[Row]) -> Table:
    """Turn a sheet's rows into a table.

    Parameters
    ----------
    title : str
        The sheet's name.
    rows : sequence of tuple
        Cells of every row from the first, ``UNVALUED`` among them; some cell is not blank.
    """
    start = _first_row(rows)
    places = _filled(rows[start:])
    numbers = [number for number, row in enumerate(rows[start:], start + 1) if not all(map(is_blank, row))]
    columns = [
        [_plain(rows[number - 1][place]) if place < len(rows[number - 1]) else None for number in numbers]
        for place in places
    ]
    names = [""] * len(places)
    skip = numbers[0] - 1
    about_header: tuple[str, ...] = ()
    if _has_header(columns):
        names = [(_text(column[0]) or "").strip() for column in columns]
        about_header = header_note("row", numbers[0], names)
        columns, numbers = [column[1:] for column in columns], numbers[1:]
    else:
        about_header = no_header_note("row", numbers[0])
    read = settled(
        lambda marks: [_built(column, mark) for column, mark in zip(columns, marks, strict=True)],
        [DecimalMark.POINT] * len(columns),
    )
    notes = _notes(rows, start, distinct_labels(names), columns, [one.builder for one in read])
    return assemble(
        title,
        names,
        read,
        np.array(numbers, dtype=np.int32),
        "row",
        (*about_header, *notes),
        _reading(title, skip, names),
    )


def _reading(title: str, skip: int, names: list[str]) -> Reading | None:
    if len(names) < 2 or skip > MAX_SKIPPED:
        return None
    has_header = any(names)
    return Reading(header=has_header, skip=skip, columns=None if has_header else len(names), sheet=title)


def _plain(cell: object) -> object:
    """Return a truth value as the text that it is in other files."""
    return str(cell).upper() if isinstance(cell, bool) else cell


def _filled(rows: Sequence[Row]) -> list[int]:
    return sorted({place for row in rows for place, cell in enumerate(row) if not is_blank(cell)})


def _first_row(rows: Sequence[Row]) -> int:
    """Return the index of the first row filled in more than half of the columns: above it stand titles."""
    columns = len(_filled(rows))
    filled = (2 * sum(not is_blank(cell) for cell in row) > columns for row in rows)
    return next((index for index, enough in enumerate(filled) if enough), 0)


def _has_header(columns: Sequence[Sequence[object]]) -> bool:
    sample = [[_text(cell) or "" for cell in column[:_HEADER_SAMPLE]] for column in columns]
    rows = list(zip(*sample, strict=True))
    return is_header(rows[0], rows[1:])


def _text(cell: object) -> str | None:
    if cell is UNVALUED:
        return None
    if cell is None or isinstance(cell, str):
        return cell
    if type(cell) in _NUMBERS:
        return repr(cell)
    return str(cell)  # a date, a time


def _built(column: Sequence[object], mark: DecimalMark) -> ColumnBuilder:
    """Read a column: its numbers as they are, its texts under a decimal mark."""
    dates = sum(type(cell) not in _UNTYPED for cell in column)
    if dates and dates == sum(not is_blank(cell) for cell in column):
        return ColumnBuilder.of_another_type(len(column), _DATES)
    builder = ColumnBuilder(len(column), mark)
    digits = [repr(cell) if type(cell) in _NUMBERS else None for cell in column]
    _add_texts(builder, column, digits)
    builder.add(number_cells(pa.array(digits, pa.string())))
    builder.evidence.words += dates
    builder.evidence.dates += dates
    builder.unvalued = tuple(position for position, cell in enumerate(column) if cell is UNVALUED)
    numbers = np.array([cell for cell in column if type(cell) is float])
    # A workbook rounds its numbers to doubles, so whole ones this large are already merged.
    builder.lossy |= bool((np.abs(numbers) >= MAX_EXACT_INTEGER).any() and (np.trunc(numbers) == numbers).all())
    return builder


def _add_texts(builder: ColumnBuilder, column: Sequence[object], digits: list[str | None]) -> None:
    """Read the cells stored as text into ``digits``; numbers beside them count as numbers without a unit."""
    at = np.array([place for place, cell in enumerate(column) if isinstance(cell, str)], dtype=np.int64)
    texts = pa.array([column[place] for place in at], pa.string())
    for place, number in zip(at, digits_of(texts, builder.mark, builder.evidence, at).to_pylist(), strict=True):
        digits[place] = number
    builder.evidence.unitless.add(
        np.array([place for place, cell in enumerate(column) if type(cell) in _NUMBERS], dtype=np.int64)
    )
    last = column[-1] if column else None
    builder.last_word = last.strip() if isinstance(last, str) else ""


def _notes(
    rows: Sequence[Row],
    start: int,
    labels: Sequence[str],
    columns: Sequence[Sequence[object]],
    builders: Sequence[ColumnBuilder],
) -> tuple[str, ...]:
    notes = []
    titles = [number for number, row in enumerate(rows[:start], 1) if not all(map(is_blank, row))]
    if titles:
        notes.append(f"Left out above the table: {rows_named('row', titles)}.")
    for label, column, builder in zip(labels, columns, builders, strict=True):
        as_text = builder.numbers - builder.evidence.truths.count - sum(type(cell) in _NUMBERS for cell in column)
        if as_text > 0 and builder.numbers > other_cells(builder):
            notes.append(
                f"{title_of(label)} has numbers stored as text: {counted(as_text, 'text cell')} read as numbers."
            )
    if unvalued := _unvalued(rows):
        at_fault = [name_of(label) for label, builder in zip(labels, builders, strict=True) if builder.unvalued]
        where = f" in {listed(at_fault)}" if at_fault else ""
        notes.append(
            f"{counted(len(unvalued), 'formula')} without a stored value{where}, read as missing: "
            f"{listed(unvalued)}; {SAVE_VALUES}."
        )
    return tuple(notes)


def _unvalued(rows: Sequence[Row]) -> list[str]:
    """Return the names of the cells whose formula has no stored value, as a spreadsheet calls them."""
    from openpyxl.utils import get_column_letter  # heavy, but loaded for every workbook

    return [
        f"{get_column_letter(place)}{number}"
        for number, row in enumerate(rows, 1)
        for place, cell in enumerate(row, 1)
        if cell is UNVALUED
    ]
