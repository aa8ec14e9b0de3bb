"""The sidebar's choice of who is protected, and the public constants that protecting every row needs."""

from collections.abc import Callable

import streamlit as st

from pages.shared import state
from pages.shared.widgets import choice, mirrored, setting, typed_number
from privcause_core.errors import ParameterError
from privcause_core.protection.choice import coverage
from privcause_core.scores import get_score
from privcause_core.settings import ALL_SCORES, BLOCKS_MAX, BLOCKS_MIN, Protection, Route, Settings, knobs

PROTECTION_TITLES = {Protection.TEST_ROWS: "Test rows", Protection.EVERY_ROW: "Every row"}
ROUTE_TITLES = {Route.RIDGE: "Public ranges", Route.BLOCKS: "Blocks that vote"}


def _protecting(name: str) -> Callable[[object], None]:
    """Return what stores a choice; a score that public ranges cannot protect gives way to the first that they can."""

    def store(value: object) -> None:
        changed = state.settings().with_(**{name: value})
        try:
            coverage(changed).scores()
            state.change_settings(**{name: value})
        except ParameterError:
            instead = coverage(changed.with_(score=ALL_SCORES)).scores()[0]
            state.change_settings(**{name: value}, score=instead.name)
            state.get().notices.append(
                f"Public ranges cannot protect every row with {get_score(changed.score).title}, so the score is "
                f"{instead.title} now. Blocks can vote with any score."
            )

    return store


def draw() -> None:
    """Draw the choice; its details only where every row is protected."""
    settings = state.settings()
    choice(
        "Who is protected",
        "protect",
        PROTECTION_TITLES,
        "Test rows only: the training rows shape the curves and get no guarantee. Every row protects both halves.",
        store=_protecting("protect"),
    )
    if settings.protect is Protection.TEST_ROWS:
        return
    choice(
        "How every row is protected",
        "route",
        ROUTE_TITLES,
        "Blocks: disjoint groups of rows vote for an arrow, the count gets noise. Public ranges: a regression "
        "whose every constant you type, and noise for what one training row can move.",
        store=_protecting("route"),
    )
    if coverage(settings).votes:
        _blocks(settings)
    else:
        _ranges(settings)


def _blocks(settings: Settings) -> None:
    mirrored(
        st.number_input,
        "Voting blocks",
        "blocks",
        settings.blocks,
        setting("blocks"),
        min_value=BLOCKS_MIN,
        max_value=BLOCKS_MAX,
        step=1,
        help="More blocks outvote the noise, but each has fewer rows to decide with.",
    )


def _ranges(settings: Settings) -> None:
    for name, title in (("range_x", "Public range of X"), ("range_y", "Public range of Y")):
        mirrored(
            st.text_input,
            title,
            name,
            getattr(settings, name),
            setting(name),
            placeholder="0..100",
            help="Low..high, from what is known about the column; never read off these data.",
        )
    typed_number(knobs()["ridge"].label, "ridge", settings.ridge, setting("ridge"), help=knobs()["ridge"].help)
