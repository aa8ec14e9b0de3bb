"""What the ledger knows of a table at one moment: its account, and how its rows are dealt."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from privcause_core.errors import LedgerError
from privcause_core.ledger.account import Account, Split, matching_accounts, read_account
from privcause_core.ledger.cohort import Cohort, ColumnMark
from privcause_core.ledger.dealing import NO_PROTECTION_LEFT, DealtInSecret, StoredDeal, in_secret, read_deals
from privcause_core.ledger.places import DealtByPlaces, Places, by_places, read_places


@dataclass(frozen=True, slots=True)
class State:
    """What one transaction found.

    Attributes
    ----------
    accounts : tuple of int
        Linked accounts of these people; empty before their first charge.
    account : Account, optional
        Their common state.
    deals : tuple of StoredDeal
    places : Places, optional
        The split of an account of the first version.
    """

    accounts: tuple[int, ...]
    account: Account | None
    deals: tuple[StoredDeal, ...]
    places: Places | None

    def dealt_like(self, other: "State") -> bool:
        """Return whether a deal worked out from one state is that of the other."""
        return (self.accounts, self.deals, self.places) == (other.accounts, other.deals, other.places)


def read_state(db: sqlite3.Connection, marks: Sequence[ColumnMark]) -> State:
    """Return what the ledger knows of a table."""
    accounts = matching_accounts(db, marks)
    if not accounts:
        return State((), None, (), None)
    deals, places = read_deals(db, accounts), read_places(db, accounts)
    return State(accounts, read_account(db, accounts, marks, _split(deals, places)), deals, places)


def work_out(
    state: State, cohort: Cohort, marks: tuple[ColumnMark, ...], secret: bytes, test_share: float | None
) -> DealtInSecret | DealtByPlaces:
    """Return how a release deals the table's rows: in secret, or by places where test rows were fixed so.

    Raises
    ------
    LedgerError
        If test rows are fixed already and others would be scored.
    """
    if state.places is None or test_share is None:
        return in_secret(state.deals, cohort, marks, secret, test_share)
    if any(deal.test_share is not None for deal in state.deals):
        raise LedgerError(
            "This table joins two that fixed their test rows apart, so no half of it was never trained on: "
            f"{NO_PROTECTION_LEFT}; protect every row by blocks instead."
        )
    return by_places(state.places, test_share, cohort, marks, secret)


def _split(deals: Sequence[StoredDeal], places: Places | None) -> Split | None:
    if places is not None:
        return Split(places.test_share, places.seed)
    shares = [deal.test_share for deal in deals if deal.test_share is not None]
    return Split(shares[0]) if shares else None
