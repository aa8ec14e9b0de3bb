"""Two settings pinned side by side on the same pair."""

from dataclasses import replace
from itertools import combinations

import streamlit as st

from pages.parts.explore import two_ways
from pages.shared import messages, state
from pages.shared.controls import CALIBRATION_TITLES, RELEASE_TITLES
from pages.shared.show import show
from pages.shared.wording import score_title, short_arrow
from privcause_core.explore.analysis import Analysis
from privcause_core.explore.outcomes import first_runs
from privcause_core.figures.chart import percent
from privcause_core.figures.runs import outcome_sentence, run_grid
from privcause_core.protection.choice import coverage
from privcause_core.settings import Settings, knobs
from privcause_core.verdicts.propose_test_release import IqrVerdict

PINS = {"A": "pin_a", "B": "pin_b"}
NOW = "Now"


def compare() -> None:
    """Draw the pin buttons, a table of what is pinned beside the current settings, and the private runs of two."""
    with st.container(horizontal=True, vertical_alignment="center"):
        for letter, pin in PINS.items():
            st.button(f"Pin as {letter}", key=f"pin_{letter}", icon=":material/keep:", on_click=_pin, args=(pin,))
        st.button("Unpin both", key="unpin", on_click=_unpin, type="tertiary", disabled=not _pinned())
    pinned = _pinned()
    if not pinned:
        st.caption("Pin the current settings as A, change something, pin as B: both stay side by side, in the address.")
        return
    with messages.stopping():
        found = shown()
    columns = {name: _column(analysis) for name, analysis in found.items()}
    rows = list(next(iter(columns.values())))
    st.table({"": rows} | {name: [column[row] for row in rows] for name, column in columns.items()}, hide_index=True)
    if len({analysis.settings.protect for analysis in found.values()}) > 1 and any(
        two_ways.opposed(one.headline.true, other.headline.true) for one, other in combinations(found.values(), 2)
    ):
        two_ways.say()
    _side_by_side(dict(list(found.items())[:2]))


def shown() -> dict[str, Analysis]:
    """Return the analyses of what is pinned, and of the current settings where they are another thing."""
    found = {name: state.analysis(_same_draws(settings)) for name, settings in _pinned().items()}
    if found and state.settings() not in {analysis.settings for analysis in found.values()}:
        found[NOW] = state.analysis()
    return found


def _pinned() -> dict[str, Settings]:
    view = state.get().view
    return {letter: settings for letter, pin in PINS.items() if (settings := getattr(view, pin)) is not None}


def _same_draws(settings: Settings) -> Settings:
    """Return pinned settings with the draws of now: what differs is then the setting, not the luck."""
    now = state.settings()
    return settings.with_(draw_seed=now.draw_seed, draws=now.draws)


def _side_by_side(found: dict[str, Analysis]) -> None:
    """Draw the runs of two settings: A beside B, or the pinned one beside now."""
    for column, (name, analysis) in zip(st.columns(len(found), gap="large"), found.items(), strict=True):
        one, settings = analysis.headline, analysis.settings
        runs = first_runs(one, settings)
        with column:
            st.markdown(f"**{name}**: {score_title(settings.score)}, ε = {settings.epsilon:g}")
            st.markdown(outcome_sentence(runs))
            chart = run_grid(runs, one.true.direction)
            show(replace(chart, name=f"{chart.name}_{name.lower()}"))
    st.caption(f"The same draws for both (seed {state.settings().draw_seed}), so that only the settings differ.")


def _pin(pin: str) -> None:
    state.change_view(**{pin: state.settings()})


def _unpin() -> None:
    state.change_view(pin_a=None, pin_b=None)


def _column(analysis: Analysis) -> dict[str, str]:
    one, settings = analysis.headline, analysis.settings
    least = dict(one.least_epsilon)[0.95]
    votes, four_values = coverage(settings).votes, isinstance(one.verdict, IqrVerdict)
    two = "Four log-IQRs, or nothing" if four_values else RELEASE_TITLES[settings.release]
    return {
        "Score": score_title(settings.score),
        "Protected": coverage(settings).title,
        "ε, δ (total)": f"{one.verdict.cost.epsilon:g}, {one.verdict.cost.delta:g}",
        knobs()["release"].label: "The margin of the blocks' votes" if votes else two,
        "Calibration": "one vote" if votes else CALIBRATION_TITLES[settings.calibration],
        "Noise-free arrow (true)": short_arrow(one.true.direction),
        "Does it tell other people's?": analysis.telling,
        "Noise scale (public)": f"{one.verdict.noise_scale:.4g}{' votes' if votes else ''}",
        "Private runs that agree (true)": percent(one.probability_arrow_kept),
        "Simulated (true)": outcome_sentence(first_runs(one, settings)),
        "Least ε for 95 % (true)": "none" if least is None else f"{least:.3g}",
    }
