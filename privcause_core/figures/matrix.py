"""A matrix of arrows between a table's columns.

Two doubts, two channels: a pale arrow could be turned by other rows, a hollow one by another draw of the noise.
"""

from collections.abc import Sequence

import plotly.graph_objects as go

from privcause_core.figures.chart import (
    CHANCE,
    GRID,
    PRIVATE,
    TRUE,
    Axis,
    Chart,
    framed,
    percent,
    plotly_text,
    translucent,
)
from privcause_core.pair import Direction
from privcause_core.sweep.whole_table import SURE, TableArrow
from privcause_core.text.names import visible

LABEL, LABEL_OF_MANY, MANY = 16, 10, 10  # letters of a name, fewer where there are many columns
PALE_ARROW = 0.55
CELL, AROUND, SMALLEST = 27, 190, 330  # pixels: a row of cells, what stands around them, the least height
NO_POINT = (None,)
KEY = (
    ("triangle-right", TRUE, 1.0, "row drives column"),
    ("triangle-left", PRIVATE, 1.0, "column drives row"),
    ("triangle-right-open", TRUE, 1.0, f"hollow: noise turns more than {percent(1.0 - SURE)}"),
    ("triangle-right", TRUE, PALE_ARROW, "pale: no arrow to tell"),
    ("circle", CHANCE, PALE_ARROW, "columns look unrelated"),
)


def arrow_matrix(labels: Sequence[tuple[int, str]], arrows: Sequence[TableArrow], epsilon: float) -> Chart:
    """Return the matrix of what was measured; what was not is an empty cell.

    Parameters
    ----------
    labels : sequence of (position, label)
        The chosen columns, in the order of rows and columns of the matrix.
    arrows : sequence of TableArrow
    epsilon : float
        Of one verdict.
    """
    place = {position: k for k, (position, _) in enumerate(labels)}
    styles: dict[tuple[str, str, float], list[tuple[int, int, str]]] = {}
    for arrow in arrows:
        for row, column in ((arrow.x, arrow.y), (arrow.y, arrow.x)):
            point = (place[column], place[row], _said(arrow))
            styles.setdefault(_style(arrow, drives=_cause(arrow) == row), []).append(point)
    size = max(5, min(14, 150 // len(labels)))
    traces = [_cells(style, points, size) for style, points in styles.items()]
    traces += [
        go.Scatter(x=NO_POINT, y=NO_POINT, name=name, mode="markers", marker=_marker(symbol, color, opacity, 11))
        for symbol, color, opacity, name in KEY
    ]
    last = len(labels) - 0.5
    title = f"{len(arrows)} pairs of columns at ε = {epsilon:g} each"
    height = max(SMALLEST, AROUND + CELL * len(labels))
    figure = framed(traces, title, Axis("", -0.5, last), Axis("", last, -0.5), height=height)
    ticks = list(range(len(labels)))
    numbers = [str(k + 1) for k in ticks]
    most = LABEL_OF_MANY if len(labels) > MANY else LABEL
    names = [f"{plotly_text(_shortened(label, most))} {k}" for (_, label), k in zip(labels, numbers, strict=True)]
    grid = {"showgrid": False, "zeroline": False, "fixedrange": True, "tickmode": "array", "tickvals": ticks}
    figure.update_layout(
        xaxis=grid | {"ticktext": numbers, "side": "top"},
        yaxis=grid | {"ticktext": names},
        shapes=[_line(at, last, upright) for at in range(len(labels) + 1) for upright in (True, False)],
    )
    return Chart("table", figure, _alt(arrows, epsilon), _table(arrows))


def doubt_columns(arrows: Sequence[TableArrow]) -> dict[str, list[float | None]]:
    """Return the doubts as columns of a table, shares in [0, 1]; None where there is no arrow."""
    return {
        "both doubts": [arrow.both for arrow in arrows],
        "privacy (ε)": [arrow.privacy for arrow in arrows],
        "sampling": [arrow.sampling for arrow in arrows],
    }


def _shortened(label: str, most: int) -> str:
    """Return a label with its middle left out beyond ``most`` letters: names often differ at their ends."""
    flat, end = visible(label), most // 3
    return flat if len(flat) <= most else f"{flat[: most - end - 1]}…{flat[-end:]}"


def _cause(arrow: TableArrow) -> int | None:
    return {Direction.X_TO_Y: arrow.x, Direction.Y_TO_X: arrow.y}.get(arrow.direction)


def _style(arrow: TableArrow, *, drives: bool) -> tuple[str, str, float]:
    if arrow.unrelated or arrow.privacy is None:
        return "circle", CHANCE, PALE_ARROW
    shape, color = ("triangle-right", TRUE) if drives else ("triangle-left", PRIVATE)
    return shape if arrow.privacy >= SURE else f"{shape}-open", color, PALE_ARROW if arrow.reason else 1.0


def _cells(style: tuple[str, str, float], points: Sequence[tuple[int, int, str]], size: int) -> go.Scatter:
    x, y, said = zip(*points, strict=True)
    return go.Scatter(
        x=x, y=y, text=said, mode="markers", marker=_marker(*style, size), showlegend=False, name="pairs",
        hovertemplate="%{text}<extra></extra>",
    )  # fmt: skip


def _marker(symbol: str, color: str, opacity: float, size: int) -> dict[str, object]:
    shown, share = translucent(color, opacity), 0.4 if symbol == "circle" else 0.8 if opacity < 1.0 else 1.0
    line = {"color": shown, "width": 1.5}
    return {"symbol": symbol, "color": shown, "size": round(share * size), "line": line}


def _line(at: int, last: float, upright: bool) -> dict[str, object]:
    ends = {"x0": at - 0.5, "x1": at - 0.5, "y0": -0.5, "y1": last}
    if not upright:
        ends = {"x0": -0.5, "x1": last, "y0": at - 0.5, "y1": at - 0.5}
    return {"type": "line", "layer": "below", "line": {"color": GRID, "width": 1}, **ends}


def _said(arrow: TableArrow) -> str:
    doubts = {"privacy": arrow.privacy, "sampling": arrow.sampling, "both": arrow.both}
    told = [f"{name} {percent(share)}" for name, share in doubts.items() if share is not None]
    why = [f"no arrow to tell: {plotly_text(arrow.reason, 200)}"] if arrow.reason else []
    return "<br>".join([arrow.named(plotly_text), *told, *why])


def _alt(arrows: Sequence[TableArrow], epsilon: float) -> str:
    told = [arrow for arrow in arrows if not arrow.reason]
    kept = sum(arrow.privacy is not None and arrow.privacy >= SURE for arrow in told)
    unrelated = sum(arrow.unrelated for arrow in arrows)
    return (
        f"Matrix of arrows between columns: {len(told)} of {len(arrows)} pairs tell an arrow, and {kept} of these "
        f"survive noise at epsilon {epsilon:g} in at least {SURE:.0%} of runs; {unrelated} pairs look unrelated."
    )


def _table(arrows: Sequence[TableArrow]) -> dict[str, Sequence[object]]:
    return {
        "pair and noise-free arrow": [arrow.words for arrow in arrows],
        **doubt_columns(arrows),
        "no arrow to tell because": [arrow.reason or None for arrow in arrows],
        "ε for 95 %": [arrow.epsilon_for_95 for arrow in arrows],
        "related, p": [arrow.columns_related_p for arrow in arrows],
    }
