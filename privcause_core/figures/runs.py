"""A hundred simulated private runs: to count (a grid) and to see why (their margins)."""

from collections.abc import Sequence

import plotly.graph_objects as go

from privcause_core.explore.outcomes import Outcome, Run
from privcause_core.figures.chart import CHANCE, PRIVATE, TRUE, Axis, Chart, edge_notes, framed, upright
from privcause_core.pair import Direction
from privcause_core.settings import Settings

COLUMNS = 20
DOT = 11  # pixels: twenty side by side stay apart in half a page and on a phone
ARROWS = {Direction.X_TO_Y: "x → y", Direction.Y_TO_X: "y → x", None: "refused"}
SYMBOLS = {Direction.X_TO_Y: "circle", Direction.Y_TO_X: "diamond", None: "circle-open"}
NO_POINT = (None,)  # a trace without any value would have no legend
COLORS = {Direction.X_TO_Y: TRUE, Direction.Y_TO_X: PRIVATE, None: CHANCE}


def run_grid(runs: Sequence[Run], truth: Direction) -> Chart:
    """Return the runs as countable dots, coloured and shaped by the arrow that each one printed, flips first.

    The legend has both arrows even where no run printed one, and says which of them is the noise-free one; with an
    undecided ``truth`` nothing tells.
    """
    ordered = sorted(runs, key=lambda run: (_rank(run.arrow, truth), run.number))
    place = {run.number: (k % COLUMNS, -(k // COLUMNS)) for k, run in enumerate(ordered)}
    traces = [
        _dots(
            [place[run.number][0] for run in group],
            [place[run.number][1] for run in group],
            f"{ARROWS[arrow]}: {len(group)}{_against(arrow, truth)}",
            arrow,
            [f"run {run.number}: {ARROWS[arrow]}" for run in group],
            DOT,
        )
        for arrow, group in _groups(ordered)
    ]
    lines = -(-len(runs) // COLUMNS)
    axes = (
        Axis("one dot is one simulated private run", -0.7, COLUMNS - 0.3, bare=True),
        Axis("", -lines + 0.3, 0.7, bare=True),
    )
    title = f"{len(runs)} private runs, by arrow"
    figure = framed(traces, title, *axes, height=260)
    counts = ", ".join(f"{len(group)} {ARROWS[arrow]}" for arrow, group in _groups(ordered))
    return Chart("runs", figure, f"Of {len(runs)} simulated private runs: {counts}.", _table(runs, truth))


def run_margins(runs: Sequence[Run], true_margin: float, reach: float) -> Chart:
    """Return every run's private margin: right of zero means x -> y.

    ``reach`` is how far the axis goes on both sides; it must not depend on epsilon. Runs beyond are drawn at the edge.
    """
    traces = [
        _dots(
            [min(max(run.margin or 0.0, -reach), reach) for run in group],
            [run.number for run in group],
            ARROWS[arrow],
            arrow,
            [f"run {run.number}: {run.margin:.4g}" for run in group],
            7,
        )
        for arrow, group in _groups(runs)
        if arrow is not None
    ]
    axis = Axis("◂ y → x      ε private margin      x → y ▸", -reach * 1.05, reach * 1.05)
    y_axis = Axis("run", -3.0, len(runs) + 18.0)
    title = "Why: noise moves the margin"
    figure = framed(traces, title, axis, y_axis, height=270, legend=False)
    upright(figure, 0.0, CHANCE, "dash")
    upright(figure, true_margin, TRUE, "solid", f"true margin {true_margin:.3g}")
    left, right = (sum(run.margin is not None and side * run.margin > reach for run in runs) for side in (-1, 1))
    edge_notes(figure, left, right, "run")
    alt = f"Private margins of {len(runs)} runs around the true margin {true_margin:.3g}; left of zero means y → x."
    return Chart(
        "margins", figure, alt + (f" {left + right} lie beyond the axis." if left + right else ""), _table(runs)
    )


def outcome_sentence(runs: Sequence[Run]) -> str:
    """Return "37 of 100 private runs flip the arrow", with the refusals where there are any."""
    flipped = sum(run.outcome is Outcome.FLIPPED for run in runs)
    refused = sum(run.outcome is Outcome.REFUSED for run in runs)
    said = f"{flipped} of {len(runs)} private runs flip the arrow"
    return f"{said}, {refused} refuse to answer" if refused else said


def reach_of(true_margin: float, scale_at_one: float) -> float:
    """Return how far the margins' axis goes: wide enough for the margin and for the noise at epsilon 1."""
    return max(2.2 * abs(true_margin), 6.0 * scale_at_one)


def _rank(arrow: Direction | None, truth: Direction) -> int:
    if truth is Direction.UNDECIDED:
        return list(ARROWS).index(arrow)
    return 1 if arrow is None else 2 if arrow is truth else 0


def _against(arrow: Direction | None, truth: Direction) -> str:
    if arrow is None or truth is Direction.UNDECIDED:
        return ""
    return ", the noise-free arrow" if arrow is truth else ", flipped"


def _groups(runs: Sequence[Run]) -> list[tuple[Direction | None, list[Run]]]:
    """Return the runs by their arrow; both arrows always, refusals only where there are some."""
    found = [(arrow, [run for run in runs if run.arrow is arrow]) for arrow in ARROWS]
    return [(arrow, group) for arrow, group in found if group or arrow is not None]


def _dots(
    x: Sequence[float], y: Sequence[float], name: str, arrow: Direction | None, texts: Sequence[str], size: int
) -> go.Scatter:
    color = COLORS[arrow]
    style = {"color": color, "symbol": SYMBOLS[arrow], "size": size, "line": {"color": color, "width": 2}}
    return go.Scatter(
        x=x or NO_POINT,
        y=y or NO_POINT,
        name=name,
        mode="markers",
        marker=style,
        text=texts,
        hovertemplate="%{text}<extra></extra>",
    )


def _table(runs: Sequence[Run], truth: Direction | None = None) -> dict[str, list[object]]:
    columns: dict[str, list[object]] = {"run": [run.number for run in runs]}
    if any(run.scores for run in runs):
        columns["ε private score x → y"] = [run.scores[0] for run in runs]
        columns["ε private score y → x"] = [run.scores[1] for run in runs]
    columns["ε private margin"] = [run.margin for run in runs]
    columns["ε private arrow"] = [ARROWS[run.arrow] for run in runs]
    if truth is not Direction.UNDECIDED:
        columns["outcome"] = [str(run.outcome) if run.outcome else "no noise-free arrow" for run in runs]
    return columns


def settings_note(settings: Settings) -> str:
    """Return which draws these are, so that anyone can repeat them."""
    return f"The first {min(100, settings.draws)} of {settings.draws:,} simulated draws, seed {settings.draw_seed}."
