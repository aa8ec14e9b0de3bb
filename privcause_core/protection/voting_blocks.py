"""Protecting every row by subsample-and-aggregate: disjoint blocks of rows vote, and the votes are counted with noise.

The rows are dealt into blocks by a seeded permutation, whatever their values; each block fits, scores and votes on its
own, without noise. Replacing one record changes one block, hence one vote, so the number of votes against either arrow
moves by at most 1 (sample and aggregate: Nissim, Raskhodnikova and Smith, 2007).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count

import numpy as np

from privcause_core.errors import DataError
from privcause_core.fits.anm import AnmFit
from privcause_core.fits.halves import Deal, RowNumbers, SeededDeal, split_sizes, splits
from privcause_core.pair import Pair
from privcause_core.protection.base import Coverage, Variant
from privcause_core.scores import Score, TwoScores
from privcause_core.settings import BLOCKS_MIN, MIN_TEST_ROWS, SEED_MAX, Calibration, ReleaseKind, Settings
from privcause_core.verdicts.laplace import DirectionLaplace

VOTE_SENSITIVITY = 1.0
CROSS_FITS = 10  # of a small block: its arrow then depends less on how it was split ...
ALL_CROSS_FITS, CROSS_FITTED_ROWS = 100, 1_000  # ... as long as all blocks together, and a block's own rows, stay few
ROWS_TO_JUDGE = 100  # fewer rows a block, and its own arrow is little better than a coin (docs/joint-protection.md)


class ByVotingBlocks(Coverage):
    """Noise for one vote: blocks of rows decide on their own, so any score will do and nothing need be public."""

    __slots__ = ()

    every_row = True
    votes = True
    title = "every row: blocks"
    statement = "every row, by disjoint blocks of rows that vote"

    def sizes(self, rows: int) -> tuple[int, int]:
        """Return the sizes of both halves of the smallest block."""
        return block_sizes(rows, self.settings)

    def compare(self, score: Score, pair: Pair, fitted: AnmFit, deal: Deal | None = None) -> TwoScores:  # noqa: ARG002
        """Return the votes against either arrow."""
        votes = count_votes(pair, score, self.settings, deal)
        return TwoScores(*votes.against, votes.standard_error)

    def verdict(self, score: Score, n_train: int, n_test: int) -> DirectionLaplace:  # noqa: ARG002
        """Return the mechanism of the votes, whatever the score."""
        return block_verdict(self.settings)

    def variants(self, score: Score) -> tuple[Variant, ...]:  # noqa: ARG002
        """Return the only one: a vote publishes one noisy margin, with one proof."""
        return ((ReleaseKind.DIRECTION, Calibration.REFINED),)

    def spends_delta(self, score: Score) -> bool:  # noqa: ARG002
        """Return False: a block may use any score without a test."""
        return False

    def uses(self, scores: Iterable[Score]) -> frozenset[str]:
        """Return the settings in play: the number of blocks, and what the scores themselves read."""
        used = {name for score in scores for name in score.uses}
        return frozenset({"noise_model", "protect", "test_share", "epsilon", "route", "blocks", *used})

    def rows_text(self, rows: int, n_train: int, n_test: int) -> str:  # noqa: ARG002
        """Return how many rows vote together."""
        return f"{rows:,} in {self.settings.blocks:,} blocks of {rows // self.settings.blocks:,}"

    def few_rows(self, rows: int, m: int) -> str:  # noqa: ARG002
        """Return a sentence if blocks have too few rows to judge by, else ""; public facts only."""
        each = rows // self.settings.blocks
        few = f"Only {each} rows a block: with fewer than {ROWS_TO_JUDGE} a block's own arrow says little."
        return few if each < ROWS_TO_JUDGE else ""

    def _reach(self, score: Score, m: int) -> tuple[float, str]:  # noqa: ARG002
        return float(self.settings.blocks), f"all {self.settings.blocks:,} votes"


@dataclass(frozen=True, slots=True)
class Votes:
    """Non-private votes of the blocks; a block whose two scores tie votes for neither arrow."""

    for_xy: int
    for_yx: int
    blocks: int

    @property
    def against(self) -> tuple[float, float]:
        """Return the votes against x -> y and against y -> x; as with scores, the smaller count wins."""
        return float(self.for_yx), float(self.for_xy)

    @property
    def standard_error(self) -> float:
        """Return that of the votes' difference over other rows: blocks are independent, a vote is -1, 0 or 1.

        One vote is added to the variance, so that unanimous votes are no certainty.
        """
        difference, cast = self.for_xy - self.for_yx, self.for_xy + self.for_yx
        return math.sqrt(1.0 + cast - difference**2 / self.blocks)


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
    each, share = rows // settings.blocks, settings.test_share
    if splits(each, share):
        return split_sizes(each, share)
    least = next(size for size in count(2 * MIN_TEST_ROWS) if splits(size, share))
    most = rows // least
    advice = f"use at most {most} blocks" if most >= BLOCKS_MIN else f"bring at least {BLOCKS_MIN * least} rows"
    raise DataError(
        f"Expected at least {least} rows in each block, to train and to score, got {rows} complete rows for "
        f"{settings.blocks} blocks; {advice}."
    )


def count_votes(pair: Pair, score: Score, settings: Settings, deal: Deal | None = None) -> Votes:
    """Let every block vote with the score; ``block_verdict(settings).release(votes.against, noise)`` publishes it.

    Any score will do, public ranges are not needed: a block may do anything with its own rows. A block with too few
    complete rows, or that fails, votes for neither arrow: which rows are complete stays as private as their values.

    Raises
    ------
    DataError
        If a seeded deal would give the smallest block too few rows; judged by the number of rows alone.
    """
    if deal is None:
        block_sizes(pair.rows, settings)
    blocks = (deal or SeededDeal(settings.seed)).blocks(pair.rows, settings.blocks)
    margins = np.array([_margin(pair, rows, score, settings) for rows in blocks])
    return Votes(int((margins > 0.0).sum()), int((margins < 0.0).sum()), margins.size)


def cross_fits(rows: int, blocks: int) -> int:
    """Return how often a block of that many complete rows cross-fits itself: 10 times if rows and blocks are few."""
    return max(1, min(CROSS_FITS, ALL_CROSS_FITS // blocks, CROSS_FITTED_ROWS // max(1, rows)))


def _margin(pair: Pair, rows: RowNumbers, score: Score, settings: Settings) -> float:
    """Return s_YX - s_XY summed over several cross-fits: each scores both halves, each by the other's fit."""
    try:
        block = Pair(pair.name, pair.x_name, pair.y_name, pair.x[rows], pair.y[rows])
        seeds = ((settings.seed + k) % (SEED_MAX + 1) for k in range(cross_fits(rows.size, settings.blocks)))
        return sum(_cross_fitted(block, score, settings, seed) for seed in seeds)
    except Exception:  # noqa: BLE001  # whatever happens inside a block is its own affair: it abstains
        return 0.0


def _cross_fitted(block: Pair, score: Score, settings: Settings, seed: int) -> float:
    seeded, deals = settings.with_(seed=seed), (SeededDeal(seed), SeededDeal(seed, exchanged=True))
    return sum(score.of_deal(block, seeded, deal).margin for deal in deals)
