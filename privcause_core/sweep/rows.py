"""The table of a sweep: one line for each pair, score, calibration, release and epsilon (all non-private)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from privcause_core.explore.analysis import ScoreMeasurement
from privcause_core.explore.correctness import epsilon_to_keep
from privcause_core.pair import Direction
from privcause_core.protection.choice import coverage
from privcause_core.settings import Calibration, ReleaseKind, Settings
from privcause_core.sweep.grid import SweepGrid
from privcause_core.sweep.measured import MeasuredPair
from privcause_core.verdicts.mechanisms import Verdict

CERTAINTY = 0.95


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One verdict of one pair.

    Attributes
    ----------
    pair, truth, weight, n_train, n_test
        Of the pair; truth is its known arrow, if any.
    score, epsilon, calibration, release
        The settings; epsilon is the total of the verdict.
    direction, margin
        The true (non-private) arrow and s_YX - s_XY.
    probability_flip : float
        Share of all runs whose private arrow differs from the true one; 1/2 where that is undecided.
    probability_right : float, optional
        Share of all runs whose private arrow is the known one; None where no arrow is known. An undecided pair
        counts half of the runs that give an arrow.
    probability_refused : float
        Share of all runs without an arrow (IQR only, else 0).
    epsilon_for_95 : float, optional
        Least total epsilon at which the private arrow is the true one with probability 0.95, if there is one.
    """

    pair: str
    truth: Direction | None
    weight: float
    n_train: int
    n_test: int
    score: str
    epsilon: float
    calibration: Calibration
    release: ReleaseKind
    direction: Direction
    margin: float
    probability_flip: float
    probability_right: float | None
    probability_refused: float
    epsilon_for_95: float | None


def judge_pair(measured: MeasuredPair, settings: Settings, grid: SweepGrid) -> tuple[SweepRow, ...]:
    """Return a pair's rows: what every setting of the grid makes of its true scores; none if it failed.

    Parameters
    ----------
    settings : Settings
        Delta, bin width and who is protected; the grid says the rest.
    """
    if measured.reason:
        return ()
    ways = tuple(product(grid.calibrations, grid.releases))
    if coverage(settings).votes:
        ways = ((Calibration.REFINED, ReleaseKind.DIRECTION),)  # a vote publishes one noisy margin
    return tuple(
        row
        for score, (calibration, release) in product(grid.scores, ways)
        for row in _rows(
            measured, measured.of(score), settings.with_(calibration=calibration, release=release), grid.epsilons
        )
    )


@dataclass(frozen=True, slots=True)
class _Shares:
    """Shares of all runs: the private arrow is the true one, is the other, or is refused."""

    kept: float
    flipped: float
    refused: float

    def right(self, truth: Direction | None, direction: Direction) -> float | None:
        if truth in (None, Direction.UNDECIDED):
            return None
        if direction is Direction.UNDECIDED:
            return 0.5 * (1.0 - self.refused)
        return self.kept if direction is truth else self.flipped


def _rows(
    measured: MeasuredPair, true: ScoreMeasurement, settings: Settings, epsilons: tuple[float, ...]
) -> Iterator[SweepRow]:
    verdict = coverage(settings).verdict(true.score, measured.n_train, measured.n_test)
    needed = _epsilon_needed(true, verdict)
    for epsilon in epsilons:
        shares = _shares(true, replace(verdict, epsilon=epsilon))
        yield SweepRow(
            measured.pair, measured.truth, measured.weight, measured.n_train, measured.n_test,
            true.score.name, epsilon, settings.calibration, settings.release, true.direction, true.margin,
            0.5 if true.direction is Direction.UNDECIDED else shares.flipped,
            shares.right(measured.truth, true.direction), shares.refused, needed,
        )  # fmt: skip


def _shares(true: ScoreMeasurement, verdict: Verdict) -> _Shares:
    exact = verdict.shares(abs(true.margin), true.distances)
    return _Shares(exact.right, exact.wrong, exact.partly_refused + exact.refused)


def _epsilon_needed(true: ScoreMeasurement, verdict: Verdict) -> float | None:
    if true.direction is Direction.UNDECIDED:
        return None
    return epsilon_to_keep(verdict, true.margin, true.distances, CERTAINTY)
