"""``release FILE``: its reading is declared or proposed by the first line; no cell decides how another is read."""

import gzip
import json
from pathlib import Path

import pytest

from privcause_core.__main__ import main

SMALL = ("--score", "likelihood", "--epsilon", "0.01")


def released(capsys: pytest.CaptureFixture[str], path: Path, *flags: str) -> dict[str, object]:
    argv = ["release", str(path), *SMALL, *flags, "--ledger", str(path.parent / "ledger.sqlite"), "--json"]
    status = main(argv)
    seen = capsys.readouterr()
    assert status == 0, seen.err
    certificate: dict[str, object] = json.loads(seen.out)
    return certificate


def lines(separator: str = ",", mark: str = ".") -> list[str]:
    return [f"{k}{mark}5{separator}{k * k % 37}{mark}25" for k in range(60)]


def test_the_reading_is_on_the_certificate_and_an_unreadable_cell_is_missing_for_itself(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """To the other commands "n.d." makes this a question about a column; here it is one missing cell."""
    plain, odd = tmp_path / "plain.csv", tmp_path / "odd.csv"
    plain.write_text("\n".join(["a;b", *lines(";", ",")]))
    odd.write_text("\n".join(["a;b", "1.234.567;n.d.", *lines(";", ",")[1:]]))
    certificates = [released(capsys, path, "--decimal", "comma") for path in (plain, odd)]
    readings = [one["reading"] for one in certificates]
    assert readings[0] == readings[1]
    assert readings[0] | {"separator": "semicolon", "decimal": "comma", "grouping": "none"} == readings[0]
    assert certificates[0]["public"] == certificates[1]["public"]


def test_every_part_of_the_reading_can_be_declared(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "declared.txt"
    path.write_bytes("\n".join(["a title", *lines("|"), "-999|x"]).encode("cp1252"))
    reading = released(
        capsys, path, "--separator", "pipe", "--grouping", "apostrophe", "--no-header", "--skip", "1", "--encoding",
        "cp1252", "--missing", "-999 x", "--decimal", "point",
    )["reading"]  # fmt: skip
    assert reading == {
        "separator": "pipe", "decimal": "point", "grouping": "apostrophe", "header": False, "skip": 1, "columns": 2,
        "names": [], "row_names": False, "missing": ["x"], "sentinels": [-999.0], "encoding": "cp1252", "sheet": None,
    }  # fmt: skip


def test_a_packed_file_is_proposed_the_separator_of_its_own_first_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "packed.csv.gz"
    path.write_bytes(gzip.compress("\n".join(["a\tb", *lines("\t")]).encode()))
    assert released(capsys, path)["reading"]["separator"] == "tab"  # type: ignore[index]


@pytest.mark.parametrize("first", ["1,2", "dose,2019", "n.d.,(1.5)", "٣,b"])
def test_a_first_line_that_may_be_data_is_a_question_and_nothing_is_charged(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, first: str
) -> None:
    path, ledger = tmp_path / "headless.csv", tmp_path / "ledger.sqlite"
    path.write_text("\n".join([first, *lines()]))
    assert main(["release", str(path), *SMALL, "--ledger", str(ledger)]) == 2
    seen = capsys.readouterr()
    assert seen.err.strip().endswith(
        "the first line holds a number: say --header if it names the columns, --no-header if not."
    )
    assert not ledger.exists()
    for flag, rows in (("--no-header", 61), ("--header", 60)):
        public = released(capsys, path, flag, "--protect", "every-row", "--blocks", "2")["public"]
        assert public["rows"] == rows  # type: ignore[index]


def test_a_reading_is_declared_for_one_table_only_and_the_rest_is_told_how_it_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    ledger = str(tmp_path / "ledger.sqlite")
    (tmp_path / "pair.csv").write_text("\n".join(["a,b", *lines()]))
    for source in ("sample:tips-bill-tip", str(tmp_path)):
        assert main(["release", source, *SMALL, "--ledger", ledger, "--skip", "1"]) == 2
        assert "--skip declares how a file with one table is read" in capsys.readouterr().err
    assert main(["release", str(tmp_path), *SMALL, "--ledger", ledger]) == 0
    assert "one cell can decide how others are read" in capsys.readouterr().out
    assert main(["release", str(tmp_path / "pair.csv"), *SMALL, "--ledger", ledger]) == 0
    assert (
        "Read as proposed by the first line: comma between fields, decimal point, grouping none, a header"
        in capsys.readouterr().out
    )


def test_a_file_of_a_kind_that_cannot_be_read_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "letter.pdf"
    path.write_bytes(b"%PDF-1.7\n" + b"x" * 100)
    assert main(["release", str(path), *SMALL, "--ledger", str(tmp_path / "ledger.sqlite")]) == 2
    assert "letter.pdf: the file is" in capsys.readouterr().err
