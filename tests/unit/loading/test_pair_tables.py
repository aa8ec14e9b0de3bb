"""Tables of whole pairs, their targets, and several files in one upload."""

import pytest

from privcause_core.errors import DataError
from privcause_core.loading import load_bytes, load_files
from privcause_core.pair import Direction
from tests.unit.loading.material import FINGERPRINT, X, Y, Z, close, fingerprint, lines


def cell(values: tuple[float, ...], between: str = " ") -> str:
    return between.join(str(value) for value in values)


PAIRS = f"SampleID,A,B\np1,{cell(X)},{cell(Y)}\np3,{cell(X)},{cell(Z)}\np10,{cell(Z)},{cell(Y)}\n"


def test_one_pair_of_unequal_lengths_is_refused_alone():  # data_14
    spaced = cell(X, "  ")
    text = (
        f'SampleID,A,B\ntrain1,{cell(X)},{cell(Y)}\ntrain2,{cell(X)},{cell(Y[:-1])}\ntrain3, {spaced}  ,"{cell(Y)}"\n'
    )
    loaded = load_bytes(text.encode(), "pairs.csv")
    assert [pair.name for pair in loaded.pairs] == ["train1", "train3"]
    assert [fingerprint(pair) for pair in loaded.pairs] == [close(FINGERPRINT)] * 2
    (rejected,) = loaded.rejected
    assert (rejected.name, rejected.reason) == (
        "train2",
        "it has 24 values in A and 23 in B; both need the same number.",
    )


@pytest.mark.parametrize("order", [1, -1])
def test_pairs_and_targets_find_each_other_by_content(order):  # data_16
    files = [("one.csv", PAIRS.encode()), ("two.csv", b"SampleID,Target\np1,1.0\np3,-1\np10,0\n")]
    loaded = load_files(files[::order])
    assert [(pair.name, pair.truth) for pair in loaded.pairs] == [
        ("p1", Direction.X_TO_Y),
        ("p3", Direction.Y_TO_X),
        ("p10", None),
    ]
    assert loaded.notes == ()


def test_targets_that_say_nothing_are_named():
    loaded = load_files([("a", PAIRS.encode()), ("b", b"SampleID,Target\np1,2\np99,1\n")])
    assert any("other than 1, -1 and 0" in note and "p1" in note for note in loaded.notes)
    assert any("not there: p99" in note for note in loaded.notes)


def test_targets_alone_are_refused():
    with pytest.raises(DataError, match="targets only"):
        load_bytes(b"SampleID,Target\np1,1\n", "targets.csv")


@pytest.mark.parametrize(
    ("pairs", "targets"),
    [
        (f'"","SampleID","A","B"\n"1","p1","{cell(X)}","{cell(Y)}"\n', '"","SampleID","Target"\n"1","p1",-1\n'),
        (f'"SampleID" "A" "B"\n"1" "p1" "{cell(X)}" "{cell(Y)}"\n', '"SampleID" "Target"\n"1" "p1" -1\n'),
        (f"SampleID\tA\tB\np1\t{cell(X)}\t{cell(Y)}\n", "SampleID;Target [1 for A->B]\np1;-1\n"),
        (f"SampleID;A;B\np1;{cell(X)};{cell(Y)}\n".replace(".", ","), "sampleid,target\np1,-1\n"),
    ],
)
def test_row_names_separators_and_decimal_marks_vary(pairs, targets):
    (pair,) = load_files([("p", pairs.encode()), ("t", targets.encode())]).pairs
    assert (pair.name, pair.truth) == ("p1", Direction.Y_TO_X)
    assert fingerprint(pair) == close(FINGERPRINT)


def test_cells_far_longer_than_the_csv_module_takes_are_read():
    x, y = cell(X * 5_000), cell(Y * 5_000)
    assert len(x) > 4 * 131_072
    (pair,) = load_bytes(f'SampleID,A,B\nlong,{x},"{y}"\n'.encode(), "pairs.csv").pairs
    assert (pair.rows, pair.x.sum()) == (120_000, pytest.approx(5_000 * 2.42))


def test_missing_values_within_a_pair_are_dropped_and_named():
    (pair,) = load_bytes(b"SampleID,A,B\np,1 2 NaN 4 5,2 1 3 inf 5\n", "p.csv").pairs
    assert pair.rows == 3
    assert "2 of 5 rows left out as incomplete: values 3 and 4." in pair.notes


def test_bad_rows_of_a_pairs_table_do_not_stop_the_others():
    text = "SampleID,A,B\nshort,1 2\nwords,a b c,1 2 3\nempty,,\ngood,1 2 3,3 1 2\ngood,3 2 1,1 2 3\n"
    loaded = load_bytes(text.encode(), "pairs.csv")
    assert [pair.name for pair in loaded.pairs] == ["good", "good (2)"]
    assert [one.name for one in loaded.rejected] == ["line 2", "words", "empty"]
    assert all(one.reason.endswith(".") for one in loaded.rejected)


def test_when_no_pair_loads_the_first_reason_is_given():
    with pytest.raises(DataError, match=r"nothing of 2 could be loaded; a: it has 1 value in A and 2 in B"):
        load_bytes(b"SampleID,A,B\na,1,1 2\nb,1 2,1\n", "pairs.csv")


def test_one_bad_file_leaves_the_others_loaded():
    files = [("good.csv", ("x,y\n" + lines(",", X, Y)).encode()), ("bad.csv", b""), ("good.csv", b"1,2\n3,5\n2,4\n")]
    loaded = load_files(files)
    assert [table.name for table in loaded.tables] == ["good.csv", "good.csv (2)"]
    assert [(one.name, one.reason) for one in loaded.rejected] == [("bad.csv", "the file is empty.")]


def test_a_file_beyond_the_upload_limit_is_rejected_and_the_limit_can_be_lifted():
    data = b"x,y\n" + b"1.5,2\n" * 200_000
    with pytest.raises(DataError, match="2 MB, more than the 1 MB that can be uploaded"):
        load_files([("big.csv", data)], max_bytes=1 << 20)
    assert load_files([("big.csv", data)], max_bytes=None).tables[0].rows_read == 200_000


def test_no_files_at_all_are_refused():
    with pytest.raises(DataError, match="no files"):
        load_files([])
