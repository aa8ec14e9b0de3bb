"""Step 3 of a release: who is protected, every row by blocks first, and how many rows one person has."""

from collections.abc import Callable

import streamlit as st

from pages.parts.release import spending
from pages.shared import state
from pages.shared.view import Cover, altered
from pages.shared.widgets import mirrored, setting, typed_number
from privcause_core.explore.block_planning import recommended_blocks
from privcause_core.settings import BLOCKS_MAX, BLOCKS_MIN, ROWS_PER_PERSON_MAX, knobs

COVERS = {
    Cover.BLOCKS: ("Every row, by blocks that vote", "Any row. Disjoint blocks vote; their count gets the noise."),
    Cover.TEST_ROWS: ("Test rows only", "Leaves open: training rows shape the curves and have no guarantee."),
    Cover.RANGES: ("Every row, by public ranges", "Any row. Needs ranges that you know, not read off the data."),
}


def draw(rows: int) -> None:
    """Ask who is protected; rows: of the table."""
    st.header("3. Who is protected")
    mirrored(
        st.radio, "Who is protected", "cover", spending.cover(), _store("cover"), options=list(COVERS),
        format_func=lambda cover: COVERS[cover][0], captions=[about for _, about in COVERS.values()],
        label_visibility="collapsed",
    )  # fmt: skip
    left, right = st.columns(2)
    with left:
        _details(rows)
    with right:
        mirrored(
            st.number_input, "Rows that one person may have (k)", "rows_per_person",
            state.get().view.spend.rows_per_person, _store("rows_per_person"), min_value=1,
            max_value=ROWS_PER_PERSON_MAX, step=1, help="The promise for a person is that of k replaced rows: k ε.",
        )  # fmt: skip


def _details(rows: int) -> None:
    settings, cover = state.settings(), spending.cover()
    if cover is Cover.BLOCKS:
        mirrored(
            st.number_input, "Voting blocks", "blocks", settings.blocks, setting("blocks"), min_value=BLOCKS_MIN,
            max_value=BLOCKS_MAX, step=1,
            help=f"Recommended from rows and ε alone: {recommended_blocks(rows, settings.epsilon)}.",
        )  # fmt: skip
    elif cover is Cover.TEST_ROWS:
        knob = knobs()["test_share"]
        mirrored(
            st.slider, knob.label, "test_share", settings.test_share, setting("test_share"), help=knob.help, step=0.05,
            min_value=knob.low, max_value=knob.high,
        )  # fmt: skip
    else:
        for name, title in (("range_x", "Public range of X"), ("range_y", "Public range of Y")):
            mirrored(
                st.text_input, title, name, getattr(settings, name), setting(name), placeholder="0..100",
                help=knobs()[name].help,
            )  # fmt: skip
        typed_number(knobs()["ridge"].label, "ridge", settings.ridge, setting("ridge"), help=knobs()["ridge"].help)


def _store(name: str) -> Callable[[object], None]:
    def store(value: object) -> None:
        state.change_view(spend=altered(state.get().view.spend, {name: value}))

    return store
