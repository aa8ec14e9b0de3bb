"""The first screen of Explore: one component drawn in the browser, which reports epsilon when a gesture has ended."""

import math

import streamlit as st

from pages.shared import messages, state
from privcause_core.figures import hero

KEY = "hero"
_HERO = st.components.v2.component(
    "privcause_hero", html=hero.markup(), css=hero.styles(), js=f"{hero.script()}\nexport default mount;"
)


def draw(scene: dict[str, object], key: str = KEY) -> None:
    """Draw a scene."""

    def settled() -> None:
        epsilon = reported((st.session_state.get(key) or {}).get("epsilon"))
        if epsilon is not None:
            with messages.noting():
                state.change_settings(epsilon=epsilon)

    _HERO(key=key, data=scene, on_epsilon_change=settled)


def reported(value: object) -> float | None:
    """Return an epsilon that the slider has, or None: what a browser sends comes from outside."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return next((step for step in hero.STEPS if math.isclose(step, value)), None)
