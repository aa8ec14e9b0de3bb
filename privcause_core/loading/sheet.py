"""The cells of one sheet as a table: where it starts, its header, its numbers, some of them stored as text."""

from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy as np
import pyarrow as pa

from privcause_core.loading.builder import ColumnBuilder
from privcause_core.loading.columns import assemble, distinct_labels
from privcause_core.loading.header import header_note, is_header
from privcause_core.loading.numbers import Cells, DecimalMark, parse_cells
from privcause_core.loading.table import Table
from privcause_core.loading.wording import SAVE_VALUES, counted, listed, rows_named
from privcause_core.pair import MAX_EXACT_INTEGER

Row = tuple[Any, ...]
UNVALUED = object()  # stands in a row for a formula that was saved without its value
_HEADER_SAMPLE = 400


def is_blank(cell: object) -> bool:
    """Say whether a cell holds nothing."""
    return cell is None or (isinstance(cell, str) and not cell.strip())


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
        [rows[number - 1][place] if place < len(rows[number - 1]) else None for number in numbers] for place in places
    ]
    names = [""] * len(places)
    about_header: tuple[str, ...] = ()
    if _has_header(columns):
        names = [(_text(column[0], DecimalMark.POINT) or "").strip() for column in columns]
        about_header = header_note("row", numbers[0], names)
        columns, numbers = [column[1:] for column in columns], numbers[1:]
    mark = _decimal_mark(columns)
    builders = [_built(column, mark) for column in columns]
    notes = _notes(rows, start, distinct_labels(names), columns, builders)
    return assemble(title, names, builders, np.array(numbers, dtype=np.int32), "row", (*about_header, *notes))


def _filled(rows: Sequence[Row]) -> list[int]:
    return sorted({place for row in rows for place, cell in enumerate(row) if not is_blank(cell)})


def _first_row(rows: Sequence[Row]) -> int:
    """Return the index of the first row filled in more than half of the columns: above it stand titles."""
    columns = len(_filled(rows))
    filled = (2 * sum(not is_blank(cell) for cell in row) > columns for row in rows)
    return next((index for index, enough in enumerate(filled) if enough), 0)


def _has_header(columns: Sequence[Sequence[object]]) -> bool:
    sample = [[_text(cell, DecimalMark.POINT) or "" for cell in column[:_HEADER_SAMPLE]] for column in columns]
    rows = list(zip(*sample, strict=True))
    return is_header(rows[0], rows[1:])


def _text(cell: object, mark: DecimalMark) -> str | None:
    if cell is UNVALUED:
        return None
    if cell is None or isinstance(cell, str):
        return cell
    if _is_number(cell):
        return repr(cell).replace(".", mark)
    return f"({type(cell).__name__})"  # a date, a time, a truth value: no number, whatever its digits


def _is_number(cell: object) -> TypeGuard[int | float]:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _parsed(column: Sequence[object], mark: DecimalMark) -> Cells:
    return parse_cells(pa.array([_text(cell, mark) for cell in column], pa.string()), mark)


def _decimal_mark(columns: Sequence[Sequence[object]]) -> DecimalMark:
    """Choose the mark of the cells stored as text; a comma needs more numbers to win."""
    with_commas = [column for column in columns if any(isinstance(cell, str) and "," in cell for cell in column)]
    point, comma = (sum(_parsed(column, mark).numbers for column in with_commas) for mark in DecimalMark)
    return DecimalMark.COMMA if comma > point else DecimalMark.POINT


def _built(column: Sequence[object], mark: DecimalMark) -> ColumnBuilder:
    builder = ColumnBuilder(len(column))
    builder.add(_parsed(column, mark))
    builder.unvalued = tuple(position for position, cell in enumerate(column) if cell is UNVALUED)
    numbers = np.array([cell for cell in column if isinstance(cell, float)])
    # A workbook rounds its numbers to doubles, so whole ones this large are already merged.
    builder.lossy |= bool((np.abs(numbers) >= MAX_EXACT_INTEGER).any() and (np.trunc(numbers) == numbers).all())
    return builder


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
        as_text = builder.numbers - sum(map(_is_number, column))
        if as_text > 0 and builder.numbers > builder.text:
            notes.append(f"Column {label} has numbers stored as text: {counted(as_text, 'text cell')} read as numbers.")
    if unvalued := _unvalued(rows):
        notes.append(
            f"{counted(len(unvalued), 'formula')} without a stored value, read as missing: {listed(unvalued)}; "
            f"{SAVE_VALUES}."
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
