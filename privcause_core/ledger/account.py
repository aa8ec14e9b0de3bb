"""Reading one account inside a transaction: whom it covers, its budget, what is spent, how its rows are dealt.

Tables that share a distinctive column are one account. A table may show that two accounts were the same people all
along; they are then linked, their spending adds up and the tighter budget holds for both.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from typing import Any

from privcause_core.ledger.amount import Amount, total
from privcause_core.ledger.cohort import ColumnMark
from privcause_core.ledger.sketch import alike

OF_A_FILE = 2  # stands for "distinctive" beside a file's digest: it identifies, and is no column


@dataclass(frozen=True, slots=True)
class Split:
    """The test rows that an account keeps for ever.

    Attributes
    ----------
    test_share : float
        Share of the rows that is scored.
    seed : int, optional
        Of an account whose rows were dealt by their place in the file, as the first version did; None where records
        are dealt in secret.
    """

    test_share: float
    seed: int | None = None


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
class BudgetAct:
    """One act on an account's budget.

    Attributes
    ----------
    time : str
        ISO 8601.
    act : str
        "fixed", "raised" or "retired".
    budget : Amount
        As it was afterwards.
    reason : str
        Why, in the words of whoever did it.
    """

    time: str
    act: str
    budget: Amount
    reason: str


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
    acts : tuple of BudgetAct
        Both oldest first.
    matched : tuple of str
        The columns of the table at hand that the account was recognised by, as that file calls them.
    """

    number: int
    budget: Amount
    spent: Amount
    retired: bool
    split: Split | None
    history: tuple[Charge, ...]
    acts: tuple[BudgetAct, ...]
    matched: tuple[str, ...] = ()

    @property
    def readings(self) -> tuple[Mapping[str, object], ...]:
        """Return how the table was read for its releases, where that was declared, oldest first."""
        return tuple(charge.purpose["reading"] for charge in self.history if "reading" in charge.purpose)

    @property
    def remaining(self) -> Amount:
        """Return what may still be spent, exactly."""
        return self.budget.less(self.spent)


def matching_accounts(db: sqlite3.Connection, marks: Sequence[ColumnMark]) -> tuple[int, ...]:
    """Return the accounts that hold these people, linked ones included, oldest first.

    A column with more than two distinct values identifies; where one side has none, any shared column does.
    """
    return _with_linked(db, {account for accounts in _shared(db, marks).values() for account in accounts})


def matched_columns(db: sqlite3.Connection, marks: Sequence[ColumnMark]) -> tuple[str, ...]:
    """Return the names of the columns that any account was recognised by."""
    return tuple(dict.fromkeys(mark.name for mark in _shared(db, marks)))


def resembling_columns(db: sqlite3.Connection, marks: Sequence[ColumnMark]) -> tuple[str, ...]:
    """Return the names of the columns that hold nearly the values of a column of some account, but are not it."""
    known = [frozenset(json.loads(text)) for (text,) in db.execute("SELECT least FROM sketch")]
    same = set(matched_columns(db, marks))
    near = (mark.name for mark in marks if mark.name not in same and mark.sketch and alike(mark.sketch, known))
    return tuple(dict.fromkeys(near))


def _shared(db: sqlite3.Connection, marks: Sequence[ColumnMark]) -> dict[ColumnMark, tuple[int, ...]]:
    """Return the marks that some account shares, with those accounts."""
    anything = not any(one.distinctive for one in marks)
    found = {}
    for mark in marks:
        rows = db.execute(
            "SELECT account FROM account_column AS held WHERE digest = ? AND (distinctive OR ? OR NOT EXISTS "
            "(SELECT 1 FROM account_column WHERE account = held.account AND distinctive = 1))",
            (mark.digest, anything),
        )
        if accounts := tuple(account for (account,) in rows):
            found[mark] = accounts
    return found


def _with_linked(db: sqlite3.Connection, accounts: set[int]) -> tuple[int, ...]:
    rows = db.execute(
        "WITH RECURSIVE linked (id) AS (SELECT value FROM json_each(?) UNION SELECT "
        "CASE account WHEN id THEN other ELSE account END FROM account_link JOIN linked ON id IN (account, other)) "
        "SELECT id FROM linked ORDER BY id",
        (json.dumps(sorted(accounts)),),
    )
    return tuple(account for (account,) in rows)


def read_account(
    db: sqlite3.Connection, accounts: Sequence[int], marks: Sequence[ColumnMark], split: Split | None
) -> Account:
    """Return the common state of one or several linked accounts, and which of the table's columns they share."""
    acts = [_acts(db, account) for account in accounts]
    held = [of_one[-1] for of_one in acts]
    limit = Amount(min(one.budget.epsilon for one in held), min(one.budget.delta for one in held))
    history = _history(db, accounts)
    return Account(
        accounts[0], limit, total(charge.cost for charge in history), any(one.act == "retired" for one in held),
        split, history, tuple(chain.from_iterable(acts)), matched_columns(db, marks),
    )  # fmt: skip


def _acts(db: sqlite3.Connection, account: int) -> tuple[BudgetAct, ...]:
    rows = db.execute(
        "SELECT time, act, epsilon, delta, reason FROM budget WHERE account = ? ORDER BY rowid", (account,)
    )
    return tuple(
        BudgetAct(time, act, Amount(Decimal(epsilon), Decimal(delta)), reason)
        for time, act, epsilon, delta, reason in rows
    )


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
