"""Six scenarios, each a deep link with a question to ask a class: cards on the first visit, a list in the sidebar."""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from pages.shared import address, state
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
TELLING = ("data", "noise", "score")  # what tells one scenario from another; epsilon is there to be moved


def heading() -> str:
    """Return the question of the scenario that is shown, or the page's own: on the first visit, or for other data."""
    query = address.to_query(state.get().view)
    shown = next((one for one in SCENARIOS if _told(one.query) == _told(query)), None)
    if shown is None or _first_visit():
        return "Does the arrow survive privacy?"
    return f"{shown.title}: {shown.question[0].lower()}{shown.question[1:]}"


def draw() -> None:
    """Draw the cards, folded once something was chosen."""
    if _first_visit():
        _cards()
        return
    with st.expander("Scenarios for a class", key="fold_scenarios", on_change="rerun") as fold:
        if fold.open:
            _cards()


def _first_visit() -> bool:
    return state.get().view == View()


def _told(query: Mapping[str, str]) -> dict[str, str]:
    return {name: query[name] for name in TELLING if name in query}


def _cards() -> None:
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
