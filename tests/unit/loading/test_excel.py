"""Excel workbooks."""

import io
from datetime import datetime

import openpyxl
import pytest

from privcause_core.errors import DataError
from privcause_core.loading import Table, load_bytes
from privcause_core.loading import excel as excel_module
from tests.unit.loading.material import FINGERPRINT, X, Y, close, column, fingerprint, zipped

Rows = list[list[object]]
# Such files store their first entry unpacked, so that its text is found right at the start.
OPEN_DOCUMENT = b"PK\x03\x04" + b"\0" * 26 + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"


def workbook(**sheets: Rows) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def only_sheet(rows: Rows) -> Table:
    (table,) = load_bytes(workbook(data=rows), "book.xlsx").tables
    return table


def test_every_sheet_is_offered_and_text_numbers_are_counted():  # data_17; 18 rows would be wrong
    cells = [[x, f"{y:.2f}" if i % 4 == 0 else y] for i, (x, y) in enumerate(zip(X, Y, strict=True))]
    data = workbook(Readme=[["Exported by the lab"]], data=[["x", "y"], *cells])
    for name in ("book.xlsx", "really_xlsx.csv"):  # data_26
        readme, table = load_bytes(data, name).tables
        assert (readme.name, readme.rows_read, table.name) == ("Readme", 0, "data")
        assert fingerprint(table.pair(0, 1)) == close(FINGERPRINT)
        assert "Column y has numbers stored as text: 6 text cells read as numbers." in table.notes


def test_formulas_without_a_stored_value_are_named():
    table = only_sheet([["x", "y"], [1, 2.5], [2, "=A3*2"], [3, "=A4*2"], [4, 1.5]])
    assert table.columns[1].missing == 2
    assert any(
        "2 formulas without a stored value in column y, " in note and "B3 and B4" in note for note in table.notes
    )
    why = "2 of 4 rows left out as incomplete, 2 of them for a formula without a stored value: rows 3 and 4."
    assert why in table.pair(0, 1).notes


def test_rows_of_formulas_alone_are_counted_as_read():
    table = only_sheet([["x", "y"], [1, 2.5], ["=A2+1", "=B2*2"], [3, None], [4, 1.5], [5, 7]])
    assert (table.rows_read, list(table.line_numbers)) == (5, [2, 3, 4, 5, 6])
    why = "2 of 5 rows left out as incomplete, 1 of them for a formula without a stored value: rows 3 and 4."
    assert why in table.pair(0, 1).notes


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        ([["x", "y"], *([k, f"=A{k}*2"] for k in range(2, 12))], "10 formulas"),
        ([["=1+1", "=2+2"], ["=A1+1", "=B1+1"]], "4 formulas"),
        ([["x", "y"], [1, "=A2"]], "1 formula"),
    ],
)
def test_a_workbook_refused_for_its_formulas_says_so_and_what_to_do(rows, count):
    advice = f"needs: {count} without a stored value; open the workbook in a spreadsheet program and save it, or export"
    with pytest.raises(DataError, match=advice):
        load_bytes(workbook(data=rows), "book.xlsx")


def test_a_sheet_of_formulas_beside_a_good_one_says_why_it_gives_no_pair():
    lone = [["x", "y"], [1, "=A2"], [2, "=A3"]]
    good, bad = load_bytes(workbook(good=[["x", "y"], [1, 2], [3, 4]], bad=lone), "book.xlsx").tables
    assert good.pair(0, 1).rows == 2
    for refused in (bad.default_columns, lambda: bad.pair(0, 1)):
        with pytest.raises(DataError, match="2 formulas without a stored value"):
            refused()
    apart = only_sheet([["x", "y"], *[[k, f"=A{k}"] for k in (2, 3)], *[[f"=B{k}", k] for k in (4, 5)]])
    with pytest.raises(DataError, match=r"no row .* in both x and y: 4 formulas without a stored value"):
        apart.pair(0, 1)


def test_a_table_may_start_below_titles_and_right_of_nothing():
    table = only_sheet([["Lab report"], [], [None, "x", "y"], [None, 1, 2.5], [], [None, 3, 0.5], [None, 2, 1.5]])
    assert [one.name for one in table.columns] == ["x", "y"]
    assert list(table.line_numbers) == [4, 6, 7]
    assert any("above the table" in note and "row 1" in note for note in table.notes)


def test_dates_are_not_numbers_and_truth_values_are_1_and_0_as_in_other_files():
    table = only_sheet(
        [["x", "when", "ok", "y"], [1, datetime(2020, 1, 1), True, 2.5], [2, datetime(2021, 1, 1), False, 1]]
    )
    assert table.numeric_columns == (0, 2, 3)
    assert column(table, 2).tolist() == [1, 0]
    assert "Column ok is TRUE and FALSE, read as 1 and 0." in table.notes


def test_sheets_without_a_header_are_read():
    table = only_sheet([[1, 2.5], [2, 1.5]])
    assert ([one.name for one in table.columns], table.rows_read) == (["column 1", "column 2"], 2)


def test_a_censored_value_in_the_first_row_of_a_sheet_is_data():
    table = only_sheet([["<0.1", 45.25], [0.5, 3], [0.7, 8]])
    assert ([one.name for one in table.columns], table.rows_read) == (["column 1", "column 2"], 3)
    years = only_sheet([["year", 2019, 2020], [1, 2, 3]])
    assert "The names of the columns are those of row 1, although it holds numbers." in years.notes


def test_decimal_commas_in_text_cells_follow_one_mark_per_sheet():
    table = only_sheet([["x", "y"], ["1,5", 0.25], ["2.155", 0.5], ["3,25", 0.75]])
    assert column(table, 0).tolist() == [1.5, 2155, 3.25]
    assert column(table, 1).tolist() == [0.25, 0.5, 0.75]


def test_error_cells_are_missing():
    table = only_sheet([["x", "y"], [1, "#DIV/0!"], [2, 1.5], [3, "#N/A"]])
    assert table.columns[1].missing == 2


def test_whole_numbers_that_a_workbook_merged_are_announced():
    table = only_sheet([["t", "v"], [1556559573141592601, 1], [1556559573141592602, 2]])
    assert any("beyond 2^53" in note for note in table.notes)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (workbook(empty=[]), "every sheet of the workbook is empty"),
        (workbook(notes=[["only words"], ["here"]]), "no sheet of the workbook has the two columns of numbers"),
        (workbook(data=[["x", "y"], [1, 2]])[:-200], "file is damaged"),
        (zipped({"xl/workbook.xml": "<broken"}), "Excel workbook is damaged"),
        (zipped({"xl/workbook.bin": ""}), r"binary Excel workbook \(.xlsb\)"),
        (OPEN_DOCUMENT, "OpenDocument"),
    ],
)
def test_unusable_workbooks_are_refused_plainly(data, reason):
    with pytest.raises(DataError, match=reason):
        load_bytes(data, "book.xlsx")


@pytest.mark.parametrize(("limit", "what"), [("MAX_SHEET_CELLS", "cells"), ("MAX_SHEET_ROWS", "rows")])
def test_a_sheet_that_spans_too_much_is_refused(limit, what, monkeypatch):
    monkeypatch.setattr(excel_module, limit, 100)
    data = workbook(data=[[1, 2, *[None] * 40, 3]] * 101)
    with pytest.raises(DataError, match=f"spans more than 100 {what}"):
        load_bytes(data, "book.xlsx")


def test_entities_in_a_workbook_are_not_expanded():
    laughs = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 10))
    bomb = f'<!DOCTYPE l [<!ENTITY e0 "ha">{laughs}]><workbook>&e9;</workbook>'
    with pytest.raises(DataError, match="Excel workbook is damaged"):
        load_bytes(zipped({"xl/workbook.xml": bomb, "[Content_Types].xml": bomb}), "book.xlsx")
