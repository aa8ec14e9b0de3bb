"""Protecting every row by regression: fits, sensitivities and verdicts that cover training and test records alike.

A replaced record is either a training or a test record, whatever the split, so noise for the larger of the two
sensitivities covers both (docs/joint-protection.md).
"""

from collections.abc import Iterable

import numpy as np

from privcause_core.fits.anm import AnmFit
from privcause_core.fits.halves import Deal, SeededDeal
from privcause_core.fits.public_ridge import GRID, PUBLIC_AXIS, fit_ridge, public_scaling, residual_shift
from privcause_core.fits.scored import ScoredDirection, ScoredPair
from privcause_core.pair import FloatArray, NumberArray, Pair
from privcause_core.protection.base import Coverage
from privcause_core.scores import LaplaceScore, Score, all_scores
from privcause_core.settings import Settings
from privcause_core.verdicts.mechanisms import Verdict, iqr_verdict, laplace_verdict

RANGES = ("range_x", "range_y")


class ByPublicRanges(Coverage):
    """Noise for a replaced row of either half, with regressions of public ranges, bandwidth and lambda."""

    __slots__ = ()

    every_row = True
    title = "every row: public ranges"
    statement = "every row, by a regression with public ranges, bandwidth and lambda"

    def objection(self, score: Score) -> str:
        """Return why no training bound below its range exists for the score, if so."""
        if score.no_joint_release:
            names = " or ".join(one.name for one in releasable())
            why = f"got {score.name}: {score.no_joint_release}"
            return f"Expected score to be {names} where public ranges protect every row, {why}"
        if not score.takes_scaled(self.settings):
            return ""
        return "Expected noise_model additive where public ranges protect every row: no bound is proved for the other."

    def check_complete(self) -> None:
        """Refuse settings without both public ranges."""
        for name in RANGES:
            self.settings.ends(name)

    def fit(self, pair: Pair, deal: Deal | None = None) -> AnmFit:
        """Return the fits with public constants."""
        return fit(pair, self.settings, deal)

    def verdict(self, score: Score, n_train: int, n_test: int) -> Verdict:
        """Return the mechanism with the larger of the test and the training sensitivity, or with joint distances."""
        if not isinstance(score, LaplaceScore):
            return iqr_verdict(self.settings, residual_shift(n_train, self.settings.ridge))
        return laplace_verdict(sensitivity(score, n_train, n_test, self.settings), self.settings)

    def uses(self, scores: Iterable[Score]) -> frozenset[str]:
        """Return the settings in play: the public constants too."""
        return super().uses(scores) | {"route", "bandwidth", "ridge", *RANGES}


def fit(pair: Pair, settings: Settings, deal: Deal | None = None) -> AnmFit:
    """Do as ``anm.fit_anm`` does, with public constants; a missing public range is a ``ParameterError``.

    Ranges become [-4, 4] scaled units on both axes; residuals, of size at most 8, keep them: they are neither centred
    nor scaled again.
    """
    axis_x, axis_y = (public_scaling(settings.ends(name)) for name in RANGES)
    halves = (deal or SeededDeal(settings.seed)).halves(pair.rows, settings.test_share)
    train, test = halves.train, halves.test
    u, v = PUBLIC_AXIS.clip(axis_x.apply(pair.x)), PUBLIC_AXIS.clip(axis_y.apply(pair.y))
    forward = fit_ridge(u[train], v[train], settings.bandwidth, settings.ridge)
    backward = fit_ridge(v[train], u[train], settings.bandwidth, settings.ridge)
    x_to_y = _score(pair.x[test], u[test], v[test] - forward.predict(u[test]))
    y_to_x = _score(pair.y[test], v[test], u[test] - backward.predict(v[test]))
    return AnmFit(train, test, halves.n_test, axis_x, axis_y, forward, backward, ScoredPair(x_to_y, y_to_x))


def releasable() -> tuple[Score, ...]:
    """Return the scores that can be released for every row, in table order."""
    return tuple(score for score in all_scores() if not score.no_joint_release)


def training_sensitivity(score: LaplaceScore, n: int, m: int, settings: Settings) -> float:
    """Return the largest change of a score of m test records when one of n training records is replaced."""
    return score.training_sensitivity(m, residual_shift(n, settings.ridge), settings)


def sensitivity(score: LaplaceScore, n: int, m: int, settings: Settings) -> float:
    """Return the largest change of a score when any one of n training and m test records is replaced."""
    test = score.unit(settings) * score.sensitivity(m, settings.calibration)
    return max(test, training_sensitivity(score, n, m, settings))


def _score(cause: NumberArray, cause_scaled: FloatArray, residual: FloatArray) -> ScoredDirection:
    residual = np.rint(residual / GRID) * GRID
    return ScoredDirection(cause, cause_scaled, residual, residual)
