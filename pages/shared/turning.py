"""Turning to another step of a page: the browser goes back to the top."""

from pathlib import Path

import streamlit as st

_ASSETS = Path(__file__).parents[2] / "assets"


def to_top(step: str) -> None:
    """Scroll to the heading and focus it when ``step`` differs from the last one that the browser saw."""
    component = st.components.v2.component("privcause_to_top", js=_script("to_top.js"))
    component(data=step, key="to_top", height=1)


def to_top_from_cards() -> None:
    """Scroll to the heading and focus it when a card of a scenario is followed."""
    component = st.components.v2.component("privcause_from_cards", js=_script("from_cards.js"))
    component(key="from_cards", height=1)


def _script(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")
