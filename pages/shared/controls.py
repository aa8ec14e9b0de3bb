"""The sidebar: every setting, with limits that come from the core. Widgets mirror the session state.

Each widget is filled from the state before it is drawn and writes to it in a callback, so that a value survives when
its page is not drawn and a refused value snaps back.
"""

import streamlit as st

from pages.shared import data_controls, messages, protection_controls, state
from pages.shared.widgets import choice, mirrored, setting, stops, typed_number
from pages.shared.wording import score_title
from privcause_core.errors import DataError, ParameterError
from privcause_core.figures import hero
from privcause_core.fits.halves import split_sizes
from privcause_core.protection.choice import coverage
from privcause_core.scores import LaplaceScore, all_scores, chosen_scores, get_score
from privcause_core.settings import (
    ALL_SCORES,
    SEED_MAX,
    Calibration,
    NoiseModel,
    Protection,
    ReleaseKind,
    Settings,
    knobs,
)
from privcause_core.verdicts.mechanisms import Verdict

EPSILON_STEPS = hero.STEPS
PAPER_SCORE = "hsic"
DELTA_STEPS = tuple(float(f"1e-{k:02d}") for k in range(12, 1, -1))
RELEASE_TITLES = {ReleaseKind.TWO_SCORES: "Two scores", ReleaseKind.DIRECTION: "Direction only"}
NOISE_TITLES = {
    NoiseModel.AUTO: "The score's own",
    NoiseModel.ADDITIVE: "Additive",
    NoiseModel.LOCATION_SCALE: "Location-scale",
}
CALIBRATION_TITLES = {Calibration.REFINED: "Refined", Calibration.PAPER: "Paper"}


def sidebar(*, slider: bool = True) -> None:
    """Draw the shared controls; without the slider of epsilon where the page has its own."""
    with st.sidebar:
        data_controls.draw()
        st.subheader("Privacy")
        _epsilon(slider=slider)
        st.subheader("Verdict")
        protection_controls.draw()
        _verdict()
        _delta()
        with st.expander("Expert settings", key="expert"):
            _expert()
        st.button("As in the paper", key="paper", icon=":material/history_edu:", on_click=_as_in_the_paper,
                  help="A score, noise, bounds and release of the published method.", width="stretch")  # fmt: skip
        st.button("Reset settings", key="reset", icon=":material/restart_alt:", on_click=_reset, width="stretch",
                  help="Every setting back to its default, nothing pinned; the data stay.")  # fmt: skip
        with st.popover("Forget my data", icon=":material/delete_forever:", width="stretch", key="forget_box"):
            st.markdown("Clears this session: data, results and settings. There is no way back.")
            st.button("Forget everything", key="forget", type="primary", on_click=state.forget, width="stretch")


def _reset() -> None:
    state.change_view(settings=Settings(), pin_a=None, pin_b=None)


def _as_in_the_paper() -> None:
    """Choose what the published paper does: one of its scores, additive noise, its bounds, two scores, test rows."""
    score = state.settings().score
    mine = score != ALL_SCORES and get_score(score).from_paper
    state.change_settings(
        score=score if mine else PAPER_SCORE,
        noise_model=NoiseModel.ADDITIVE,
        calibration=Calibration.PAPER,
        release=ReleaseKind.TWO_SCORES,
        protect=Protection.TEST_ROWS,
    )


def test_rows() -> int | None:
    """Return m, or None where the chosen pair cannot be split."""
    try:
        return split_sizes(state.pair().rows, state.settings().test_share)[1]
    except DataError:
        return None


def uses_delta() -> bool:
    """Return whether a chosen verdict spends delta."""
    return any(verdict.cost.delta > 0.0 for _, verdict in _planned())


def epsilon_slider(key: str = "epsilon", *, ends: bool = True) -> None:
    """Draw the slider of the total epsilon; its ends say what they mean where there is room."""
    epsilon = state.settings().epsilon
    shown = min(max(epsilon, EPSILON_STEPS[0]), EPSILON_STEPS[-1])
    mirrored(
        st.select_slider,
        knobs()["epsilon"].label,
        key,
        shown,
        setting("epsilon"),
        options=stops(key, EPSILON_STEPS, shown),
        format_func="{:g}".format,
        help="The privacy promise: the smaller, the less one row can show. Both draws of a verdict together.",
    )
    if ends:
        with st.container(horizontal=True, horizontal_alignment="distribute", key=f"ends_of_{key}"):
            st.caption("← more privacy", width="content")
            st.caption("more accuracy →", width="content")


def _epsilon(*, slider: bool) -> None:
    epsilon = state.settings().epsilon
    if slider:
        epsilon_slider()
    typed_number("Exact ε", "epsilon_exact", epsilon, setting("epsilon"), help="From 1e-6 to 1e6; 0.5 or 0,5.")
    st.caption(_per_draw())


def _planned() -> list[tuple[str, Verdict]]:
    """Return the chosen scores' titles and mechanisms; none while the chosen protection does not allow them."""
    settings, m = state.settings(), test_rows() or 100
    try:
        return [(score.title, coverage(settings).planned_verdict(score, m)) for score in coverage(settings).scores()]
    except ParameterError:
        return []


def _per_draw() -> str:
    parts = [(title, f"{verdict.epsilon_per_draw:.4g}") for title, verdict in _planned()]
    if len({value for _, value in parts}) < 2:
        return "".join(f"ε per draw: {value}" for _, value in parts[:1])
    return "ε per draw: " + ", ".join(f"{title} {value}" for title, value in parts)


def _delta() -> None:
    delta, used = state.settings().delta, uses_delta()
    mirrored(
        st.select_slider,
        knobs()["delta"].label,
        "delta",
        delta,
        setting("delta"),
        options=stops("delta", DELTA_STEPS, delta),
        format_func="{:g}".format,
        disabled=not used,
        help="About one run in 1/δ may break the promise of ε. Only the IQR score needs it.",
    )
    typed_number("Exact δ", "delta_exact", delta, setting("delta"), disabled=not used, help="For example 1e-6.")
    if not used:
        st.caption(f"Not used: a release of {score_title(state.settings().score)} costs δ = 0.")


def _verdict() -> None:
    settings = state.settings()
    mirrored(
        st.selectbox,
        knobs()["score"].label,
        "score",
        settings.score,
        setting("score"),
        options=[*(score.name for score in all_scores()), ALL_SCORES],
        format_func=score_title,
        help="How dependence is measured. The smaller score wins. 'All' prices each score at the full ε.",
    )
    laplace = any(isinstance(score, LaplaceScore) for score in chosen_scores(settings.score))
    votes = coverage(settings).votes
    choice(
        knobs()["release"].label,
        "release",
        RELEASE_TITLES,
        "Publish both noisy scores, or only their noisy difference (fewer flips at the same ε).",
        disabled=votes or not laplace,
    )
    choice(
        knobs()["calibration"].label,
        "calibration",
        CALIBRATION_TITLES,
        "How much noise: by this project's tighter proofs, or as in the published paper.",
        disabled=votes,
    )
    if votes:
        st.caption("Not used: a vote publishes one noisy number, whichever score the blocks vote with.")


def _expert() -> None:
    knob, share = knobs()["test_share"], state.settings().test_share
    mirrored(
        st.slider, knob.label, "test_share", share, setting("test_share"), help=knob.help, step=0.05,
        min_value=knob.low, max_value=knob.high,
    )  # fmt: skip
    for name in ("seed", "draws", "draw_seed"):
        _whole(name)
    st.button("Redraw", key="redraw", icon=":material/casino:", on_click=redraw, help="Next seed of the draws.")
    choice(knobs()["noise_model"].label, "noise_model", NOISE_TITLES, knobs()["noise_model"].help)
    for name in ("vote_limit", "bin_width", "bandwidth", "soft_width"):
        _number(name)


def redraw() -> None:
    """Take the next seed of the simulated draws."""
    with messages.noting():
        state.change_settings(draw_seed=(state.settings().draw_seed + 1) % SEED_MAX)


def _whole(name: str) -> None:
    knob, value = knobs()[name], getattr(state.settings(), name)
    low, high = int(knob.low or 0), int(knob.high or 0)
    mirrored(
        st.number_input, knob.label, name, value, setting(name), help=knob.help, step=1, min_value=low, max_value=high
    )


def _number(name: str) -> None:
    knob, value = knobs()[name], getattr(state.settings(), name)
    reach = f"{knob.help}; {knob.low:g} to {knob.high:g}"
    typed_number(knob.label, name, value, setting(name), help=reach[0].upper() + reach[1:])
