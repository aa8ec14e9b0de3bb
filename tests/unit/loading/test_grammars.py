"""Numbers as people write them: one grammar a column, the rest of the file where the column leaves it open."""

import sys
import unicodedata
from contextlib import suppress

import numpy as np
import pytest

from privcause_core.errors import DataError
from privcause_core.loading import AmbiguousNumbersError, DecimalMark, Grouping, load_bytes, load_files
from privcause_core.loading.cell import CURRENCY_SIGNS, Kind, plain_cell
from privcause_core.loading.grammar import GRAMMARS, readers
from tests.unit.loading.material import FINGERPRINT, X, Y, close, column, fingerprint, lines, only_table

THOUSANDS = ("9011,58;4649,12", "582,34;1615,62", "562,72;1742,87", "3951,54;4416,32")
NBSP_PAIRS = ("9\u00a0011,58", "582,34", "562,72", "3\u00a0951,54")


def read(*cells: str, other: str = "0.5", separator: str = "\t") -> list[float]:
    """Return the values of a column of cells beside one that proves the decimal mark, unless it is blank."""
    text = f"a{separator}b\n" + "".join(f"{cell}{separator}{other}\n" for cell in cells)
    return only_table(text).columns[0].doubles().tolist()


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f", "\u2009"])
@pytest.mark.parametrize("separator", [";", "\t"])
def test_no_break_and_thin_blanks_group_thousands(blank, separator):  # rep_01: the first row was published as names
    rows = [row.replace(";", separator) for row in ("9_011,58;4_649,12", "582,34;1_615,62", "3_951,54;4_416,32")]
    table = only_table(f"chiffre{separator}marge\n" + "\n".join(rows).replace("_", blank) + "\n")
    assert [one.name for one in table.columns] == ["chiffre", "marge"]
    assert column(table, 0).tolist() == [9011.58, 582.34, 3951.54]
    assert column(table, 1).tolist() == [4649.12, 1615.62, 4416.32]


@pytest.mark.parametrize("separator", ["\t", ";"])
def test_bare_hundreds_beside_groups_of_three_mean_thousands(separator):  # rep_02: 998 beside 1.034
    rows = ["3,878;4,502", "998;1,847", "1,034;2,732", "412;3,639"]
    table = only_table(f"visits{separator}cost\n" + "\n".join(rows).replace(";", separator) + "\n")
    assert column(table, 0).tolist() == [3878, 998, 1034, 412]
    assert column(table, 1).tolist() == [4502, 1847, 2732, 3639]  # open by itself: one grouping a file
    assert "Column visits groups thousands with commas." in table.notes


@pytest.mark.parametrize(
    "form", ["-{}", "\u2212{}", "\u2013{}", "{}-", "({})", "- {}", "(${})", "-${}", "$-{}", "\uff0d{}"]
)
def test_every_sign_of_a_negative_number_is_read(form):  # rep_03: dropping them selects on the value
    values = read("6.5", form.format("8.5"), "15.8") if "$" not in form else read("$6.5", form.format("8.5"), "$15.8")
    assert values == [6.5, -8.5, 15.8]


def test_per_cent_currency_and_truth_values_are_numbers():  # rep_05
    table = only_table('rate,spend,ill\n13.6%,"$853.70",FALSE\n49.9%,"$2,395.92",TRUE\n59.9%,"$1,076.81",TRUE\n')
    assert [column(table, place).tolist() for place in range(3)] == [
        [13.6, 49.9, 59.9], [853.7, 2395.92, 1076.81], [0, 1, 1],
    ]  # fmt: skip
    assert table.default_columns() == (0, 1)
    assert "Column ill is TRUE and FALSE, read as 1 and 0." in table.notes


def test_a_cell_with_two_dots_can_only_be_grouped():  # data_28: 1.200 read as 1.2 and 1.310.750 dropped
    table = only_table("people;beds\n2.243.318;23.788\n686.347;7.907\n1.500.813;564\n")
    assert column(table, 0).tolist() == [2243318, 686347, 1500813]
    assert column(table, 1).tolist() == [23788, 7907, 564]


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("1'234.5", "12"), [1234.5, 12]),
        (("1\u2019234\u2019567", "12"), [1234567, 12]),
        (("12,34,567.8", "1,234"), [1234567.8, 1234]),
        (("1 234 567", "998"), [1234567, 998]),
        (("\u0661\u0662\u066c\u0663\u0664\u0665\u066b\u0666", "\u0667"), [12345.6, 7]),
        (("\u0661\u066b\u0662\u0663\u0664", "\u0665\u066b\u0666\u0667\u0668"), [1.234, 5.678]),
        (("१,२३,४५६", "७"), [123456, 7]),
        (("１２．５", "－３"), [12.5, -3]),
        (("\u200e-5", "\u200e7"), [-5, 7]),
        (("CHF 1'234.50", "CHF 7"), [1234.5, 7]),
        (("12 kr", "7.5 kr"), [12, 7.5]),
        (("%12", "7 %"), [12, 7]),
        (("+1.5", ".5"), [1.5, 0.5]),
        (("1.5e3", "2E-1"), [1500, 0.2]),
        (("5.", "007"), [5, 7]),
    ],
)
def test_other_groupings_scripts_and_units_are_read(cells, values):
    assert read(*cells) == values


@pytest.mark.parametrize(
    ("cells", "values"),
    [(("1.234,5", "12"), [1234.5, 12]), (("1 234,5", "12,25"), [1234.5, 12.25]), (("1'234,5", "0,5"), [1234.5, 0.5])],
)
def test_groupings_beside_a_decimal_comma_are_read(cells, values):
    assert read(*cells, other="0,5") == values


AMBIGUOUS = "x;y\n1.234;2.345\n3.456;4.567\n"


def test_what_both_decimal_marks_read_is_asked_for():
    table = only_table(AMBIGUOUS)
    assert table.ambiguous == (0, 1)
    assert table.numeric_columns == (0, 1)
    with pytest.raises(AmbiguousNumbersError, match="--decimal point or --decimal comma"):
        table.pair(0, 1)
    assert table.with_decimal(DecimalMark.POINT).pair(0, 1).x.tolist() == [1.234, 3.456]
    assert table.with_decimal(DecimalMark.COMMA).pair(0, 1).x.tolist() == [1234, 3456]
    assert table.with_decimal(DecimalMark.COMMA).ambiguous == ()


@pytest.mark.parametrize(("mark", "value"), [(DecimalMark.POINT, 1.234), (DecimalMark.COMMA, 1234)])
def test_what_was_asked_for_can_be_said_beforehand(mark, value):
    assert load_bytes(AMBIGUOUS.encode(), "f", decimal=mark).tables[0].pair(0, 1).x[0] == value
    files = [("a.txt", AMBIGUOUS.encode()), ("pair0001.txt", b"1.234 2.345\n3.456 4.567\n")]
    assert load_files(files, decimal=mark).pairs[0].x[0] == value
    pairs = b"SampleID,A,B\np,1.234 3.456,2.345 4.567\n"
    assert load_bytes(pairs, "f", decimal=mark).pairs[0].x[0] == value
    with pytest.raises(DataError, match="--decimal"):
        load_bytes(pairs, "f")


def test_bare_thousands_leave_it_open():
    assert only_table("x\ty\n1,234\t0\n2345\t1\n998\t2\n").ambiguous == (0,)


def test_another_column_that_contradicts_leaves_it_open():
    assert only_table("x\ty\n1,034\t0,5\n998\t0,25\n2,310\t7\n").ambiguous == (0,)


def test_columns_with_different_decimal_marks_each_keep_theirs():
    table = only_table("x;y\n1,5;2.5\n2,25;3.75\n")
    assert (column(table, 0).tolist(), column(table, 1).tolist()) == ([1.5, 2.25], [2.5, 3.75])


@pytest.mark.parametrize(
    "cell",
    ["1.2.3", "12 kg", "1_000", "5,-", "3±1", "2020-01-05", "12:30", "1,23,4", "1/2", "--5", "(5", "$5€", "1 23"],
)
def test_a_cell_that_looks_like_a_number_and_is_none_is_a_refusal_by_line_and_column(cell):
    text = "dose\tanswer\n" + "".join(f"{i}.5\t{i}\n" for i in range(4)) + f"{cell}\t9\n" + "7.25\t3\n"
    with pytest.raises(DataError, match=r"column dose cannot be read: line 6 looks like a number") as caught:
        load_bytes(text.encode(), "f")
    assert cell not in str(caught.value)
    wide = only_table(text.replace("\t", "\t1.5\t"))  # other columns can still be used
    assert wide.numeric_columns == (1, 2)
    with pytest.raises(DataError, match="line 6"):
        wide.pair(0, 2)


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        (["5%", "0.5", "7%"], r"mixes per cent with plain numbers \(line 3\)"),
        (["$5", "€6", "$7"], "mixes currencies"),
        (["TRUE", "0.5", "7"], r"mixes TRUE or FALSE with numbers \(line 2\)"),
        (["1,5", "2.5", "3.5", "4.5"], "line 2 looks like a number"),
        (["1.234,5", "1,234.5", "2,345.5"], "line 2 looks like a number"),
    ],
)
def test_a_column_of_two_minds_is_refused(cells, why):
    with pytest.raises(DataError, match=f"column x {why}|column x cannot be read: {why}"):
        load_bytes(("x\ty\n" + "".join(f"{cell}\t{i}\n" for i, cell in enumerate(cells))).encode(), "f")


@pytest.mark.parametrize(
    "text",
    [
        "x,y\n1,234,5\n2,345,6\n3,456,7\n",
        "x,y\n1,5,2,5\n3,5,4,5\n",
        "x,y\n12,5,7\n13,5,8\n",
        "x y\n1 234 5\n2 345 6\n",
        "x,y\n998,1\n5,7\n1,034,2\n6,1\n7,2\n",
        "x y\nCHF 5.3 1\nCHF 5.4 2\n",
        "x y\n-CHF 1.248 1,5\nCHF 9.342 2,5\n",
        "x,y,z\n1,5,2\n1,5,3,7\n2,5,4,8\n3,5,4,9\n1,2,3\n1,2,3\n1,2,3\n1,2,3\n",
    ],
)
def test_a_separator_inside_numbers_is_a_refusal_never_a_shifted_row(text):
    with pytest.raises(DataError, match="inside numbers"):
        load_bytes(text.encode(), "f")


def test_commas_and_blanks_that_both_could_separate_are_a_refusal_and_else_numbers_decide():
    with pytest.raises(DataError, match="commas or blanks may separate"):
        load_bytes(b"4701,4 215,88\n1288,1 692,776\n", "f")
    table = only_table("36,29 6765,958813\n0,20 107,600644\n")
    assert column(table, 1).tolist() == [6765.958813, 107.600644]


def test_one_column_of_grouped_numbers_is_one_column():
    with pytest.raises(DataError, match="one column"):
        load_bytes(b"people\n1,234,567\n2,345,678\n3,456,789\n", "f")


@pytest.mark.parametrize(
    "first", ["$5.00;$7.00", "(8.5);2", "1_000;2_000", "5,-;7,-", "12 %;3 %", "1.2.3;4.5.6", "\u0661;\u0662", "TRUE;5"]
)
def test_a_row_of_data_in_another_dress_never_becomes_names(first):
    with suppress(DataError):  # a refusal is right, too
        table = only_table(f"{first}\n" * 5)
        assert [one.name for one in table.columns] == ["column 1", "column 2"]
        assert table.rows_read == 5
        assert any("is read as data" in note for note in table.notes)


def test_years_above_numbers_are_data_in_two_columns_and_said():
    table = only_table("2019,2020\n1,2\n3,4\n")
    assert table.rows_read == 3
    assert "The first row (line 1) is read as data; if it names the columns, put words there." in table.notes


def test_a_word_beside_values_like_those_below_never_makes_them_names():
    table = only_table("n.d.,45.25,3\n0.5,40,2\n0.7,50,8\n0.2,47,1\n")
    assert [one.name for one in table.columns] == ["column 1", "column 2", "column 3"]


def test_pairs_tables_are_read_under_one_grammar_and_quote_no_cell():
    text = 'SampleID;A;B\np;"1\u00a0234,5 2,5 3";"-1 (2) 3"\n' + "q" * 500 + ";1 2;x y\n"
    loaded = load_bytes(text.encode(), "f")
    assert (loaded.pairs[0].x.tolist(), loaded.pairs[0].y.tolist()) == ([1234.5, 2.5, 3], [-1, -2, 3])
    assert loaded.rejected[0].name == "line 3"


@pytest.mark.parametrize("rows", [3, 50_000])
def test_integers_beyond_2_to_53_stay_exact_when_grouped(rows):
    text = "t;v\n" + "".join(f"9.007.199.254.740.{993 + i % 5}.000;{i},5\n" for i in range(rows))
    assert only_table(text).pair(0, 1).x[:3].tolist() == [9007199254740993000 + 1000 * i for i in range(3)]


def test_every_currency_sign_of_the_basic_plane_is_known():
    for code in range(0x10000):
        is_sign = unicodedata.category(chr(code)) == "Sc"
        assert not is_sign or plain_cell(f"{chr(code)}5").kind is Kind.NUMBER, hex(code)
    assert CURRENCY_SIGNS
    assert sys.maxunicode > 0xFFFF


def test_a_grammar_reads_its_own_numbers_only():
    assert {GRAMMARS[place] for place in readers("1,234,567")} == {
        one for one in GRAMMARS if one.decimal is DecimalMark.POINT and one.grouping is Grouping.COMMA
    }
    assert {GRAMMARS[place].decimal for place in readers("1.234")} == set(DecimalMark)
    assert readers("1.2.3") == frozenset()
    assert not np.isnan(X).any()


def test_plain_numbers_stay_plain():
    assert fingerprint(only_table("x,y\n" + lines(",", X, Y)).pair(0, 1)) == close(FINGERPRINT)


@pytest.mark.parametrize("odd", ["5k", "5*", "7†", "5h", "3 kg", "1½", "[5]", "<5>", "¾3"])
def test_a_cell_of_one_digit_that_cannot_be_read_is_not_dropped_among_numbers(odd: str) -> None:
    assert plain_cell(odd).kind in (Kind.UNREAD, Kind.CENSORED)
    rows = "".join(f"{k % 97 + 10};{k * k % 89 + 10}\n" for k in range(60))
    with pytest.raises(DataError, match="column a cannot be read: line 2"):
        load_bytes(f"a;b\n{odd};7\n{rows}".encode(), "t.csv")


@pytest.mark.parametrize("dash", ["\u2014", "\u2015", "\u02d7", "\u207b", "\u2212"])
def test_a_dash_of_any_kind_before_digits_is_a_minus(dash: str) -> None:
    assert (plain_cell(f"{dash}5").number, plain_cell(f"{dash}15").number) == ("-5", "-15")


@pytest.mark.parametrize("name", ["x1", "Q2", "bp2", "A1"])
def test_a_short_name_with_a_digit_is_a_word(name: str) -> None:
    assert plain_cell(name).kind is Kind.WORD
