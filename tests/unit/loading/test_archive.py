"""Zip archives of pairs."""

import struct
import zipfile

import pytest

from privcause_core.errors import DataError
from privcause_core.loading import archive as archive_module
from privcause_core.loading import load_bytes, load_files, load_path
from privcause_core.pair import Direction
from tests.unit.loading.material import FINGERPRINT, X, Y, Z, close, fingerprint, lines, zipped

PAIR = lines("\t", X, Y)
OTHER = lines("\t", X, Z)
TRIPLE = lines("\t", X, Y, Z)


def test_pairs_are_matched_by_number_with_truth_and_weight():  # data_11
    meta = "0001 1 1 2 2 0.166\n0003 1 1 2 2 0.334\n0047 2 2 1 1 1\n0054 1 2 3 3 0\n"
    files = {"pairmeta.txt": meta, "README": "text\n", "pair0001.txt": PAIR, "pair0003.txt": OTHER}
    files |= {"pair0047.txt": PAIR, "pair0054.txt": TRIPLE, "pair0001_des.txt": "altitude\n1 2 3\n"}
    loaded = load_bytes(zipped(files), "pairs.zip")
    assert [(pair.name, pair.truth, pair.weight) for pair in loaded.pairs] == [
        ("pair0001", Direction.X_TO_Y, 0.166),
        ("pair0003", Direction.X_TO_Y, 0.334),
        ("pair0047", Direction.Y_TO_X, 1.0),
    ]
    (rejected,) = loaded.rejected
    assert rejected.name == "pair0054"
    assert rejected.reason.startswith("multivariate, not scored")
    assert fingerprint(loaded.pairs[0]) == close(FINGERPRINT)
    right = [pair.weight for pair in loaded.pairs if pair.truth is Direction.X_TO_Y]
    assert sum(right) / sum(pair.weight for pair in loaded.pairs) == pytest.approx(1 / 3)  # always first -> second


def test_what_a_mac_adds_is_passed_over():  # data_12
    junk = b"\0\5\x16\7" + b"\0" * 20
    files = {"my pairs/": b"", "my pairs/.DS_Store": b"\0\0\0\1Bud1", "my pairs/pair0001.txt": PAIR}
    files |= {"__MACOSX/my pairs/._pair0001.txt": junk, "my pairs/pair0003.txt": OTHER}
    files |= {"my pairs/pairmeta.txt": "0001 1 1 2 2 1\n0003 1 1 2 2 1\n", "__MACOSX/my pairs/._pairmeta.txt": junk}
    loaded = load_bytes(zipped(files), "pairs.zip")
    assert [(pair.name, pair.truth) for pair in loaded.pairs] == [
        ("pair0001", Direction.X_TO_Y),
        ("pair0003", Direction.X_TO_Y),
    ]
    assert (loaded.rejected, loaded.notes) == ((), ())


def test_loose_pair_files_find_their_description_too():
    meta = b"1 2 2 1 1 0.5\n12 1 1 2 2 1\n"
    files = [("pair0012.txt", OTHER.encode()), ("pair0001.txt", PAIR.encode()), ("pairmeta.txt", meta)]
    first, second = load_files(files).pairs
    assert (first.name, first.truth, first.weight) == ("pair0001", Direction.Y_TO_X, 0.5)
    assert second.name == "pair0012"


def test_pairs_of_columns_further_right_and_gaps_in_the_description():
    meta = "0001 1 1 3 3 1\n0002 1 1 4 4 1\n0009 1 1 2 2 1\nnonsense\n"
    files = {
        "pairmeta.txt": meta,
        "pair0001.txt": TRIPLE,
        "pair0002.txt": PAIR,
        "pair0003.txt": TRIPLE,
        "pair4.txt": PAIR,
    }
    loaded = load_bytes(zipped(files), "pairs.zip")
    assert [(pair.name, pair.y_name, pair.truth) for pair in loaded.pairs] == [
        ("pair0001", "column 3", Direction.X_TO_Y),
        ("pair4", "column 2", None),
    ]
    assert {one.name: one.reason.split(" ")[-1] for one in loaded.rejected} == {"pair0002": "2.", "pair0003": "use."}
    assert any("files are not there: number 9." in note for note in loaded.notes)
    assert any("line 4" in note for note in loaded.notes)


def test_any_tables_in_an_archive_are_pairs_or_tables_by_their_columns():
    files = {"a/two.csv": "x,y\n" + lines(",", X, Y), "b/two.csv": lines(",", X, Z), "three.csv": lines(",", X, Y, Z)}
    loaded = load_bytes(zipped(files | {"notes.txt": "hello there\n"}), "data.zip")
    assert [pair.name for pair in loaded.pairs] == ["two", "two (2)"]
    assert [table.name for table in loaded.tables] == ["three.csv"]
    assert [one.name for one in loaded.rejected] == ["notes.txt"]


def test_a_hundred_and_twenty_pairs_load():  # ui_06
    files = {
        f"pair{k:04d}.txt": "".join(f"{i * 0.01:.2f}\t{i * i % 17 + k:.1f}\n" for i in range(50)) for k in range(1, 121)
    }
    files["pairmeta.txt"] = "".join(f"{k:04d} 1 1 2 2 1\n" for k in range(1, 121))
    loaded = load_bytes(zipped(files), "many.zip")
    assert [pair.name for pair in loaded.pairs] == [f"pair{k:04d}" for k in range(1, 121)]


def test_a_bomb_is_refused_by_its_declared_size(monkeypatch):  # ui_06
    bomb = zipped({"pair0001.txt": b"0 0\n" * (55 << 18)})
    assert len(bomb) < 200_000
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("unpacked"))
    monkeypatch.setattr(archive_module, "MAX_UNPACKED_BYTES", 50 << 20)
    with pytest.raises(DataError, match="unpacks to 55 MB, more than the 50 MB allowed") as caught:
        load_bytes(bomb, "bomb.zip")
    assert str(caught.value).startswith("bomb.zip: ")


def test_an_archive_that_lies_about_its_size_is_refused():
    data = bytearray(zipped({"pair0001.txt": b"0 0\n" * 10_000}))
    directory = data.rindex(b"PK\x01\x02")
    for place in (directory + 24, 22):
        struct.pack_into("<I", data, place, 400)
    with pytest.raises(DataError, match="damaged"):
        load_bytes(bytes(data), "liar.zip")


def test_too_many_entries_are_refused_before_they_are_listed(monkeypatch):
    monkeypatch.setattr(archive_module, "MAX_ENTRIES", 20)
    with pytest.raises(DataError, match="more than 20 files"):
        load_bytes(zipped({f"{k}.csv": "1,2\n" for k in range(21)}), "many.zip")


def test_archives_inside_an_archive_are_not_opened():
    inner = zipped({"pair0001.txt": PAIR})
    loaded = load_bytes(zipped({"inner.zip": inner, "pair0002.txt": PAIR}), "outer.zip")
    assert [pair.name for pair in loaded.pairs] == ["pair0002"]
    assert [(one.name, "not opened" in one.reason) for one in loaded.rejected] == [("inner.zip", True)]


@pytest.mark.parametrize("name", ["../../evil.csv", "/etc/evil.csv", "C:\\evil.csv", "..\\evil.csv"])
def test_names_of_entries_never_touch_the_disk(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (pair,) = load_bytes(zipped({name: lines(",", X, Y)}), "slip.zip").pairs
    assert pair.name == "evil"
    assert list(tmp_path.iterdir()) == []


def test_locked_and_empty_archives_are_refused_plainly():
    data = bytearray(zipped({"a.csv": "1,2\n"}))
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(DataError, match="locked with a password"):
        load_bytes(bytes(data), "locked.zip")
    with pytest.raises(DataError, match="no files with data"):
        load_bytes(zipped({}), "empty.zip")
    with pytest.raises(DataError, match="no files with data"):
        load_bytes(zipped({"README.md": "hi", "__MACOSX/x": ""}), "junk.zip")


def test_a_directory_loads_like_an_archive(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "pair0001.txt").write_text(PAIR)
    (tmp_path / "sub" / "pair0002.txt").write_text("not a table\n")
    (tmp_path / "pairmeta.txt").write_text("1 2 2 1 1 1\n")
    (tmp_path / ".hidden").write_text("x")
    (tmp_path / "more.zip").write_bytes(zipped({"other.csv": lines(",", X, Y)}))
    loaded = load_path(tmp_path)
    assert {pair.name: pair.truth for pair in loaded.pairs} == {"pair0001": Direction.Y_TO_X, "other": None}
    assert [one.name for one in loaded.rejected] == ["pair0002"]


def test_paths_that_are_not_there_are_refused(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        load_path(tmp_path / "nothing.csv")
    with pytest.raises(DataError, match="the directory holds no files with data"):
        load_path(tmp_path)
