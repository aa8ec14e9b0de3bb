"""Writing an account inside a transaction: opening it, its budget acts, the columns it covers."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from privcause_core.errors import BudgetExceededError, LedgerError, ParameterError
from privcause_core.ledger.account import OF_A_FILE, Account, read_account
from privcause_core.ledger.amount import Amount, decimal_text
from privcause_core.ledger.cohort import ColumnMark

DEFAULT_BUDGET = Amount(Decimal(1), Decimal("1e-5"))


@dataclass(frozen=True, slots=True)
class NewCharge:
    """A charge about to be made.

    Attributes
    ----------
    entry : str
        Unguessable id. If it was charged before, nothing is charged again.
    cost : Amount
    purpose : mapping
        Public facts of the plan, kept as JSON.
    now : datetime
    test_share : float, optional
        For releases that protect test rows only; the first one fixes it for ever.
    budget : Amount, optional
        Fixed by the account's first charge (default 1, 1e-5); later ones leave it out or repeat it.
    """

    entry: str
    cost: Amount
    purpose: Mapping[str, object]
    now: datetime
    test_share: float | None
    budget: Amount | None = None


def is_charged(db: sqlite3.Connection, entry: str) -> bool:
    """Return whether an entry was charged before."""
    return db.execute("SELECT 1 FROM charge WHERE entry = ?", (entry,)).fetchone() is not None


def write_charge(
    db: sqlite3.Connection, accounts: Sequence[int], marks: Sequence[ColumnMark], charge: NewCharge
) -> int:
    """Charge an account, opened now if there is none, and return its number.

    Raises
    ------
    BudgetExceededError, ParameterError, LedgerError
        As ``check_budget``.
    """
    accounts = accounts or (open_account(db, charge.budget or DEFAULT_BUDGET, charge.now),)
    check_budget(read_account(db, accounts, marks, None), charge.cost, charge.budget)
    remember(db, accounts, marks)
    db.execute(
        "INSERT INTO charge VALUES (?, ?, ?, ?, ?, ?)",
        (charge.entry, accounts[0], *amount_texts(charge.cost), json.dumps(charge.purpose), charge.now.isoformat()),
    )
    return accounts[0]


def open_account(db: sqlite3.Connection, budget: Amount, now: datetime) -> int:
    """Open an account with the budget its first charge fixes, and return its number."""
    db.execute("INSERT INTO account (opened) VALUES (?)", (now.isoformat(),))
    number: int = db.execute("SELECT last_insert_rowid()").fetchone()[0]
    write_budget(db, number, "fixed", budget, now, "first release")
    return number


def write_budget(db: sqlite3.Connection, account: int, act: str, budget: Amount, now: datetime, reason: str) -> None:
    """Add a budget act (fixed, raised or retired); the latest one holds."""
    db.execute(
        "INSERT INTO budget VALUES (?, ?, ?, ?, ?, ?)", (account, act, *amount_texts(budget), now.isoformat(), reason)
    )


def refuse_retired(account: Account) -> None:
    """Refuse a retired account with LedgerError."""
    if account.retired:
        raise LedgerError("This table's account is retired: no further release.")


def check_budget(account: Account, cost: Amount, budget: Amount | None) -> None:
    """Refuse a cost beyond what remains (BudgetExceededError) and a budget other than the fixed one (ParameterError).

    Raises
    ------
    BudgetExceededError, ParameterError, LedgerError
        The last if the account is retired.
    """
    refuse_retired(account)
    if budget is not None and budget != account.budget:
        raise ParameterError(
            f"Expected no budget or {account.budget}, fixed by this table's first release, got {budget}; "
            "raising it is a separate act."
        )
    if not cost.fits(account.remaining):
        raise BudgetExceededError(
            f"Expected a cost within the remaining {account.remaining} of {account.budget}, got {cost}; "
            "nothing was charged or drawn."
        )


def remember(db: sqlite3.Connection, accounts: Sequence[int], marks: Sequence[ColumnMark]) -> None:
    """Note the table's columns under its account, and that the accounts found are one."""
    account = accounts[0]
    held = {digest for (digest,) in db.execute("SELECT digest FROM account_column WHERE account = ?", (account,))}
    new = {mark.digest: mark for mark in marks if mark.digest not in held}
    db.executemany(
        "INSERT INTO account_column VALUES (?, ?, ?)",
        [(account, digest, OF_A_FILE if mark.is_file else int(mark.distinctive)) for digest, mark in new.items()],
    )
    db.executemany(
        "INSERT INTO sketch VALUES (?, ?)",
        [(account, json.dumps(sorted(mark.sketch))) for mark in new.values() if mark.sketch],
    )
    linked = set(db.execute("SELECT account, other FROM account_link"))
    db.executemany(
        "INSERT INTO account_link VALUES (?, ?)",
        [(account, other) for other in accounts[1:] if (account, other) not in linked],
    )


def amount_texts(amount: Amount) -> tuple[str, str]:
    """Return epsilon and delta as the ledger stores them."""
    return decimal_text(amount.epsilon), decimal_text(amount.delta)
