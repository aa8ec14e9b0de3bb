"""The correctness curves, with the loaded pair marked."""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import streamlit as st

from pages.shared import panels
from pages.shared.controls import EPSILON_STEPS, epsilon_slider
from pages.shared.show import show
from privcause_core.explore import correctness
from privcause_core.explore.analysis import Analysis, ScoreAnalysis
from privcause_core.explore.correctness import Operating
from privcause_core.figures.chart import Axis, Chart
from privcause_core.figures.curves import Curve, Mark
from privcause_core.figures.curves import correctness as chart
from privcause_core.figures.rates import EPSILON_AXIS
from privcause_core.pair import FloatArray
from privcause_core.protection.choice import coverage
from privcause_core.scores import Score
from privcause_core.settings import ALL_SCORES, BLOCKS_MAX, BLOCKS_MIN
from privcause_core.text.words import margin_text
from privcause_core.verdicts.propose_test_release import IqrVerdict

SIZES = tuple(round(size) for size in np.geomspace(10, 1e6, 61))
ROWS_AXIS = Axis("test rows m (log scale)", 1.0, 6.0, log=True)
COUNTS = tuple(sorted({round(count) for count in np.geomspace(BLOCKS_MIN, BLOCKS_MAX, 61)}))
BLOCKS_AXIS = Axis("voting blocks (log scale)", math.log10(BLOCKS_MIN), math.log10(BLOCKS_MAX), log=True)

Number = TypeVar("Number", int, float)
Along = Callable[[Score, Operating, Sequence[Number]], FloatArray]


def curves(analysis: Analysis) -> None:
    """Draw P(right arrow) over margin, epsilon and m for the chosen score."""
    one = analysis.headline
    at = Operating(_signed_margin(one, analysis), analysis.measurement.fit.n_test, analysis.settings)
    st.markdown(_explain(one, at, known=analysis.measurement.pair.truth is not None))
    if at.settings.score == ALL_SCORES:
        st.caption(f"The curves are {one.true.score.title}'s; choose another score in the sidebar for its own.")
    epsilon_slider()
    by_blocks = coverage(at.settings).votes
    last, along_last = ("Over the blocks", _blocks_chart) if by_blocks else ("Over the test rows", _rows_chart)
    over_margin, over_epsilon, over_size = st.tabs(
        ["Over the margin", "Over ε", last], key="curve_tabs", on_change="rerun"
    )
    title = one.true.score.title
    for tab, draw in ((over_margin, _margin_chart), (over_epsilon, _epsilon_chart), (over_size, along_last)):
        if tab.open:
            with tab:
                show(draw(one, at, title))


def _where(at: Operating) -> str:
    """Return where the loaded pair stands, apart from epsilon."""
    if coverage(at.settings).votes:
        return f"margin {at.margin:+.0f} of {at.settings.blocks} votes"
    return f"margin {margin_text(at.margin, 3)}, m = {at.m:,}"


def _explain(one: ScoreAnalysis, at: Operating, *, known: bool) -> str:
    given = " given that all four log-IQRs are released" if isinstance(one.verdict, IqrVerdict) else ""
    return (
        f"Probability that the private arrow is right{given} ({one.true.score.title}). {panels.TRUE_BADGE} The blue "
        f"diamond is the loaded pair: {_where(at)}, ε = {at.settings.epsilon:g}. "
        + (
            "A negative margin: the true scores already point the wrong way, and noise can only help by luck."
            if known
            else "The true cause is not known, so “right” means here: like the true scores' own arrow."
        )
    )


def _signed_margin(one: ScoreAnalysis, analysis: Analysis) -> float:
    """Return the margin signed by the known arrow, or by the true scores where none is known."""
    known = analysis.measurement.pair.truth
    right = known is None or one.true.direction is known
    return abs(one.true.margin) if right else -abs(one.true.margin)


def _curves(one: ScoreAnalysis, at: Operating, along: Along[Number], grid: Sequence[Number]) -> list[Curve]:
    """Return a curve for each release and calibration; the paper's only where it differs."""
    found: list[Curve] = []
    for release, calibration in coverage(at.settings).variants(one.true.score):
        settings = at.settings.with_(release=release, calibration=calibration)
        shown = None if isinstance(one.verdict, IqrVerdict) else release
        certainty = along(one.true.score, Operating(at.margin, at.m, settings), grid)
        if not any(one.release is shown and np.array_equal(one.certainty, certainty) for one in found):
            found.append(Curve(shown, calibration, certainty))
    return found


def _mark(one: ScoreAnalysis, at: Operating, where: float, axis: Axis) -> Mark:
    """Return the loaded pair's mark, at the edge and saying so where it lies beyond the axis."""
    position = math.log10(where) if axis.log else where
    shown = min(max(position, axis.low), axis.high)
    beyond = "" if shown == position else ", further left" if shown > position else ", further right"
    name = f"loaded pair (true){beyond}"
    return Mark(10.0**shown if axis.log else shown, correctness.certainty(one.true.score, at), name)


def _margin_chart(one: ScoreAnalysis, at: Operating, title: str) -> Chart:
    by_blocks = coverage(at.settings).votes
    reach = at.settings.blocks if by_blocks else one.true.score.margin_reach
    what = (
        "margin in votes (true): above 0 most are right" if by_blocks else "margin (true): above 0 the scores are right"
    )
    axis = Axis(what, -reach, reach)
    grid = np.linspace(-reach, reach, 121)
    marks = _mark(one, at, at.margin, axis)
    found = _curves(one, at, correctness.along_margin, grid.tolist())
    size = f"{at.settings.blocks} blocks" if by_blocks else f"m = {at.m:,}"
    return chart("over_margin", f"{title} at ε = {at.settings.epsilon:g}, {size}", axis, grid, found, marks)


def _epsilon_chart(one: ScoreAnalysis, at: Operating, title: str) -> Chart:
    grid = np.array(EPSILON_STEPS)
    found = _curves(one, at, correctness.along_epsilon, EPSILON_STEPS)
    marks = _mark(one, at, at.settings.epsilon, EPSILON_AXIS)
    return chart("over_epsilon", f"{title} at {_where(at)}", EPSILON_AXIS, grid, found, marks)


def _rows_chart(one: ScoreAnalysis, at: Operating, title: str) -> Chart:
    found = _curves(one, at, correctness.along_rows, SIZES)
    marks = _mark(one, at, at.m, ROWS_AXIS)
    name = f"{title} at margin {margin_text(at.margin, 3)}, ε = {at.settings.epsilon:g}"
    if isinstance(one.verdict, IqrVerdict):
        st.caption("Flat: the IQR's noise does not shrink with more rows. They only make a refusal rarer.")
    return chart("over_rows", name, ROWS_AXIS, np.array(SIZES, dtype=float), found, marks)


def _blocks_chart(one: ScoreAnalysis, at: Operating, title: str) -> Chart:
    found = _curves(one, at, correctness.along_blocks, COUNTS)
    marks = _mark(one, at, at.settings.blocks, BLOCKS_AXIS)
    name = f"{title} at {_where(at)}, ε = {at.settings.epsilon:g}"
    st.caption("More blocks, each as long as now and voting in the same shares: more rows, so more votes.")
    return chart("over_blocks", name, BLOCKS_AXIS, np.array(COUNTS, dtype=float), found, marks)
