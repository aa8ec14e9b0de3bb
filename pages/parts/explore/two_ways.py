"""Test rows and every row may tell opposite arrows, both as if surely; whoever has seen both should hear it."""

from collections.abc import Hashable

import streamlit as st

from pages.shared import present, state
from pages.shared.session import remember, remembers
from privcause_core.explore.analysis import Analysis, ScoreMeasurement
from privcause_core.pair import Direction
from privcause_core.settings import Protection, Settings

SURE = 0.95  # of the sampling doubt
REMARK = (
    "Test rows and every row tell **opposite arrows**, and either looks sure of other people. At most one is right: "
    "they fit and score differently, which no doubt here counts. Trust neither without knowing more of these columns."
)


def opposed(one: ScoreMeasurement, other: ScoreMeasurement) -> bool:
    """Return whether two measurements tell opposite arrows, each likely to be the population's."""
    arrows = {one.direction, other.direction}
    sure = all(true.doubt is not None and true.doubt.probability_arrow >= SURE for true in (one, other))
    return sure and arrows == {Direction.X_TO_Y, Direction.Y_TO_X}


def remark(analysis: Analysis) -> None:
    """Say so if this session has seen the same pair under the other protection, and the two are opposed."""
    if present.hides_true():
        return
    settings, true = analysis.settings, analysis.headline.true
    remember(_key(settings), lambda: true)
    for protect in Protection:
        key = _key(settings.with_(protect=protect))
        if remembers(key) and opposed(true, remember(key, lambda: true)):
            say()


def say() -> None:
    """Draw the remark."""
    st.warning(REMARK, icon=":material/call_split:")


def _key(settings: Settings) -> tuple[Hashable, ...]:
    return ("arrow told", *state.pair_token(), state.measured_by(settings))
