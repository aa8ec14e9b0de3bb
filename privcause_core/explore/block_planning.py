"""How many voting blocks it takes, from assumptions about data nobody has looked at."""

import math
from bisect import bisect_left

import numpy as np
from scipy.stats import binom

from privcause_core.protection.voting_blocks import ROWS_TO_JUDGE, VOTE_SENSITIVITY
from privcause_core.settings import BLOCKS_MAX, BLOCKS_MIN
from privcause_core.verdicts.theory import correct, flip_direction

NOISE_TO_OUTVOTE = 5.0  # unanimous blocks over the noise scale: the noise then flips exp(-5)/2 = 0.3 % of arrows


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
