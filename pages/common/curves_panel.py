"""The correctness curves, with the loaded pair marked."""

import numpy as np
import streamlit as st

from pages.common import panels
from pages.common.controls import EPSILON_STEPS
from pages.common.show import show
from privcause_core import correctness
from privcause_core.analysis import Analysis, ScoreAnalysis
from privcause_core.correctness import Operating
from privcause_core.figures.chart import Axis
from privcause_core.figures.curves import Curve, Mark
from privcause_core.figures.curves import correctness as chart
from privcause_core.figures.rates import EPSILON_AXIS
from privcause_core.scores import LaplaceScore

SIZES = tuple(round(size) for size in np.geomspace(10, 1e6, 61))
ROWS_AXIS = Axis("test rows m (log scale)", 1.0, 6.0, log=True)
MARGIN_REACH = {"hsic": 0.1, "iqr": 4.0}  # of the margin axis; rank scores go further
RANK_REACH = 0.4


def curves(analysis: Analysis) -> None:
    """Draw P(right arrow) over margin, epsilon and m for the chosen score."""
    one = analysis.headline
    at = Operating(_signed_margin(one, analysis), analysis.measurement.fit.n_test, analysis.settings)
    st.markdown(_explain(one, at))
    over_margin, over_epsilon, over_rows = st.tabs(
        ["Over the margin", "Over ε", "Over the test rows"], key="curve_tabs", on_change="rerun"
    )
    title = one.true.score.title
    for tab, draw in ((over_margin, _margin_chart), (over_epsilon, _epsilon_chart), (over_rows, _rows_chart)):
        if tab.open:
            with tab:
                show(draw(one, at, title))


def _explain(one: ScoreAnalysis, at: Operating) -> str:
    given = "" if isinstance(one.true.score, LaplaceScore) else " given that all four log-IQRs are released"
    return (
        f"Probability that the private arrow is right{given} ({one.true.score.title}). {panels.TRUE_BADGE} The blue "
        f"diamond is the loaded pair: margin {at.margin:.3g}, m = {at.m:,}, ε = {at.settings.epsilon:g}. "
        "A negative margin means that the true scores already point the wrong way; then noise can only help by luck."
    )


def _signed_margin(one: ScoreAnalysis, analysis: Analysis) -> float:
    """Return the margin signed by the known arrow, or by the true scores where none is known."""
    known = analysis.measurement.pair.truth
    right = known is None or one.true.direction is known
    return abs(one.true.margin) if right else -abs(one.true.margin)


def _curves(one: ScoreAnalysis, at: Operating, along: object, grid: object) -> list[Curve]:
    """Return a curve for each release and calibration; the paper's only where it differs."""
    found: list[Curve] = []
    for release, calibration in correctness.variants(one.true.score):
        settings = at.settings.with_(release=release, calibration=calibration)
        shown = release if isinstance(one.true.score, LaplaceScore) else None
        certainty = along(one.true.score, Operating(at.margin, at.m, settings), grid)
        if not any(one.release is shown and np.array_equal(one.certainty, certainty) for one in found):
            found.append(Curve(shown, calibration, certainty))
    return found


def _mark(one: ScoreAnalysis, at: Operating, where: float, axis: Axis) -> Mark | None:
    position = np.log10(where) if axis.log and where > 0.0 else where
    if not axis.low <= position <= axis.high:
        return None
    return Mark(where, correctness.certainty(one.true.score, at), "loaded pair (true)")


def _margin_chart(one: ScoreAnalysis, at: Operating, title: str) -> object:
    reach = MARGIN_REACH.get(one.name, RANK_REACH)
    axis = Axis("margin: positive where the true scores point the right way (true)", -reach, reach)
    grid = np.linspace(-reach, reach, 121)
    marks = _mark(one, at, at.margin, axis)
    found = _curves(one, at, correctness.along_margin, grid)
    return chart("over_margin", f"{title} at ε = {at.settings.epsilon:g}, m = {at.m:,}", axis, grid, found, marks)


def _epsilon_chart(one: ScoreAnalysis, at: Operating, title: str) -> object:
    grid = np.array(EPSILON_STEPS)
    found = _curves(one, at, correctness.along_epsilon, EPSILON_STEPS)
    marks = _mark(one, at, at.settings.epsilon, EPSILON_AXIS)
    return chart("over_epsilon", f"{title} at margin {at.margin:.3g}, m = {at.m:,}", EPSILON_AXIS, grid, found, marks)


def _rows_chart(one: ScoreAnalysis, at: Operating, title: str) -> object:
    found = _curves(one, at, correctness.along_rows, SIZES)
    marks = _mark(one, at, at.m, ROWS_AXIS)
    name = f"{title} at margin {at.margin:.3g}, ε = {at.settings.epsilon:g}"
    if not isinstance(one.true.score, LaplaceScore):
        st.caption("Flat: the IQR's noise does not shrink with more rows. They only make a refusal rarer.")
    return chart("over_rows", name, ROWS_AXIS, np.array(SIZES, dtype=float), found, marks)
