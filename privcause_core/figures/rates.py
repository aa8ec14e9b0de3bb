"""Flip rates over epsilon and over the number of test rows."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from privcause_core.explore.fewer_rows import RateOverM
from privcause_core.explore.simulation import Interval
from privcause_core.figures.chart import (
    CHANCE,
    CHANCE_DASH,
    PRIVATE,
    PRIVATE_DASH,
    PURPLE,
    THEORY,
    THEORY_DASH,
    TRUE,
    TRUE_DASH,
    Axis,
    Chart,
    band,
    framed,
    line,
    percent,
    translucent,
    upright,
)
from privcause_core.pair import FloatArray
from privcause_core.verdicts.theory import Shares

EPSILON_AXIS = Axis("ε, total for one verdict (log scale)", -2.0, 1.0, log=True)
FLIP_TOP = 0.62
SHARE_STYLES = (  # right, wrong, partly refused, refused: colour and hatching
    ("noise-free arrow", "right", TRUE, ""),
    ("the other arrow", "wrong", PRIVATE, "/"),
    ("partly refused", "partly_refused", PURPLE, "."),
    ("refused", "refused", CHANCE, "x"),
)


def flip_rates(
    title: str, epsilons: FloatArray, exact: FloatArray, seen: Sequence[Interval], now: float, draws: int
) -> Chart:
    """Return the simulated flip rate with its Wilson 95 % band beside the exact curve."""
    low, high = [one.low for one in seen], [one.high for one in seen]
    rates = [one.rate for one in seen]
    traces = [
        band(epsilons, low, high, "95 % interval (Wilson)", PRIVATE),
        line(epsilons, rates, f"{draws:,} simulated runs (ε)", PRIVATE, PRIVATE_DASH),
        line(epsilons, exact, "exact curve", THEORY, THEORY_DASH),
        line([1e-2, 10.0], [0.5, 0.5], "coin flip", CHANCE, CHANCE_DASH),
    ]
    y_axis = Axis("flipped arrows, share of runs", 0.0, FLIP_TOP, percent=True)
    figure = framed(traces, title, EPSILON_AXIS, y_axis)
    _mark_epsilon(figure, now)
    here = float(np.interp(np.log(now), np.log(epsilons), exact))
    return Chart(
        f"flip_rates_{title.split(':')[0].lower()}",
        figure,
        f"{title}. At ε = {now:g} the exact flip rate is {percent(here)}; it falls as ε grows, from a coin flip on the "
        "left. The simulated rate runs beside the exact curve.",
        {"ε": epsilons, "exact flip rate": exact, "simulated": rates, "Wilson low": low, "Wilson high": high},
    )


def iqr_shares(epsilons: FloatArray, shares: Sequence[Shares], now: float) -> Chart:
    """Return the four exact shares of IQR runs as stacked bands."""
    traces = []
    for name, field, color, pattern in SHARE_STYLES:
        traces.append(
            go.Scatter(
                x=epsilons,
                y=[getattr(one, field) for one in shares],
                name=name,
                mode="lines",
                stackgroup="all",
                line={"color": color, "width": 1.5},
                fillcolor=translucent(color, 0.45),
                fillpattern={"shape": pattern, "fgcolor": color, "size": 7, "solidity": 0.25},
            )
        )
    figure = framed(
        traces, "IQR: what becomes of all runs", EPSILON_AXIS, Axis("share of all runs", 0, 1, percent=True)
    )
    _mark_epsilon(figure, now)
    table = {"ε": epsilons.tolist()} | {n: [getattr(one, f) for one in shares] for n, f, _, _ in SHARE_STYLES}
    k = int(np.argmin(np.abs(np.log(epsilons) - np.log(now))))
    here = ", ".join(f"{percent(getattr(shares[k], field))} {name}" for name, field, _, _ in SHARE_STYLES)
    return Chart("iqr_shares", figure, f"Shares of all IQR runs over ε; at ε = {now:g}: {here}.", table)


def rates_over_m(title: str, rates: Sequence[RateOverM], m: int, at_full: float) -> Chart:
    """Return flips against the number of test rows, by subsets of one pair's test half of m rows."""
    sizes = [one.m for one in rates]
    seen = [one.seen for one in rates]
    errors = {
        "type": "data",
        "symmetric": False,
        "array": [one.high - one.rate for one in seen],
        "arrayminus": [one.rate - one.low for one in seen],
        "color": PRIVATE,
    }
    dots = {"color": PRIVATE, "symbol": "diamond", "size": 9}
    traces = [
        go.Scatter(
            x=sizes, y=[one.rate for one in seen], error_y=errors, name="one run a subset, 95 % interval (ε)",
            mode="markers", marker=dots,
        ),
        line([*sizes, m], [*(one.expected for one in rates), at_full], "exact, averaged", THEORY, THEORY_DASH),
        line(sizes, [one.without_noise for one in rates], "without noise: sampling alone (true)", TRUE, TRUE_DASH),
    ]  # fmt: skip
    x_axis = Axis("test rows m (log scale)", 0.5, float(np.ceil(np.log10(max(m, 10)) + 0.05)), log=True)
    y_axis = Axis("arrows that differ", 0.0, 1.02, percent=True)
    figure = framed(traces, title, x_axis, y_axis)
    alt = (
        f"{title}: the share of arrows that differ from the full data's falls to {percent(at_full)} at all {m:,} rows."
    )
    table: dict[str, Sequence[object]] = {
        "m": sizes,
        "exact": [one.expected for one in rates],
        "seen": [one.rate for one in seen],
        "Wilson low": [one.low for one in seen],
        "Wilson high": [one.high for one in seen],
        "without noise": [one.without_noise for one in rates],
    }
    return Chart("rates_over_m", figure, alt, table)


def _mark_epsilon(figure: go.Figure, now: float) -> None:
    """Mark the current epsilon where the axis shows it."""
    if 1e-2 <= now <= 10.0:
        upright(figure, now, CHANCE, "solid", f"ε = {now:g}")
