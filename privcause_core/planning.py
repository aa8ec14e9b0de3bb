"""What would it take? Certainty, epsilon and test rows for an *assumed* margin: any two give the third.

Nothing here sees data. Certainty is the probability that the private arrow is the true one; for the IQR score that
all four log-IQRs are released and their order is right.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from privcause_core import theory
from privcause_core.analysis import ScoreMeasurement, exact_iqr_shares
from privcause_core.mechanisms import IqrVerdict
from privcause_core.protection import planned_verdict
from privcause_core.scores import Score
from privcause_core.settings import EPSILON_MAX, EPSILON_MIN, MIN_TEST_ROWS, Settings


@dataclass(frozen=True, slots=True)
class Assumption:
    """What a plan takes for granted about data nobody has looked at.

    Parameters
    ----------
    margin : float > 0
        Difference of the two true scores.
    stability : float in [0, 1]
        IQR only: the share of the test rows that would have to be replaced before a log-IQR leaves its bin, in one
        of the two grids (the other is taken to be at its edge).
    """

    margin: float
    stability: float


def certainty(score: Score, m: int, settings: Settings, assumed: Assumption) -> float:
    """Return the probability that a verdict of m test rows under the settings gives the true arrow."""
    verdict = planned_verdict(score, m, settings)
    if isinstance(verdict, IqrVerdict):
        distances = [(max(1, int(assumed.stability * m)), 1)] * len(verdict.outputs)
        shares = theory.iqr_shares(
            assumed.margin, distances, verdict.epsilon_per_draw, verdict.delta_per_release, verdict.bin_width
        )
        return shares.right
    return 1.0 - float(theory.flip_probability(assumed.margin, verdict.noise_scale, verdict.kind))


def least_epsilon(score: Score, m: int, settings: Settings, assumed: Assumption, wanted: float) -> float | None:
    """Return the least total epsilon in the accepted range that reaches a certainty, or None."""

    def reached(epsilon: float) -> float:
        return certainty(score, m, settings.with_(epsilon=_accepted(epsilon)), assumed)

    found = theory.least_epsilon_by_bisection(reached, wanted)
    return None if found is None else _accepted(found)


def least_test_rows(score: Score, settings: Settings, assumed: Assumption, wanted: float) -> int | None:
    """Return the least number of test rows that reaches a certainty, or None beyond 10^12.

    More rows shrink the noise of the Laplace scores. The IQR's noise does not shrink; rows only make a refusal
    rarer, so its certainty has a ceiling.
    """
    return _least_whole(lambda m: certainty(score, m, settings, assumed) >= wanted, MIN_TEST_ROWS, theory.LARGEST_M)


def _accepted(epsilon: float) -> float:
    """Return epsilon without the rounding that exp(log(limit)) adds."""
    return min(max(epsilon, EPSILON_MIN), EPSILON_MAX)


def _least_whole(reached: Callable[[int], bool], low: int, high: int) -> int | None:
    if not reached(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle + 1, high)
    return low


def with_more_rows(true: ScoreMeasurement, m: int, factor: int, settings: Settings) -> float:
    """Return the probability of keeping a measured arrow if there were ``factor`` times as many test rows like these.

    The margin stays; so does, for the IQR, the share of rows that would have to change. Non-private.
    """
    verdict = planned_verdict(true.score, factor * m, settings)
    if isinstance(verdict, IqrVerdict):
        farther = tuple((factor * a, factor * b) for a, b in true.distances)
        return exact_iqr_shares(replace(true, distances=farther), verdict).right
    return 1.0 - float(theory.flip_probability(true.margin, verdict.noise_scale, verdict.kind))


def assumed_from(true: ScoreMeasurement, m: int) -> Assumption:
    """Return a measured pair's own margin and stability as an assumption: a non-private starting point for a plan."""
    weakest = min((max(two) for two in true.distances), default=0)
    return Assumption(abs(true.margin), weakest / m)
