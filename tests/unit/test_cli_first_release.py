"""At a terminal the first release of a table waits for a yes to its reading; a file read otherwise has one budget."""

import gzip
import hashlib
import io
from datetime import UTC, datetime
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from privcause_core.__main__ import main
from privcause_core.ledger import Ledger, cohort_of_table
from privcause_core.ledger.cohort import FILE
from privcause_core.loading import Grouping, Reading, Table, load_bytes
from privcause_core.release import release
from tests.unit.releasing import plan

EVERY = ("--score", "kendall", "--epsilon", "0.3", "--protect", "every-row", "--blocks", "2")
PROPOSED = "--separator tab --decimal point --grouping none --header"


def row(k: int) -> str:
    """Return a row; every other dose is above 999 and written in groups."""
    return f"{k % 2 * 1000 + k:,}.5\t{k * k % 37}.25"


GROUPED = "\n".join(["dose\tanswer", *map(row, range(1, 80)), ""])
PLAIN = GROUPED.replace(",", "")


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "ledger.sqlite"


@pytest.fixture
def grouped(tmp_path: Path) -> Path:
    path = tmp_path / "grouped.tsv"
    path.write_text(GROUPED)
    return path


def run(path: Path, ledger: Path, *flags: str) -> int:
    return main(["release", str(path), *EVERY, "--ledger", str(ledger), *flags])


def account(text: str | bytes, ledger: Path, reading: Reading | None = None):
    return Ledger(ledger).account(cohort(table(text, reading)))


def table(text: str | bytes, reading: Reading | None = None) -> Table:
    data = text.encode() if isinstance(text, str) else text
    return load_bytes(data, "f", reading=reading or Reading(separator="tab")).tables[0]


def cohort(of: Table):
    return cohort_of_table(of, 0, 1, of.pair(0, 1))


def at_a_terminal(monkeypatch, answer: str) -> None:
    typed = io.StringIO(answer)
    typed.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", typed)


@pytest.mark.parametrize("text", [GROUPED, PLAIN], ids=["grouped", "plain"])
@pytest.mark.parametrize("flags", [(), ("--decimal", "point"), ("--grouping", "none"), ("--separator", "tab")])
def test_a_proposed_reading_is_asked_about_whatever_the_cells_hold(monkeypatch, capsys, tmp_path, ledger, text, flags):
    path = tmp_path / "file.tsv"
    path.write_text(text)
    at_a_terminal(monkeypatch, "n\n")
    assert run(path, ledger, *flags) == 2
    seen = capsys.readouterr()
    assert "Plan: kendall for dose and answer, (epsilon 0.3, delta 0) in all." in seen.out
    assert "Read as proposed by the first line: tab between fields, decimal point, grouping none" in seen.out
    assert seen.err.endswith(
        "privcause: Nothing was charged: say --decimal and --grouping as the file writes numbers.\n"
    )
    assert not ledger.exists()


def test_a_script_is_not_asked_and_says_how_it_reads(monkeypatch, capsys, grouped, ledger):
    assert run(grouped, ledger) == 0
    assert "Read as proposed by the first line: tab between fields, decimal point" in capsys.readouterr().out
    at_a_terminal(monkeypatch, "")
    assert run(grouped, ledger, "--json") == 0
    assert "Is the file written so?" not in capsys.readouterr().err


@pytest.mark.parametrize("flags", [("--yes",), ("--decimal", "point", "--grouping", "none")])
def test_once_agreed_later_releases_with_that_reading_need_no_flag(monkeypatch, capsys, grouped, ledger, flags):
    at_a_terminal(monkeypatch, "")
    assert run(grouped, ledger, *flags) == 0
    assert run(grouped, ledger) == 0
    assert "Read as proposed" in capsys.readouterr().out
    assert str(account(GROUPED, ledger).spent.epsilon) == "0.6"


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), (" YES \n", 0), ("n\n", 2), ("\n", 2), ("", 2)])
def test_at_a_terminal_it_is_a_question(monkeypatch, capsys, grouped, ledger, answer, status):
    at_a_terminal(monkeypatch, answer)
    assert run(grouped, ledger) == status
    assert "Is the file written so?" in capsys.readouterr().err
    assert ledger.exists() == (status == 0)


def test_the_same_file_read_otherwise_has_one_budget(capsys, grouped, ledger):
    otherwise = ("--decimal", "point", "--grouping", "comma")
    assert run(grouped, ledger, "--yes") == 0
    assert run(grouped, ledger, *otherwise) == 0
    said = capsys.readouterr().out
    assert f"the last release of this table read it with {PROPOSED}" in said
    assert "they share one budget" in said
    other = Reading(separator="tab", grouping=Grouping.COMMA)
    assert str(account(GROUPED, ledger, other).spent.epsilon) == "0.6"
    packed = grouped.with_name("packed.tsv.gz")
    packed.write_bytes(gzip.compress(GROUPED.encode()))
    assert run(packed, ledger, "--decimal", "comma", "--grouping", "none") == 2  # no number has a decimal comma
    assert run(packed, ledger, *otherwise) == 0
    assert run(packed, ledger, "--decimal", "point", "--grouping", "blank") == 3  # 1.2 of 1


def test_a_proposed_reading_other_than_the_last_is_refused_naming_that(capsys, tmp_path, ledger):
    path = tmp_path / "numbered.tsv"
    path.write_text("\n".join(f"{k or 'nr'}\t{line}" for k, line in enumerate(GROUPED.splitlines())))
    columns = ("--x", "dose", "--y", "answer")
    assert run(path, ledger, *columns, "--decimal", "point", "--grouping", "comma") == 0
    capsys.readouterr()
    assert run(path, ledger, *columns) == 2
    assert capsys.readouterr().err == (
        "privcause: Nothing was charged: this table's last release read it with --separator tab --decimal point "
        f"--grouping comma --header, and now {PROPOSED} is proposed; declare one of them (a reading by itself opens no "
        "new budget).\n"
    )


def test_the_reading_is_named_by_all_the_flags_that_declare_it(capsys, grouped, ledger):
    marked = ("--missing", "n.d. -999", "--encoding", "cp1252")
    assert run(grouped, ledger, *marked, "--yes") == 0
    capsys.readouterr()
    assert run(grouped, ledger) == 0
    assert f"read it with {PROPOSED} --missing 'n.d. -999' --encoding cp1252, this one with {PROPOSED};" in (
        capsys.readouterr().out
    )
    assert run(grouped, ledger, *marked) == 0


def test_test_rows_of_a_file_read_otherwise_are_refused(capsys, grouped, ledger):
    argv = ["release", str(grouped), "--score", "kendall", "--epsilon", "0.1", "--ledger", str(ledger)]
    assert main([*argv, "--decimal", "point", "--grouping", "comma"]) == 0
    assert main([*argv, "--decimal", "point", "--grouping", "none"]) == 2
    assert "Expected the very records of this table's first release" in capsys.readouterr().err


def test_an_account_from_before_files_were_known_goes_on_and_learns_its_file(grouped, ledger):
    known = table(GROUPED, Reading(separator="tab"))
    pair = known.pair(0, 1)
    former = cohort_of_table(Table(known.name, known.columns, known.rows_read, known.line_numbers), 0, 1, pair)
    blocks = plan(protect="every-row", blocks=2, epsilon="0.1")
    release(blocks, pair, Ledger(ledger), now=datetime(2026, 1, 1, tzinfo=UTC), cohort=former)
    other = Reading(separator="tab", grouping=Grouping.BLANK)
    assert FILE not in account(GROUPED, ledger).matched
    assert run(grouped, ledger) == 0
    assert FILE in account(GROUPED, ledger, other).matched


def test_no_plain_digest_of_a_file_is_kept(grouped, ledger):
    assert run(grouped, ledger, "--yes") == 0
    kept = b"".join(path.read_bytes() for path in ledger.parent.iterdir() if path != grouped)
    for plain in (hashlib.sha256(GROUPED.encode()).hexdigest(), table(GROUPED).content):
        assert plain.encode() not in kept


def test_exploring_and_releasing_know_the_same_file():
    (explored,) = load_bytes(GROUPED.encode(), "f").tables
    assert explored.content == table(GROUPED).content == table(gzip.compress(GROUPED.encode())).content
    assert explored.content != table(PLAIN).content


def test_sheets_of_one_workbook_are_apart():
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for sheet in (book.active, book.create_sheet("other")):
        for cells in [("x", "y"), (1, 2), (3, 5), (4, 4)]:
            sheet.append(cells)
    book.save(stream)
    first, second = load_bytes(stream.getvalue(), "f").tables
    assert first.content != second.content
    declared = [table(stream.getvalue(), Reading(sheet=sheet)).content for sheet in (None, "Sheet", "other")]
    assert declared == [first.content, first.content, second.content]


def test_a_file_whose_columns_are_numbers_leaves_nothing_to_declare(monkeypatch, tmp_path, ledger):
    at_a_terminal(monkeypatch, "")
    numbers = {"x": [float(k) for k in range(60)], "y": [k * k % 37 for k in range(60)]}
    for name, columns, status in [("texts", {**numbers, "t": ["1,234"] * 60}, 2), ("numbers", numbers, 0)]:
        pq.write_table(pa.table(columns), tmp_path / f"{name}.parquet")
        assert run(tmp_path / f"{name}.parquet", ledger, "--x", "x", "--y", "y") == status


def test_two_valued_tables_still_meet_by_any_shared_column_though_files_are_known(tmp_path, ledger):
    one, other = ("\n".join(["a,b", *(f"{k % 2},{k // 3 % modulus}" for k in range(60)), ""]) for modulus in (2, 1))
    for text, status in ((one, 0), (other, 0)):
        path = tmp_path / "two.csv"
        path.write_text(text)
        assert run(path, ledger, "--yes") == status
    assert str(account(one, ledger, Reading()).spent.epsilon) == "0.6"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (
            [(f"{k},5", f"{k}.5") for k in range(60)],
            "has a number in both dose and answer: column dose has none at all",
        ),
        ([(f"{k},5", f"{k},5") for k in range(60)], "column dose and column answer have none at all"),
        ([("1", "n") if k % 2 else ("n", "1") for k in range(60)], "each has numbers, but in other rows"),
    ],
)
def test_columns_without_a_complete_row_are_named_with_cause_and_remedy(capsys, tmp_path, ledger, cells, said):
    path = tmp_path / "odd.tsv"
    path.write_text("\n".join(["dose\tanswer", *map("\t".join, cells)]))
    assert run(path, ledger, "--yes") == 2
    refusal = capsys.readouterr().err
    assert said in refusal
    assert refusal.endswith(
        ", read with tab between fields, decimal point, grouping none, a header line; if it has, declare how it is "
        "written (--decimal, --grouping, --separator, --encoding), else choose other columns.\n"
    )
    assert not ledger.exists()


def test_an_iqr_of_zero_is_no_certainty(capsys, tmp_path, ledger):
    path = tmp_path / "constant.tsv"
    path.write_text("\n".join(["dose\tanswer", *(f"{k * k % 97}\t{k % 10 == 0:d}" for k in range(4_000))]))
    argv = ["release", str(path), "--score", "iqr", "--epsilon", "5", "--delta", "1e-4", "--budget-epsilon", "50",
            "--budget-delta", "1e-2", "--ledger", str(ledger)]  # fmt: skip
    assert main(argv) == 0
    said = capsys.readouterr().out
    assert "one of the values is an IQR of zero, which is smaller than any other: there is no interval" in said
    assert "confidence" not in said
