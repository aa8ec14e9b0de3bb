"""The first screen: one line of facts, and the hero."""

from collections.abc import Hashable

import streamlit as st

from pages.parts.explore import hero_panel
from pages.shared import panels, present, state
from pages.shared.controls import CALIBRATION_TITLES, RELEASE_TITLES
from pages.shared.wording import chip, score_title
from privcause_core.explore.analysis import Analysis
from privcause_core.figures import hero
from privcause_core.protection.choice import coverage
from privcause_core.settings import Settings
from privcause_core.text.words import explained

DOUBTS = ("Privacy", "Sampling", "Both")


def draw(analysis: Analysis) -> None:
    """Draw the line and the hero."""
    _line(analysis)
    hero_panel.draw(scene(analysis) | {"told": _told(analysis.settings), "token": repr(_token())})


def scene(analysis: Analysis, **layout: object) -> dict[str, object]:
    """Return the hero's scene, drawn once as long as nothing but epsilon changes."""
    settings = analysis.settings

    def hidden() -> dict[str, object]:
        return hero.hidden_scene(state.analysis(settings.with_(draw_seed=state.get().secret_seed)))

    if present.hides_true():
        drawn = state.remember(("hidden scene", *_token(), settings), hidden)
    else:
        key = ("scene", *_token(), settings.with_(epsilon=1.0))
        drawn = state.remember(key, lambda: hero.scene(analysis))
    return drawn | {"epsilon": settings.epsilon, "presenting": present.on()} | layout


def _line(analysis: Analysis) -> None:
    pair, fit, settings = analysis.measurement.pair, analysis.measurement.fit, analysis.settings
    cost = panels.total_cost(analysis)
    delta = f", δ = {cost.delta:g}" if cost.delta else ""
    facts = (
        f"{chip(pair.x_name)} and {chip(pair.y_name)}",
        coverage(settings).rows_text(pair.rows, fit.n_train, fit.n_test),
        f"protected: {panels.protected(settings)}",
        f"would spend ε = {cost.epsilon:g}{delta}",
    )
    with st.container(key="first_line"):
        st.markdown(" · ".join(facts), help=explained("m", "Noise-free", *DOUBTS, "Standard error"))


def _told(settings: Settings) -> dict[str, str]:
    """Return the settings whose change the hero puts into a sentence."""
    told = {"score": score_title(settings.score), "seed": str(settings.draw_seed)}
    if not coverage(settings).votes:
        told |= {"published": RELEASE_TITLES[settings.release].lower()}
        told |= {"calibration": CALIBRATION_TITLES[settings.calibration].lower()}
    return told | {"protected": coverage(settings).title.replace("*", "")}


def _token() -> tuple[Hashable, ...]:
    return tuple(state.pair_token())
