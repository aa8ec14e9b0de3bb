"""Turning to another step of a page: the browser goes back to the top."""

from pathlib import Path

import streamlit as st

_SCRIPT = Path(__file__).parents[2] / "assets" / "to_top.js"


def to_top(step: str) -> None:
    """Scroll to the heading and focus it when ``step`` differs from the last one that the browser saw."""
    _draw("to_top", step=step)


def to_top_from_cards() -> None:
    """Scroll to the heading and focus it when a card of a scenario is followed."""
    _draw("from_cards", links=".st-key-gallery a, .st-key-scenarios a")


def _draw(key: str, **data: str) -> None:
    component = st.components.v2.component("privcause_to_top", js=_SCRIPT.read_text(encoding="utf-8"))
    component(data=data, key=key, height=1)
