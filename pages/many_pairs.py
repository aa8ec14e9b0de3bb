"""Many pairs at once: how often the arrows are right, without privacy and with it."""

import streamlit as st

from pages.parts.many_pairs import sweep_job, sweep_panels, table_panel
from pages.shared import messages, panels, present, router, session, state
from pages.shared.controls import epsilon_slider
from pages.shared.wording import literal
from privcause_core.loading import Table
from privcause_core.settings import SEED_MAX
from privcause_core.sweep import sweep_warnings
from privcause_core.text.words import epsilon_note

router.guard()

PAIRS, TABLE = "Pairs with known arrows", "A whole table"


def show_a_table() -> bool:
    """Draw the choice between the page's two questions; an upload that is a wide table asks the second one."""
    shown, found = state.get().dataset, state.item()
    if isinstance(found, Table) and len(found.numeric_columns) > 2 and not session.remembers(("wide", shown.token)):
        state.remember(("wide", shown.token), lambda: True)
        st.session_state["many"] = TABLE
    many = st.segmented_control(
        "Shown", (PAIRS, TABLE), default=None if "many" in st.session_state else PAIRS, required=True, key="many",
        bind="query-params", label_visibility="collapsed",
    )  # fmt: skip
    return many == TABLE


heading = st.container()
if show_a_table():
    heading.title("Which column drives which?")
    table_panel.draw()
    st.stop()
heading.title("Over many pairs, how often is the arrow right?")
st.markdown(
    "One pair can be luck. Here every pair is split, fitted and scored once, and how often its private arrow would be "
    "right is computed exactly. Upload a zip of pairs or a table `SampleID,A,B` in the sidebar."
)
with st.container(horizontal=True, vertical_alignment="bottom"):
    shuffled = st.toggle(
        "Shuffle the columns",
        key="shuffle",
        bind="query-params",
        help="Exchanges the columns of a random half of the pairs: their order then tells nothing about the arrow.",
    )
    seed = st.number_input(
        "Seed of the shuffle", 0, SEED_MAX, 0, 1, key="shuffle_seed", disabled=not shuffled, width=180
    )

with messages.stopping():
    job = sweep_job.job(int(seed) if shuffled else None)
    sweep_panels.about(job)
    if job.running and not job.finished:
        sweep_job.advance(job)
if not job.finished:
    st.info(f"Stopped after {len(job.found)} of {len(job.pairs)} pairs; what is measured is shown.")
    st.button("Resume", key="sweep_resume", icon=":material/resume:", on_click=job.resume, type="primary")
if sweep_job.settings() != state.settings():
    st.info("Public ranges belong to one pair each, so here only the test rows are protected; or choose blocks.")
panels.remarks(filter(None, (epsilon_note(state.settings().epsilon), *job.remarks)))
for warning in () if present.hides_true() else sweep_warnings(job.measured):
    st.warning(literal(warning), icon=":material/info:")

if job.found:
    st.header("Right arrows against ε", divider="gray")
    epsilon_slider()
    sweep_panels.accuracies(job)
    st.header("Is the score any good here?", divider="gray")
    sweep_panels.honesty(job)
    st.header("Pair by pair", divider="gray")
    sweep_panels.pair_table(job)
    if present.shows_true("Downloads"):
        sweep_panels.downloads(job)
