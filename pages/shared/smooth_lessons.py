"""The live lesson on protecting training rows too: all four sensitivities, smooth sensitivity, and its two traps."""

import math
from collections.abc import Callable

import streamlit as st

from pages.shared import state
from pages.shared.lesson import live
from pages.shared.show import show
from privcause_core.figures.smoothing import loss_curves, smooth_curve
from privcause_core.fits.public_ridge import residual_shift
from privcause_core.lessons.sensitivities import Sensitivities
from privcause_core.lessons.sensitivities import overview as measured_overview
from privcause_core.lessons.smooth_sensitivity import SmoothNoise
from privcause_core.lessons.smoothing_steps import moved_by, smoothing
from privcause_core.lessons.two_traps import CLAIMED_DELTA, distance_rules, scale_rules
from privcause_core.scores import get_score

OVERVIEW_ROWS = (400, 2_000, 10_000)
SMOOTH_ROWS = (1_000, 10_000, 100_000)
RIDGES = (0.01, 0.1, 1.0)
STIFF = 1.0  # at the default 0.01 a training row reorders nearly everything, and there is little to see
EPSILONS = (0.1, 0.2, 0.5, 1.0)
RANK_SCORES = ("kendall", "spearman")
FEWEST_TIED, MOST_TIED = 5, 20


def overview() -> None:
    """Show every score's four sensitivities as numbers on a made-up table, beside what is proved of them."""
    rows, ridge = _rows_and_ridge("overview", OVERVIEW_ROWS, 2_000, STIFF)
    with st.spinner("Replacing rows of the made-up table", show_time=True):
        found = state.remember(("overview", rows, ridge), lambda: measured_overview(rows, ridge))
    st.markdown(live("overview", rows=rows, ridge=ridge, shift=residual_shift(rows // 2, ridge)))
    with st.container(key="sensitivities"):
        st.table([_overview_row(one) for one in found], hide_index=True)
    st.caption(
        "“Moved by” is the largest change that a search over replaced rows of this table found: a local sensitivity is "
        "at least that. The table is made by the program, so nothing here is private."
    )


def smooth() -> None:
    """Show how local sensitivities are discounted into the smooth one."""
    score = st.segmented_control("Score", RANK_SCORES, default="kendall", required=True, key="smooth_score",
                                 format_func=lambda name: get_score(name).title, bind="query-params")  # fmt: skip
    rows, ridge = _rows_and_ridge("smooth", SMOOTH_ROWS, 10_000, STIFF)
    noise = SmoothNoise(_epsilon("smooth_epsilon"), CLAIMED_DELTA)
    moved = state.remember(("moved by", rows, ridge), lambda: moved_by(rows, ridge))
    found = state.remember(("smoothing", rows, ridge, score, noise), lambda: smoothing(moved, score, noise))
    show(smooth_curve(found, get_score(score).title))
    distance = found.distance[found.discounted.argmax()]
    numbers = {"train": rows // 2, "shift": moved.shift, "smooth": found.smooth, "distance": distance}
    said = live("smooth", **numbers, scale=found.training_scale, test=found.test_scale)
    joint = "" if found.joint_scale is None else " " + live("smooth_joint", joint=found.joint_scale)
    st.markdown(said + joint)


def scales() -> None:
    """Show what the larger of two scales really promises."""
    with st.container(horizontal=True):
        tied = st.slider("Tied residuals, of 100", FEWEST_TIED, MOST_TIED, 11, key="tied", bind="query-params")
        epsilon = _epsilon("scales_epsilon", 0.2)
    rules = scale_rules(tied, epsilon)
    _, wrong, right = rules
    said = "scales" if wrong.delta > CLAIMED_DELTA else "scales_hold"
    numbers = {"claimed": CLAIMED_DELTA, "wrong": wrong.delta, "times": wrong.delta / CLAIMED_DELTA}
    st.markdown(live(said, **numbers, right=right.before.scale))
    show(loss_curves(rules, epsilon))
    rows = [
        {
            "Noise scale": rule.name,
            "before": f"{rule.before.scale:.4g}",
            "after one test row": f"{rule.after.scale:.4g}",
            "actual δ for that row": _delta(rule.delta),
        }
        for rule in rules
    ]
    st.table(rows, hide_index=True)
    st.caption(f"The first rule gives training rows nothing. Claimed δ: {CLAIMED_DELTA:g}, for one draw at this ε.")


def distances() -> None:
    """Show what the smaller of two distances really promises."""
    epsilon = _epsilon("distances_epsilon")
    rules = distance_rules(epsilon)
    _, wrong, right = rules
    numbers = {"promised": 2.0 * epsilon, "claimed": CLAIMED_DELTA, "wrong": wrong.delta, "right": right.delta}
    before, after = wrong.released
    st.markdown(live("distances", **numbers, before=before, after=after))
    rows = [
        {
            "Distance": rule.name,
            "A₁, A₂ before": "{}, {}".format(*rule.distances),
            "after one test row": "{}, {}".format(*rule.distances_after),
            "released before": f"{rule.released[0]:.5g}",
            "released after": f"{rule.released[1]:.5g}",
            "actual δ at least": _delta(rule.delta),
        }
        for rule in rules
    ]
    st.table(rows, hide_index=True)
    st.caption(
        "The first rule gives training rows nothing. “Released”: the probability that a noisy log-IQR comes out."
    )


LESSONS: dict[str, Callable[[], None]] = {"smooth": smooth, "scales": scales, "distances": distances}


def _rows_and_ridge(name: str, sizes: tuple[int, ...], rows: int, ridge: float) -> tuple[int, float]:
    with st.container(horizontal=True):
        rows = st.segmented_control(
            "Rows",
            sizes,
            default=rows,
            required=True,
            key=f"{name}_rows",
            format_func="{:,}".format,
            bind="query-params",
        )
        ridge = st.segmented_control(
            "λ of the regression",
            RIDGES,
            default=ridge,
            required=True,
            key=f"{name}_ridge",
            format_func="{:g}".format,
            help="Larger: a training row moves the fit less, and the fit bends less.",
            bind="query-params",
        )
    return rows, ridge


def _epsilon(key: str, standard: float = 1.0) -> float:
    return st.select_slider("ε of one draw", EPSILONS, value=standard, key=key, bind="query-params")


def _overview_row(one: Sensitivities) -> dict[str, str]:
    texts = one.score.overview
    return {
        "Score": one.score.title,
        "test row, global": _cell(one.test_global, texts.test_global),
        "test row, local": _cell(None, texts.test_local, one.test_found),
        "training row, global": _cell(one.training_global, texts.training_global),
        "training row, local": _cell(one.training_local, texts.training_local, one.training_found),
    }


def _cell(bound: float | None, text: str, found: float | None = None) -> str:
    parts = [] if bound is None else [f"**{_number(bound)}**"]
    parts += [text] if found is None else [text, f"moved by {_number(found)}"]
    return "; ".join(parts)


def _number(value: float) -> str:
    return "∞" if math.isinf(value) else f"{value:.3g}"


def _delta(value: float) -> str:
    return "0" if value < 1e-12 else f"{value:.4g}"
