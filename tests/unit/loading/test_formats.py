"""Files of other programs: read, or one sentence that says what to save instead; what a column or a file is, said."""

import gzip
import io
import zipfile

import pyarrow as pa
import pyarrow.feather
import pytest

from privcause_core.errors import DataError
from privcause_core.loading import load_bytes, load_files
from privcause_core.pair import Direction
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
from tests.unit.loading.old_excel import xls


def packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)  # the same in every process that collects the tests


TABLE = f"dose,answer\n{lines(',', X, Y)}"


def ods(rows: list[list[object]]) -> bytes:
    """Write an OpenDocument spreadsheet with one sheet."""
    office = "urn:oasis:names:tc:opendocument:xmlns:{}:1.0"
    names = " ".join(f'xmlns:{one}="{office.format(one)}"' for one in ("office", "table", "text"))
    cells = "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows)
    body = f'<office:body><office:spreadsheet><table:table table:name="data">{cells}</table:table></office:spreadsheet>'
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "content.xml",
            f'<?xml version="1.0"?><office:document-content {names}>{body}</office:body></office:document-content>',
        )
        archive.writestr(
            "META-INF/manifest.xml",
            f'<?xml version="1.0"?><manifest:manifest xmlns:manifest="{office.format("manifest")}"/>',
        )
    return stream.getvalue()


def _ods_cell(value: object) -> str:
    if isinstance(value, str):
        return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
    return f'<table:table-cell office:value-type="float" office:value="{value}"/>'


def feather(**columns: pa.Array) -> bytes:
    stream = io.BytesIO()
    pyarrow.feather.write_feather(pa.table(columns), stream)
    return stream.getvalue()


ARFF = "% own\n@RELATION r\n\n@attribute dose numeric\n@ATTRIBUTE 'the answer' real\n@data\n" + lines(",", X, Y)
ROWS = [["dose", "answer"], *map(list, zip(X, Y, strict=True))]


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (packed(TABLE.encode()), ["dose", "answer"]),
        (packed(TABLE[:99].encode()) + packed(TABLE[99:].encode()), ["dose", "answer"]),
        (TABLE.replace(",", "|").encode(), ["dose", "answer"]),
        (ARFF.encode(), ["dose", "the answer"]),
        (ods(ROWS), ["dose", "answer"]),
        (xls(ROWS), ["dose", "answer"]),
        (feather(dose=pa.array(X), answer=pa.array(Y)), ["dose", "answer"]),
    ],
    ids=["gzip", "gzip in two parts", "bars", "arff", "ods", "xls", "feather"],
)  # rep_14
def test_files_of_other_programs_are_read(data, names):
    table = only_table(data)
    assert [one.name for one in table.columns] == names
    assert fingerprint(table.pair(0, 1)) == close(FINGERPRINT)


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        (packed(b"X\n\0\0\0\3\0\4\2\0"), "save the table as CSV from R"),
        (packed(b"RDX3\nX\n\0\0\0\3"), "save the table as CSV from R"),
        (b"RDX3\nX\n\0\0\0\3", "save the table as CSV from R"),
        (b"$FL2@(#) SPSS DATA FILE", "save the table as CSV from SPSS"),
        (b"$FL3@(#) SPSS DATA FILE", "save the table as CSV from SPSS"),
        (b"<stata_dta><header>", "save the table as CSV from Stata"),
        (b"\x72\x02\x01\x00\x02\x00", "save the table as CSV from Stata"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "picture"),
        (b"SQLite format 3\0", "export the table as CSV"),
        (b"FEA1", "version 2"),
        (packed(TABLE.encode())[:-20], "gzip file is incomplete"),
        (packed(packed(TABLE.encode())), "packed with gzip twice"),
        (b"@relation r\n@attribute a numeric\n@data\n1\n", "1 attribute"),
        (b"@relation r\n@attribute a numeric\n@attribute b numeric\n", "no @data line"),
        (b"@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n{0 1}\n", "sparse"),
        (ods([]), "every sheet of the workbook is empty"),
        (ods(ROWS)[:-60], "damaged"),
        (xls(ROWS)[:700], "old Excel"),
    ],
)
def test_other_files_get_a_sentence_that_leads_somewhere(data, advice):
    for name in ("file.csv", "file.png"):
        with pytest.raises(DataError, match=advice) as caught:
            load_bytes(data, name)
        assert str(caught.value).startswith(f"{name}: ")
        assert "unpack it" not in str(caught.value) or "gzip twice" in str(caught.value)


ROW_NAMES = (15, 21, 34, 14, 2, 9)


@pytest.mark.parametrize(
    ("header", "row"),
    [("Unnamed: 0,dose,gain", "{},{},{}"), ('"","dose","gain"', '"{}",{},{}'), ('"dose" "gain"', '"{}" {} {}')],
)
def test_row_names_in_any_order_are_never_x(header, row):  # data_27
    text = "\n".join([header, *(row.format(*three) for three in zip(ROW_NAMES, X, Y, strict=False))])
    table = only_table(text)
    assert table.numeric_columns == (1, 2)
    assert default_pair(text).x_name == "dose"
    assert "row names that R or pandas wrote" in table.columns[0].reason
    with pytest.raises(DataError, match="row names"):
        table.pair(0, 1)


def test_a_first_column_without_a_name_is_kept_where_it_repeats_or_nothing_has_a_name():
    assert only_table(",y\n3,2.5\n3,3.5\n1,1.5\n").numeric_columns == (0, 1)
    assert only_table("3,2.5\n2,3.5\n1,1.5\n").numeric_columns == (0, 1)


def test_every_column_says_by_kind_why_it_cannot_be_chosen_and_shows_cells_apart():
    rows = [("m", "2020-01-05", "", "<0.1", "12 kg", 1, 2.5), ("f", "2021-02-06", "", "<0.2", "13 kg", 3, 4.5)]
    text = "sex,day,none,low,weight,x,y\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    table = only_table(text)
    assert [one.reason for one in table.columns] == [
        "does not hold numbers but text",
        "does not hold numbers but dates or times",
        "has no values",
        "does not hold numbers but values known to a bound only, such as below a limit",
        "does not hold numbers but text with digits, such as numbers with units",
        "",
        "",
    ]
    assert table.columns[0].examples == ("m", "f")
    assert not any(example in one.reason for one in table.columns for example in one.examples if example not in "mf")


def test_a_refusal_names_column_cause_and_remedy():
    with pytest.raises(DataError, match=r"column name does not hold numbers but text; write plain numbers .* there"):
        load_bytes(b"name,height\nann,1.5\nbob,1.6\n", "pair.csv")
    with pytest.raises(DataError, match="one column and a pair needs two; put both side by side"):
        load_bytes(b"height\n1.5\n1.6\n", "pair.csv")


@pytest.mark.parametrize("word", ["Total", "TOTAL:", "Sum", "Grand total", "Summe"])
def test_a_row_of_totals_is_pointed_at(word):
    table = only_table(f"who,x,y\nann,1,2\nbob,3,5\n{word},4,7\n")
    assert "The last row (line 4) looks like a row of totals; remove it if it is one." in table.notes


def test_contradicting_lines_of_a_description_are_pointed_at_and_none_counts():
    meta = b"1 1 1 2 2 1\n1 2 2 1 1 1\n2 2 2 1 1 0,5\n2 2 2 1 1 0.5\n"
    files = [("pair0001.txt", lines(" ", X, Y)), ("pair0002.txt", lines(" ", X, Z))]
    loaded = load_files([("pairmeta.txt", meta), *((name, text.encode()) for name, text in files)])
    assert [(one.truth, one.weight) for one in loaded.pairs] == [(None, 1.0), (Direction.Y_TO_X, 0.5)]
    assert any("contradict each other for pair 1" in note for note in loaded.notes)


def test_no_message_is_as_long_as_what_a_file_holds():
    long = "q" * 100_000
    for text in (f"SampleID,A,B\n{long},1 2,a b\n", f"{long},y\na,b\nc,d\n", f"x,{long}\n1,a\n2,b\n"):
        with pytest.raises(DataError) as caught:
            load_bytes(text.encode(), "f")
        assert len(str(caught.value)) < 500
    with pytest.raises(DataError) as caught:
        only_table(f"{long},x,y\n1,2,3\n2,3,9\n").column_index(long + "?")
    assert len(str(caught.value)) < 500


def test_text_stored_beside_numbers_in_a_sheet_keeps_its_unit_apart():
    with pytest.raises(DataError, match="mixes per cent with plain numbers"):
        load_bytes(ods([["x", "y"], ["12%", 1], [0.5, 2], ["7%", 3]]), "book.ods")
    table = only_table(ods([["x", "y"], ["1,5", 1], [0.5, 2], ["(2,5)", 3]]))
    assert column(table, 0).tolist() == [1.5, 0.5, -2.5]
