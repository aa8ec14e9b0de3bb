"""Blocks that several pages show: the summary strip, labels of true and private numbers."""

from collections.abc import Iterable, Sequence

import streamlit as st

from pages.shared import state
from pages.shared.view import Cover
from pages.shared.wording import arrow, chip, literal, score_title
from privcause_core.explore.analysis import Analysis
from privcause_core.figures.chart import TRUE_NOTE
from privcause_core.loading.wording import counted
from privcause_core.pair import Pair
from privcause_core.protection.choice import coverage
from privcause_core.settings import ALL_SCORES, Settings
from privcause_core.verdicts.composition import PrivacyCost, compose

TRUE_BADGE = ":blue-badge[true]"
PRIVATE_BADGE = ":orange-badge[ε private]"
SIMULATED_BADGE = ":orange-badge[ε simulated from true values, not a release]"
UNIT_OF_PRIVACY = "one row replaced; the number of rows is public"


def total_cost(analysis: Analysis) -> PrivacyCost:
    """Return what a release of the chosen verdicts costs one row: several scores add."""
    chosen = analysis.settings.score
    return compose(one.verdict.cost for one in analysis.scores if chosen in (ALL_SCORES, one.name))


def protected(settings: Settings) -> str:
    """Return whom these settings protect, and whom the Release page proposes to where that is another answer."""
    asked = coverage(settings).every_row or state.get().view.spend.cover is Cover.TEST_ROWS
    return coverage(settings).title + ("" if asked else " (Release proposes every row)")


def summary_strip(analysis: Analysis) -> None:
    """Sum up what the page is about: pair, rows, unit of privacy, who is protected, the total promise."""
    fit, pair = analysis.measurement.fit, analysis.measurement.pair
    cost, chosen = total_cost(analysis), analysis.settings.score
    several = f" of {len(analysis.scores)} scores" if chosen == ALL_SCORES else ""
    facts = [
        ("Pair", f"{chip(pair.x_name)}, {chip(pair.y_name)}"),
        ("Rows", coverage(analysis.settings).rows_text(pair.rows, fit.n_train, fit.n_test)),
        ("Unit of privacy", UNIT_OF_PRIVACY),
        ("Protected", protected(analysis.settings)),
        ("Score", score_title(chosen)),
        (f"A release{several} like this would spend", f"ε = {cost.epsilon:g}, δ = {cost.delta:g}"),
    ]
    strip(facts, "summary_strip")


def strip(facts: Sequence[tuple[str, str]], key: str) -> None:
    """Draw facts, a title and a text each, side by side as far as there is room."""
    with st.container(border=True, horizontal=True, gap="medium", key=key):
        for title, fact in facts:
            st.markdown(f":small[:gray[{title}]]  \n{fact}", width="content")


def remarks(notes: Iterable[str]) -> None:
    """Show what loading and measuring noticed, folded when there is much of it."""
    notes = list(notes)
    for note in notes[:2]:
        st.info(literal(note), icon=":material/info:")
    if len(notes) > 2:
        with st.expander(f"{counted(len(notes) - 2, 'more remark')} on these data", key="remarks"):
            for note in notes[2:]:
                st.markdown(literal(note))


def truth_line(pair: Pair) -> str:
    """Return what is known of the pair's arrow apart from the scores, as Markdown."""
    return f"Known arrow: {arrow(pair, pair.truth)}" if pair.truth else "The true cause is not known."


__all__ = [
    "PRIVATE_BADGE",
    "SIMULATED_BADGE",
    "TRUE_BADGE",
    "TRUE_NOTE",
    "UNIT_OF_PRIVACY",
    "protected",
    "remarks",
    "strip",
    "summary_strip",
    "total_cost",
    "truth_line",
]
