"""The additive noise model: split once, fit both ways on the training half, take residuals on the test half."""

from dataclasses import dataclass

import numpy as np

from privcause_core.fits import ridge
from privcause_core.fits.halves import Deal, Halves, RowNumbers, SeededDeal
from privcause_core.fits.location_scale import scale_of
from privcause_core.fits.scaling import Scaling, training_scaling
from privcause_core.fits.scored import FittedColumns, ScoredDirection, ScoredPair
from privcause_core.pair import FloatArray, NumberArray, Pair
from privcause_core.settings import Settings


@dataclass(frozen=True, slots=True, eq=False)
class AnmFit:
    """Both regressions and what they leave on the scored rows, of one split."""

    train: RowNumbers
    test: RowNumbers
    n_test: int  # rows dealt to the test half, complete or not
    scaling_x: Scaling
    scaling_y: Scaling
    forward: ridge.RidgeFit  # x -> y, on scaled axes
    backward: ridge.RidgeFit  # y -> x
    scored: ScoredPair  # both directions on the test half, residuals of additive noise
    scaled: ScoredPair | None = None  # residuals over the size of the noise that the cause predicts, if asked for

    @property
    def n_train(self) -> int:
        """Return the number of training rows."""
        return int(self.train.size)


def fit_anm(pair: Pair, settings: Settings, deal: Deal | None = None, *, scaled: bool = False) -> AnmFit:
    """Split the pair, fit both ways, and score the test half.

    Nothing here refuses or warns because of what the values are: the release path runs it too.

    Parameters
    ----------
    deal : Deal, optional
        Which rows train and which are scored; by the settings' public seed if absent.
    scaled : bool
        Whether location-scale residuals are wanted too.

    Raises
    ------
    DataError
        If the pair has too few rows for a seeded split.
    """
    seed, halves = settings.seed, (deal or SeededDeal(settings.seed)).halves(pair.rows, settings.test_share)
    train = halves.train
    scaling_x, scaling_y = training_scaling(pair.x[train]), training_scaling(pair.y[train])
    u, v = scaling_x.apply(pair.x), scaling_y.apply(pair.y)
    # The same stream both ways: exchanging the columns exchanges the two fits exactly.
    forward, backward = (
        ridge.fit(cause[train], effect[train], np.random.default_rng((seed, 2))) for cause, effect in ((u, v), (v, u))
    )
    residual_y, residual_x = v - forward.predict(u), u - backward.predict(v)
    columns = columns_of(pair, halves, seed)
    scored = ScoredPair(_score(pair.x, u, residual_y, halves), _score(pair.y, v, residual_x, halves), columns)
    sized = None
    if scaled:
        z_y, z_x = _over_scale(residual_y, u, train, seed), _over_scale(residual_x, v, train, seed)
        sized = ScoredPair(_score(pair.x, u, z_y, halves), _score(pair.y, v, z_x, halves), columns)
    return AnmFit(train, halves.test, halves.n_test, scaling_x, scaling_y, forward, backward, scored, sized)


def columns_of(pair: Pair, halves: Halves, seed: int) -> FittedColumns:
    """Return what a score sees that makes all of its fits itself."""
    train, test = halves.train, halves.test
    return FittedColumns(pair.x[train], pair.y[train], pair.x[test], pair.y[test], halves.places, halves.n_test, seed)


def _over_scale(residual: FloatArray, cause: FloatArray, train: RowNumbers, seed: int) -> FloatArray:
    """Return residuals over the size of the noise that the cause predicts, by a fit of the training rows."""
    scale = scale_of(residual[train], cause[train], np.random.default_rng((seed, 2)))
    return residual / scale.predict(cause)


def _score(cause: NumberArray, cause_scaled: FloatArray, residual: FloatArray, halves: Halves) -> ScoredDirection:
    test, scaling = halves.test, training_scaling(residual[halves.train])
    return ScoredDirection(cause[test], cause_scaled[test], residual[test], scaling.apply(residual[test]))
