"""Reading one account inside a transaction: whom it covers, its budget, what is spent, its split.

Tables that share a distinctive column are one account. A table may show that two accounts were the same people all
along; they are then linked, their spending adds up and the tighter budget holds for both.
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from privcause_core.errors import LedgerError
from privcause_core.ledger.amount import Amount, total
from privcause_core.ledger.cohort import ColumnMark


@dataclass(frozen=True, slots=True)
class Split:
    """Which rows are scored: a seed and a share of the complete rows."""

    seed: int
    test_share: float


@dataclass(frozen=True, slots=True)
class Charge:
    """One line of an account's history; the private outputs stay with whoever holds the entry's id.

    Attributes
    ----------
    time : str
        ISO 8601.
    cost : Amount
    purpose : dict
        The plan's public facts, as charged.
    complete : bool
        Whether a result was recorded; the cost counts all the same.
    """

    time: str
    cost: Amount
    purpose: dict[str, Any]
    complete: bool


@dataclass(frozen=True, slots=True)
class Account:
    """The state of one account.

    Attributes
    ----------
    number : int
        The account's number in this ledger.
    budget, spent, remaining : Amount
    retired : bool
        No further release, whatever remains.
    split : Split, optional
        Fixed by the first release that protects test rows only.
    history : tuple of Charge
        Oldest first.
    """

    number: int
    budget: Amount
    spent: Amount
    retired: bool
    split: Split | None
    history: tuple[Charge, ...]

    @property
    def remaining(self) -> Amount:
        """Return what may still be spent, exactly."""
        return self.budget.less(self.spent)


def matching_accounts(db: sqlite3.Connection, marks: Sequence[ColumnMark]) -> tuple[int, ...]:
    """Return the accounts that hold these people, linked ones included, oldest first.

    A column with more than two distinct values identifies; where one side has none, any shared column does.
    """
    found: set[int] = set()
    for mark in marks:
        anything = not any(one.distinctive for one in marks)
        rows = db.execute(
            "SELECT account FROM account_column AS held WHERE digest = ? AND (distinctive OR ? OR NOT EXISTS "
            "(SELECT 1 FROM account_column WHERE account = held.account AND distinctive))",
            (mark.digest, anything),
        )
        found.update(account for (account,) in rows)
    return _with_linked(db, found)


def _with_linked(db: sqlite3.Connection, accounts: set[int]) -> tuple[int, ...]:
    rows = db.execute(
        "WITH RECURSIVE linked (id) AS (SELECT value FROM json_each(?) UNION SELECT "
        "CASE account WHEN id THEN other ELSE account END FROM account_link JOIN linked ON id IN (account, other)) "
        "SELECT id FROM linked ORDER BY id",
        (json.dumps(sorted(accounts)),),
    )
    return tuple(account for (account,) in rows)


def read_account(db: sqlite3.Connection, accounts: Sequence[int]) -> Account:
    """Return the common state of one or several linked accounts."""
    budgets = [_budget(db, account) for account in accounts]
    limit = Amount(min(one.epsilon for one, _ in budgets), min(one.delta for one, _ in budgets))
    history = _history(db, accounts)
    return Account(
        accounts[0], limit, total(charge.cost for charge in history),
        any(retired for _, retired in budgets), _split(db, accounts), history,
    )  # fmt: skip


def _budget(db: sqlite3.Connection, account: int) -> tuple[Amount, bool]:
    act, epsilon, delta = db.execute(
        "SELECT act, epsilon, delta FROM budget WHERE account = ? ORDER BY rowid DESC LIMIT 1", (account,)
    ).fetchone()
    return Amount(Decimal(epsilon), Decimal(delta)), act == "retired"


def _history(db: sqlite3.Connection, accounts: Sequence[int]) -> tuple[Charge, ...]:
    rows = db.execute(
        "SELECT time, epsilon, delta, purpose, result.entry IS NOT NULL FROM charge LEFT JOIN result USING (entry) "
        "WHERE account IN (SELECT value FROM json_each(?)) ORDER BY charge.rowid",
        (json.dumps(accounts),),
    )
    return tuple(
        Charge(time, Amount(Decimal(epsilon), Decimal(delta)), json.loads(purpose), bool(complete))
        for time, epsilon, delta, purpose, complete in rows
    )


def _split(db: sqlite3.Connection, accounts: Sequence[int]) -> Split | None:
    row = db.execute(
        "SELECT seed, test_share FROM split WHERE account IN (SELECT value FROM json_each(?)) LIMIT 1",
        (json.dumps(accounts),),
    ).fetchone()
    return Split(row[0], float(row[1])) if row else None


def check_split(
    db: sqlite3.Connection, accounts: Sequence[int], wanted: Split, fixed: Split, marks: Iterable[ColumnMark]
) -> None:
    """Refuse a split other than the account's: it would score rows that trained an earlier, unprotected fit.

    Raises
    ------
    LedgerError
        Saying what differs.
    """
    reason = "a row that trained an earlier release has no protection left to be scored under"
    if wanted != fixed:
        raise LedgerError(
            f"Expected seed {fixed.seed} and test share {fixed.test_share:g}, fixed by this table's first release, "
            f"got {wanted.seed} and {wanted.test_share:g}: {reason}."
        )
    known: dict[str, set[str]] = {}
    for digest, test in db.execute(
        "SELECT digest, test FROM split_column WHERE account IN (SELECT value FROM json_each(?))",
        (json.dumps(accounts),),
    ):
        known.setdefault(digest, set()).add(test)
    asked: dict[str, set[str]] = {}
    for mark in marks:
        if mark.digest in known:
            asked.setdefault(mark.digest, set()).add(mark.test)
    if not asked or any(not tests & known[digest] for digest, tests in asked.items()):
        raise LedgerError(
            "Expected the complete rows of this table's first release, in their order, so that the same rows are "
            f"scored: {reason}."
        )
