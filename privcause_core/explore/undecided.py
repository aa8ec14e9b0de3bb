"""Why a pair's noise-free verdict is undecided whatever its scores, in sentences. Non-private."""

import numpy as np

from privcause_core.fits.anm import AnmFit
from privcause_core.fits.halves import RowNumbers
from privcause_core.fits.ridge import RidgeFit
from privcause_core.pair import FloatArray, Pair
from privcause_core.text.names import isolated

NO_RESIDUAL_VARIATION = 1e-3  # residual sd as a share of the target's sd


def undecided_reasons(pair: Pair, fit: AnmFit) -> tuple[str, ...]:
    """Return why a true verdict is undecided: a constant column, or a column that the other predicts exactly."""
    constant = [name for name, values in ((pair.x_name, pair.x), (pair.y_name, pair.y)) if values.min() == values.max()]
    if constant:
        return tuple(f"Column {isolated(name)} is constant: no direction can be inferred." for name in constant)
    u, v = fit.scaling_x.apply(pair.x), fit.scaling_y.apply(pair.y)
    found = ((pair.x_name, _exact(fit, u, v, fit.backward)), (pair.y_name, _exact(fit, v, u, fit.forward)))
    return tuple(
        f"No residual variation in {isolated(name)}: the other column predicts it exactly; no direction can be "
        "inferred."
        for name, none_left in found
        if none_left
    )


def _exact(fit: AnmFit, effect: FloatArray, cause: FloatArray, fitted: RidgeFit) -> bool:
    """Return whether a fit leaves nothing on rows that it has not seen: few training rows are always fitted closely.

    On the test half by the median, since a curve does not go on exactly beyond the training rows.
    """
    if not fit.test.size:
        return False
    target = fitted.target.clip(effect)
    least = NO_RESIDUAL_VARIATION * float(np.std(target[fit.train]))

    def left(rows: RowNumbers) -> FloatArray:
        return target[rows] - fitted.predict(cause[rows])

    return float(np.std(left(fit.train))) < least and float(np.median(np.abs(left(fit.test)))) < least
