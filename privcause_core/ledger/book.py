"""The ledger itself: charge, record, look up, raise, retire; each a single transaction."""

import json
import os
import sys
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from pathlib import Path

from privcause_core.errors import LedgerError, ParameterError
from privcause_core.ledger import storage
from privcause_core.ledger.account import Account, Split, check_split, matching_accounts, read_account
from privcause_core.ledger.amount import Amount
from privcause_core.ledger.bookkeeping import (
    amount_texts,
    check_budget,
    open_account,
    refuse_retired,
    remember,
    write_budget,
)
from privcause_core.ledger.cohort import Cohort, IndexArray
from privcause_core.ledger.secret import create_secret, keyed_digest, read_secret

DEFAULT_BUDGET = Amount(Decimal(1), Decimal("1e-5"))


def default_path() -> Path:
    """Return the ledger's path: ``PRIVCAUSE_LEDGER``, or a file in the user's data directory."""
    if chosen := os.environ.get("PRIVCAUSE_LEDGER"):
        return Path(chosen)
    if sys.platform == "win32":
        home = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        home = Path.home() / "Library" / "Application Support"
    else:
        home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return home / "privcause" / "ledger.sqlite"


class Ledger:
    """A budget ledger, created on first use.

    Parameters
    ----------
    path : Path, optional
        The SQLite file; defaults to ``default_path()``.
    secret : Path, optional
        The secret file; defaults to the ledger's path with ``.secret`` added.

    Raises
    ------
    LedgerError
        If either file cannot be used, or the secret is not this ledger's.
    """

    def __init__(self, path: Path | None = None, secret: Path | None = None) -> None:
        self.path = path or default_path()
        self.secret_path = secret or self.path.with_name(f"{self.path.name}.secret")
        storage.create(self.path, self._new_secret_check)
        with storage.transaction(self.path, write=False) as db:
            storage.check_whole(db, self.path)
            (secret_check,) = db.execute("SELECT secret_check FROM origin").fetchone()
        self._secret = read_secret(self.secret_path)
        if secret_check != _check_of(self._secret):
            raise LedgerError(f"The secret file {self.secret_path} is not that of the ledger {self.path}.")

    def _new_secret_check(self) -> str:
        create_secret(self.secret_path)
        return _check_of(read_secret(self.secret_path))

    def account(self, cohort: Cohort) -> Account | None:
        """Return the account these people have, or None before their first charge."""
        marks = cohort.marks(self._secret, cohort.used[:0])
        with storage.transaction(self.path, write=False) as db:
            accounts = matching_accounts(db, marks)
            return read_account(db, accounts) if accounts else None

    def charge(
        self,
        entry: str,
        cohort: Cohort,
        cost: Amount,
        purpose: Mapping[str, object],
        *,
        now: datetime,
        split: tuple[Split, IndexArray] | None,
        budget: Amount | None,
    ) -> bool:
        """Charge a cost in one transaction, or raise and leave no trace.

        Parameters
        ----------
        entry : str
            Unguessable id. If it was charged before, nothing is charged again.
        cohort : Cohort
        cost : Amount
        purpose : mapping
            Public facts of the plan, kept as JSON.
        now : datetime
        split : (Split, test half as positions among the used rows), optional
            For releases that protect test rows only; the first one fixes it for ever.
        budget : Amount, optional
            Fixed by the account's first charge (default 1, 1e-5); later ones leave it out or repeat it.

        Returns
        -------
        bool
            Whether this call charged; False if the entry had been charged before.

        Raises
        ------
        BudgetExceededError
            If the cost does not fit into what remains.
        LedgerError
            If the split is another one, the account is retired, or the file cannot be used.
        ParameterError
            If the budget differs from the fixed one.
        """
        marks = cohort.marks(self._secret, cohort.used[:0] if split is None else split[1])
        with storage.transaction(self.path, write=True) as db:
            if db.execute("SELECT 1 FROM charge WHERE entry = ?", (entry,)).fetchone():
                return False
            accounts = matching_accounts(db, marks) or (open_account(db, budget or DEFAULT_BUDGET, now),)
            account = read_account(db, accounts)
            check_budget(account, cost, budget)
            if split is not None and account.split is not None:
                check_split(db, accounts, split[0], account.split, marks)
            remember(db, accounts, marks, None if split is None else split[0], first_split=account.split is None)
            db.execute(
                "INSERT INTO charge VALUES (?, ?, ?, ?, ?, ?)",
                (entry, accounts[0], *amount_texts(cost), json.dumps(purpose), now.isoformat()),
            )
        return True

    def record(self, entry: str, outcome: str) -> None:
        """Store the outcome (JSON text) of a charged entry, once."""
        with storage.transaction(self.path, write=True) as db:
            db.execute("INSERT INTO result VALUES (?, ?)", (entry, outcome))

    def outcome(self, entry: str) -> str | None:
        """Return the stored outcome of an entry; None if it was charged but its result was never recorded.

        Raises
        ------
        LedgerError
            If the ledger has no such entry.
        """
        with storage.transaction(self.path, write=False) as db:
            row = db.execute(
                "SELECT outcome FROM charge LEFT JOIN result USING (entry) WHERE charge.entry = ?", (entry,)
            ).fetchone()
        if row is None:
            raise LedgerError("The ledger holds no release of that id.")
        return None if row[0] is None else str(row[0])

    def raise_budget(self, cohort: Cohort, budget: Amount, *, now: datetime, reason: str) -> Account:
        """Raise an account's budget, a recorded act of its own.

        Raises
        ------
        ParameterError
            If the new budget is not larger in epsilon or delta, or smaller in either.
        LedgerError
            If there is no such account or it is retired.
        """
        return self._act(cohort, "raised", budget, now, reason)

    def retire(self, cohort: Cohort, *, now: datetime, reason: str) -> Account:
        """Close an account for ever, a recorded act of its own.

        Raises
        ------
        LedgerError
            If there is no such account or it is retired already.
        """
        return self._act(cohort, "retired", None, now, reason)

    def _act(self, cohort: Cohort, act: str, budget: Amount | None, now: datetime, reason: str) -> Account:
        marks = cohort.marks(self._secret, cohort.used[:0])
        with storage.transaction(self.path, write=True) as db:
            accounts = matching_accounts(db, marks)
            if not accounts:
                raise LedgerError("This table has no account yet; its first release fixes the budget.")
            account = read_account(db, accounts)
            refuse_retired(account)
            if budget is not None and (budget == account.budget or not account.budget.fits(budget)):
                raise ParameterError(f"Expected a budget larger than {account.budget}, got {budget}.")
            for number in accounts:
                write_budget(db, number, act, budget or account.budget, now, reason)
            return read_account(db, accounts)


def _check_of(secret: bytes) -> str:
    return keyed_digest(secret, "check", b"")
