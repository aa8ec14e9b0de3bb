"""The lesson's own pictures: made-up numbers, one moved row, a stability test."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from privcause_core.explore.analysis import Measurement
from privcause_core.figures.chart import (
    CHANCE,
    CHANCE_DASH,
    PALE,
    PRIVATE,
    PRIVATE_DASH,
    PURPLE,
    THEORY,
    THEORY_DASH,
    TRUE,
    TRUE_DASH,
    Axis,
    Chart,
    edge_notes,
    framed,
    line,
    marker,
    percent,
    plotly_text,
    translucent,
    upright,
)
from privcause_core.lessons.one_vote import MovedVote, bounded_vote
from privcause_core.lessons.pitfalls import Jump, printed_pass_probability
from privcause_core.pair import Direction, NumberArray
from privcause_core.text.names import isolated
from privcause_core.verdicts.theory import flip_two_scores, pass_probability, stability_threshold

Point = tuple[float, float]
EPSILONS = np.logspace(-2.0, 0.0, 61)
CURVE_POINTS = 160
MOST_PEOPLE = 250
VOTE_REACH = 2.0  # nats
FARTHEST = 10.0  # margin over noise


def cloud(x: NumberArray, y: NumberArray, names: tuple[str, str]) -> Chart:
    """Return points alone, without any fit."""
    axes = Axis(names[0], *_span(x)), Axis(names[1], *_span(y))
    figure = framed([_dots(x, y, "one person")], f"{names[0]} and {names[1]}", *axes)
    alt = f"{x.size:,} people: {names[1]} and {names[0]} go together along a curve."
    return Chart("cloud", figure, alt, {names[0]: x.tolist(), names[1]: y.tolist()})


def one_way_fit(measured: Measurement, direction: Direction) -> Chart:
    """Return the points and one fitted curve, with the supposed cause to the right."""
    pair, fit = measured.pair, measured.fit
    forward = direction is Direction.X_TO_Y
    cause, effect = (pair.x, pair.y) if forward else (pair.y, pair.x)
    names = (pair.x_name, pair.y_name) if forward else (pair.y_name, pair.x_name)
    along = np.linspace(float(cause.min()), float(cause.max()), CURVE_POINTS)
    scalings = (fit.scaling_x, fit.scaling_y) if forward else (fit.scaling_y, fit.scaling_x)
    curve = (fit.forward if forward else fit.backward).predict(scalings[0].apply(along))
    fitted = scalings[1].centre + scalings[1].scale * curve
    color, dash = (TRUE, TRUE_DASH) if forward else (PURPLE, CHANCE_DASH)
    traces = [_dots(cause, effect, "one person"), line(along, fitted, "best curve", color, dash)]
    x_name, y_name = map(plotly_text, names)
    axes = Axis(x_name, *_span(cause)), Axis(y_name, *_span(effect))
    figure = framed(traces, f"If {x_name} → {y_name}: the best curve", *axes, height=320)
    alt = f"{cause.size:,} people with a curve that predicts {isolated(names[1])} from {isolated(names[0])}."
    return Chart("one_way_fit", figure, alt, {names[0]: along, f"curve for {names[1]}": fitted})


def moved_row(x: NumberArray, r: NumberArray, before: Point, after: Point) -> Chart:
    """Return the people whose score is computed, one of them moved."""
    others = _dots(x, r, "everybody else")
    traces = [others, marker(*before, "before", TRUE, "circle-open"), marker(*after, "after", PRIVATE, "diamond")]
    figure = framed(traces, "One person moves", Axis("cause", -4.5, 8.5), Axis("leftover", -8.0, 8.0))
    alt = f"{x.size + 1} people; one moves from ({before[0]:.1f}, {before[1]:.1f}) to ({after[0]:.1f}, {after[1]:.1f})."
    return Chart("moved_row", figure, alt, {"point": ["before", "after"], "cause": [before[0], after[0]],
                                            "leftover": [before[1], after[1]]})  # fmt: skip


def cast_votes(moved: MovedVote, limit: float) -> Chart:
    """Return every test row's vote, weakest below, cut at the limit; the moved row before and after."""
    order = np.argsort(moved.cast)
    place = np.empty(order.size, dtype=int)
    place[order] = np.arange(order.size)
    counted = np.clip(moved.cast, -limit, limit)
    seen = np.clip(counted, -VOTE_REACH, VOTE_REACH)
    ways = ("x → y", TRUE, "circle", counted > 0.0), ("y → x", PRIVATE, "diamond", counted <= 0.0)
    traces = [
        go.Scatter(x=seen[which], y=place[which], name=f"for {way}: {int(which.sum())}", mode="markers",
                   marker={"color": color, "size": 6, "symbol": symbol})
        for way, color, symbol, which in ways
    ]  # fmt: skip
    ends = [moved.cast[0], moved.moved]
    told = ("the person, before", "after the move"), ("circle-open", "diamond-open")
    for vote, name, symbol in zip(ends, *told, strict=True):
        cut, shown = bounded_vote(vote, limit), bounded_vote(vote, VOTE_REACH)
        traces.append(marker(cut, place[0], f"{name}: {vote:+.2f} counts {cut:+.2f}", CHANCE, symbol))
        if shown != cut:
            traces.append(line([cut, shown], [place[0]] * 2, "cut off", CHANCE, CHANCE_DASH, showlegend=False))
    title = f"{counted.size} votes, cut at ±{limit:g}"
    axes = Axis("◂ y → x      vote in nats      x → y ▸", -VOTE_REACH, VOTE_REACH), Axis("", -3, counted.size + 3)
    figure = framed(traces, title, *axes)
    figure.update_yaxes(showticklabels=False, showgrid=False)
    edge_notes(figure, int(np.sum(counted < -VOTE_REACH)), int(np.sum(counted > VOTE_REACH)), "vote")
    for at in (-limit, limit):
        if abs(at) <= VOTE_REACH:
            upright(figure, at, CHANCE, "solid")
    alt = (
        f"{counted.size} people vote in nats, each cut at ±{limit:g}. One moves: the vote {ends[0]:+.2f} becomes "
        f"{ends[1]:+.2f}, of which {bounded_vote(ends[1], limit):+.2f} counts."
    )
    return Chart("votes", figure, alt, {"vote": moved.cast[order], "what counts": counted[order]})


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
    figure.add_shape(
        type="rect", x0=low, x1=high, y0=-0.6, y1=0.6, line={"color": TRUE, "width": 2},
        fillcolor=translucent(TRUE, PALE),
    )  # fmt: skip
    figure.add_annotation(  # above the box, which may be narrower than the words
        x=low, y=0.6, text=f"middle half: IQR {high - low:.1f}", showarrow=False, xanchor="left", yanchor="bottom",
        font={"size": 12},
    )  # fmt: skip
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
        line(EPSILONS, right, "right threshold", THEORY, THEORY_DASH),
    ]
    axes = (
        Axis("ε of one test (log scale)", -2.0, 0.0, log=True),
        Axis("wrong passes (log scale)", -10, 0.4, log=True),
    )
    figure = framed(traces, f"An unstable IQR that passes, δ = {delta:g}", *axes)
    figure.update_yaxes(dtick=2)
    upright(figure, epsilon, CHANCE, "solid", f"ε = {epsilon:g}")
    alt = (
        f"At ε = {epsilon:g} and δ = {delta:g} the printed threshold lets an unstable IQR pass with probability "
        f"{printed_pass_probability(epsilon, delta):.4g}, the right one with {delta / 2:.4g}."
    )
    return Chart("false_pass", figure, alt, {"ε": EPSILONS, "printed threshold": printed, "right threshold": right})


def jump_bars(name: str, jumps: Sequence[tuple[str, Jump]]) -> Chart:
    """Return how far one row moves each statistic, in multiples of the bound that its noise was scaled by."""
    times = [jump.times_bound for _, jump in jumps]
    broken = [value > 1.0 + 1e-9 for value in times]
    labels = [f"{label}: {value:.3g}" for (label, _), value in zip(jumps, times, strict=True)]
    style = {
        "color": [PRIVATE if one else THEORY for one in broken],
        "pattern": {"shape": ["/" if one else "" for one in broken]},
    }
    bars = go.Bar(x=times, y=labels, orientation="h", marker=style, showlegend=False)
    axes = Axis("change ÷ bound", 0.0, 1.15 * max(1.0, *times)), Axis("", -0.6, len(jumps) - 0.4)
    figure = framed([bars], "One row moves the score by … times the bound", *axes, height=220)
    upright(figure, 1.0, CHANCE, "solid", "the bound")
    alt = f"One replaced row, change over bound: {'; '.join(labels)}. Above 1 the promise is broken."
    return Chart(name, figure, alt, {"rule": [label for label, _ in jumps], "change ÷ bound": times})


def survival(t: float, right: float) -> Chart:
    """Return Theorem 3, how often the private arrow is right over margin / noise, with one point marked."""
    grid = np.linspace(0.0, FARTHEST, 201)
    chance = 1.0 - flip_two_scores(grid)
    traces = [
        line(grid, chance, "private arrow", THEORY, THEORY_DASH),
        line([0.0, FARTHEST], [0.5, 0.5], "coin flip", CHANCE, CHANCE_DASH),
        marker(min(t, FARTHEST), right, "here" if t <= FARTHEST else "here, farther right", TRUE, "diamond"),
    ]
    axes = Axis("t = margin ÷ noise", 0.0, 1.02 * FARTHEST), Axis("arrow is right", 0.0, 1.02, percent=True)
    figure = framed(traces, "How often the private arrow is right", *axes)
    alt = f"The arrow is right {percent(right)} of the time at margin / noise = {t:.2f}; a coin flip at 0."
    return Chart("survival", figure, alt, {"t": grid, "right": chance})


def _dots(x: NumberArray, y: NumberArray, name: str) -> go.Scatter:
    style = {"color": CHANCE, "size": 6, "symbol": "circle", "opacity": 0.6}
    return go.Scatter(x=x, y=y, name=name, mode="markers", marker=style)


def _span(values: NumberArray) -> tuple[float, float]:
    room = 0.05 * float(np.ptp(values))
    return float(values.min()) - room, float(values.max()) + room
