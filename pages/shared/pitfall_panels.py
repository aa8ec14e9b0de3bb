"""Live demonstrations of what goes wrong; the lesson shows some of them, Methods all."""

from collections.abc import Callable

import streamlit as st

from pages.shared import smooth_lessons, state
from pages.shared.lesson import live
from pages.shared.show import show
from pages.shared.wording import short_arrow
from privcause_core.explore.analysis import measure
from privcause_core.figures.lesson import false_pass, jump_bars
from privcause_core.lessons import pitfalls
from privcause_core.lessons.pitfalls import advanced_factor
from privcause_core.samples import DEFAULT_SAMPLE, load_sample
from privcause_core.scores import LaplaceScore, all_scores
from privcause_core.scores.iqr import bins
from privcause_core.settings import Calibration, Settings
from privcause_core.verdicts import theory
from privcause_core.verdicts.composition import iqr_attribute_cost, iqr_record_cost
from privcause_core.verdicts.outcome import private_direction

TEST_EPSILONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
TEST_DELTAS = (1e-9, 1e-6, 1e-5, 1e-4, 1e-3)
ROOTS = (10, 20, 30, 40)
SIZES = (10, 40, 150, 1_000, 5_000)
SENSITIVITY_SIZES = (10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000)
COUNTS = (2, 3, 4, 10, 30, 100, 300, 1_000)


def threshold() -> None:
    """Compare the printed with the right threshold on an IQR that one row can move."""
    with st.container(horizontal=True):
        epsilon = st.select_slider(
            "ε of one test", TEST_EPSILONS, value=0.1, key="printed_epsilon", bind="query-params"
        )
        delta = st.select_slider("δ of one test", TEST_DELTAS, value=1e-3, format_func="{:g}".format,
                                 key="printed_delta", bind="query-params")  # fmt: skip
    printed, corrected = pitfalls.printed_pass_probability(epsilon, delta), delta / 2.0
    st.markdown(live("threshold", printed=printed, corrected=corrected, times=printed / corrected))
    show(false_pass(epsilon, delta))


def bandwidth() -> None:
    """Compare HSIC with a median bandwidth and with a fixed one when one row changes cluster."""
    root = st.segmented_control("Rows (m)", ROOTS, default=30, required=True, key="bandwidth_rows", bind="query-params",
                                format_func=lambda one: f"{one * one:,}")  # fmt: skip
    median, fixed = pitfalls.bandwidth_jumps(root)
    numbers = {"before": median.before, "after": median.after, "times": median.times_bound, "bound": median.bound}
    st.markdown(live("bandwidth", **numbers, fixed=fixed.change))
    show(jump_bars("bandwidth_jump", [("fixed bandwidth", fixed), ("median of test rows", median)]))


def ties() -> None:
    """Compare tau-b and tau-a when one row of a tied table changes."""
    m = st.segmented_control(
        "Rows (m)", SIZES, default=150, required=True, key="tie_rows", bind="query-params", format_func="{:,}".format
    )
    tau_b, tau_a = pitfalls.tie_rule_jumps(m)
    numbers = {"before": tau_b.before, "after": tau_b.after, "change": tau_b.change, "times": tau_b.times_bound}
    st.markdown(live("ties", **numbers, bound=tau_b.bound, right_before=tau_a.before, right_after=tau_a.after))
    show(jump_bars("tie_jump", [("tau-a", tau_a), ("tau-b", tau_b)]))


def second_bin() -> None:
    """Compare the printed second bin with the shifted grid."""
    value = st.slider("log IQR", -2.0, 2.0, 0.7, 0.1, key="log_iqr", bind="query-params")
    low, high = pitfalls.printed_second_bin(value)
    right_low, right_high = bins(value, 1.0)[1]
    printed = "holds" if low <= value < high else "does not hold"
    numbers = {"low": low, "high": high, "right_low": right_low, "right_high": right_high}
    st.markdown(live("bins", value=value, printed=printed, **numbers))


def one_draw() -> None:
    """Say how often a draw used twice proves which table it came from."""
    epsilon = st.select_slider("ε of one draw", TEST_EPSILONS, value=0.1, key="draw_epsilon", bind="query-params")
    st.markdown(live("draw", share=pitfalls.reused_draw_giveaway(epsilon)))


def sign() -> None:
    """Compare Theorem 5's margin as printed and as it has to be, on the standard sample."""
    measured = state.remember(("slip sign",), lambda: measure(load_sample(DEFAULT_SAMPLE), Settings(score="iqr")))
    true = measured.of("iqr")
    printed = pitfalls.printed_iqr_margin(true.log_iqrs)
    arrow, printed_arrow = (short_arrow(private_direction(value)) for value in (true.margin, printed))
    st.markdown(live("sign", right=true.margin, printed=printed, right_arrow=arrow, printed_arrow=printed_arrow))


def condition() -> None:
    """Compute how often one log-IQR is released for any two distances."""
    with st.container(horizontal=True):
        first = st.slider("A in grid 1", 1, 200, 1, key="a1", bind="query-params")
        second = st.slider("A in grid 2", 1, 200, 1, key="a2", bind="query-params")
    epsilon, delta = 0.1, 1e-3
    share = float(theory.release_probability((first, second), epsilon, delta))
    st.markdown(live("condition", first=first, second=second, epsilon=epsilon, delta=delta, share=share))


def cost() -> None:
    """Show what one IQR verdict costs by either count, for a column and for a record."""
    rows = [
        {
            "Count": f"{count} ({calibration})",
            "one column changes": f"({iqr_attribute_cost(1.0, 1.0, calibration).epsilon:g} ε, 3 δ)",
            "one record is replaced": f"({iqr_record_cost(1.0, 1.0, calibration).epsilon:g} ε, 4 δ)",
        }
        for count, calibration in (("2 ε a release", Calibration.REFINED), ("3 ε a release", Calibration.PAPER))
    ]
    st.table(rows, hide_index=True)


def needless() -> None:
    """Show both calibrations of every score for any m."""
    m = st.select_slider("m", SENSITIVITY_SIZES, value=1_000, key="noise_m", bind="query-params")
    rows = []
    for score in all_scores():
        if isinstance(score, LaplaceScore):
            paper, refined = (score.sensitivity(m, one) for one in (Calibration.PAPER, Calibration.REFINED))
            rows.append({"Score": score.title, "paper": f"{paper:.4g}", "refined": f"{refined:.4g}",
                         "times too large": f"{paper / refined:.2f}"})  # fmt: skip
    st.table(rows, hide_index=True)


def composition() -> None:
    """Compare plain adding with advanced composition."""
    with st.container(horizontal=True):
        k = st.select_slider("Releases k", COUNTS, value=3, key="k", bind="query-params")
        slack = st.select_slider("δ' given up", TEST_DELTAS, value=1e-6, format_func="{:g}".format, key="slack",
                                 bind="query-params")  # fmt: skip
    factor = advanced_factor(k, slack)
    better = "plain adding" if k <= factor else "advanced composition"
    st.markdown(live("composition", k=k, basic=k, advanced=factor, delta=slack, better=better))


def two_scales() -> None:
    """Show why noise for the test half and noise for the training half do not combine by taking the larger."""
    st.markdown(live("two_scales"))
    smooth_lessons.scales()


LESSON: dict[str, Callable[[], None]] = {
    "Threshold": threshold,
    "Bandwidth": bandwidth,
    "Ties": ties,
    "Two noise scales": two_scales,
}
METHODS: dict[str, Callable[[], None]] = {
    "threshold": threshold,
    "bins": second_bin,
    "draw": one_draw,
    "sign": sign,
    "condition": condition,
    "cost": cost,
    "noise": needless,
    "composition": composition,
    "bandwidth": bandwidth,
    "ties": ties,
}
