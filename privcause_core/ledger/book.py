"""The ledger itself: charge, record, look up, raise, retire; each a single transaction."""

import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from privcause_core.errors import LedgerError, ParameterError
from privcause_core.fits.halves import Deal
from privcause_core.ledger import storage
from privcause_core.ledger.account import Account, resembling_columns
from privcause_core.ledger.amount import Amount
from privcause_core.ledger.bookkeeping import (
    NewCharge,
    check_budget,
    is_charged,
    refuse_retired,
    write_budget,
    write_charge,
)
from privcause_core.ledger.cohort import Cohort
from privcause_core.ledger.secret import KEY_FILE, create_secret, keyed_digest, read_secret
from privcause_core.ledger.signing import Signature, public_key_of, sign
from privcause_core.ledger.state import read_state, work_out

ATTEMPTS = 10  # a deal worked out while another process made the table's first charge is worked out again


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
        self.key_path = self.path.with_name(f"{self.path.name}.key")
        storage.create(self.path, self._new_secret_check)
        storage.migrate(self.path)
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
        marks = cohort.marks(self._secret)
        with storage.transaction(self.path, write=False) as db:
            return read_state(db, marks).account

    def resembling(self, cohort: Cohort) -> tuple[str, ...]:
        """Return the names of the columns that hold nearly the values of a known one.

        Perhaps the same people in an altered file: the ledger cannot tell, and gives such a table a budget of its own;
        whoever holds the data can.
        """
        marks = cohort.marks(self._secret)
        with storage.transaction(self.path, write=False) as db:
            return resembling_columns(db, marks)

    def charge(
        self, cohort: Cohort, charge: NewCharge, *, suits: Callable[[Deal], None] = lambda _: None
    ) -> Deal | None:
        """Charge a cost in one transaction, or raise and leave no trace.

        The deal of the rows is drawn with a table's first charge and kept in its transaction. It is worked out before,
        since that takes long for a large table, and once more should another process have been faster. ``suits``
        refuses a deal, by raising, before anything is charged.

        Returns
        -------
        Deal, optional
            How the rows are dealt; None if the entry had been charged before.

        Raises
        ------
        BudgetExceededError
            If the cost does not fit into what remains.
        LedgerError
            If other rows would be scored than before, the account is retired, or the file cannot be used.
        ParameterError
            If the budget differs from the fixed one.
        """
        marks = cohort.marks(self._secret)
        for _ in range(ATTEMPTS):
            with storage.transaction(self.path, write=False) as db:
                if is_charged(db, charge.entry):
                    return None
                state = read_state(db, marks)
            if state.account is not None:
                check_budget(state.account, charge.cost, charge.budget)
            work = work_out(state, cohort, marks, self._secret, charge.test_share)
            suits(work.deal)
            with storage.transaction(self.path, write=True) as db:
                if is_charged(db, charge.entry):
                    return None
                if read_state(db, marks).dealt_like(state):
                    work.write(db, write_charge(db, state.accounts, marks, charge))
                    return work.deal
        raise LedgerError(f"The ledger {self.path} is in use by another process; try again in a moment.")

    def record(self, entry: str, outcome: str) -> None:
        """Store the outcome (JSON text) of a charged entry, once."""
        with storage.transaction(self.path, write=True) as db:
            db.execute("INSERT INTO result VALUES (?, ?)", (entry, outcome))

    def sign(self, content: bytes) -> Signature:
        """Sign with this ledger's key, made at its first use beside the ledger, readable by its owner only.

        Raises
        ------
        LedgerError
            If the key cannot be made, read or noted.
        """
        return sign(self._signing_key(), content)

    def public_key(self) -> str:
        """Return the public half of the signing key, as the ledger's certificates show it."""
        return public_key_of(self._signing_key())

    def signers(self) -> frozenset[str]:
        """Return every public key that this ledger has signed with."""
        with storage.transaction(self.path, write=False) as db:
            return frozenset(key for (key,) in db.execute("SELECT public_key FROM signer"))

    def _signing_key(self) -> bytes:
        if not self.key_path.exists():
            create_secret(self.key_path, KEY_FILE)
        key = read_secret(self.key_path, KEY_FILE)
        if (public := public_key_of(key)) not in self.signers():
            with storage.transaction(self.path, write=True) as db:
                if not db.execute("SELECT 1 FROM signer WHERE public_key = ?", (public,)).fetchone():
                    db.execute("INSERT INTO signer VALUES (?)", (public,))
        return key

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
        marks = cohort.marks(self._secret)
        with storage.transaction(self.path, write=True) as db:
            state = read_state(db, marks)
            if state.account is None:
                raise LedgerError("This table has no account yet; its first release fixes the budget.")
            refuse_retired(state.account)
            if budget is not None and (budget == state.account.budget or not state.account.budget.fits(budget)):
                raise ParameterError(f"Expected a budget larger than {state.account.budget}, got {budget}.")
            for number in state.accounts:
                write_budget(db, number, act, budget or state.account.budget, now, reason)
            return read_state(db, marks).account or state.account


def _check_of(secret: bytes) -> str:
    return keyed_digest(secret, "check", b"")
