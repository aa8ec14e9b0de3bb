"""What the Release page does: price the plan, charge once, find the stored result again."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum, auto

import streamlit as st
from threadpoolctl import threadpool_limits

from pages.parts.release import source
from pages.shared import messages, state
from pages.shared.view import UPLOAD, Cover
from pages.shared.visit import ENTRY
from privcause_core.errors import ParameterError, PrivCauseError
from privcause_core.protection.choice import coverage
from privcause_core.release import (
    Account,
    Amount,
    Ledger,
    Plan,
    Quote,
    Receipt,
    counts_of,
    new_entry,
    quote,
    release,
    stored_receipt,
)
from privcause_core.settings import Protection, Route, Settings
from privcause_core.text.typed import parse_decimal

_SHOWN, _CONFIRMED, _FROM = "privcause_shown_entry", "privcause_confirmed", "privcause_released_from"
PROPOSED_BUDGET = Amount(Decimal(3), Decimal("1e-5"))  # three releases at the default ε: one click leaves most of it
SCORES, BUDGET_EPSILON, BUDGET_DELTA = "release_scores", "budget_epsilon", "budget_delta"


class Origin(Enum):
    """Where a stored result stands to the data that this session has loaded."""

    THESE_DATA = auto()
    OTHER_DATA = auto()
    LINK = auto()  # opened from its address: this session need not have any data


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
    reconsider()
    st.query_params.pop(ENTRY, None)
    st.session_state.pop(_SHOWN, None)


def cover() -> Cover:
    """Return whom the release protects: as chosen here, else every row, by blocks unless public ranges are set."""
    chosen, settings = state.get().view.spend.cover, state.settings()
    if chosen is not Cover.AUTO:
        return chosen
    ranges = settings.protect is Protection.EVERY_ROW and settings.route is Route.RIDGE
    return Cover.RANGES if ranges else Cover.BLOCKS


def settings() -> Settings:
    """Return the session's settings, with the protection that was chosen for the release."""
    chosen = cover()
    protect = Protection.TEST_ROWS if chosen is Cover.TEST_ROWS else Protection.EVERY_ROW
    return state.settings().with_(protect=protect, route=Route.RIDGE if chosen is Cover.RANGES else Route.BLOCKS)


def scores() -> list[str]:
    """Return the scores chosen on the page; at first the session's as far as the protection allows them."""
    chosen: list[str] = st.session_state.get(SCORES, standard_scores())
    return chosen


def standard_scores() -> list[str]:
    """Return the session's scores as far as the chosen protection allows them."""
    try:
        return [score.name for score in coverage(settings()).scores()]
    except ParameterError:
        return []


def plan() -> Plan:
    """Return the plan.

    Raises
    ------
    ParameterError
        If no score is chosen, or the protection lacks something.
    """
    chosen = scores()
    if not chosen:
        raise ParameterError("Choose at least one score to release.")
    planned = Plan.from_settings(settings().with_(score=chosen[0]))
    return replace(planned, scores=tuple(chosen), rows_per_person=state.get().view.spend.rows_per_person)


def quoted() -> Quote:
    """Return the plan's price for the table's public row counts."""
    planned = plan()
    return quote(planned, counts_of(source.cohort(), planned), places=_dealt_by_places())


def _dealt_by_places() -> bool:
    known = account()
    by_places = known is not None and known.split is not None and known.split.seed is not None
    return by_places and cover() is Cover.TEST_ROWS


def account() -> Account | None:
    """Return the table's account, None before its first release."""
    return Ledger().account(source.cohort())


def first_budget() -> Amount:
    """Return the budget typed for a table's first release.

    Raises
    ------
    ParameterError
        If it is not two numbers.
    """
    typed = (st.session_state.get(BUDGET_EPSILON), st.session_state.get(BUDGET_DELTA))
    standard = (PROPOSED_BUDGET.epsilon, PROPOSED_BUDGET.delta)
    epsilon, delta = (
        value if text is None else parse_decimal(name, text)
        for name, text, value in zip(("budget epsilon", "budget delta"), typed, standard, strict=True)
    )
    return Amount(Decimal(epsilon), Decimal(delta))


def drawn_up() -> Hashable:
    """Return what a confirmation is of: the plan, the data, and the budget where this release fixes it."""
    return plan(), source.token(), first_budget() if account() is None else None


def confirmed() -> bool:
    """Return whether exactly this was confirmed."""
    return bool(st.session_state.get(_CONFIRMED) == drawn_up())


def confirm() -> None:
    """Take the plan as it stands to the last step; any change to it leads back."""
    with messages.noting():
        st.session_state[_CONFIRMED] = drawn_up()


def reconsider() -> None:
    """Leave the last step."""
    st.session_state.pop(_CONFIRMED, None)


def spend() -> None:
    """Charge, draw once, and show the result under an id in the address.

    The id is in the address before anything is charged, so a reload in the middle finds what was stored; while it is
    there, a second click (a double one, say) does nothing.
    """
    if ENTRY in st.query_params or _SHOWN in st.session_state:
        return
    with messages.noting():
        if not confirmed():
            raise ParameterError("The plan has changed; confirm it again. Nothing was charged.")
        chosen, whose, budget = plan(), source.cohort(), first_budget() if account() is None else None
        # The session remembers it too: a second click brings the address as it was before the first.
        entry = st.query_params[ENTRY] = st.session_state[_SHOWN] = new_entry()
        try:
            with _seen_working(), threadpool_limits(1):
                release(
                    chosen, source.pair(), Ledger(), now=datetime.now(UTC), cohort=whose, budget=budget, entry=entry,
                    reading=source.reading(),
                )  # fmt: skip
        except PrivCauseError:
            plan_another()
            raise
        st.session_state[_FROM] = {**st.session_state.get(_FROM, {}), entry: source.token()}


@contextmanager
def _seen_working() -> Iterator[None]:
    """Say what is going on, over the page that still shows the plan."""
    seen = st.toast(
        "Recording the charge, then drawing. A reload finds the result.", icon="spinner", duration="infinite"
    )
    try:
        yield
    except BaseException:
        seen.toast("Not released.", icon=":material/block:")
        raise
    seen.toast("Released and recorded.", icon=":material/check:", duration=1)


def origin(receipt: Receipt) -> Origin:
    """Return where a shown result stands to the data that are loaded now."""
    ours = st.session_state.get(_FROM, {})
    if receipt.entry in ours:
        return Origin.THESE_DATA if ours[receipt.entry] == source.token() else Origin.OTHER_DATA
    loaded = state.get().sealed is not None or state.get().view.data.data == UPLOAD
    return Origin.OTHER_DATA if loaded and not _named_alike(receipt) else Origin.LINK


def _named_alike(receipt: Receipt) -> bool:
    """Return whether the loaded data have the names and the number of rows of a result, which may be theirs then."""
    try:
        pair, rows = source.pair(), source.cohort().rows
    except PrivCauseError:
        return False
    stated = (receipt.pair_name, receipt.x_name, receipt.y_name, receipt.counts.rows)
    return stated == (pair.name, pair.x_name, pair.y_name, rows)
