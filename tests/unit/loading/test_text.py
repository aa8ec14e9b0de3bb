"""Text tables as people save them; the input of each case is rewritten here with its golden values."""

import numpy as np
import pytest

from privcause_core.errors import DataError
from privcause_core.loading import load_bytes
from privcause_core.scores.kendall import tau_a
from privcause_core.scores.spearman import rho_a
from tests.unit.loading.material import (
    FINGERPRINT,
    X,
    Y,
    Z,
    close,
    column,
    default_pair,
    fingerprint,
    lines,
    only_table,
)


def test_semicolons_with_decimal_commas_are_read_and_said():  # data_01
    table = only_table("druck;temp\n" + lines(";", X, Y, decimal=","))
    assert [one.name for one in table.columns] == ["druck", "temp"]
    assert fingerprint(table.pair(0, 1)) == close(FINGERPRINT)
    assert "Semicolons separate the fields and the comma is the decimal mark" in " ".join(table.notes)


def test_one_decimal_mark_holds_for_the_whole_file():  # data_03; a guess per column gives tau -0.0667
    pair = default_pair("count;rate\n2.155;19,47\n1.024;12,30\n546;6,05\n3.310;27,91\n87;1,20\n1.900;17,00\n")
    assert fingerprint(pair) == close((6, 9022.0, 83.93, 1.0, 1.0))


def test_the_whole_file_decides_not_its_first_lines():
    early = "1.155;2\n" * 3_000  # fits either mark
    table = only_table("a;b\n" + early + "0,5;2,25\n")
    assert column(table, 0)[0] == 1155
    assert column(table, 0)[-1] == 0.5


def test_points_stay_decimal_when_commas_stand_in_words_only():
    table = only_table('who;a;b\n"Doe, Jane";1.234;2.345\n"Roe, Max";3.456;0.567\n')
    assert column(table, 1).tolist() == [1.234, 3.456]


def test_commas_group_thousands_in_quoted_cells_between_commas():
    table = only_table('a,b,who\n"1,234",0.5,u\n"12,345",1.5,v\n')
    assert column(table, 0).tolist() == [1234, 12345]


def test_quoted_decimal_commas_between_commas_are_never_grouping():  # data_23
    rows = "".join(f'"{x:.2f}","{10 * y:.1f}"\n'.replace(".", ",") for x, y in zip(X, Y, strict=True))
    assert fingerprint(default_pair("x,y\n" + rows)) == close((24, 2.42, 24.1, *FINGERPRINT[3:]))


@pytest.mark.parametrize("cell", ["1 234,5", "1.234,5", "1'234,5", "1\u00a0234,5", "1\u202f234,5"])
def test_every_usual_grouping_of_thousands_is_read(cell):
    assert column(only_table(f"a;b\n{cell};0,5\n2,5;0,6\n"), 0).tolist() == [1234.5, 2.5]


def test_byte_order_mark_and_quotes_are_not_part_of_names():  # data_04
    data = b"\xef\xbb\xbf" + ('"Name","Team"\r\n' + lines(",", X, Y, end="\r\n")).encode()
    table = only_table(data)
    assert [one.name for one in table.columns] == ["Name", "Team"]
    assert fingerprint(table.pair(0, 1)) == close(FINGERPRINT)
    assert table.notes == ()


def test_windows_1252_is_read_with_a_notice():  # data_05
    table = only_table(("Größe;Gewicht µg\n" + lines(";", X, Y, decimal=",")).encode("cp1252"))
    assert [one.name for one in table.columns] == ["Größe", "Gewicht µg"]
    assert fingerprint(table.pair(0, 1)) == close(FINGERPRINT)
    assert "Windows-1252" in table.notes[0]


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_unicode_encodings_are_told_apart(codec):
    table = only_table(("Größe,y\n" + lines(",", X, Y)).encode(codec))
    assert table.columns[0].name == "Größe"
    assert fingerprint(table.pair(0, 1)) == close(FINGERPRINT)


def test_one_column_is_refused_and_never_split():  # data_07
    with pytest.raises(DataError, match="one column and a pair needs two"):
        load_bytes(b"height\n10101\n11171\n12141\n13111\n14181\n15151\n16121\n", "height.csv")


def test_one_column_of_decimal_commas_is_refused():
    with pytest.raises(DataError, match="one column and a pair needs two"):
        load_bytes(b"height\n1,80\n1,75\n1,66\n", "height.csv")


def test_blanks_of_any_kind_separate_two_columns():  # data_08
    shapes = ("  {:.7e}    {:.7e}\r\n", "{:.7e}\t{:.7e}  \n", "{:.7e} \t {:.7e}\n", " {:.7e}  {:.7e}  \n")
    rows = "".join(shapes[i % 4].format(x, y) for i, (x, y) in enumerate(zip(X, Y, strict=True)))
    table = only_table(rows + "\n\n", "pair0001.txt")
    assert len(table.columns) == 2
    assert table.rows_read == 24
    assert fingerprint(table.pair(0, 1)) == close(FINGERPRINT)


def test_repeated_and_blank_names_stay_apart():  # data_10
    table = only_table("x,x,\n" + lines(",", X, Y, Z))
    assert [one.label for one in table.columns] == ["x (column 1)", "x (column 2)", "column 3"]
    assert [one.name for one in table.columns] == ["x", "x", "column 3"]
    assert fingerprint(table.pair(0, 1)) == close(FINGERPRINT)
    rows, x, z, _, tau = fingerprint(table.pair(0, 2))  # one tie: rho_a is not scipy's rho
    assert (rows, x, z, tau) == pytest.approx((24, 2.42, 0.35, -0.9021739130434783), rel=1e-12)
    assert "name x stands over columns 1 and 2" in " ".join(table.notes)


def test_missing_cells_are_counted_with_their_lines_and_markers_flagged():  # data_20
    x = ["NA" if i == 15 else str(v) for i, v in enumerate(Y)]
    left = ["-999" if i == 3 else "" if i == 20 else str(v) for i, v in enumerate(X)]
    x[9] = "-9999"
    table = only_table("x,y\n" + "".join(f"{a},{b}\n" for a, b in zip(left, x, strict=True)))
    kept, dropped = table.pair(0, 1), table.pair(0, 1, sentinels_missing=True)
    assert fingerprint(kept) == close((22, -993.75, -9998.78, 0.717673630717109, 0.7229437229437229))
    assert fingerprint(dropped) == close((20, 3.6, 5.82, 0.9714285714285714, 0.8842105263157894))
    assert "2 of 24 rows left out as incomplete: lines 17 and 22." in kept.notes
    assert any("(-9999 and -999) kept as numbers" in note and "lines 5 and 11" in note for note in kept.notes)
    assert any("(-9999 and -999) left out" in note for note in dropped.notes)
    assert (table.columns[0].sentinels, table.columns[1].sentinels) == ((-999,), (-9999,))


def test_identifier_is_offered_but_not_chosen():  # data_22
    numbers = range(848_000_000, 848_000_000 + 37 * 24, 37)
    rows = zip(numbers, X, Y, [0, 1, 2] * 8, strict=True)
    table = only_table("".join(f"{i}\t{x:.16e}\t{y:.16e}\t{k}\n" for i, x, y, k in rows), "lab.tsv")
    assert table.numeric_columns == (0, 1, 2, 3)
    assert [one.looks_like_identifier for one in table.columns] == [True, False, False, False]
    assert table.default_columns() == (1, 2)
    assert fingerprint(table.pair(1, 2)) == close(FINGERPRINT)
    assert any("looks like an identifier" in note for note in table.pair(0, 1).notes)


def test_integers_beyond_2_to_53_rank_exactly():  # data_25
    first = 1556559573141592601
    table = only_table("t,v\n" + "".join(f"{first + i},{i + 1}\n" for i in range(10)) + ",11\n")
    pair = table.pair(0, 1)
    assert (pair.rows, pair.rows_read, pair.x.dtype) == (10, 11, np.int64)
    assert pair.x.tolist() == [first + i for i in range(10)]
    assert (rho_a(pair.x, pair.y), tau_a(pair.x, pair.y)) == (1.0, 1.0)


def test_signs_and_leading_zeros_do_not_spoil_exactness():
    pair = only_table("t,v\n+9007199254740993,1.5\n-9007199254740993,2\n007,3\n").pair(0, 1)
    assert pair.x.tolist() == [9007199254740993, -9007199254740993, 7]


@pytest.mark.parametrize("cell", ["0.5", "92233720368547758080"])
def test_large_integers_that_cannot_be_kept_are_announced(cell):
    table = only_table(f"t,v\n9007199254740993,1\n{cell},2\n9007199254740995,3\n")
    assert any("beyond 2^53" in note for note in table.notes)
    assert table.pair(0, 1).rows == 3


def test_scientific_notation_promises_no_digits_and_brings_no_warning():
    assert only_table("a,b\n6.02e23,1\n1e300,2\n").notes == ()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "file is empty"),
        (b"\n \n", "file is empty"),
        (b"\xef\xbb\xbf", "file is empty"),
        (b"x,y\n", "no data rows"),
        (b"# nothing\n", "only comments"),
        (b"<!DOCTYPE html><html><body>Sign in, please</body></html>\n", "looks like a web page, not a table"),
        (b"<?xml version='1.0'?><a/>", "XML document"),
        (b"%PDF-1.7", "PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "old Excel"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary file"),
        (b"a,b\n\x81,1\n", "no encoding known here"),
        (b"name,city\nann,rome\nbob,oslo\n", "needs two columns of numbers"),
        (b"name,height\nann,1.5\nbob,1.6\n", "needs two columns of numbers"),
        (b'x,y\n1,2\n"3,4\n5,6\n', "quotation marks do not pair up from line 3"),
    ],
)
def test_what_is_no_table_is_refused_in_one_plain_sentence(data, reason):  # data_26
    with pytest.raises(DataError, match=reason) as caught:
        load_bytes(data, "thing.csv")
    message = str(caught.value)
    assert message.startswith("thing.csv: ")
    assert "\n" not in message
    assert message.endswith(".")


def test_ragged_lines_are_named_and_never_shifted():  # data_26
    table = only_table("x,y\n1,2\n3,4\n5,6,7\n8,9\n10\n11,12\n")
    assert "line 4 (3 fields) and line 6 (1 field)" in " ".join(table.notes)
    pair = table.pair(0, 1)
    assert (pair.rows, pair.rows_read, pair.x.tolist()) == (4, 6, [1, 3, 8, 11])
    assert "2 of 6 rows left out as incomplete: lines 4 and 6." in pair.notes


def test_mostly_ragged_text_is_no_table():
    with pytest.raises(DataError, match="most lines do not have 2 fields"):
        load_bytes(b"1,2\n" * 300 + b"1\n" * 5_000, "prose.txt")


def test_nan_rows_are_left_out_with_their_number():  # stat_08; scipy ranks NaN highest and gives tau -1
    pair = default_pair("x,y\n1,2\n2,1\n3,\n4,5\n5,4\n6,nan\n7,8\n8,7\n9,11\n10,9\n")
    assert fingerprint(pair) == close((8, 46.0, 47.0, 0.9047619047619048, 0.7142857142857143))
    assert "2 of 10 rows left out as incomplete: lines 4 and 7." in pair.notes


@pytest.mark.parametrize("cell", ["nan", "inf", "-inf", "1e400", "-1e400", "NA", "", "?", "#N/A", "null"])
def test_what_is_not_finite_is_missing_and_its_row_dropped(cell):  # dp_05
    pair = default_pair("x,y\n" + lines(",", X, Y).replace("-0.26,0.15", f"-0.26,{cell}"))
    assert pair.rows == 23
    assert np.isfinite(pair.y).all()
    assert "1 of 24 rows left out as incomplete: line 6." in pair.notes


def test_two_hundred_thousand_rows_of_ties_keep_exact_counts():  # stat_07
    i = np.arange(200_000, dtype=np.int64)
    x = (i * i + i // 7) % 7
    y = (i * i * i + i + (x * (i % 3))) % 5
    pair = default_pair("x,y\n" + "".join(f"{a},{b}\n" for a, b in zip(x, y, strict=True)))
    assert tau_a(pair.x, pair.y) == pytest.approx(465168516 / (200_000 * 199_999 / 2), rel=1e-14)


def test_hostile_column_names_stay_as_they_are():  # ui_09
    table = only_table('"=1+1","cost $a$ [USD] *b* <b>x</b>"\n' + lines(",", X, Y))
    assert [one.label for one in table.columns] == ["=1+1", "cost $a$ [USD] *b* <b>x</b>"]
    assert fingerprint(table.pair(0, 1)) == close(FINGERPRINT)


def test_comments_blank_lines_and_preambles_keep_line_numbers_right():
    table = only_table('# made by "us"\nA title\n\nx,y\n1,2\n# more\n3,\n  # indented\n\n5,6\n')
    assert list(table.line_numbers) == [5, 7, 10]
    assert "1 of 3 rows left out as incomplete: line 7." in table.pair(0, 1).notes
    assert any("before the table" in note and "line 2" in note for note in table.notes)


def test_spreadsheet_errors_at_a_line_start_are_no_comments():
    table = only_table("x,y\n#N/A,1\n#DIV/0!,2\n3,4\n5,6\n")
    assert (table.rows_read, table.columns[0].missing) == (4, 2)


def test_quoted_line_ends_do_not_end_a_row():
    table = only_table('"x\nlong",y\n1,2\n"3",4\n"a\nb",6\n7,8\n')
    assert table.columns[0].name == "x long"
    assert list(table.line_numbers) == [3, 4, 5, 7]


def test_r_row_names_become_a_column_of_their_own():
    table = only_table('"x" "y"\n"1" 0.5 2.5\n"2" 0.25 1.5\n"3" 0.75 3.5\n')
    assert [one.label for one in table.columns] == ["column 1", "x", "y"]
    assert table.default_columns() == (1, 2)


def test_separators_at_line_ends_make_no_column():
    assert [one.name for one in only_table("x,y\n1,2,\n3,4,\n").columns] == ["x", "y"]
    assert len(only_table("1;2;\n3;4;\n").columns) == 2


def test_separator_line_of_spreadsheets_is_obeyed():
    table = only_table("sep=;\nx;y\n1,5;2\n3;4,5\n")
    assert [one.name for one in table.columns] == ["x", "y"]
    assert column(table, 0).tolist() == [1.5, 3.0]


def test_headerless_and_header_are_told_apart():
    assert [one.name for one in only_table("1,2\n3,4\n").columns] == ["column 1", "column 2"]
    assert [one.name for one in only_table("year,2019,2020\n1,2,3\n4,5,6\n").columns] == ["year", "2019", "2020"]
    assert only_table("a,1,2\nb,3,4\n").rows_read == 2  # a first column of words names nothing


@pytest.mark.parametrize(
    "first", ["<0.1,45.25", "45.25,>=5", "< 0.1,>5e3", "≤0.1,NA", "~2,≈3", "n.d.,45.25", "45.25,trace", '"<0.1","<0.2"']
)
def test_a_first_row_of_data_never_becomes_names(first):
    table = only_table(f"{first}\n0.5,3\n0.7,8\n0.2,4\n")
    assert [one.name for one in table.columns] == ["column 1", "column 2"]
    assert table.rows_read == 4
    assert table.pair(0, 1).rows == 3
    assert "1 of 4 rows left out as incomplete: line 1." in table.pair(0, 1).notes


def test_a_censored_first_value_is_data_whatever_separates_the_fields():
    for first, row in (("<0,1;45,25", "0,5;3"), ("<0.1\t45.25", "0.5\t3"), ("<0.1 45.25", "0.5 3")):
        assert [one.name for one in only_table(f"{first}\n{row}\n{row}\n").columns] == ["column 1", "column 2"]
    assert only_table("<0.1,45.25,7\n1,2,3\n4,5,6\n").rows_read == 3


def test_a_header_may_hold_signs_and_numbers_and_says_so_where_it_could_be_data():
    plain = only_table("dose <0.1 mg,<LOD\n1,2\n3,4\n")
    assert [one.name for one in plain.columns] == ["dose <0.1 mg", "<LOD"]
    assert plain.notes == ()
    bands = only_table("year,<18,>=18\n1,2,3\n4,5,6\n")
    assert [one.name for one in bands.columns] == ["year", "<18", ">=18"]
    assert "The names of the columns are those of line 1, although it holds numbers." in bands.notes


def test_words_in_a_column_of_numbers_are_counted_as_missing():
    table = only_table("x,y\n1,2\noops,4\n5,6\n7,8\n")
    assert table.columns[0].missing == 1
    assert any("column x has 1 cell without" in note.lower() for note in table.notes)


def test_too_many_columns_are_refused():
    with pytest.raises(DataError, match="more than the 5,000"):
        load_bytes(b",".join([b"1"] * 6_000) + b"\n", "wide.csv")


def test_messages_hold_no_cell_of_the_data():
    secret = "4815162342"
    for data in (f"x\n{secret}\n", f"x,y\n{secret},a\n{secret},b\n", f'x,y\n1,2\n"{secret},1\n'):
        with pytest.raises(DataError) as caught:
            load_bytes(data.encode(), "f.csv")
        assert secret not in str(caught.value)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("rows", [3, 60_000])
def test_every_kind_of_line_end_ends_a_line(end, rows):
    text = end.join(["x,y", *(f"{i},{i % 7}" for i in range(rows)), ""])
    for data in (text, text + f"1,2\n3,4{end}"):
        table = only_table(data)
        assert table.columns[0].missing == 0
        assert list(table.line_numbers) == list(range(2, table.rows_read + 2))
