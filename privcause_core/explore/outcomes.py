"""The first simulated private runs of a verdict, one by one, so that people can count them. Not private."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from privcause_core.explore.analysis import ScoreAnalysis
from privcause_core.explore.simulation import IqrDraws, LaplaceDraws
from privcause_core.pair import Direction
from privcause_core.settings import Settings
from privcause_core.verdicts.outcome import private_direction
from privcause_core.verdicts.propose_test_release import IqrVerdict

SHOWN_RUNS = 100


class Outcome(StrEnum):
    """How a private run compares with the noise-free arrow."""

    KEPT = "same arrow"
    FLIPPED = "flipped"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Run:
    """One simulated private run.

    ``scores`` are the two private scores (none where only the direction is released, or for the IQR); ``margin`` and
    ``arrow`` are None for a refusal. ``outcome`` is None while the true verdict is undecided and an arrow came out.
    """

    number: int
    scores: tuple[float, ...]
    margin: float | None
    arrow: Direction | None
    outcome: Outcome | None


def first_runs(one: ScoreAnalysis, settings: Settings, count: int = SHOWN_RUNS) -> tuple[Run, ...]:
    """Return the first runs of the very draws that the analysis counted."""
    verdict, true = one.verdict, one.true
    if isinstance(verdict, IqrVerdict):
        draws = IqrDraws.seeded(settings.draw_seed, settings.draws)
        margins, _ = draws.margins(true.log_iqrs, true.distances, verdict)
        return tuple(_run(k, (), margin, true.direction) for k, margin in enumerate(margins[:count].tolist(), 1))
    unit = LaplaceDraws.seeded(settings.draw_seed, settings.draws, verdict.kind)
    margins = true.margin + verdict.noise_scale * unit.noise[:count]
    scores = np.array([[true.score_xy], [true.score_yx]]) + verdict.noise_scale * unit.columns[:, :count]
    shown = scores.T.tolist() if len(verdict.outputs) > 1 else [()] * margins.size
    return tuple(
        _run(k, tuple(values), margin, true.direction)
        for k, (values, margin) in enumerate(zip(shown, margins.tolist(), strict=True), 1)
    )


def count(runs: tuple[Run, ...], outcome: Outcome) -> int:
    """Return how many runs ended so."""
    return sum(run.outcome is outcome for run in runs)


def _run(number: int, scores: tuple[float, ...], margin: float, truth: Direction) -> Run:
    if np.isnan(margin):
        return Run(number, (), None, None, Outcome.REFUSED)
    arrow = private_direction(margin)
    if truth is Direction.UNDECIDED:
        return Run(number, scores, margin, arrow, None)
    return Run(number, scores, margin, arrow, Outcome.KEPT if arrow is truth else Outcome.FLIPPED)
