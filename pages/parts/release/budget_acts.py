"""Raising and retiring a table's budget: acts that the ledger records, each with its reason."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import streamlit as st

from pages.parts.release import source
from pages.shared import login, messages
from privcause_core.errors import ParameterError, PrivCauseError
from privcause_core.release import Amount, Ledger
from privcause_core.text.typed import parse_decimal

_REFUSED = "privcause_refused_act"


def raise_budget(epsilon: str, delta: str, reason: str) -> None:
    """Record a larger budget for the table."""
    with _answered_there():
        larger = Amount(parse_decimal("budget epsilon", epsilon), parse_decimal("budget delta", delta))
        Ledger().raise_budget(source.cohort(), larger, now=datetime.now(UTC), reason=_given(reason))


def retire(reason: str) -> None:
    """Close the table's account for ever."""
    with _answered_there():
        Ledger().retire(source.cohort(), now=datetime.now(UTC), reason=_given(reason))


@contextmanager
def _answered_there() -> Iterator[None]:
    """Keep why an act on the budget was refused, to be said beside its button: the top of the page is out of sight."""
    try:
        login.check_may_change_budgets()
        yield
    except PrivCauseError as error:
        st.session_state[_REFUSED] = messages.sentence(error)


def refused_act() -> str:
    """Return why the last act on the budget was refused, once."""
    return str(st.session_state.pop(_REFUSED, ""))


def _given(reason: str) -> str:
    if not reason.strip():
        raise ParameterError("Say in a few words why; the ledger records it.")
    return reason.strip()
