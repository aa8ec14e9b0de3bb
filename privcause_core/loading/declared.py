"""A file read as declared: each cell by itself, what cannot be read missing, every row a row; for releases.

Nothing about one row's reading depends on another row, so tables that differ in one row are read into tables that
differ in that row alone.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privcause_core.errors import DataError
from privcause_core.loading.cell import BARE
from privcause_core.loading.chunk import ungrouped
from privcause_core.loading.column import Column
from privcause_core.loading.columns import distinct_labels
from privcause_core.loading.content import content_digest
from privcause_core.loading.excel import sheet_grids
from privcause_core.loading.gzipped import unpacked
from privcause_core.loading.kind import Kind, kind_of
from privcause_core.loading.numbers import LineNumbers, flags, number_cells, without_infinities
from privcause_core.loading.parquet import frame_columns
from privcause_core.loading.reading import SEPARATORS, Reading
from privcause_core.loading.separator import Separator
from privcause_core.loading.shapes import judged
from privcause_core.loading.sheet import UNVALUED, Row, is_blank
from privcause_core.loading.spreadsheet import grids
from privcause_core.loading.table import Table
from privcause_core.loading.wording import shortened
from privcause_core.pair import FloatArray

_BYTE_ORDER_MARK = "\ufeff"
Cell = str | float | None


def read_declared(data: bytes, name: str, reading: Reading) -> Table:
    """Read one table as declared.

    Parameters
    ----------
    data : bytes
        A text table (also packed with gzip), a workbook, a Parquet or a Feather file.
    name : str
        Of the file.
    reading : Reading

    Raises
    ------
    DataError
        If the file as a whole cannot be opened, or has no such sheet or header line; never for a cell or a row.
    """
    kind = kind_of(data)
    if kind is Kind.GZIP:
        data = unpacked(data)
        kind = kind_of(data)
    if kind is Kind.ARCHIVE:
        raise DataError("a release reads one table; take the file out of the archive first.")
    sheet = ""
    if kind in (Kind.PARQUET, Kind.FEATHER):
        names, columns = frame_columns(data, kind)
        values = [_values(column, reading) for column in columns]
        table = _table(name, names, values, range(1, len(values[0]) + 1), "row", reading)
    else:
        if kind is Kind.TEXT:
            names, rows, numbers = _text_rows(data, reading)
        else:
            sheets = sheet_grids(data) if kind is Kind.EXCEL else grids(data)
            sheet = reading.sheet if reading.sheet is not None else next(iter(sheets), "")
            names, rows, numbers = _sheet_rows(sheets, sheet, reading)
        values = [_values([row[place] for row in rows], reading) for place in range(len(names))]
        table = _table(name, names, values, numbers, "line" if kind is Kind.TEXT else "row", reading)
    return replace(table, content=content_digest(data, sheet))


def read_cells(cells: Sequence[str], reading: Reading) -> list[float | None]:
    """Return what a declared reading makes of cells as people type them; None for what is missing to it."""
    return [None if np.isnan(value) else float(value) for value in _values(list(cells), reading)]


def _table(
    name: str, names: Sequence[str], values: Sequence[FloatArray], numbers: LineNumbers, word: str, reading: Reading
) -> Table:
    labels = distinct_labels(names)
    columns = []
    for given, label, cells in zip(names, labels, values, strict=True):
        cells.setflags(write=False)
        columns.append(Column(given or label, label, cells, missing=int(np.count_nonzero(np.isnan(cells)))))
    return Table(name, tuple(columns), len(numbers), numbers, word, (), reading)


def _text_rows(data: bytes, reading: Reading) -> tuple[list[str], list[Sequence[Cell]], LineNumbers]:
    text = data.decode(reading.encoding, "replace").removeprefix(_BYTE_ORDER_MARK)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    separator = Separator(SEPARATORS[reading.separator])
    names = _names(
        separator.fields(lines[reading.skip]) if reading.header and len(lines) > reading.skip else [], reading
    )
    blanks = " \t" if separator is Separator.BLANKS else " "
    rows: list[Sequence[Cell]] = []
    numbers = []
    for number, line in enumerate(lines[reading.skip + reading.header :], reading.skip + reading.header + 1):
        if line.strip(blanks):
            fields = separator.fields(line)
            rows.append(fields if len(fields) == len(names) else [None] * len(names))
            numbers.append(number)
    return names, rows, np.array(numbers, dtype=np.int32)


def _sheet_rows(
    sheets: dict[str, list[Row]], title: str, reading: Reading
) -> tuple[list[str], list[Sequence[Cell]], LineNumbers]:
    if title not in sheets:
        raise DataError(f"the workbook has no sheet {shortened(title)}.")
    grid = sheets[title]
    head = grid[reading.skip] if reading.header and len(grid) > reading.skip else ()
    places = [place for place, cell in enumerate(head) if not is_blank(cell)]
    if reading.columns or reading.names:
        places = list(range(reading.columns or len(reading.names)))
    names = _names([str(head[place]).strip() if place < len(head) else "" for place in places], reading)
    start = reading.skip + reading.header
    numbers = [number for number, row in enumerate(grid[start:], start + 1) if not all(map(is_blank, row))]
    rows: list[Sequence[Cell]] = [
        [_plain(grid[number - 1][place]) if place < len(grid[number - 1]) else None for place in places]
        for number in numbers
    ]
    return names, rows, np.array(numbers, dtype=np.int32)


def _plain(cell: object) -> Cell:
    if isinstance(cell, bool):
        return float(cell)
    return cell if isinstance(cell, str | int | float) and cell is not UNVALUED else None


def _names(found: list[str], reading: Reading) -> list[str]:
    names = list(reading.names) or (["", *found] if reading.row_names else found)
    width = reading.columns or len(names)
    if width < 2:
        raise DataError("the header line as declared names fewer than two columns; check separator and header line.")
    return (names + [""] * width)[:width]


def _values(cells: Any, reading: Reading) -> FloatArray:  # noqa: ANN401  (pyarrow ships no types)
    """Read cells, each by itself; numbers stay, texts are read under the declared grammar, NaN for all else."""
    if isinstance(cells, np.ndarray):
        values = cells.copy()
    elif isinstance(cells, list) and not all(cell is None or isinstance(cell, str) for cell in cells):
        values = np.array([cell if isinstance(cell, int | float) else np.nan for cell in cells], dtype=np.float64)
        texts = pa.array([cell if isinstance(cell, str) else None for cell in cells], pa.string())
        values = np.where(np.isnan(values), _read(texts, reading), values)
    else:
        values = _read(pa.array(cells, pa.string()), reading)
    values[np.isin(values, reading.sentinels)] = np.nan
    return without_infinities(values)


def _read(texts: Any, reading: Reading) -> FloatArray:  # noqa: ANN401
    trimmed = pc.utf8_trim_whitespace(texts)
    bare = flags(pc.match_substring_regex(trimmed, BARE))
    odd = flags(pc.is_valid(trimmed)) & ~bare
    if odd.any():
        cells = pc.filter(trimmed, pa.array(odd))
        trimmed = pc.replace_with_mask(trimmed, pa.array(odd), judged(cells).numbers)
    if reading.missing:
        trimmed = pc.if_else(pc.is_in(trimmed, pa.array(reading.missing, pa.string())), None, trimmed)
    reads = pc.fill_null(pc.match_substring_regex(trimmed, reading.grammar.pattern), False)
    digits = ungrouped(pc.if_else(reads, trimmed, pa.scalar(None, pa.string())), reading.decimal)
    return np.array(number_cells(digits).values)
