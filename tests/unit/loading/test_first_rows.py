"""A first row that may hold data: exploring reads it as data, or says that it names the columns; release asks."""

import io
from datetime import date

import openpyxl
import pytest

from privcause_core.errors import DataError
from privcause_core.loading import Table, load_bytes
from privcause_core.loading.cell import Kind, plain_cell
from privcause_core.loading.proposal import holds_a_number

DATA = [
    "5 kg;3 kg",
    "2020-01-02;2020-01-03",
    "½;¾",
    "Ⅷ;Ⅸ",
    "①;②",
    "12:30;12:40",
    "5k;7k",
    "3½;2",
    "²;³",
    "TRUE;FALSE",
    "1.2.3;4.5.6",
]
NAMES = ["dose;answer", "x_1;x_2", "x.1;x.2", "T0-1;T0-2", "Länge1;Q2", "Ⅱnd phase;b"]
BELOW = "".join(f"{k};{k * k % 37}\n" for k in range(40))


def table(text: str) -> Table:
    (found,) = load_bytes(text.encode(), "f").tables
    return found


@pytest.mark.parametrize("first", DATA)
def test_release_asks_whether_such_a_first_line_names_the_columns(first):
    assert holds_a_number(first.split(";"))


@pytest.mark.parametrize("first", [one for one in DATA if one != "TRUE;FALSE"])
def test_exploring_reads_it_as_data_and_refuses_columns_that_it_does_not_fit(first):
    with pytest.raises(DataError, match=r"line 1 looks like a number .* or put words there if that row names"):
        table(f"{first}\n{BELOW}")


@pytest.mark.parametrize("first", ["5 kg;3 kg", "2020-01-02;2020-01-03", "½;¾", "TRUE;FALSE"])
def test_a_row_is_data_among_rows_of_its_kind(first):
    try:
        found = table(f"{first}\n" * 30)
    except DataError as error:
        assert " does not hold numbers but " in str(error)  # noqa: PT017
    else:
        assert [one.name for one in found.columns] == ["column 1", "column 2"]
        assert found.rows_read == 30


@pytest.mark.parametrize("first", NAMES)
def test_a_name_with_a_digit_in_it_is_a_name_to_both(first):
    assert not holds_a_number(first.split(";"))
    assert [one.name for one in table(f"{first}\n{BELOW}").columns] == first.split(";")


@pytest.mark.parametrize("first", ["x 1;x 2", "p<0.05;age 1-5"])
def test_words_with_numbers_behind_them_are_names_to_exploring_which_says_so_and_asked_by_release(first):
    found = table(f"{first}\n{BELOW}")
    assert [one.name for one in found.columns] == first.split(";")
    assert "The names of the columns are those of line 1, although it holds numbers." in found.notes
    assert holds_a_number(first.split(";"))


def test_dates_over_a_wide_table_of_numbers_are_names_and_that_is_said():
    found = table("land;2020-01;2020-02\na;1;2\nb;3;5\nc;4;4\n")
    assert [one.name for one in found.columns] == ["land", "2020-01", "2020-02"]
    assert "The names of the columns are those of line 1, although it holds numbers." in found.notes


def test_a_sheet_is_judged_alike():
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in [(date(2020, 1, 2), date(2020, 1, 3)), (1, 2), (3, 4), (5, 7)]:
        book.active.append(row)
    book.save(stream)
    (found,) = load_bytes(stream.getvalue(), "f").tables
    assert (found.rows_read, [one.missing for one in found.columns]) == (4, [1, 1])
    assert "The first row (row 1) is read as data; if it names the columns, put words there." in found.notes
    wide, stream = openpyxl.Workbook(), io.BytesIO()
    for row in [("land", date(2020, 1, 2), date(2020, 1, 3)), ("a", 1, 2), ("b", 3, 4), ("c", 5, 7)]:
        wide.active.append(row)
    wide.save(stream)
    (found,) = load_bytes(stream.getvalue(), "f").tables
    assert [one.name[:10] for one in found.columns] == ["land", "2020-01-02", "2020-01-03"]


@pytest.mark.parametrize("cell", ["½", "Ⅷ", "①", "3½", "²"])
def test_a_number_like_sign_looks_like_a_number(cell):
    assert plain_cell(cell).kind is Kind.UNREAD
