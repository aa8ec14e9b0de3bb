"""Two settings pinned side by side on the same pair."""

import streamlit as st

from pages.common import messages, state
from pages.common.wording import score_title, short_arrow
from privcause_core.analysis import Analysis
from privcause_core.figures.chart import percent
from privcause_core.figures.runs import outcome_sentence
from privcause_core.runs import first_runs
from privcause_core.settings import Settings

PINS = {"A": "pin_a", "B": "pin_b"}


def compare() -> None:
    """Draw the pin buttons, and a table of what is pinned beside the current settings."""
    with st.container(horizontal=True, vertical_alignment="center"):
        for letter, pin in PINS.items():
            st.button(f"Pin as {letter}", key=f"pin_{letter}", icon=":material/keep:", on_click=_pin, args=(pin,))
        st.button("Unpin both", key="unpin", on_click=_unpin, type="tertiary", disabled=not _pinned())
    pinned = _pinned()
    if not pinned:
        st.caption("Pin the current settings as A, change something, pin as B: both stay side by side, in the address.")
        return
    with messages.stopping():
        columns = {name: _column(state.analysis(settings)) for name, settings in pinned.items()}
        columns["Now"] = _column(state.analysis())
    rows = list(columns["Now"])
    st.table({"": rows} | {name: [column[row] for row in rows] for name, column in columns.items()}, hide_index=True)


def _pinned() -> dict[str, Settings]:
    view = state.get().view
    return {letter: settings for letter, pin in PINS.items() if (settings := getattr(view, pin)) is not None}


def _pin(pin: str) -> None:
    state.change_view(**{pin: state.settings()})


def _unpin() -> None:
    state.change_view(pin_a=None, pin_b=None)


def _column(analysis: Analysis) -> dict[str, str]:
    one, settings = analysis.headline, analysis.settings
    least = dict(one.least_epsilon)[0.95]
    return {
        "Score": score_title(settings.score),
        "ε, δ (total)": f"{one.verdict.cost.epsilon:g}, {one.verdict.cost.delta:g}",
        "Release": settings.release.value if len(one.verdict.outputs) < 4 else "propose-test-release",
        "Calibration": settings.calibration.value,
        "True arrow": short_arrow(one.true.direction),
        "Noise scale (ε)": f"{one.verdict.noise_scale:.4g}",
        "Private arrow agrees (ε)": percent(one.probability_arrow_kept),
        "Simulated (ε)": outcome_sentence(first_runs(one, settings)),
        "Least ε for 95 % (true)": "none" if least is None else f"{least:.3g}",
    }
