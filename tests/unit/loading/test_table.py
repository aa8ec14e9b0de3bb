"""Choosing two columns of a table."""

import numpy as np
import pytest

from privcause_core.errors import DataError, NoCompleteRowError
from privcause_core.loading import Reading, load_bytes
from privcause_core.loading.columns import distinct_labels
from privcause_core.loading.wording import listed, megabytes, rows_named
from tests.unit.loading.material import only_table


def test_a_column_is_found_by_name_label_or_number():
    table = only_table("x,x,2,\n1,2,3,4.5\n5,6,7,8.5\n2,1,4,3.5\n")
    assert table.column_index("x (column 2)") == 1
    assert table.column_index("2") == 2  # a name goes before a number
    assert table.column_index("4") == 3
    assert table.column_index("column 4") == 3


@pytest.mark.parametrize("key", ["x", "nothing", "0", "5", "", "²", "9" * 5_000])
def test_an_unclear_column_is_refused_with_the_labels(key):
    table = only_table("x,x,y\n1,2,3\n4,5,6\n")
    with pytest.raises(DataError, match=r"choose one of: x \(column 1\), x \(column 2\) and y"):
        table.column_index(key)


@pytest.mark.parametrize(("x", "y", "reason"), [(0, 0, "twice"), (0, 3, "no column 4"), (-1, 0, "no column 0")])
def test_impossible_choices_are_refused(x, y, reason):
    table = only_table("a,b,c\n1,2,u\n3,4,v\n")
    with pytest.raises(DataError, match=reason):
        table.pair(x, y)


def test_a_column_of_words_is_refused():
    with pytest.raises(DataError, match="column c does not hold numbers"):
        only_table("a,b,c\n1,2,u\n3,4,v\n").pair(0, 2)


def test_columns_without_a_common_row_are_refused():
    with pytest.raises(NoCompleteRowError, match=r"both a and b: each has numbers, but in other rows\.$"):
        only_table("a,b,c\n1,,1\n,2,2\n").pair(0, 1)


@pytest.mark.parametrize(
    ("rows", "cause"),
    [("1,u\n2,v", "column b has none at all"), ("u,v\nu,v", "column a and column b have none at all")],
)
def test_a_declared_column_without_any_number_is_named(rows, cause):
    (table,) = load_bytes(f"a,b\n{rows}\n".encode(), "file.csv", reading=Reading()).tables
    with pytest.raises(NoCompleteRowError, match=rf"no row of file\.csv has a number in both a and b: {cause}\.$"):
        table.pair(0, 1)


def test_constant_and_two_valued_columns_are_said_plainly():
    notes = only_table("a,b\n1,2\n1,3\n1,2\n").pair(0, 1).notes
    assert any(note.startswith("Column a is constant") for note in notes)
    assert any(note.startswith("Column b takes two values only") for note in notes)


def test_identifiers_are_chosen_only_for_want_of_others():
    assert only_table("a,id,b\n1.5,3,2\n2.5,1,2.5\n0.5,2,1.5\n").default_columns() == (0, 2)
    assert only_table("id,b\n1,2.5\n2,1.5\n3,3.5\n").default_columns() == (0, 1)


@pytest.mark.parametrize(
    ("cells", "flagged"),
    [
        (["-999", "3", "5", "4"], (-999,)),
        (["999", "3", "5", "4"], (999,)),
        (["999", "30", "1200", "400"], ()),  # within the other values
        (["-99", "-9999", "5", "4"], (-9999, -99)),
        (["-999", "-999", "-999"], ()),  # nothing else to compare with
    ],
)
def test_markers_are_flagged_only_far_outside_the_other_values(cells, flagged):
    table = only_table("x,y\n" + "".join(f"{cell},{i}.5\n" for i, cell in enumerate(cells)))
    assert table.columns[0].sentinels == flagged
    assert table.columns[0].sentinel_rows == sum(int(cell) in flagged for cell in cells)


def test_the_largest_numbers_bring_no_overflow():
    table = only_table("a,b\n-1.7e308,1\n1.7e308,2\n-999,3.5\n")
    assert table.pair(0, 1).rows == 3


def test_numbers_of_a_column_leave_missing_rows_out():
    table = only_table("x,y,w\n1,2,u\n,3,v\n4,5,w\n")
    assert table.columns[0].numbers().tolist() == [1, 4]
    assert table.columns[0].missing == 1
    assert table.columns[2].numbers().size == 0


def test_labels_are_distinct_whatever_the_names():
    names = ["x", "x", "", "x (column 2)", "column 3", ""]
    labels = distinct_labels(names)
    assert len(set(labels)) == len(names)
    assert labels[-1] == "column 6"


def test_pairs_keep_the_source_and_take_a_name():
    pair = only_table("a,b\n1,2.5\n3,1.5\n").pair(1, 0, name="mine")
    assert (pair.name, pair.source, pair.x_name, pair.y_name) == ("mine", "file.csv", "b", "a")


def test_lists_are_shortened_and_sizes_never_look_smaller():
    assert rows_named("line", [4]) == "line 4"
    assert rows_named("line", range(1, 21)) == "lines 1, 2, 3, 4, 5, 6, 7, 8 and 12 more"
    assert listed([]) == ""
    assert megabytes(200 * 1024 * 1024 + 1) == "201 MB"


@pytest.mark.parametrize("data", ["x,y,z\n1,2,3\n4,5,6\n", "x,y,z\n1,9007199254740993,3\n4,5,6\n"])
def test_pairs_of_complete_columns_share_the_tables_memory_and_nobody_can_write_to_it(data):
    table = only_table(data)
    for pair in (table.pair(0, 1), table.pair(1, 2).swapped()):
        assert any(np.shares_memory(pair.x, column.values) for column in table.columns)
    for column in table.columns:
        with pytest.raises(ValueError, match="read-only"):
            column.values[0] = 9
