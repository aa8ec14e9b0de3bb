"""Protecting every row by subsample-and-aggregate: disjoint blocks of rows vote, and the votes are counted with noise.

The rows are dealt into blocks by a seeded permutation, whatever their values; each block fits, scores and votes on its
own, without noise. Replacing one record changes one block, hence one vote, so the number of votes against either arrow
moves by at most 1 (sample and aggregate: Nissim, Raskhodnikova and Smith, 2007).
"""

import math
from bisect import bisect_left
from dataclasses import dataclass
from itertools import count

import numpy as np
from scipy.stats import binom

from privcause_core.errors import DataError
from privcause_core.fits.anm import cross_fit
from privcause_core.fits.halves import Deal, RowNumbers, SeededDeal, split_sizes
from privcause_core.pair import Pair
from privcause_core.scores import Score
from privcause_core.settings import BLOCKS_MAX, BLOCKS_MIN, MIN_TEST_ROWS, Settings
from privcause_core.verdicts.mechanisms import DirectionLaplace
from privcause_core.verdicts.theory import correct, flip_direction

VOTE_SENSITIVITY = 1.0
NOISE_TO_OUTVOTE = 5.0  # unanimous blocks over the noise scale: the noise then flips exp(-5)/2 = 0.3 % of arrows
ROWS_TO_JUDGE = 100  # fewer rows a block, and its own arrow is little better than a coin (docs/joint-protection.md)


@dataclass(frozen=True, slots=True)
class Votes:
    """Non-private votes of the blocks; a block whose two scores tie votes for neither arrow."""

    for_xy: int
    for_yx: int

    @property
    def against(self) -> tuple[float, float]:
        """Return the votes against x -> y and against y -> x; as with scores, the smaller count wins."""
        return float(self.for_yx), float(self.for_xy)


def block_verdict(settings: Settings) -> DirectionLaplace:
    """Return the mechanism: (votes for x -> y) - (votes for y -> x) + Lap(2/epsilon), (epsilon, 0)-DP for every row."""
    return DirectionLaplace(VOTE_SENSITIVITY, settings.epsilon)


def block_sizes(rows: int, settings: Settings) -> tuple[int, int]:
    """Return the sizes of both halves of the smallest block.

    Raises
    ------
    DataError
        If the rows are too few for so many blocks; judged by the number of rows alone.
    """
    try:
        return split_sizes(rows // settings.blocks, settings.test_share)
    except DataError:
        least = next(size for size in count(2 * MIN_TEST_ROWS) if _splits(size, settings.test_share))
    most = rows // least
    advice = f"use at most {most} blocks" if most >= BLOCKS_MIN else f"bring at least {BLOCKS_MIN * least} rows"
    raise DataError(
        f"Expected at least {least} rows in each block, to train and to score, got {rows} complete rows for "
        f"{settings.blocks} blocks; {advice}."
    )


def count_votes(pair: Pair, score: Score, settings: Settings, deal: Deal | None = None) -> Votes:
    """Let every block vote with the score; ``block_verdict(settings).release(votes.against, noise)`` publishes it.

    Any score will do, public ranges are not needed: a block may do anything with its own rows.

    Raises
    ------
    DataError
        If the smallest block has too few rows for the split; judged by the number of rows alone.
    """
    block_sizes(pair.rows, settings)
    blocks = (deal or SeededDeal(settings.seed)).blocks(pair.rows, settings.blocks)
    margins = np.array([_margin(_block(pair, rows), score, settings) for rows in blocks])
    return Votes(int((margins > 0.0).sum()), int((margins < 0.0).sum()))


def vote_certainty(blocks: int, agreement: float, epsilon: float) -> float:
    """Return the probability that the private arrow is the one for which each block votes with that probability.

    Exact, for independent blocks: the binomial vote and its Laplace noise. ``agreement`` is an assumption, such as the
    share of right arrows on synthetic pairs with as many rows as a block.
    """
    votes = np.arange(blocks + 1)
    certain = correct(flip_direction, (2 * votes - blocks) * epsilon / (2.0 * VOTE_SENSITIVITY))
    return float(binom.pmf(votes, blocks, agreement) @ certain)


def least_blocks(agreement: float, certainty: float, epsilon: float) -> int | None:
    """Return the least number of blocks that reaches a certainty at an assumed agreement; None beyond 10,000."""
    counts = range(BLOCKS_MIN, BLOCKS_MAX + 1)  # certainty never falls with their number while agreement > 1/2
    found = bisect_left(counts, certainty, key=lambda blocks: vote_certainty(blocks, agreement, epsilon))
    return counts[found] if agreement > 0.5 and found < len(counts) else None


def recommended_blocks(rows: int, epsilon: float) -> int:
    """Return enough blocks to outvote the noise, 10/epsilon, as long as each keeps 100 rows; public facts only."""
    wanted = math.ceil(2.0 * VOTE_SENSITIVITY * NOISE_TO_OUTVOTE / epsilon)
    return max(BLOCKS_MIN, min(wanted, rows // ROWS_TO_JUDGE, BLOCKS_MAX))


def _splits(rows: int, test_share: float) -> bool:
    try:
        split_sizes(rows, test_share)
    except DataError:
        return False
    return True


def _block(pair: Pair, rows: RowNumbers) -> Pair:
    return Pair(pair.name, pair.x_name, pair.y_name, pair.x[rows], pair.y[rows])


def _margin(block: Pair, score: Score, settings: Settings) -> float:
    """Return s_YX - s_XY summed over both halves of the block, each scored by the other's fit: no row is wasted."""
    return sum(score.evaluate(fitted.scored, settings).margin for fitted in cross_fit(block, settings))
