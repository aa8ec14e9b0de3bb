"""The secret deal of a data set: kept beside its charges, drawn once, found again for the same records only.

The ledger holds a random nonce; the key of the permutation is its keyed digest, so that neither the ledger nor its
secret file alone tells who was dealt where. A deal of test rows is fixed for ever, test share included: a row that
trained an earlier release has no protection left to be scored under.
"""

import json
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby

import numpy as np

from privcause_core.errors import LedgerError
from privcause_core.fits.halves import Halves, RowNumbers
from privcause_core.ledger.canonical import Generations, Recognised, Records, held_generations, records_of
from privcause_core.ledger.cohort import Cohort, ColumnMark
from privcause_core.ledger.secret import keyed_digest
from privcause_core.ledger.shuffle import KEY_BYTES, secret_permutation

NO_PROTECTION_LEFT = "a row that trained an earlier release has no protection left to be scored under"


@dataclass(frozen=True, slots=True, eq=False)
class DealtRows:
    """A table dealt by a permutation from outside: for a release, a secret one. Total: it never refuses.

    The dealt sequence is kept: sorting it back into the order of the file would let that order in again.

    Attributes
    ----------
    order : integer array of shape (N,)
        Row of the table at each dealt place.
    used : integer array
        Row of the table of each complete row of the pair, in the pair's order.
    """

    order: RowNumbers
    used: RowNumbers

    def halves(self, rows: int, test_share: float) -> Halves:
        """Return the complete rows among the first places (training) and the last (test), in dealt order."""
        n_test = round(self.order.size * test_share)
        places = self._numbers(rows)
        train, test = places[: self.order.size - n_test], places[self.order.size - n_test :]
        return Halves(train[train >= 0], test[test >= 0], n_test, np.flatnonzero(test >= 0))

    def blocks(self, rows: int, number: int) -> tuple[RowNumbers, ...]:
        """Return the complete rows of each block of places, in dealt order; a block may be empty."""
        return tuple(part[part >= 0] for part in np.array_split(self._numbers(rows), number))

    def _numbers(self, rows: int) -> RowNumbers:
        """Return the pair's row number at each dealt place, -1 where the row is incomplete."""
        numbers = np.full(self.order.size, -1, dtype=np.int64)
        numbers[self.used] = np.arange(rows)
        return numbers[self.order]


@dataclass(frozen=True, slots=True)
class StoredDeal:
    """A deal as the ledger holds it.

    Attributes
    ----------
    number, rows : int
    nonce : str
    generations : tuple of tuple of str
        Digests of the columns it was made with, then of those that later releases brought.
    records : tuple of (int, str)
        Number of columns, and the digest of all records in them.
    test_share : float, optional
        Fixed by the first release that protects test rows only.
    """

    number: int
    nonce: str = field(repr=False)
    rows: int
    generations: Generations
    records: tuple[tuple[int, str], ...]
    test_share: float | None


@dataclass(frozen=True, slots=True, eq=False)
class DealtInSecret:
    """A deal worked out for the table at hand, to be written with the charge; ``stored`` is None for a fresh one.

    Attributes
    ----------
    stored : StoredDeal, optional
    nonce : str
    generations : tuple of tuple of str
    records : mapping of int to str
        Digest of all records by its number of columns.
    test_share : float, optional
        To be fixed.
    deal : DealtRows
    """

    stored: StoredDeal | None
    nonce: str = field(repr=False)
    generations: Generations
    records: Mapping[int, str]
    test_share: float | None
    deal: DealtRows

    def write(self, db: sqlite3.Connection, account: int) -> None:
        """Keep a fresh deal, whatever columns a known one had not seen, and the test share that is fixed now."""
        number = self._insert(db, account) if self.stored is None else self.stored.number
        known = dict(self.stored.records) if self.stored else {}
        for width, generation in zip(accumulate(map(len, self.generations)), self.generations, strict=True):
            if width not in known:
                db.executemany("INSERT INTO deal_column VALUES (?, ?, ?)", [(number, width, one) for one in generation])
                db.execute("INSERT INTO deal_records VALUES (?, ?, ?)", (number, width, self.records[width]))
        if self.test_share is not None and (self.stored is None or self.stored.test_share is None):
            db.execute("INSERT INTO deal_share VALUES (?, ?)", (number, repr(self.test_share)))

    def _insert(self, db: sqlite3.Connection, account: int) -> int:
        size = int(self.deal.order.size)
        db.execute("INSERT INTO deal (account, nonce, size) VALUES (?, ?, ?)", (account, self.nonce, size))
        number: int = db.execute("SELECT last_insert_rowid()").fetchone()[0]
        return number


def read_deals(db: sqlite3.Connection, accounts: Sequence[int]) -> tuple[StoredDeal, ...]:
    """Return the deals of linked accounts, oldest first."""
    rows = db.execute(
        "SELECT id, nonce, size, test_share FROM deal LEFT JOIN deal_share ON deal_share.deal = id "
        "WHERE account IN (SELECT value FROM json_each(?)) ORDER BY id",
        (json.dumps(list(accounts)),),
    ).fetchall()
    return tuple(
        StoredDeal(number, nonce, size, *_columns(db, number), None if share is None else float(share))
        for number, nonce, size, share in rows
    )


def _columns(db: sqlite3.Connection, deal: int) -> tuple[Generations, tuple[tuple[int, str], ...]]:
    columns = db.execute("SELECT width, digest FROM deal_column WHERE deal = ? ORDER BY rowid", (deal,)).fetchall()
    generations = tuple(tuple(digest for _, digest in group) for _, group in groupby(columns, key=lambda row: row[0]))
    return generations, tuple(db.execute("SELECT width, digest FROM deal_records WHERE deal = ?", (deal,)))


def in_secret(
    deals: Sequence[StoredDeal], cohort: Cohort, marks: tuple[ColumnMark, ...], secret: bytes, test_share: float | None
) -> DealtInSecret:
    """Return the table's deal: the one it has, or a fresh one.

    Parameters
    ----------
    deals : sequence of StoredDeal
        Of the table's account.
    test_share : float, optional
        For a release that protects test rows only.

    Raises
    ------
    LedgerError
        If test rows are fixed already and are not these records', or not at this share.
    """
    columns = cohort.recognised(marks)
    fixed = [deal for deal in deals if deal.test_share is not None]
    binding = test_share is not None and bool(fixed)
    found = next(_fitting(fixed if binding else [*fixed, *deals], columns, secret), None)
    if binding:
        _check_fixed(fixed, found is not None, test_share)
    stored, records = found or (None, records_of(columns))
    nonce = stored.nonce if stored else secrets.token_hex(KEY_BYTES)
    key = bytes.fromhex(keyed_digest(secret, "deal", bytes.fromhex(nonce)))
    order = records.order[secret_permutation(key, cohort.rows)]
    deal = DealtRows(order, cohort.used)
    return DealtInSecret(stored, nonce, records.generations, records.digests(secret), test_share, deal)


def _fitting(
    deals: Sequence[StoredDeal], columns: Sequence[Recognised], secret: bytes
) -> Iterator[tuple[StoredDeal, Records]]:
    """Yield the deals that were made with these very records."""
    for deal in deals:
        kept = held_generations(columns, deal.generations) if columns[0].values.size == deal.rows else ()
        if kept:
            records = records_of(columns, kept)
            digests = records.digests(secret)
            if all(digests.get(width, digest) == digest for width, digest in deal.records):
                yield deal, records


def _check_fixed(fixed: Sequence[StoredDeal], fits: bool, wanted: float | None) -> None:
    if len(fixed) > 1:
        raise LedgerError(
            "This table joins two that fixed their test rows apart, so no half of it was never trained on: "
            f"{NO_PROTECTION_LEFT}; protect every row by blocks instead."
        )
    if not fits:
        raise LedgerError(
            "Expected the very records of this table's first release, all their columns included, so that the same "
            f"ones are scored: {NO_PROTECTION_LEFT}. Bring that table, or protect every row by blocks."
        )
    if fixed[0].test_share != wanted:
        raise LedgerError(
            f"Expected test share {fixed[0].test_share:g}, fixed by this table's first release, got {wanted:g}: "
            f"{NO_PROTECTION_LEFT}."
        )
