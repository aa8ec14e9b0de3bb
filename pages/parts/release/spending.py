"""What the Release page does: price the plan, charge once, find the stored result again."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import streamlit as st

from pages.shared import messages, state
from privcause_core.errors import ParameterError, PrivCauseError
from privcause_core.loading import Table
from privcause_core.protection.choice import coverage
from privcause_core.release import (
    DEFAULT_BUDGET,
    Account,
    Amount,
    Cohort,
    Ledger,
    Plan,
    Quote,
    Receipt,
    cohort_of_pair,
    cohort_of_table,
    counts_of,
    new_entry,
    quote,
    release,
    stored_receipt,
)
from privcause_core.typed import parse_decimal

ENTRY = "entry"  # the address parameter that shows a stored result again
_SHOWN = "privcause_shown_entry"
SCORES, BUDGET_EPSILON, BUDGET_DELTA = "release_scores", "budget_epsilon", "budget_delta"


def shown_entry() -> str | None:
    """Return the id whose stored result is shown: the address's, or this session's last after a page switch."""
    entry = st.query_params.get(ENTRY) or st.session_state.get(_SHOWN)
    if entry is not None:
        st.query_params[ENTRY] = st.session_state[_SHOWN] = entry
    return entry


def stored(entry: str) -> Receipt:
    """Return a stored result; draws nothing."""
    return stored_receipt(Ledger(), entry)


def plan_another() -> None:
    """Go back to planning."""
    st.query_params.pop(ENTRY, None)
    st.session_state.pop(_SHOWN, None)


def columns_chosen() -> bool:
    """Return whether people chose which two columns to release; a table of two leaves no choice.

    The columns that the other pages propose depend on what the values look like, and those are private.
    """
    found, data = state.item(), state.get().view.data
    several = isinstance(found, Table) and len(found.numeric_columns) > 2
    return not several or (data.x, data.y) == state.columns()


def choose_shown_columns() -> None:
    """Take the columns that are shown as a choice."""
    x, y = state.columns()
    with messages.noting():
        state.change_data(x=x, y=y, sentinels_missing=state.get().view.data.sentinels_missing)


def plan() -> Plan:
    """Return the plan of the sidebar, with the scores chosen on the page.

    Raises
    ------
    ParameterError
        If no score is chosen.
    """
    if state.get().view.data.sentinels_missing:
        raise ParameterError(
            "A release keeps markers such as -999 as numbers, since what counts as one depends on private values; "
            "untick that box, or remove such rows from the file first."
        )
    settings = state.settings()
    chosen = st.session_state.get(SCORES, sidebar_scores())
    if not chosen:
        raise ParameterError("Choose at least one score to release.")
    return replace(Plan.from_settings(settings.with_(score=chosen[0])), scores=tuple(chosen))


def sidebar_scores() -> list[str]:
    """Return the sidebar's scores as far as the chosen protection allows them."""
    try:
        return [score.name for score in coverage(state.settings()).scores()]
    except ParameterError:
        return []


def quoted() -> Quote:
    """Return the plan's price for the table's public row counts."""
    planned = plan()
    return quote(planned, counts_of(cohort(), planned))


def cohort() -> Cohort:
    """Return whose budget it is: the whole table's."""

    def compute() -> Cohort:
        found = state.item()
        return (
            cohort_of_table(found, *state.columns(), state.pair())
            if isinstance(found, Table)
            else cohort_of_pair(state.pair())
        )

    return state.remember(("cohort", state.pair_token()), compute)


def account() -> Account | None:
    """Return the table's account, None before its first release."""
    return Ledger().account(cohort())


def first_budget() -> Amount:
    """Return the budget typed for a table's first release.

    Raises
    ------
    ParameterError
        If it is not two numbers.
    """
    typed = (st.session_state.get(BUDGET_EPSILON), st.session_state.get(BUDGET_DELTA))
    standard = (DEFAULT_BUDGET.epsilon, DEFAULT_BUDGET.delta)
    epsilon, delta = (
        value if text is None else parse_decimal(name, text)
        for name, text, value in zip(("budget epsilon", "budget delta"), typed, standard, strict=True)
    )
    return Amount(Decimal(epsilon), Decimal(delta))


def spend() -> None:
    """Charge, draw once, and show the result under an id in the address.

    The id is in the address before anything is charged, so a reload in the middle finds what was stored; while it is
    there, a second click (a double one, say) does nothing.
    """
    if ENTRY in st.query_params or _SHOWN in st.session_state:
        return
    with messages.noting():
        chosen, whose, ledger = plan(), cohort(), Ledger()
        budget = None if ledger.account(whose) else first_budget()
        # The session remembers it too: a second click brings the address as it was before the first.
        entry = st.query_params[ENTRY] = st.session_state[_SHOWN] = new_entry()
        try:
            release(chosen, state.pair(), ledger, now=datetime.now(UTC), cohort=whose, budget=budget, entry=entry)
        except PrivCauseError:
            plan_another()
            raise


def raise_budget(epsilon: str, delta: str, reason: str) -> None:
    """Record a larger budget for the table."""
    with messages.noting():
        larger = Amount(parse_decimal("budget epsilon", epsilon), parse_decimal("budget delta", delta))
        Ledger().raise_budget(cohort(), larger, now=datetime.now(UTC), reason=_given(reason))


def retire(reason: str) -> None:
    """Close the table's account for ever."""
    with messages.noting():
        Ledger().retire(cohort(), now=datetime.now(UTC), reason=_given(reason))


def _given(reason: str) -> str:
    if not reason.strip():
        raise ParameterError("Say in a few words why; the ledger records it.")
    return reason.strip()
