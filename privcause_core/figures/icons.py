"""Epsilon as frequencies: the best attacker's answers in 100 runs with a person's row and 100 without it."""

import plotly.graph_objects as go

from privcause_core.figures.chart import CHANCE, PRIVATE, Axis, Chart, framed
from privcause_core.promise import best_guess, odds_factor

SIDE = 10
GAP = 2.5
GROUPS = ("with your row", "with another row instead")


def icon_array(epsilon: float, delta: float = 0.0) -> Chart:
    """Return two arrays of 100 icons, the same number with and without the row: how often the attacker says "in".

    The attacker is the best one who errs equally often both ways: hits (e^epsilon + delta) / (1 + e^epsilon).
    """
    hits = round(SIDE * SIDE * best_guess(epsilon, delta))
    counts = (hits, SIDE * SIDE - hits)
    places = [_places(k) for k in range(len(GROUPS))]
    inside = [place for count, group in zip(counts, places, strict=True) for place in group[:count]]
    outside = [place for count, group in zip(counts, places, strict=True) for place in group[count:]]
    traces = [
        _icons(inside, "best spy says “in”", PRIVATE, "diamond"),
        _icons(outside, "says “out”", CHANCE, "circle-open"),
    ]
    axes = Axis("", -0.8, 2 * SIDE + GAP - 0.2), Axis("", -SIDE + 0.2, 2.4)
    figure = framed(traces, f"100 runs each way at ε = {epsilon:g}", *axes, height=330)
    for k, (count, group) in enumerate(zip(counts, GROUPS, strict=True)):
        middle = k * (SIDE + GAP) + (SIDE - 1) / 2
        figure.add_annotation(x=middle, y=1.5, text=f"{group}:<br><b>{count}</b> of 100 “in”", showarrow=False)
    figure.update_xaxes(showticklabels=False, showgrid=False, fixedrange=True)
    figure.update_yaxes(showticklabels=False, showgrid=False, fixedrange=True)
    figure.update_layout(legend={"y": -0.04})
    alt = (
        f"At ε = {epsilon:g} the best attacker says “in” {counts[0]} of 100 times when the row is in "
        f"and {counts[1]} of 100 times when it is not; odds grow by at most {odds_factor(epsilon):.3g}."
    )
    return Chart("icon_array", figure, alt, {"data": GROUPS, "says in, of 100": counts})


def _places(group: int) -> list[tuple[float, int]]:
    left = group * (SIDE + GAP)
    return [(left + k % SIDE, -(k // SIDE)) for k in range(SIDE * SIDE)]


def _icons(places: list[tuple[float, int]], name: str, color: str, symbol: str) -> go.Scatter:
    style = {"color": color, "symbol": symbol, "size": 9, "line": {"color": color, "width": 1.5}}
    x, y = zip(*places, strict=True) if places else ((), ())
    return go.Scatter(x=x, y=y, name=name, mode="markers", marker=style, hoverinfo="skip")
