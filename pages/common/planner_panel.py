"""The planner: choose two of certainty, epsilon and test rows, get the third, for an assumed margin."""

from dataclasses import replace

import streamlit as st

from pages.common import messages, state
from pages.common.view import PlanChoice, Solve
from pages.common.widgets import mirrored, typed_number
from privcause_core import planning
from privcause_core.analysis import Analysis
from privcause_core.figures.chart import percent
from privcause_core.planning import Assumption
from privcause_core.promise import best_guess
from privcause_core.scores import LaplaceScore, Score
from privcause_core.settings import Calibration, ReleaseKind, Settings

TITLES = {Solve.CERTAINTY: "Certainty", Solve.EPSILON: "ε", Solve.ROWS: "Test rows m"}
CALIBRATION_WORDS = {Calibration.REFINED: "", Calibration.PAPER: " with the paper's noise"}
RELEASE_WORDS = {ReleaseKind.TWO_SCORES: " (both scores published)", ReleaseKind.DIRECTION: " (direction only)"}


def planner(analysis: Analysis) -> None:
    """Draw the inputs, the answer, and a sentence to repeat."""
    score = analysis.headline.true.score
    st.markdown(
        "You **assume** a margin; no data are looked at unless you press the button that takes the loaded pair's own. "
        "Release and calibration are those of the sidebar."
    )
    asked, answer = st.columns(2, gap="large")
    with asked:
        _inputs(analysis, score)
    with answer:
        _answer(score, state.get().view.plan, analysis.settings)


def _change(**changes: object) -> None:
    state.change_view(plan=replace(state.get().view.plan, **changes))


def _typed(label: str, name: str, help_text: str, *, whole: bool = False) -> None:
    def store(value: object) -> None:
        _change(**{name: round(value) if whole else value})

    typed_number(label, name, getattr(state.get().view.plan, name), store, help=help_text)


def _inputs(analysis: Analysis, score: Score) -> None:
    plan = state.get().view.plan
    mirrored(
        st.segmented_control,
        "What do you want to know?",
        "solve",
        plan.solve,
        lambda chosen: _change(solve=chosen),
        options=list(Solve),
        format_func=TITLES.get,
        required=True,
    )
    if plan.solve is not Solve.CERTAINTY:
        _typed(
            "Certainty wanted",
            "plan_certainty",
            "Probability that the private arrow is the true one, for example 0.95.",
        )
    if plan.solve is not Solve.EPSILON:
        _typed("ε to spend, total", "plan_epsilon", "From 1e-6 to 1e6.")
    if plan.solve is not Solve.ROWS:
        _typed("Test rows m at hand", "plan_rows", "Half of all rows at a test share of 0.5.", whole=True)
    _typed("Assumed margin", "plan_margin", "Difference of the two true scores that you expect.")
    if not isinstance(score, LaplaceScore):
        _typed("Assumed stability", "plan_stability", "Share of test rows to replace before a log-IQR leaves its bin.")
    st.button(
        "Assume the loaded pair's own values",
        key="plan_from_pair",
        on_click=_from_pair,
        args=(analysis,),
        type="tertiary",
        icon=":material/input:",
        help="True values: a plan made from them and then published tells about the data.",
    )


def _from_pair(analysis: Analysis) -> None:
    m = analysis.measurement.fit.n_test
    own = planning.assumed_from(analysis.headline.true, m)
    with messages.noting():
        _change(plan_margin=own.margin, plan_stability=own.stability, plan_rows=m)


def _answer(score: Score, plan: PlanChoice, settings: Settings) -> None:
    assumed = Assumption(plan.plan_margin, plan.plan_stability)
    sure, epsilon, m = plan.plan_certainty, plan.plan_epsilon, plan.plan_rows
    at = settings.with_(epsilon=epsilon)
    if plan.solve is Solve.CERTAINTY:
        sure = planning.certainty(score, m, at, assumed)
    elif plan.solve is Solve.EPSILON:
        epsilon = planning.least_epsilon(score, m, settings, assumed, sure)
    else:
        m = planning.least_test_rows(score, at, assumed, sure)
    shown = {Solve.CERTAINTY: percent(sure), Solve.EPSILON: f"{epsilon:.4g}" if epsilon else "none",
             Solve.ROWS: f"{m:,}" if m else "none"}  # fmt: skip
    label = {Solve.CERTAINTY: "You can be this sure", Solve.EPSILON: "Least ε", Solve.ROWS: "Least test rows m"}
    st.metric(label[plan.solve], shown[plan.solve], border=True)
    if epsilon is None or m is None:
        st.markdown(_impossible(score))
        return
    with st.container(border=True):
        st.markdown(_sentence(score, settings, plan, sure, epsilon, m))
    exact = {Solve.CERTAINTY: sure, Solve.EPSILON: epsilon, Solve.ROWS: m}[plan.solve]
    st.code(f"{exact!r}", language=None)
    st.caption("The exact answer, to copy. A plan from assumptions: it looks at no data and costs nothing.")


def _impossible(score: Score) -> str:
    if isinstance(score, LaplaceScore):
        return "No accepted value reaches that certainty; ask for less, or assume a larger margin."
    return (
        "The IQR's noise does not shrink with more rows, so some certainties are out of reach at a given ε: spend more "
        "ε, use a smaller bin width, or assume a larger margin or stability."
    )


def _sentence(score: Score, settings: Settings, plan: PlanChoice, sure: float, epsilon: float, m: int) -> str:
    release = RELEASE_WORDS[settings.release] if isinstance(score, LaplaceScore) else ""
    rows = round(m / settings.test_share)
    return (
        f"If the two scores differ by {plan.plan_margin:g}, a private {score.title} verdict{release}"
        f"{CALIBRATION_WORDS[settings.calibration]} from {m:,} test rows ({rows:,} rows in all) at ε = {epsilon:.4g} "
        f"points the true way in {percent(sure)} of runs; an attacker's coin-flip bets on one person would be right at "
        f"most {100 * best_guess(epsilon):.0f} times in 100."
    )
