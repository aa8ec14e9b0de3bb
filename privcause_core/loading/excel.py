"""Excel workbooks (.xlsx): one table a sheet, numbers stored as text counted, formulas without a value named."""

import io
import re
import warnings
import zipfile
from itertools import zip_longest
from typing import Any

from privcause_core.errors import DataError
from privcause_core.loading.archive import content, opened
from privcause_core.loading.guard import foreign_parser
from privcause_core.loading.limits import MAX_SHEET_CELLS, MAX_SHEET_ROWS
from privcause_core.loading.sheet import UNVALUED, Row, is_blank, sheet_table
from privcause_core.loading.table import Table

_FORMULA = re.compile(rb"<(?:\w+:)?f[ >/]")
_WHAT = "Excel workbook"


def read_workbook(data: bytes) -> tuple[Table, ...]:
    """Read every sheet that is not empty.

    Raises
    ------
    DataError
        If the workbook is damaged, empty, too large when unpacked, or spans too many cells.
    """
    tables = tuple(sheet_table(title, rows) for title, rows in sheet_grids(data).items() if any(rows))
    if not tables:
        raise DataError("every sheet of the workbook is empty.")
    return tables


def sheet_grids(data: bytes) -> dict[str, list[Row]]:
    """Return the rows of every sheet by its title, formulas without a stored value marked.

    Raises
    ------
    DataError
        If the workbook is damaged, too large when unpacked, or spans too many cells.
    """
    with opened(data, _WHAT) as archive:
        has_formulas = any(_FORMULA.search(content(archive, entry, _WHAT)) for entry in _sheet_entries(archive))
    stored = _grids(data, stored_values=True)
    formulas = _grids(data, stored_values=False) if has_formulas else {}
    return {title: _marked(rows, formulas.get(title, [])) for title, rows in stored.items()}


def _sheet_entries(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [entry for entry in archive.infolist() if entry.filename.startswith("xl/worksheets/")]


def _grids(data: bytes, *, stored_values: bool) -> dict[str, list[Row]]:
    """Return the rows of every sheet, cut after their last filled cell."""
    import openpyxl  # heavy, and wanted for workbooks only

    with warnings.catch_warnings(), foreign_parser(_WHAT):
        warnings.simplefilter("ignore")  # about styles and extensions, which hold no data
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=stored_values)
        return {sheet.title: _rows(sheet) for sheet in book.worksheets}


def _rows(sheet: Any) -> list[Row]:  # noqa: ANN401  (openpyxl ships no types)
    sheet.reset_dimensions()  # the declared ones may be wrong or huge
    rows: list[Row] = []
    cells = 0
    for row in sheet.iter_rows(values_only=True):
        cells += len(row)
        if cells > MAX_SHEET_CELLS:
            raise DataError(f"a sheet of the workbook spans more than {MAX_SHEET_CELLS:,} cells; save it as CSV.")
        if len(rows) == MAX_SHEET_ROWS:
            raise DataError(f"a sheet of the workbook spans more than {MAX_SHEET_ROWS:,} rows; save it as CSV.")
        end = next((place for place in range(len(row), 0, -1) if not is_blank(row[place - 1])), 0)
        rows.append(tuple(row[:end]))
    return rows


def _marked(stored: list[Row], formulas: list[Row]) -> list[Row]:
    """Return the rows with a mark in each cell whose formula has no stored value."""
    return [
        tuple(UNVALUED if is_blank(value) and not is_blank(formula) else value for value, formula in zip_longest(*both))
        for both in zip_longest(stored, formulas, fillvalue=())
    ]
