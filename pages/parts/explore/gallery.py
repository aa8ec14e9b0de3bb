"""Six scenarios, each a deep link with a question to ask a class: cards on the first visit, a list in the sidebar."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from pages.shared import present, state
from pages.shared.view import View


@dataclass(frozen=True, slots=True)
class Scenario:
    """What it shows, a question to ask a class, and its deep link."""

    title: str
    question: str
    query: Mapping[str, str]


SCENARIOS = (
    Scenario("A clear arrow", "At which ε does it begin to shake?", {"epsilon": "0.1"}),
    Scenario("A near tie", "Would more rows help, or more ε?", {"data": "sample:synthetic-near-tie"}),
    Scenario("Small real data", "Would you publish this arrow?", {"data": "sample:diabetes-age-bp"}),
    Scenario("Sure and wrong", "Whose fault is it: the noise's?",
             {"data": "sample:synthetic-multiplicative", "noise": "1.0", "score": "kendall"}),
    Scenario("IQR refuses", "Why can silence be an answer?", {"score": "iqr"}),
    Scenario("Unrelated columns", "Why is there an arrow at all?", {"data": "sample:synthetic-unrelated"}),
)  # fmt: skip


CARDS_A_LINE = 3


def on_first_visit() -> None:
    """Draw the cards while nothing was chosen yet."""
    if state.get().view != View() or present.on():
        return
    with st.container(key="gallery"):
        for start in range(0, len(SCENARIOS), CARDS_A_LINE):
            for card, one in zip(st.columns(CARDS_A_LINE), SCENARIOS[start:], strict=False):
                with card.container(border=True):
                    _link(one)
                    st.caption(one.question)


def in_sidebar() -> None:
    """Draw the list."""
    with st.sidebar.expander("Scenarios for a class", key="scenarios", icon=":material/school:"):
        for one in SCENARIOS:
            _link(one)
            st.caption(one.question)


def _link(one: Scenario) -> None:
    st.page_link("pages/explore.py", label=f"**{one.title}**", query_params=dict(one.query))
