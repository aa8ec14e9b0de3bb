"""One row, one bounded vote: what moving a test row does to the likelihood, and to the paper's score beside it.

For the lesson, on a made-up sample.
"""

from dataclasses import dataclass, replace

import numpy as np

from privcause_core.fits.anm import fit_anm
from privcause_core.pair import FloatArray, Pair
from privcause_core.scores import LaplaceScore, TwoScores
from privcause_core.scores.kendall import SCORE as KENDALL
from privcause_core.scores.likelihood import SCORE as LIKELIHOOD
from privcause_core.scores.likelihood import votes
from privcause_core.settings import Calibration, Settings


@dataclass(frozen=True, slots=True)
class MovedScore:
    """A score of x -> y before and after one test row moved, and what no row can exceed.

    Attributes
    ----------
    before, after : TwoScores
    bound : float
        The score's sensitivity, in its own unit.
    """

    score: LaplaceScore
    before: TwoScores
    after: TwoScores
    bound: float

    @property
    def change(self) -> float:
        """Return how far the score of x -> y moved, or that of y -> x if it moved farther."""
        return max(abs(self.after.xy - self.before.xy), abs(self.after.yx - self.before.yx))

    @property
    def margin_over_noise(self) -> float:
        """Return the margin before, in noise scales at epsilon 1."""
        return abs(self.before.margin) / (2.0 * self.bound)


@dataclass(frozen=True, slots=True, eq=False)
class MovedVote:
    """Every test row's vote in nats, unbounded, and that of the first one after it moved.

    Attributes
    ----------
    cast : array of shape (m,)
    moved : float
    scores : (likelihood, Kendall)
    """

    cast: FloatArray
    moved: float
    scores: tuple[MovedScore, MovedScore]


def move_one(pair: Pair, y: float, settings: Settings) -> MovedVote:
    """Give the first test row another y and score again; the training rows, and so all that is fitted, stay.

    Parameters
    ----------
    pair : Pair
        Made up: every row is looked at.
    y : float
        In the pair's units.
    settings : Settings
        Their vote limit, split and seed.
    """
    before = fit_anm(pair, settings)
    values = pair.y.copy()
    values[before.test[0]] = y
    after = fit_anm(replace(pair, y=values), settings)
    cast, moved = (
        votes(fitted.scored.columns, settings.noise_model) for fitted in (before, after) if fitted.scored.columns
    )
    scores = tuple(
        MovedScore(
            score,
            score.evaluate(before.scored, settings),
            score.evaluate(after.scored, settings),
            score.unit(settings) * score.sensitivity(before.n_test, Calibration.REFINED),
        )
        for score in (LIKELIHOOD, KENDALL)
    )
    return MovedVote(cast, float(moved[0]), (scores[0], scores[1]))


def bounded_vote(vote: float, limit: float) -> float:
    """Return what a vote counts."""
    return float(np.clip(vote, -limit, limit))
