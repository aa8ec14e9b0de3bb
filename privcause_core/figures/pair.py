"""One pair: its points with both fitted curves, and the residuals of each direction. All true values."""

import numpy as np
import plotly.graph_objects as go

from privcause_core.analysis import Measurement
from privcause_core.figures.chart import (
    CHANCE,
    CHANCE_DASH,
    PURPLE,
    TRUE,
    TRUE_DASH,
    Axis,
    Chart,
    band,
    framed,
    line,
    plotly_text,
)
from privcause_core.pair import Direction, FloatArray, NumberArray

MOST_POINTS = 2_000
CURVE_POINTS = 160
BINS = 12
PAD = 0.04


def scatter(measured: Measurement) -> Chart:
    """Return the pair's points (at most 2,000 of them) with the x -> y and the y -> x regression."""
    pair, fit = measured.pair, measured.fit
    x, y = pair.x.astype(np.float64), pair.y.astype(np.float64)
    train, test = (_thinned(rows, MOST_POINTS * rows.size // pair.rows) for rows in (fit.train, fit.test))
    along, up = _grid(x), _grid(y)
    forward = fit.scaling_y.centre + fit.scaling_y.scale * fit.forward.predict(fit.scaling_x.apply(along))
    backward = fit.scaling_x.centre + fit.scaling_x.scale * fit.backward.predict(fit.scaling_y.apply(up))
    names = plotly_text(pair.x_name), plotly_text(pair.y_name)
    traces = [
        _points(x[train], y[train], "training row", "circle-open"),
        _points(x[test], y[test], "test row", "circle"),
        line(along, forward, "fit x → y", TRUE, TRUE_DASH),
        line(backward, up, "fit y → x", PURPLE, CHANCE_DASH),
    ]
    axes = Axis(f"X: {names[0]}", *_span(x)), Axis(f"Y: {names[1]}", *_span(y))
    figure = framed(traces, f"{names[0]} and {names[1]} (true)", *axes, height=500)
    shown = np.concatenate([train, test])
    return Chart(
        "scatter",
        figure,
        f"Scatter of {pair.rows:,} rows of {pair.x_name} and {pair.y_name} ({shown.size:,} drawn) with a curve fitted "
        "from x to y and one from y to x. True values.",
        {"x": x[shown], "y": y[shown], "half": ["training"] * train.size + ["test"] * test.size},
    )


def residuals(measured: Measurement, direction: Direction) -> Chart:
    """Return the test half's residuals of one direction against the supposed cause."""
    pair = measured.pair
    forward = direction is Direction.X_TO_Y
    scored = measured.fit.x_to_y if forward else measured.fit.y_to_x
    cause_name = plotly_text(pair.x_name if forward else pair.y_name)
    arrow = "x → y" if forward else "y → x"
    cause = scored.cause.astype(np.float64)
    rows = _thinned(np.arange(cause.size), MOST_POINTS)
    middle, low, high = _middle_half(cause, scored.residual_scaled)
    traces = [
        _points(cause[rows], scored.residual_scaled[rows], "residual of a test row", "circle"),
        band(middle, low, high, "middle half", TRUE if forward else PURPLE),
        line(middle, low, "quartiles", *((TRUE, TRUE_DASH) if forward else (PURPLE, CHANCE_DASH))),
        line(middle, high, "quartiles", *((TRUE, TRUE_DASH) if forward else (PURPLE, CHANCE_DASH)), showlegend=False),
    ]
    axes = Axis(cause_name, *_span(cause)), Axis("residual (in its usual spread)", -5.0, 5.0)
    figure = framed(traces, f"If {arrow}: what the fit leaves (true)", *axes, height=320)
    return Chart(
        f"residuals_{'xy' if forward else 'yx'}",
        figure,
        f"Residuals of {arrow} against the supposed cause. Under the right arrow the cloud looks the same everywhere. "
        "True values.",
        {"cause": cause[rows], "residual": scored.residual_scaled[rows]},
    )


def _points(x: FloatArray, y: FloatArray, name: str, symbol: str) -> go.Scatter:
    style = {"color": CHANCE, "size": 5, "symbol": symbol, "opacity": 0.55}
    return go.Scatter(x=x.astype(np.float32), y=y.astype(np.float32), name=name, mode="markers", marker=style)


def _thinned(rows: NumberArray, most: int) -> NumberArray:
    """Return at most that many rows, spread evenly over their order."""
    return rows if rows.size <= most else rows[np.linspace(0, rows.size - 1, max(most, 1)).astype(int)]


def _grid(values: FloatArray) -> FloatArray:
    return np.linspace(values.min(), values.max(), CURVE_POINTS)


def _span(values: FloatArray) -> tuple[float, float]:
    """Return the data's range with a little room; a constant gets a unit of room."""
    low, high = float(values.min()), float(values.max())
    room = PAD * (high - low) or abs(low) or 1.0
    return low - room, high + room


def _middle_half(cause: FloatArray, residual: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the quartiles of the residual in slices of equally many rows, in the order of the cause."""
    order = np.argsort(cause, kind="stable")
    slices = np.array_split(order, min(BINS, max(1, cause.size // 8)))
    middle = np.array([np.median(cause[rows]) for rows in slices])
    low, high = (np.array([np.quantile(residual[rows], q) for rows in slices]) for q in (0.25, 0.75))
    return middle, low, high
