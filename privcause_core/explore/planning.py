"""What would it take? Certainty, epsilon and a size for an *assumed* margin: any two give the third.

The size is the number of test rows, or of voting blocks where blocks protect every row. Certainty is the probability
that the private arrow is the true one; for the IQR score that all four log-IQRs are released and their order is right.
Plans see no data; what is said to be non-private starts from a measured pair.
"""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace

from privcause_core.errors import DataError
from privcause_core.explore.analysis import ScoreMeasurement
from privcause_core.explore.block_planning import least_blocks, vote_certainty
from privcause_core.explore.correctness import least_epsilon_by_bisection
from privcause_core.fits.halves import split_sizes
from privcause_core.pair import Direction
from privcause_core.protection.choice import coverage
from privcause_core.scores import Score
from privcause_core.settings import BLOCKS_MAX, BLOCKS_MIN, EPSILON_MAX, EPSILON_MIN, MIN_TEST_ROWS, Settings
from privcause_core.verdicts.propose_test_release import IqrVerdict

ROWS_MAX = 10**12


@dataclass(frozen=True, slots=True)
class Assumption:
    """What a plan takes for granted about data nobody has looked at.

    Parameters
    ----------
    margin : float > 0
        Difference of the two true scores.
    stability : float in [0, 1]
        IQR only: the rows that would have to be replaced before a log-IQR leaves its bin, as a share of the test
        rows, in one of the two grids (the other is taken to be at its edge); never more than is possible.
    agreement : float in [0, 1]
        Voting blocks only: the probability that a block votes for the right arrow.
    """

    margin: float
    stability: float
    agreement: float


def certainty(score: Score, size: int, settings: Settings, assumed: Assumption) -> float:
    """Return the probability that a verdict of that size under the settings gives the right arrow."""
    if coverage(settings).votes:
        return vote_certainty(size, assumed.agreement, settings.epsilon)
    verdict = coverage(settings).planned_verdict(score, size)
    wished = max(1, int(assumed.stability * size))
    parts = verdict.parts if isinstance(verdict, IqrVerdict) else ()
    distances = [(min(wished, part.largest_distance(size)), 1) for part in parts]  # the other grid is at its edge
    return verdict.shares(assumed.margin, distances).right


def least_epsilon(score: Score, size: int, settings: Settings, assumed: Assumption, wanted: float) -> float | None:
    """Return the least total epsilon in the accepted range that reaches a certainty, or None."""

    def reached(epsilon: float) -> float:
        return certainty(score, size, settings.with_(epsilon=_accepted(epsilon)), assumed)

    found = least_epsilon_by_bisection(reached, wanted)
    return None if found is None else _accepted(found)


def least_size(score: Score, settings: Settings, assumed: Assumption, wanted: float) -> int | None:
    """Return the least number of test rows (None beyond 10^12) or of blocks (beyond 10,000) that reaches a certainty.

    More rows shrink the noise of the Laplace scores. The IQR's noise does not shrink; rows only make a refusal
    rarer, so its certainty has a ceiling. More blocks outvote the noise.
    """
    if coverage(settings).votes:
        return least_blocks(assumed.agreement, wanted, settings.epsilon)
    sizes = range(MIN_TEST_ROWS, ROWS_MAX + 1)
    return _first(sizes, lambda m: certainty(score, m, settings, assumed) >= wanted)


def kept_with(true: ScoreMeasurement, rows: int, instead: int, settings: Settings) -> float:
    """Return the probability of keeping a measured arrow with other ``instead`` rows, like those, for ``rows``.

    The margin stays; for the IQR the share of rows that would have to change, too. By blocks, blocks keep their size
    and their shares of the votes. Non-private: computed from true scores.

    Raises
    ------
    DataError
        If so few rows cannot be split, or fill no two blocks.
    """
    if coverage(settings).votes:
        blocks = blocks_of(rows, instead, settings)
        if blocks < BLOCKS_MIN:
            raise DataError(f"Expected rows for at least {BLOCKS_MIN} blocks, got {instead}.")
        true = replace(true, margin=true.margin * blocks / settings.blocks)
    verdict = coverage(settings).verdict(true.score, *split_sizes(instead, settings.test_share))
    farther = [(max(1, a * instead // rows), max(1, b * instead // rows)) for a, b in true.distances]
    return verdict.shares(abs(true.margin), farther).right


def blocks_of(rows: int, instead: int, settings: Settings) -> int:
    """Return into how many blocks other ``instead`` rows are dealt if blocks keep the size that ``rows`` give them."""
    return min(settings.blocks * instead // rows, BLOCKS_MAX)


def least_rows(true: ScoreMeasurement, rows: int, settings: Settings, wanted: float) -> int | None:
    """Return the least number of rows like the measured ones that keeps the arrow with a probability, or None.

    None beyond 10^12 rows, where a ceiling of the IQR or 10,000 blocks stays below it, and for an undecided arrow.
    Non-private.
    """

    def reached(instead: int) -> bool:
        try:
            return kept_with(true, rows, instead, settings) >= wanted
        except DataError:
            return False  # too few rows to split

    return None if true.direction is Direction.UNDECIDED else _first(range(1, ROWS_MAX + 1), reached)


def assumed_from(true: ScoreMeasurement, m: int, settings: Settings) -> Assumption:
    """Return a measured pair's own values as an assumption: a non-private starting point for a plan."""
    weakest = min((max(two) for two in true.distances), default=0)
    by_blocks = coverage(settings).votes
    agreement = 0.5 + abs(true.margin) / (2.0 * settings.blocks) if by_blocks else 0.0  # a tied block counts half
    return Assumption(abs(true.margin), weakest / m, agreement)


def _accepted(epsilon: float) -> float:
    """Return epsilon without the rounding that exp(log(limit)) adds."""
    return min(max(epsilon, EPSILON_MIN), EPSILON_MAX)


def _first(sizes: range, reached: Callable[[int], bool]) -> int | None:
    """Return the least size that reaches what all larger ones reach too, or None."""
    found = bisect_left(sizes, True, key=reached)
    return sizes[found] if found < len(sizes) else None
