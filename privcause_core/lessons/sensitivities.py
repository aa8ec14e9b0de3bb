"""All four sensitivities of every score on a made-up table: global and local, to a test and to a training record.

Numbers for the Methods page. Global sensitivities hold for every table; local ones are those of one synthetic sample:
bounds where there are any, and what a search over replaced records finds. Nothing here touches private data.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from privcause_core.fits.anm import AnmFit
from privcause_core.fits.halves import RowNumbers
from privcause_core.fits.public_ridge import residual_shift
from privcause_core.fits.scaling import iqr
from privcause_core.fits.scored import FittedColumns
from privcause_core.lessons.smooth_sensitivity import rank_local
from privcause_core.pair import FloatArray, Pair
from privcause_core.protection import public_ranges
from privcause_core.samples import DEFAULT_SAMPLE, load_sample
from privcause_core.scores import LaplaceScore, Score, all_scores
from privcause_core.scores.iqr import SCORE as IQR
from privcause_core.settings import Calibration, Settings

PUBLIC = Settings(range_x="0..10", range_y="-0.5..1.5")  # from how the sample is made, not from its values
TRIED_ROWS = 5  # of each half, each moved to every corner of the ranges


@dataclass(frozen=True, slots=True)
class Sensitivities:
    """What one replaced record can do to a score; None where nothing bounds it.

    Attributes
    ----------
    test_global, training_global : float or None
        For every table of that size.
    test_found, training_found : float
        The largest change that a search over replaced records of the sample found: local sensitivities are at least
        this (infinite where an IQR becomes 0).
    training_local : float or None
        The proved bound on the sample's local sensitivity to a training record; for the scores without a global one.
    """

    score: Score
    test_global: float | None
    test_found: float
    training_global: float | None
    training_found: float
    training_local: float | None


def overview(rows: int, ridge: float) -> tuple[Sensitivities, ...]:
    """Return the sensitivities of every score for the standard sample, in table order.

    Parameters
    ----------
    rows : int
        Rows of the sample, half of them test rows.
    ridge : float
        Public lambda of the regression with public constants.
    """
    pair, settings = load_sample(DEFAULT_SAMPLE, rows=rows), PUBLIC.with_(ridge=ridge)
    fitted = public_ranges.fit(pair, settings)
    test_found, training_found = (
        _largest_changes(pair, fitted, half, settings) for half in (fitted.test, fitted.train)
    )
    found = zip(all_scores(), test_found, training_found, strict=True)
    return tuple(_sensitivities(score, fitted, settings, at_test, at_train) for score, at_test, at_train in found)


def _sensitivities(
    score: Score, fitted: AnmFit, settings: Settings, test_found: float, training_found: float
) -> Sensitivities:
    n, m = fitted.n_train, fitted.n_test
    test_global = training_global = training_local = None
    if isinstance(score, LaplaceScore):
        test_global = score.unit(settings) * score.sensitivity(m, Calibration.REFINED)
        training_global = None if score.no_joint_release else public_ranges.training_sensitivity(score, n, m, settings)
    if training_global is None:
        training_local = _training_local(score.name, fitted, residual_shift(n, settings.ridge))
    return Sensitivities(score, test_global, test_found, training_global, training_found, training_local)


def _training_local(name: str, fitted: AnmFit, shift: float) -> float | None:
    """Return the bound on the local sensitivity to a training record that moves every residual by at most ``shift``."""
    scored = fitted.scored.x_to_y
    if local := rank_local(name, scored.cause, scored.residual, shift):
        return local(0)
    if name != IQR.name:
        return None
    value = iqr(scored.residual)  # both quartiles move by at most the shift
    return math.log(value / (value - 2.0 * shift)) if value > 2.0 * shift else math.inf


def _largest_changes(pair: Pair, before: AnmFit, half: RowNumbers, settings: Settings) -> list[float]:
    """Return the largest change of every score of x -> y over the tried replacements of records of one half."""
    here = _scores(pair, before, settings)
    changes = [
        np.abs(_scores(neighbour, public_ranges.fit(neighbour, settings), settings) - here)
        for neighbour in _neighbours(pair, half, settings)
    ]
    return [float(change) for change in np.max(changes, axis=0)]


def _scores(pair: Pair, fitted: AnmFit, settings: Settings) -> FloatArray:
    """Return every score of x -> y, shape (scores,); the table is made up, so all may look at its training rows."""
    halves = pair.x[fitted.train], pair.y[fitted.train], pair.x[fitted.test], pair.y[fitted.test]
    columns = FittedColumns(*halves, np.arange(fitted.test.size), fitted.n_test, settings.seed)
    scored = replace(fitted.scored, columns=columns)
    return np.array([score.evaluate(scored, settings).xy for score in all_scores()])


def _neighbours(pair: Pair, half: RowNumbers, settings: Settings) -> Iterator[Pair]:
    order = half[np.argsort(pair.y[half])]  # from the lowest to the highest effect
    for row in order[np.linspace(0, half.size - 1, TRIED_ROWS).astype(int)]:
        for new_x in settings.ends("range_x"):
            for new_y in settings.ends("range_y"):
                x, y = pair.x.copy(), pair.y.copy()
                x[row], y[row] = new_x, new_y
                yield Pair(pair.name, pair.x_name, pair.y_name, x, y)
