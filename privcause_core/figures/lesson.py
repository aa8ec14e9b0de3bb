"""The lesson's own pictures: made-up numbers, one moved row, a stability test."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from privcause_core.figures.chart import (
    CHANCE,
    CHANCE_DASH,
    PRIVATE,
    PRIVATE_DASH,
    THEORY,
    THEORY_DASH,
    TRUE,
    Axis,
    Chart,
    framed,
    line,
    marker,
    upright,
)
from privcause_core.pair import FloatArray
from privcause_core.pitfalls import Jump, printed_pass_probability
from privcause_core.theory import pass_probability, stability_threshold

Point = tuple[float, float]
EPSILONS = np.logspace(-2.0, 0.0, 61)
MOST_PEOPLE = 400


def cloud(x: FloatArray, y: FloatArray, names: tuple[str, str]) -> Chart:
    """Return points alone, without any fit."""
    axes = Axis(names[0], *_span(x)), Axis(names[1], *_span(y))
    figure = framed([_dots(x, y, "one person")], f"{names[0]} and {names[1]}", *axes)
    return Chart("cloud", figure, f"{x.size} people: {names[1]} rises with {names[0]} and levels off, or so it seems.",
                 {names[0]: x, names[1]: y})  # fmt: skip


def moved_row(x: FloatArray, r: FloatArray, before: Point, after: Point) -> Chart:
    """Return the people whose score is computed, one of them moved."""
    others = _dots(x, r, "everybody else")
    traces = [others, marker(*before, "before", TRUE, "circle-open"), marker(*after, "after", PRIVATE, "diamond")]
    figure = framed(traces, "One person moves", Axis("cause", -4.5, 8.5), Axis("leftover", -8.0, 8.0))
    alt = f"{x.size + 1} people; one moves from ({before[0]:.1f}, {before[1]:.1f}) to ({after[0]:.1f}, {after[1]:.1f})."
    return Chart("moved_row", figure, alt, {"point": ["before", "after"], "cause": [before[0], after[0]],
                                            "leftover": [before[1], after[1]]})  # fmt: skip


def middle_half(values: Sequence[float], low: float, high: float, moved: int | None, most: float) -> Chart:
    """Return values on a line with the middle half marked; ``moved`` is the position of the one that moved."""
    kept = [value for k, value in enumerate(values) if k != moved]
    traces = [go.Scatter(x=kept, y=[0.0] * len(kept), name="one person each", mode="markers",
                         marker={"color": CHANCE, "size": 11, "symbol": "circle"})]  # fmt: skip
    if moved is not None:
        traces.append(marker(values[moved], 0.0, "the one who moved", PRIVATE, "diamond"))
    figure = framed(traces, "Twenty values and their middle half", Axis("value", -0.05 * most, 1.05 * most),
                    Axis("", -1.0, 1.0), height=220)  # fmt: skip
    figure.update_yaxes(showticklabels=False, showgrid=False, fixedrange=True)
    figure.update_layout(legend={"y": -0.5})
    upright(figure, low, TRUE, "solid", "first quartile")
    upright(figure, high, TRUE, "solid", "third quartile")
    alt = f"Twenty values; the middle half runs from {low:.1f} to {high:.1f}, an IQR of {high - low:.1f}."
    return Chart("middle_half", figure, alt, {"value": list(values)})


def pass_curve(epsilon: float, delta: float, distance: int) -> Chart:
    """Return how often one stability test passes over A, the number of people who would have to move."""
    people = np.arange(1.0, MOST_PEOPLE + 1.0)
    chance = pass_probability(people, epsilon, delta)
    threshold = stability_threshold(epsilon, delta)
    traces = [
        line(people, chance, "test passes", THEORY, THEORY_DASH),
        marker(distance, float(chance[distance - 1]), "this A", TRUE, "diamond"),
    ]
    axes = Axis("A: people who would have to move", 0.0, MOST_PEOPLE), Axis("chance to pass", 0, 1.02, percent=True)
    figure = framed(traces, f"One stability test at ε = {epsilon:g}, δ = {delta:g}", *axes)
    if threshold < MOST_PEOPLE:
        upright(figure, threshold, CHANCE, "solid", "threshold")
    here = float(chance[distance - 1])
    alt = f"The test passes half of the time at A = {threshold:.0f}; at A = {distance} with chance {here:.3g}."
    return Chart("pass_curve", figure, alt, {"A": people, "chance to pass": chance})


def false_pass(epsilon: float, delta: float) -> Chart:
    """Return how often an IQR that one row can move passes one test, with the printed and the right threshold."""
    printed = [printed_pass_probability(e, delta) for e in EPSILONS]
    right = np.full(EPSILONS.size, delta / 2.0)
    traces = [
        line(EPSILONS, printed, "printed threshold", PRIVATE, PRIVATE_DASH),
        line(EPSILONS, right, "right threshold: δ/2", THEORY, THEORY_DASH),
        line([0.01, 1.0], [0.5, 0.5], "coin flip", CHANCE, CHANCE_DASH),
    ]
    axes = Axis("ε of one test (log scale)", -2.0, 0.0, log=True), Axis("false passes (log scale)", -13, 0.1, log=True)
    figure = framed(traces, f"An unstable IQR that passes, δ = {delta:g}", *axes)
    upright(figure, epsilon, CHANCE, "solid", f"ε = {epsilon:g}")
    alt = (
        f"At ε = {epsilon:g} and δ = {delta:g} the printed threshold lets an unstable IQR pass with probability "
        f"{printed_pass_probability(epsilon, delta):.4g}, the right one with {delta / 2:.4g}."
    )
    return Chart("false_pass", figure, alt, {"ε": EPSILONS, "printed threshold": printed, "right threshold": right})


def jump_bars(name: str, jumps: Sequence[tuple[str, Jump]]) -> Chart:
    """Return how far one row moves each statistic, in multiples of the bound that its noise was scaled by."""
    times = [jump.times_bound for _, jump in jumps]
    labels = [label for label, _ in jumps]
    style = {"color": [PRIVATE if value > 1.0 + 1e-9 else THEORY for value in times],
             "pattern": {"shape": ["/" if value > 1.0 + 1e-9 else "" for value in times]}}  # fmt: skip
    bars = go.Bar(x=times, y=labels, orientation="h", marker=style, showlegend=False,
                  text=[f"{value:.3g}" for value in times], textposition="outside", cliponaxis=False)  # fmt: skip
    axes = Axis("change ÷ bound", 0.0, 1.25 * max(1.0, *times)), Axis("", -0.6, len(jumps) - 0.4)
    figure = framed([bars], "One row moves the score by … times the bound", *axes, height=220)
    upright(figure, 1.0, CHANCE, "solid", "the bound")
    said = "; ".join(f"{label}: {value:.3g} times the bound" for label, value in zip(labels, times, strict=True))
    return Chart(name, figure, f"One replaced row. {said}.", {"rule": labels, "change ÷ bound": times})


def _dots(x: FloatArray, y: FloatArray, name: str) -> go.Scatter:
    style = {"color": CHANCE, "size": 6, "symbol": "circle", "opacity": 0.6}
    return go.Scatter(x=x, y=y, name=name, mode="markers", marker=style)


def _span(values: FloatArray) -> tuple[float, float]:
    room = 0.05 * float(np.ptp(values))
    return float(values.min()) - room, float(values.max()) + room
