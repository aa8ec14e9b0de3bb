"""Correctness curves: the probability of the right arrow over margin, epsilon or test rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from privcause_core.figures.chart import (
    CHANCE,
    CHANCE_DASH,
    PURPLE,
    THEORY,
    TRUE,
    Axis,
    Chart,
    framed,
    line,
    marker,
    percent,
)
from privcause_core.pair import FloatArray
from privcause_core.settings import Calibration, ReleaseKind

COLORS = {ReleaseKind.TWO_SCORES: THEORY, ReleaseKind.DIRECTION: PURPLE}
DASHES = {Calibration.REFINED: "dot", Calibration.PAPER: "longdash"}
NAMES = {
    ReleaseKind.TWO_SCORES: "two scores",
    ReleaseKind.DIRECTION: "direction only",
    Calibration.REFINED: "refined",
    Calibration.PAPER: "paper",
}


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """One curve: its release (None for the IQR) and calibration, and P(correct) at every abscissa."""

    release: ReleaseKind | None
    calibration: Calibration
    certainty: FloatArray

    @property
    def name(self) -> str:
        """Return what the legend says."""
        return f"{NAMES[self.release]}, {NAMES[self.calibration]}" if self.release else NAMES[self.calibration]


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a curve is right now: abscissa, certainty and what it stands for."""

    at: float
    certainty: float
    name: str


def correctness(name: str, title: str, x_axis: Axis, x: FloatArray, curves: Sequence[Curve], mark: Mark) -> Chart:
    """Return P(right arrow) over one quantity, with the loaded pair marked."""
    traces = [
        line(x, one.certainty, one.name, COLORS[one.release] if one.release else THEORY, DASHES[one.calibration])
        for one in curves
    ]
    traces.append(line([x[0], x[-1]], [0.5, 0.5], "coin flip", CHANCE, CHANCE_DASH))
    traces.append(marker(mark.at, mark.certainty, mark.name, TRUE, "diamond"))
    figure = framed(traces, title, x_axis, Axis("probability of the right arrow", 0.0, 1.02, percent=True), height=380)
    here = f" The loaded pair stands at {percent(mark.certainty)}."
    table: dict[str, FloatArray] = {x_axis.title: x} | {one.name: one.certainty for one in curves}
    return Chart(name, figure, f"{title}.{here}", table)
