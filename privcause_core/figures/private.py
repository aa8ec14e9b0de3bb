"""A released margin with its interval, from private outputs and the known noise alone."""

import plotly.graph_objects as go

from privcause_core.figures.chart import CHANCE, PRIVATE, Axis, Chart, framed, upright


def private_margin(title: str, margin: float, low: float, high: float, confidence: float) -> Chart:
    """Return the private margin of one verdict and its interval; right of zero means x -> y.

    The axis is symmetric and set by the interval, itself a private output.
    """
    reach = 1.15 * max(abs(low), abs(high))
    errors = {"type": "data", "symmetric": False, "array": [high - margin], "arrayminus": [margin - low],
              "color": PRIVATE, "thickness": 3, "width": 9}  # fmt: skip
    style = {"color": PRIVATE, "symbol": "diamond", "size": 14}
    name = f"private margin, {confidence:.0%} interval (ε)"
    point = go.Scatter(x=[margin], y=[0.0], error_x=errors, name=name, mode="markers", marker=style, showlegend=True)
    axis = Axis("y → x is left of zero, x → y is right of it (ε)", -reach, reach)
    figure = framed([point], f"{title}: the released margin", axis, Axis("", -1.0, 1.0), height=210)
    figure.update_yaxes(showticklabels=False, showgrid=False, fixedrange=True)
    upright(figure, 0.0, CHANCE, "solid")
    side = "does not include" if low > 0.0 or high < 0.0 else "includes"
    alt = f"Private margin {margin:.4g}, {confidence:.0%} interval {low:.4g} to {high:.4g}, which {side} zero."
    table = {"ε private margin": [margin], "low": [low], "high": [high]}
    return Chart(f"private_margin_{title.lower().replace(' ', '_')}", figure, alt, table)
