"""The planner: choose two of certainty, epsilon and a size, get the third, for assumed facts."""

from dataclasses import dataclass

import streamlit as st

from pages.shared import messages, present, state
from pages.shared.view import PlanChoice, Solve, altered
from pages.shared.widgets import mirrored, typed_number
from privcause_core.explore import planning
from privcause_core.explore.analysis import Analysis
from privcause_core.explore.planning import Assumption
from privcause_core.figures.chart import percent
from privcause_core.protection.choice import coverage
from privcause_core.scores import LaplaceScore, Score
from privcause_core.settings import Calibration, ReleaseKind, Settings
from privcause_core.text.words import EPSILON_NOTED_ABOVE, best_guess

CALIBRATION_WORDS = {Calibration.REFINED: "", Calibration.PAPER: " with the paper's noise"}
RELEASE_WORDS = {ReleaseKind.TWO_SCORES: " (both scores published)", ReleaseKind.DIRECTION: " (direction only)"}


@dataclass(frozen=True, slots=True)
class Size:
    """What the third number counts: its field, its titles, and help for typing it."""

    field: str
    title: str
    asked: str
    help: str


TEST_ROWS = Size("plan_rows", "test rows m", "Test rows m at hand", "Half of all rows at a test share of 0.5.")
BLOCKS = Size("plan_blocks", "voting blocks", "Voting blocks at hand", "All rows, divided by the rows in a block.")


def planner(analysis: Analysis) -> None:
    """Draw the inputs, the answer, and a sentence to repeat."""
    score = analysis.headline.true.score
    st.markdown(
        "You **assume** what the data are like; none are looked at unless you press the button that takes the loaded "
        "pair's own values. Who is protected and what is published are as the sidebar says."
    )
    asked, answer = st.columns(2, gap="large")
    with asked:
        _inputs(analysis, score)
    with answer:
        _answer(score, state.get().view.plan, analysis.settings)


def _change(**changes: object) -> None:
    state.change_view(plan=altered(state.get().view.plan, changes))


def _typed(label: str, name: str, help_text: str, *, whole: bool = False) -> None:
    def store(value: float) -> None:
        _change(**{name: round(value) if whole else value})

    typed_number(label, name, getattr(state.get().view.plan, name), store, help=help_text)


def _size(settings: Settings) -> Size:
    return BLOCKS if coverage(settings).votes else TEST_ROWS


def _inputs(analysis: Analysis, score: Score) -> None:
    plan, size = state.get().view.plan, _size(analysis.settings)
    titles = {Solve.CERTAINTY: "Certainty", Solve.EPSILON: "ε", Solve.ROWS: _capital(size.title)}
    mirrored(
        st.segmented_control,
        "What do you want to know?",
        "solve",
        plan.solve,
        lambda chosen: _change(solve=chosen),
        options=list(Solve),
        format_func=titles.get,
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
        _typed(size.asked, size.field, size.help, whole=True)
    _assumptions(size, score)
    st.button(
        "Assume the loaded pair's own values",
        key="plan_from_pair",
        on_click=_from_pair,
        disabled=present.hides_true(),
        args=(analysis,),
        type="tertiary",
        icon=":material/input:",
        help="True values: a plan made from them and then published tells about the data.",
    )


def _assumptions(size: Size, score: Score) -> None:
    if size is BLOCKS:
        _typed("Rows in a block", "plan_block_rows", "Below 100, a block's own arrow says little.", whole=True)
        _typed(
            "Assumed chance that a block points the true way",
            "plan_agreement",
            "From 0.5 (a coin) to 1. A guess, or the share of right arrows on synthetic pairs as long as a block.",
        )
        return
    _typed("Assumed margin", "plan_margin", "Difference of the two true scores that you expect.")
    if not isinstance(score, LaplaceScore):
        _typed("Assumed stability", "plan_stability", "Share of test rows to replace before a log-IQR leaves its bin.")


def _from_pair(analysis: Analysis) -> None:
    fit, settings = analysis.measurement.fit, analysis.settings
    own = planning.assumed_from(analysis.headline.true, fit.n_test, settings)
    with messages.noting():
        if _size(settings) is BLOCKS:
            rows = analysis.measurement.pair.rows // settings.blocks
            _change(plan_agreement=own.agreement, plan_blocks=settings.blocks, plan_block_rows=rows)
        else:
            _change(plan_margin=own.margin, plan_stability=own.stability, plan_rows=fit.n_test)


def _answer(score: Score, plan: PlanChoice, settings: Settings) -> None:
    assumed = Assumption(plan.plan_margin, plan.plan_stability, plan.plan_agreement)
    unit = _size(settings)
    sure, size = plan.plan_certainty, getattr(plan, unit.field)
    epsilon: float | None = plan.plan_epsilon
    at = settings.with_(epsilon=epsilon)
    if plan.solve is Solve.CERTAINTY:
        sure = planning.certainty(score, size, at, assumed)
    elif plan.solve is Solve.EPSILON:
        epsilon = planning.least_epsilon(score, size, settings, assumed, sure)
    else:
        size = planning.least_size(score, at, assumed, sure)
    shown = {Solve.CERTAINTY: percent(sure), Solve.EPSILON: f"{epsilon:.4g}" if epsilon else "none",
             Solve.ROWS: f"{size:,}" if size else "none"}  # fmt: skip
    label = {
        Solve.CERTAINTY: "You can be this sure",
        Solve.EPSILON: "Least ε",
        Solve.ROWS: f"Least number of {unit.title}",
    }
    st.metric(label[plan.solve], shown[plan.solve], border=True)
    if epsilon is None or size is None:
        st.markdown(_impossible(score, unit))
        return
    with st.container(border=True):
        st.markdown(_sentence(score, at, plan, sure, epsilon, size))
    exact = {Solve.CERTAINTY: sure, Solve.EPSILON: epsilon, Solve.ROWS: size}[plan.solve]
    st.caption("A plan from assumptions. If they are the loaded pair's own values, the plan tells about the data.")
    with st.expander("The exact answer, to copy", key="exact_answer"):
        st.code(f"{exact!r}", language=None)


def _impossible(score: Score, unit: Size) -> str:
    if unit is BLOCKS:
        return (
            "No accepted number reaches that certainty; ask for less, or assume that more blocks point the true way: "
            "blocks that are right half of the time give a coin flip, however many there are."
        )
    if isinstance(score, LaplaceScore):
        return "No accepted value reaches that certainty; ask for less, or assume a larger margin."
    return (
        "The IQR's noise does not shrink with more rows, so some certainties are out of reach at a given ε: spend more "
        "ε, use a smaller bin width, or assume a larger margin or stability."
    )


def _sentence(score: Score, settings: Settings, plan: PlanChoice, sure: float, epsilon: float, size: int) -> str:
    how = _by_blocks(score, plan, size) if _size(settings) is BLOCKS else _by_margin(score, settings, plan, size)
    protected = "Every row is protected" if coverage(settings).every_row else "Only the test rows are protected"
    return (
        f"{how} at ε = {epsilon:.4g} points the true way in {percent(sure)} of runs. {protected}: {_promise(epsilon)}"
    )


def _promise(epsilon: float) -> str:
    if epsilon > EPSILON_NOTED_ABOVE:
        return "but an ε that large promises next to nothing."
    right = 100 * best_guess(epsilon)
    return (
        f"an attacker's coin-flip bets on one such person would be right at most {right:.0f} times in 100, on average."
    )


def _by_blocks(score: Score, plan: PlanChoice, blocks: int) -> str:
    return (
        f"If each block of {plan.plan_block_rows:,} rows points the true way with probability "
        f"{plan.plan_agreement:g}, a private vote of {blocks:,} {score.title} blocks "
        f"({blocks * plan.plan_block_rows:,} rows in all)"
    )


def _by_margin(score: Score, settings: Settings, plan: PlanChoice, m: int) -> str:
    release = RELEASE_WORDS[settings.release] if isinstance(score, LaplaceScore) else ""
    rows = round(m / settings.test_share)
    return (
        f"If the two scores differ by {plan.plan_margin:g}, a private {score.title} verdict{release}"
        f"{CALIBRATION_WORDS[settings.calibration]} from {m:,} test rows ({rows:,} rows in all)"
    )


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
