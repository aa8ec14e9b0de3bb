"""A declared reading: each cell by itself, every row a row, never a refusal for what a row holds."""

import io

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from privcause_core.errors import DataError, ParameterError
from privcause_core.loading import DecimalMark, Grouping, Reading, Table, load_bytes, load_files
from tests.unit.loading.material import X, Y, lines, only_table
from tests.unit.loading.written import file

PLAIN = Reading()
GERMAN = Reading(separator="semicolon", decimal=DecimalMark.COMMA, grouping=Grouping.DOT)


def declared(data: bytes | str, reading: Reading) -> Table:
    (table,) = load_bytes(data.encode() if isinstance(data, str) else data, "f.csv", reading=reading).tables
    return table


def with_gaps(table: Table, *places: int) -> list[np.ndarray]:
    return [table.columns[place].doubles() for place in places]


def gaps(table: Table) -> tuple[list[float], list[float]]:
    x, y = with_gaps(table, 0, 1)
    return x.tolist(), y.tolist()


@pytest.mark.parametrize(
    "row",
    ["", "oops,3", "1.234.567,3", "1,2,3", "7", '"never closed,3', "# no comment", "2020-01-05,3", "12 kg,3", "a,b",
     '"two\nlines",3', "\u2212,\u2212", "NA,NA", "\0,3", "9" * 500 + ",3", "Total,999", "-999,3"],
)  # fmt: skip
def test_one_row_never_changes_how_the_others_are_read(row):
    before, after = "x,y\n1.5,2\n1.234,3\n", "998,4\n-999,5.25\n"
    whole = declared(before + row + "\n" + after, PLAIN)
    replaced = declared(before + "7,8\n" + after, PLAIN)
    for with_row, without in zip(with_gaps(whole, 0, 1), with_gaps(replaced, 0, 1), strict=True):
        assert with_row[:2].tolist() == without[:2].tolist()
        assert with_row[-2:].tolist() == without[-2:].tolist()


def test_what_cannot_be_read_is_missing_and_stays_a_row():
    table = declared("x;y\n1.234,5;2\noops;3\n1,2,3;4\n5;6;7\n;\n-1;12 %\n", GERMAN)
    x, y = gaps(table)
    np.testing.assert_array_equal(x, [1234.5, np.nan, np.nan, np.nan, np.nan, -1])
    np.testing.assert_array_equal(y, [2, 3, 4, np.nan, np.nan, 12])
    assert (table.rows_read, table.reading) == (6, GERMAN)


def test_the_declared_grammar_alone_reads_numbers():
    text = "x;y\n1.234;1\n0.5;2\n"
    np.testing.assert_array_equal(gaps(declared(text, GERMAN))[0], [1234, np.nan])
    assert gaps(declared(text, Reading(separator="semicolon")))[0] == [1.234, 0.5]


def test_declared_marks_of_missing_values_are_missing():
    reading = Reading(missing=("n.d.", "7"), sentinels=(-999,))
    np.testing.assert_array_equal(gaps(declared("x,y\n7,1\n-999.0,2\nn.d.,3\n8,4\n", reading))[0], [np.nan] * 3 + [8])


def test_a_column_of_words_is_all_missing_not_refused():
    table = declared("who,y\nann,1\nbob,2\n", PLAIN)
    assert np.isnan(gaps(table)[0]).all()


def test_a_table_without_names_needs_its_number_of_columns():
    with pytest.raises(ParameterError, match="number of columns"):
        Reading(header=False)
    assert gaps(declared("1,2\n3,4\n", Reading(header=False, columns=2))) == ([1, 3], [2, 4])
    with pytest.raises(DataError, match="fewer than two columns"):
        declared("x;y\n1;2\n", PLAIN)


def test_lines_above_the_table_and_row_names_are_declared():
    reading = Reading(separator="blanks", skip=1, row_names=True)
    table = declared('made by us\n"x" "y"\n"9" 1 2\n"3" 4 5\n', reading)
    assert [one.label for one in table.columns] == ["column 1", "x", "y"]
    assert [values.tolist() for values in with_gaps(table, 1, 2)] == [[1, 4], [2, 5]]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_what_exploring_found_can_be_declared(codec):
    text = "Größe;y\n" + lines(";", X, Y, decimal=",")
    found = only_table(text.encode(codec)).reading
    assert found is not None
    again = declared(text.encode(codec), Reading.from_dict(found.to_dict()))
    assert [one.name for one in again.columns] == ["Größe", "y"]
    assert gaps(again) == (list(X), list(Y))


def test_generated_files_read_the_same_declared_as_explored():
    compared = 0
    for seed in range(300):
        text = file(np.random.default_rng(seed)).text.encode()
        try:
            table = load_bytes(text, "f").tables[0]
            x, y = with_gaps(table, 0, 1)
        except DataError:
            continue
        assert table.reading is not None
        again = load_bytes(text, "f", reading=table.reading).tables[0]
        same_grouping = "groups thousands" not in " ".join(table.notes)
        for one, other in zip((x, y), with_gaps(again, 0, 1), strict=True):
            assert one.size == other.size
            known = np.isfinite(other)  # where the columns group differently, one of them is missing, never wrong
            assert known.all() or not same_grouping or np.isnan(one[~known]).all()
            np.testing.assert_array_equal(one[known], other[known])
        compared += 1
    assert compared > 200


def test_workbooks_and_frames_can_be_declared():
    book, sheet = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["title"])
    for row in [(None, "x", "y"), (1, 1.5, "2,5"), (2, "oops", True), (3, None, None)]:
        book.active.append(row)
    book.save(sheet)
    reading = Reading(skip=1, decimal=DecimalMark.COMMA, sheet="Sheet")
    np.testing.assert_array_equal(gaps(declared(sheet.getvalue(), reading)), [[1.5, np.nan, np.nan], [2.5, 1, np.nan]])
    with pytest.raises(DataError, match="no sheet Other"):
        declared(sheet.getvalue(), Reading(sheet="Other"))
    frame = pa.table({"x": [1, 2**60 + 1, None], "y": ["0.5", "oops", "7"]})
    for write in (pq.write_table, pyarrow.feather.write_feather):
        stream = io.BytesIO()
        write(frame, stream)
        expected = [[1, float(2**60), np.nan], [0.5, np.nan, 7]]
        np.testing.assert_array_equal(gaps(declared(stream.getvalue(), PLAIN)), expected)


def test_a_reading_is_for_one_table():
    with pytest.raises(DataError, match="one file"):
        load_files([("a", b"x,y\n1,2\n"), ("b", b"x,y\n1,2\n")], reading=PLAIN)


@pytest.mark.parametrize(
    "values",
    [{"separator": "x"}, {"decimal": "dot"}, {"grouping": "comma", "decimal": "comma"}, {"skip": -1}, {"skip": "1"},
     {"columns": 1}, {"missing": [1]}, {"missing": ["a"] * 60}, {"sentinels": ["x"]}, {"encoding": "rot13"},
     {"header": "yes"}, {"missing": "NA"}, {"colour": 1}],
)  # fmt: skip
def test_impossible_readings_are_refused(values):
    with pytest.raises(ParameterError):
        Reading.from_dict(values)
