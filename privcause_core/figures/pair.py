"""One pair: its points with both fitted curves, and the residuals of each direction. All true values."""

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from privcause_core.explore.analysis import Measurement
from privcause_core.figures.chart import (
    CHANCE,
    CHANCE_DASH,
    PURPLE,
    TRUE,
    TRUE_DASH,
    Axis,
    Chart,
    band,
    edge_notes,
    framed,
    line,
    plotly_text,
)
from privcause_core.fits.scaling import Scaling
from privcause_core.pair import Direction, FloatArray, NumberArray
from privcause_core.text.names import isolated

MOST_POINTS = 2_000
CURVE_POINTS = 160
BINS = 12
RESIDUAL_REACH = 5.0  # usual spreads
PAD = 0.04
HUGE, HUGE_UNIT = 1e300, 1e10  # browsers compute with doubles too


def scatter(measured: Measurement) -> Chart:
    """Return the pair's points (at most 2,000 of them) with the x -> y and the y -> x regression."""
    pair, fit = measured.pair, measured.fit
    x, y = _drawn(pair.x), _drawn(pair.y)
    train, test = (_thinned(rows, MOST_POINTS * rows.size // pair.rows) for rows in (fit.train, fit.test))
    along, up = _grid(x.values), _grid(y.values)
    scaling_x, scaling_y = x.scaled(fit.scaling_x), y.scaled(fit.scaling_y)
    forward = _unscaled(scaling_y, fit.forward.predict(scaling_x.apply(along)))
    backward = _unscaled(scaling_x, fit.backward.predict(scaling_y.apply(up)))
    names = plotly_text(pair.x_name), plotly_text(pair.y_name)
    traces = [
        _points(x.values[train], y.values[train], "training row", "circle-open"),
        _points(x.values[test], y.values[test], "test row", "circle"),
        line(along, forward, "fit x → y", TRUE, TRUE_DASH),
        line(backward, up, "fit y → x", PURPLE, CHANCE_DASH),
    ]
    axes = x.axis(f"X: {names[0]}"), y.axis(f"Y: {names[1]}")
    figure = framed(traces, f"{names[0]} and {names[1]} (true)", *axes, height=500)
    shown = np.concatenate([train, test])
    return Chart(
        "scatter",
        figure,
        f"Scatter of {pair.rows:,} rows of {isolated(pair.x_name)} and {isolated(pair.y_name)} ({shown.size:,} drawn) "
        "with a curve fitted from x to y and one from y to x. True values.",
        {"x": x.true(shown), "y": y.true(shown), "half": ["training"] * train.size + ["test"] * test.size},
    )


def residuals(measured: Measurement, direction: Direction) -> Chart:
    """Return the test half's residuals of one direction against the supposed cause."""
    pair = measured.pair
    forward = direction is Direction.X_TO_Y
    scored = measured.fit.scored.x_to_y if forward else measured.fit.scored.y_to_x
    cause_name = plotly_text(pair.x_name if forward else pair.y_name)
    arrow = "x → y" if forward else "y → x"
    cause = _drawn(scored.cause)
    rows = _thinned(np.arange(scored.cause.size), MOST_POINTS)
    middle, low, high = _middle_half(cause.values, scored.residual_scaled)
    drawn = scored.residual_scaled[rows]
    traces = [
        _points(
            cause.values[rows], np.clip(drawn, -RESIDUAL_REACH, RESIDUAL_REACH), "residual of a test row", "circle"
        ),
        band(middle, low, high, "middle half", TRUE if forward else PURPLE),
        line(middle, low, "quartiles", *((TRUE, TRUE_DASH) if forward else (PURPLE, CHANCE_DASH))),
        line(middle, high, "quartiles", *((TRUE, TRUE_DASH) if forward else (PURPLE, CHANCE_DASH)), showlegend=False),
    ]
    axes = cause.axis(cause_name), Axis("residual (usual spreads)", -RESIDUAL_REACH, RESIDUAL_REACH)
    figure = framed(traces, f"If {arrow}: what the fit leaves (true)", *axes, height=320)
    edge_notes(figure, int(np.sum(drawn < -RESIDUAL_REACH)), int(np.sum(drawn > RESIDUAL_REACH)), "row", along=False)
    return Chart(
        f"residuals_{'xy' if forward else 'yx'}",
        figure,
        f"Residuals of {arrow} against the supposed cause. Under the right arrow the cloud looks the same everywhere. "
        "True values.",
        {"cause": cause.true(rows), "residual": drawn},
    )


def _points(x: FloatArray, y: FloatArray, name: str, symbol: str) -> go.Scatter:
    style = {"color": CHANCE, "size": 5, "symbol": symbol, "opacity": 0.55}
    return go.Scatter(x=x, y=y, name=name, mode="markers", marker=style)


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """A column, and its values in the unit in which they are drawn."""

    column: NumberArray
    values: FloatArray
    unit: float

    def true(self, rows: NumberArray) -> FloatArray:
        """Return the column's own values in some rows."""
        return self.column[rows].astype(np.float64)

    def scaled(self, scaling: Scaling) -> Scaling:
        """Return the map of the column as drawn onto the scaled axis."""
        return Scaling(scaling.centre / self.unit, scaling.scale / self.unit)

    def axis(self, title: str) -> Axis:
        """Return an axis over the data's range with a little room; a constant gets a unit of room."""
        low, high = float(self.values.min()), float(self.values.max())
        room = PAD * (high - low) or abs(low) or 1.0
        return Axis(title if self.unit == 1.0 else f"{title} (in units of {self.unit:g})", low - room, high + room)


def _drawn(column: NumberArray) -> _Drawn:
    """Return a column as drawn: in larger units where the width of its range could exceed every double."""
    doubles = column.astype(np.float64)
    unit = HUGE_UNIT if np.abs(doubles).max() > HUGE else 1.0
    return _Drawn(column, doubles / unit, unit)


def _thinned(rows: NumberArray, most: int) -> NumberArray:
    """Return at most that many rows, spread evenly over their order."""
    return rows if rows.size <= most else rows[np.linspace(0, rows.size - 1, max(most, 1)).astype(int)]


def _unscaled(scaling: Scaling, fitted: FloatArray) -> FloatArray:
    """Return fitted values in the units drawn; what lies beyond every picture stays finite."""
    with np.errstate(over="ignore"):
        return np.clip(scaling.centre + scaling.scale * fitted, -HUGE, HUGE)


def _grid(values: FloatArray) -> FloatArray:
    return np.linspace(values.min(), values.max(), CURVE_POINTS)


def _middle_half(cause: FloatArray, residual: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the quartiles of the residual in slices of equally many rows, in the order of the cause."""
    order = np.argsort(cause, kind="stable")
    slices = np.array_split(order, min(BINS, max(1, cause.size // 8)))
    middle = np.array([np.median(cause[rows]) for rows in slices])
    low, high = (np.array([np.quantile(residual[rows], q) for rows in slices]) for q in (0.25, 0.75))
    return middle, low, high
