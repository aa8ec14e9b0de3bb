"""Old Excel (.xls, .xlsb) and OpenDocument (.ods) workbooks: one table a sheet."""

import io
from typing import Any

from privcause_core.errors import DataError
from privcause_core.loading.archive import opened
from privcause_core.loading.guard import foreign_parser
from privcause_core.loading.limits import MAX_SHEET_CELLS
from privcause_core.loading.sheet import Row, is_blank, sheet_table
from privcause_core.loading.table import Table


def read_spreadsheet(data: bytes, what: str) -> tuple[Table, ...]:
    """Read every sheet that is not empty.

    Parameters
    ----------
    data : bytes
    what : str
        The kind of workbook, for a sentence.

    Raises
    ------
    DataError
        If the workbook is damaged, empty, locked, or spans too many cells.
    """
    tables = tuple(sheet_table(title, rows) for title, rows in grids(data, what).items() if any(rows))
    if not tables:
        raise DataError("every sheet of the workbook is empty.")
    return tables


def grids(data: bytes, what: str = "workbook") -> dict[str, list[Row]]:
    """Return the rows of every sheet by its title.

    Raises
    ------
    DataError
        If the workbook is damaged, locked, too large when unpacked, or spans too many cells.
    """
    import python_calamine  # wanted for such workbooks only

    if data.startswith(b"PK"):
        opened(data, what)  # refuses what would unpack to too much
    try:
        with foreign_parser(what):
            book = python_calamine.load_workbook(io.BytesIO(data))
            return {title: _rows(book.get_sheet_by_name(title)) for title in book.sheet_names}
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # what its Rust code raises on hostile bytes; no Exception
            raise DataError(f"the {what} is damaged or incomplete; save it again as .xlsx.") from error
        raise


def _rows(sheet: Any) -> list[Row]:  # noqa: ANN401
    if sheet.total_height * sheet.total_width > MAX_SHEET_CELLS:
        raise DataError(f"a sheet of the workbook spans more than {MAX_SHEET_CELLS:,} cells; save it as CSV.")
    return [_cut(row) for row in sheet.to_python(skip_empty_area=False)]


def _cut(row: list[object]) -> Row:
    end = next((place for place in range(len(row), 0, -1) if not is_blank(row[place - 1])), 0)
    return tuple(None if is_blank(cell) else cell for cell in row[:end])
