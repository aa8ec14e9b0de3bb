"""The ledger's SQLite file: schema, connections, and its failures as one plain sentence each."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

from privcause_core.errors import LedgerError
from privcause_core.ledger.once import created_once

BUSY_SECONDS = 10.0
APPLICATION_ID = 0x50437631
SCHEMA_VERSION = 2

_TABLES = {
    "origin": "secret_check TEXT NOT NULL",
    "account": "id INTEGER PRIMARY KEY, opened TEXT NOT NULL",
    "account_column": "account INTEGER NOT NULL REFERENCES account, digest TEXT NOT NULL, distinctive INTEGER NOT NULL",
    "account_link": "account INTEGER NOT NULL REFERENCES account, other INTEGER NOT NULL REFERENCES account",
    "budget": "account INTEGER NOT NULL REFERENCES account, act TEXT NOT NULL CHECK (act IN ('fixed', 'raised', "
    "'retired')), epsilon TEXT NOT NULL, delta TEXT NOT NULL, time TEXT NOT NULL, reason TEXT NOT NULL",
    "split": "account INTEGER NOT NULL REFERENCES account, seed INTEGER NOT NULL, test_share TEXT NOT NULL",
    "split_column": "account INTEGER NOT NULL REFERENCES account, digest TEXT NOT NULL, test TEXT NOT NULL",
    "charge": "entry TEXT NOT NULL UNIQUE, account INTEGER NOT NULL REFERENCES account, epsilon TEXT NOT NULL, "
    "delta TEXT NOT NULL, purpose TEXT NOT NULL, time TEXT NOT NULL",
    "result": "entry TEXT NOT NULL UNIQUE REFERENCES charge (entry), outcome TEXT NOT NULL",
}
# A schema that only adds tables: a ledger of version 1 becomes one of version 2 and loses nothing.
_TABLES_2 = {
    "deal": "id INTEGER PRIMARY KEY, account INTEGER NOT NULL REFERENCES account, nonce TEXT NOT NULL, "
    "size INTEGER NOT NULL",
    "deal_column": "deal INTEGER NOT NULL REFERENCES deal, width INTEGER NOT NULL, digest TEXT NOT NULL",
    "deal_records": "deal INTEGER NOT NULL REFERENCES deal, width INTEGER NOT NULL, digest TEXT NOT NULL",
    "deal_share": "deal INTEGER NOT NULL UNIQUE REFERENCES deal, test_share TEXT NOT NULL",
    "signer": "public_key TEXT NOT NULL UNIQUE",
    "sketch": "account INTEGER NOT NULL REFERENCES account, least TEXT NOT NULL",
}
_NEVER_TWICE = {"charge": "entry", "result": "entry"}
_NEVER_TWICE_2 = {"deal": "id", "deal_share": "deal", "signer": "public_key"}


def _schema() -> Iterator[str]:
    yield from _append_only(_TABLES, _NEVER_TWICE)
    yield f"PRAGMA application_id = {APPLICATION_ID}"
    yield from _second_version()


def _second_version() -> Iterator[str]:
    yield from _append_only(_TABLES_2, _NEVER_TWICE_2)
    yield f"PRAGMA user_version = {SCHEMA_VERSION}"


def _append_only(tables: Mapping[str, str], never_twice: Mapping[str, str]) -> Iterator[str]:
    for name, columns in tables.items():
        yield f"CREATE TABLE {name} ({columns}) STRICT"
        for act in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER {name}_no_{act.lower()} BEFORE {act} ON {name} "
                "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
            )
    for name, key in never_twice.items():  # INSERT OR REPLACE would delete without asking the triggers above
        yield (
            f"CREATE TRIGGER {name}_no_replace BEFORE INSERT ON {name} "
            f"WHEN EXISTS (SELECT 1 FROM {name} WHERE {key} = NEW.{key}) "
            "BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"
        )


def connect(path: Path) -> sqlite3.Connection:
    """Open an existing file; a commit returns only when it is on the disk, in write-ahead mode too."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", timeout=BUSY_SECONDS, isolation_level=None, uri=True
    )
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


@contextmanager
def transaction(path: Path, *, write: bool) -> Iterator[sqlite3.Connection]:
    """Read a consistent ledger, or hold its only write lock; commit at the end, or leave no trace of a failure.

    Raises
    ------
    LedgerError
        If the file is missing, damaged, locked, read-only, full or of another schema.
    """
    with _explained(path), closing(connect(path)) as db:
        db.execute("BEGIN IMMEDIATE" if write else "BEGIN")
        try:
            check_schema(db, path)
            yield db
            db.execute("COMMIT")
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")


def create(path: Path, secret_check: Callable[[], str]) -> None:
    """Create the ledger (for its owner only), unless the file exists.

    Parameters
    ----------
    path : Path
    secret_check : callable
        Creates the secret and returns what proves it later; called for a new ledger only.

    Raises
    ------
    LedgerError
        If the file cannot be created.
    """
    if path.exists():
        return
    with _explained(path), created_once(path) as draft, closing(connect(draft)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("BEGIN")
        for statement in _schema():
            db.execute(statement)
        db.execute("INSERT INTO origin VALUES (?)", (secret_check(),))
        db.execute("COMMIT")


def migrate(path: Path) -> None:
    """Bring a ledger of the first version to the present one, in one transaction; nothing that it holds is touched.

    Raises
    ------
    LedgerError
        If the file cannot be written.
    """
    with _explained(path), closing(connect(path)) as db:
        if (_number(db, "application_id"), _number(db, "user_version")) != (APPLICATION_ID, 1):
            return
        db.execute("BEGIN IMMEDIATE")
        if _number(db, "user_version") == 1:  # no other process was first
            for statement in _second_version():
                db.execute(statement)
        db.execute("COMMIT")


def check_whole(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a file whose pages contradict each other.

    Raises
    ------
    LedgerError
        If SQLite's own check finds a fault.
    """
    if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise LedgerError(f"The ledger {path} {_FAULTS[sqlite3.SQLITE_CORRUPT]}.")


def check_schema(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is not a ledger of this version.

    Raises
    ------
    LedgerError
        Naming the file and what it is.
    """
    if _number(db, "application_id") != APPLICATION_ID:
        raise LedgerError(f"The file {path} is not a PrivCause ledger; choose another path.")
    version = _number(db, "user_version")
    if version != SCHEMA_VERSION:
        raise LedgerError(
            f"The ledger {path} has schema version {version} and this program reads up to {SCHEMA_VERSION}; "
            "use the version of PrivCause that wrote it."
        )


def _number(db: sqlite3.Connection, pragma: str) -> int:
    return int(db.execute(f"PRAGMA {pragma}").fetchone()[0])


_FAULTS = {
    sqlite3.SQLITE_BUSY: "is in use by another process; try again in a moment",
    sqlite3.SQLITE_LOCKED: "is in use by another process; try again in a moment",
    sqlite3.SQLITE_READONLY: "is read-only; make the file and its folder writable",
    sqlite3.SQLITE_PERM: "may not be opened; check the permissions of the file and its folder",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; check the path and its permissions",
    sqlite3.SQLITE_FULL: "cannot grow because the disk is full; free some space",
    sqlite3.SQLITE_IOERR: "cannot be read or written because of a disk error; check the disk",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore it and its secret file from a backup",
    sqlite3.SQLITE_NOTADB: "is damaged or not a ledger; restore it from a backup or choose another path",
}


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        primary = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        fault = _FAULTS.get(primary, "cannot be used; restore it from a backup")
        raise LedgerError(f"The ledger {path} {fault}.") from error
    except OSError as error:
        raise LedgerError(f"The ledger {path} cannot be opened: {error.strerror}.") from error
