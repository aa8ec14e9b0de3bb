"""Definitions, sensitivities with proofs, slips with live demonstrations, references; texts in ``assets/methods``."""

from collections.abc import Callable, Iterable, Mapping

import streamlit as st

from pages.parts.methods import comparison, methods_text
from pages.shared import pitfall_panels, router, smooth_lessons
from privcause_core.scores import LaplaceScore, Score, all_scores
from privcause_core.settings import Calibration

router.guard()


def scores() -> None:
    """Show every registered score: its own text, its bounds and its proof."""
    st.markdown(methods_text.section("2-scores"))
    comparison.table()
    for score in all_scores():
        with st.container(border=True, key=f"score_{score.name}"):
            one_score(score)


def one_score(score: Score) -> None:
    """Show one score's definition, sensitivities and proof."""
    st.header(score.title, anchor=score.name)
    st.markdown(score.definition)
    if isinstance(score, LaplaceScore):
        refined, paper = (score.sensitivity_formula[one] for one in (Calibration.REFINED, Calibration.PAPER))
        st.markdown(f"Test sensitivity, refined: ${refined}$; paper: ${paper}$.")
    proof = methods_text.proof(score.name)
    if proof is not None:
        with st.expander(f"Proof and remarks: {score.title}", key=f"proof_{score.name}", on_change="rerun") as opened:
            if opened.open:
                st.markdown(proof)


def protected() -> None:
    """Show which sensitivities each score has, for test and training rows, and why they do not simply combine."""
    st.markdown(methods_text.section("6-who"))
    smooth_lessons.overview()
    demonstrations(methods_text.lessons(), smooth_lessons.LESSONS)
    with st.expander("Protecting every row: routes, proofs, counterexamples", key="joint", on_change="rerun") as opened:
        if opened.open:
            st.markdown(methods_text.joint_protection())


def slips() -> None:
    """Show each slip with its live demonstration."""
    st.title("Slips, and live demonstrations", anchor=False)
    st.markdown("The printed paper and common libraries against what the proofs need. Each demonstration is live.")
    demonstrations(methods_text.slips(), pitfall_panels.METHODS)


def demonstrations(entries: Iterable[methods_text.Demonstration], draw: Mapping[str, Callable[[], None]]) -> None:
    """Show numbered texts, each folded with its live demonstration."""
    for number, one in enumerate(entries, 1):
        with st.expander(f"{number}. {one.title}", key=f"demo_{one.demo}", on_change="rerun") as opened:
            if opened.open:
                st.markdown(one.text)
                draw[one.demo]()


def references() -> None:
    """List the bibliography."""
    st.title("References", anchor=False)
    st.markdown("\n".join(f"- {one.markdown}" for one in methods_text.references()))


def text(name: str) -> Callable[[], None]:
    """Return what draws a section that is text only."""

    def draw() -> None:
        st.markdown(methods_text.section(name))

    return draw


SECTIONS: dict[str, Callable[[], None]] = {
    "Inference": text("1-inference"),
    "Scores and proofs": scores,
    "Who is protected": protected,
    "Laplace noise": text("3-laplace"),
    "IQR": text("4-test-release"),
    "Adding up": text("5-composition"),
    "Simulated rates": text("7-rates"),
    "Slips": slips,
    "References": references,
}
chosen = st.segmented_control(
    "Section", list(SECTIONS), default="Inference", required=True, key="section", bind="query-params"
)
with st.container(width=900, key="methods"):
    SECTIONS[chosen]()
