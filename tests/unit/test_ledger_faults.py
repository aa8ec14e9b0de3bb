"""A damaged, locked, full, read-only or foreign ledger is one clear sentence; several processes never overspend."""

import os
import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from privcause_core.errors import LedgerError
from privcause_core.ledger import Ledger, NewCharge, cohort_of_pair, storage
from tests.unit.releasing import NOW, amount, pair

COHORT = cohort_of_pair(pair())
ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "ledger.sqlite"
    charge(Ledger(path), "first")
    return path


def charge(ledger, entry):
    return ledger.charge(COHORT, NewCharge(entry, amount("0.1"), {}, NOW, None)) is not None


def spent(path):
    return Ledger(path).account(COHORT).spent


def refuses(path, sentence):
    with pytest.raises(LedgerError, match=sentence) as caught:
        charge(Ledger(path), "second")
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_locked_ledger_is_busy(path, monkeypatch):
    monkeypatch.setattr(storage, "BUSY_SECONDS", 0.05)
    ledger = Ledger(path)
    other = storage.connect(path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LedgerError, match="in use by another process"):
        charge(ledger, "second")
    other.close()
    assert charge(ledger, "second")


def test_the_state_can_be_read_while_another_process_writes(path):
    ledger = Ledger(path)
    other = storage.connect(path)
    other.execute("BEGIN IMMEDIATE")
    assert ledger.account(COHORT).spent == amount("0.1")
    other.close()


def test_a_full_disk_leaves_the_ledger_as_it_was(path, monkeypatch):
    ledger, real = Ledger(path), storage.connect

    def connect_without_room(target):
        connection = real(target)
        connection.execute("PRAGMA max_page_count = 1")  # SQLite raises it to the present size: no page more
        return connection

    monkeypatch.setattr(storage, "connect", connect_without_room)
    with pytest.raises(LedgerError, match="disk is full"):
        ledger.record("first", "x" * 100_000)
    monkeypatch.undo()
    assert spent(path) == amount("0.1")
    assert ledger.outcome("first") is None


def test_a_read_only_ledger_says_so(path, monkeypatch):
    ledger = Ledger(path)
    monkeypatch.setattr(
        storage, "connect", lambda target: sqlite3.connect(f"{target.as_uri()}?mode=ro", uri=True, isolation_level=None)
    )
    with pytest.raises(LedgerError, match="read-only"):
        charge(ledger, "second")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="file modes do not bind the superuser")
def test_a_ledger_without_write_permission_says_so(path):
    path.chmod(0o400)
    refuses(path, "read-only|cannot be opened")


def test_a_damaged_page_is_found_when_the_ledger_is_opened(path):
    content = bytearray(path.read_bytes())
    for start in range(4096, len(content), 4096):
        content[start : start + 200] = b"\xff" * 200
    path.write_bytes(bytes(content))
    refuses(path, "damaged")


@pytest.mark.parametrize("content", [b"not a database at all, only text" * 40, b"SQLite format 3\x00" + b"\x00" * 5000])
def test_a_file_that_is_no_database_is_refused(tmp_path, content):
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(content)
    refuses(path, "damaged or not a ledger")


def test_a_truncated_ledger_is_refused(path):
    path.write_bytes(path.read_bytes()[:5000])
    refuses(path, "damaged")


def test_someone_elses_database_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name)")
    refuses(path, "not a PrivCause ledger")
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT name FROM sqlite_schema").fetchall() == [("recipes",)]


def test_an_empty_file_is_no_ledger(tmp_path):
    path = tmp_path / "ledger.sqlite"
    path.touch()
    refuses(path, "not a PrivCause ledger")


def test_another_schema_version_is_refused(path):
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 3")
    refuses(path, "schema version 3 and this program reads up to 2")


def test_a_ledger_without_its_secret_is_refused_rather_than_given_a_new_one(path):
    Ledger(path).secret_path.unlink()
    refuses(path, "secret file .* is missing")
    assert not path.with_name("ledger.sqlite.secret").exists()


def test_a_strangers_secret_is_refused(path):
    Ledger(path).secret_path.write_text("ab" * 32)
    refuses(path, "is not that of the ledger")


@pytest.mark.parametrize("content", ["", "zz", "ab" * 31])
def test_a_damaged_secret_is_refused(path, content):
    Ledger(path).secret_path.write_text(content)
    refuses(path, "secret file")


def test_creating_a_ledger_leaves_nothing_but_ledger_and_secret(path):
    assert {file.name for file in path.parent.iterdir()} == {"ledger.sqlite", "ledger.sqlite.secret"}


def test_a_path_that_cannot_exist_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    refuses(tmp_path / "file" / "ledger.sqlite", "cannot be opened")


def test_copying_ledger_and_secret_is_a_backup(path, tmp_path):
    folder = tmp_path / "copy"
    folder.mkdir()
    for file in (path, path.with_name("ledger.sqlite.secret")):
        (folder / file.name).write_bytes(file.read_bytes())
    assert spent(folder / "ledger.sqlite") == amount("0.1")


def test_both_paths_can_be_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("PRIVCAUSE_LEDGER", str(tmp_path / "there" / "budget.sqlite"))
    ledger = Ledger(secret=tmp_path / "elsewhere" / "key")
    assert ledger.path == tmp_path / "there" / "budget.sqlite"
    assert ledger.path.exists()
    assert (tmp_path / "elsewhere" / "key").exists()


RACER = """
    import sys
    from pathlib import Path
    from privcause_core.errors import BudgetExceededError
    from privcause_core.ledger import Ledger
    from tests.unit.test_ledger_faults import charge

    accepted = 0
    for k in range(5):
        try:
            accepted += charge(Ledger(Path(sys.argv[1])), f"{sys.argv[2]}-{k}")
        except BudgetExceededError:
            pass
    print(accepted)
"""


def test_eight_processes_racing_for_ten_charges_get_exactly_ten(tmp_path):
    path = tmp_path / "new" / "ledger.sqlite"  # they race to create it, too
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(RACER), str(path), str(k)],
            stdout=subprocess.PIPE, cwd=ROOT, text=True,
        )
        for k in range(8)
    ]  # fmt: skip
    accepted = [int(racer.communicate()[0]) for racer in racers]
    assert sum(accepted) == 10
    assert spent(path) == amount("1.0")
    assert len(Ledger(path).account(COHORT).history) == 10
