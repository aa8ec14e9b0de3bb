"""One pair: which way its arrow points, and what privacy does to the answer."""

from dataclasses import replace

import streamlit as st

from pages.parts.explore import compare_panel, exports, joint_panel, promise_panel, verdict_panel
from pages.shared import messages, panels, present, router, state
from pages.shared.show import show
from privcause_core.explore.outcomes import first_runs
from privcause_core.figures.pair import residuals, scatter
from privcause_core.figures.runs import outcome_sentence, reach_of, run_grid, run_margins, settings_note
from privcause_core.pair import Direction
from privcause_core.protection.choice import coverage

router.guard()

st.title("Which way does the arrow point, and does it survive privacy?")
if not present.on():
    st.page_link(
        "pages/learn.py", label="New here? A ten-minute lesson on epsilon and arrows", icon=":material/school:"
    )
with messages.stopping():
    analysis = state.analysis()
one = analysis.headline
panels.summary_strip(analysis)
verdict_panel.verdict(analysis)
panels.remarks(analysis.warnings)


@st.fragment
def data_charts() -> None:
    """Draw the pair; nothing here depends on epsilon."""
    points, left_over = st.tabs(["Scatter and both fits", "Residuals: why"], key="pair_tabs", on_change="rerun")
    measured = analysis.measurement
    if points.open:
        with points:
            show(state.remember(("scatter", *state.pair_token(), measured), lambda: scatter(measured)))
    if left_over.open:
        with left_over:
            st.caption("Under the right arrow, what the fit leaves looks the same wherever you look along the cause.")
            for direction in (Direction.X_TO_Y, Direction.Y_TO_X):
                show(residuals(measured, direction))


st.header("What the noise does", divider="gray")
left, right = st.columns(2, gap="large")
with left:
    st.markdown(f"{panels.TRUE_BADGE} The pair")
    if present.shows_true("Rows and fits"):
        data_charts()
with right:
    runs = first_runs(one, analysis.settings)
    undecided = "the true scores do not decide, so every private arrow is a coin flip"
    said = undecided if one.true.direction is Direction.UNDECIDED else outcome_sentence(runs)
    st.markdown(f"{panels.SIMULATED_BADGE} **{said}**")
    show(run_grid(runs, present.told(one.true.direction)))
    if not any(run.margin is not None for run in runs):
        st.info("Every run refuses, so there is no private margin to show. More ε, or more rows, would help.")
    elif present.shows_true("Margins around the true one"):
        at_one = replace(one.verdict, epsilon=1.0)
        reach = reach_of(one.true.margin, at_one.noise_scale)
        show(run_margins(runs, one.true.margin, reach))
    st.caption(settings_note(analysis.settings) + " Non-private: the noise moves true scores.")

st.header("Every score, both ways", divider="gray")
verdict_panel.score_table(analysis)

st.header("What would it take?", divider="gray")
verdict_panel.what_it_takes(analysis)

joint_panel.both_ways(analysis)

st.header("What ε promises", divider="gray")
promise_panel.promise(panels.total_cost(analysis), coverage(analysis.settings))

st.header("Compare two settings", divider="gray")
compare_panel.compare()

if not present.on():
    st.header("Take it along", divider="gray")
    exports.panel(analysis)
