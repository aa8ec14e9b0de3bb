"""Accounts of the first version: their test rows are places in the file, by a public seed, and stay so for ever.

Such a split protects a replaced row only among files that keep their order. It cannot be dealt again: rows that
trained the earlier releases have no protection left to be scored under.
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from privcause_core.errors import LedgerError
from privcause_core.fits.halves import SeededDeal
from privcause_core.ledger.cohort import Cohort, ColumnMark
from privcause_core.ledger.dealing import NO_PROTECTION_LEFT


@dataclass(frozen=True, slots=True)
class Places:
    """The split of an account, and what is known of the rows it scores.

    Attributes
    ----------
    seed : int
    test_share : float
    tests : frozenset of (str, str)
        Digest of a column, and of its values on the scored rows, in their order.
    """

    seed: int
    test_share: float
    tests: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True, eq=False)
class DealtByPlaces:
    """A split by places worked out for the table at hand, to be written with the charge."""

    deal: SeededDeal
    tests: frozenset[tuple[str, str]]

    def write(self, db: sqlite3.Connection, account: int) -> None:
        """Note what the scored rows hold in columns that had not been seen."""
        held = set(db.execute("SELECT digest, test FROM split_column WHERE account = ?", (account,)))
        new = sorted(self.tests - held)
        db.executemany("INSERT INTO split_column VALUES (?, ?, ?)", [(account, *one) for one in new])


def read_places(db: sqlite3.Connection, accounts: Sequence[int]) -> Places | None:
    """Return the split by places of one or several linked accounts."""
    these = (json.dumps(list(accounts)),)
    row = db.execute(
        "SELECT seed, test_share FROM split WHERE account IN (SELECT value FROM json_each(?)) LIMIT 1", these
    ).fetchone()
    if row is None:
        return None
    tests = db.execute("SELECT digest, test FROM split_column WHERE account IN (SELECT value FROM json_each(?))", these)
    return Places(row[0], float(row[1]), frozenset(tests))


def by_places(
    fixed: Places, wanted: float, cohort: Cohort, marks: Sequence[ColumnMark], secret: bytes
) -> DealtByPlaces:
    """Return the split by the account's seed.

    Raises
    ------
    LedgerError
        If other rows would be scored than by the account's first release.
    """
    if wanted != fixed.test_share:
        raise LedgerError(
            f"Expected test share {fixed.test_share:g}, fixed by this table's first release, got {wanted:g}: "
            f"{NO_PROTECTION_LEFT}."
        )
    deal = SeededDeal(fixed.seed)
    scored = cohort.test_digests(secret, deal.halves(cohort.used.size, wanted).test)
    tests = frozenset(zip((mark.digest for mark in marks if not mark.is_file), scored, strict=True))
    known = {digest for digest, _ in fixed.tests}
    shared = {digest for digest, _ in tests if digest in known}
    if not shared or shared - {digest for digest, _ in tests & fixed.tests}:
        raise LedgerError(
            "Expected the complete rows of this table's first release, in their order, so that the same rows are "
            f"scored: {NO_PROTECTION_LEFT}. They were dealt by their place in the file; protecting every row by blocks "
            "is free of that order."
        )
    return DealtByPlaces(deal, tests)
