"""Accuracy over many pairs against epsilon, with its interval, its non-private ceiling and its baseline."""

from collections.abc import Sequence

import numpy as np

from privcause_core.explore.simulation import Interval
from privcause_core.figures.chart import (
    CHANCE,
    CHANCE_DASH,
    PRIVATE,
    PRIVATE_DASH,
    PURPLE,
    TRUE,
    TRUE_DASH,
    Axis,
    Chart,
    band,
    framed,
    line,
    marker,
    percent,
)
from privcause_core.figures.rates import EPSILON_AXIS
from privcause_core.sweep import AccuracyPoint, Ceiling

SHARE_AXIS = Axis("share of all runs", 0.0, 1.02, percent=True)
BASELINE_DASH, REFUSED_DASH = "longdash", "dot"


def _ceiling(ceiling: Ceiling | None, ends: list[float]) -> list[object]:
    if ceiling is None:
        return []
    true = ceiling.accuracy
    return [
        band(ends, [true.low] * 2, [true.high] * 2, "95 % interval, without privacy", TRUE),
        line(ends, [true.rate] * 2, "without privacy (true)", TRUE, TRUE_DASH),
    ]


def _without_privacy(ceiling: Ceiling | None) -> str:
    if ceiling is None:
        return ""
    true = ceiling.accuracy
    return f"{percent(true.rate)} right without privacy (95 % interval {percent(true.low)} to {percent(true.high)}); "


def accuracy_chart(
    title: str, points: Sequence[AccuracyPoint], ceiling: Ceiling | None, baseline: Interval, now: float
) -> Chart:
    """Return one score's accuracy against epsilon.

    Parameters
    ----------
    points : sequence of AccuracyPoint
        One score, calibration and release, by rising epsilon.
    ceiling : Ceiling, optional
        Of the same score; None while true values are hidden.
    baseline : Interval
        Of always guessing the first column.
    now : float
        The current epsilon, marked where the axis shows it.
    """
    epsilons, right = [point.epsilon for point in points], [point.accuracy for point in points]
    rates = [one.rate for one in right]
    ends = [10.0**EPSILON_AXIS.low, 10.0**EPSILON_AXIS.high]
    low, high, refused = [one.low for one in right], [one.high for one in right], [point.refused for point in points]
    traces = [
        *_ceiling(ceiling, ends),
        band(epsilons, low, high, "95 % interval, private", PRIVATE),
        line(epsilons, rates, "private arrows (ε)", PRIVATE, PRIVATE_DASH),
        line(ends, [baseline.rate] * 2, "always the first column", PURPLE, BASELINE_DASH),
        line(ends, [0.5] * 2, "coin flip", CHANCE, CHANCE_DASH),
    ]
    table = {"ε": epsilons, "right (ε)": rates, "95 % from": low, "95 % to": high}
    if any(refused):
        traces.append(line(epsilons, refused, "refused (ε)", CHANCE, REFUSED_DASH))
        table["refused (ε)"] = refused
    if ends[0] <= now <= ends[1]:
        here = np.interp(np.log(now), np.log(epsilons), rates)
        traces.append(marker(now, float(here), f"now: ε = {now:g}", PRIVATE, "diamond"))
    figure = framed(traces, title, EPSILON_AXIS, SHARE_AXIS, height=400)
    alt = (
        f"{title}: {_without_privacy(ceiling)}private arrows go from {percent(rates[0])} at ε = {epsilons[0]:g} "
        f"to {percent(rates[-1])} at ε = {epsilons[-1]:g}; always the first column scores {percent(baseline.rate)}."
    )
    return Chart(f"accuracy_{points[0].score}", figure, alt, table)
