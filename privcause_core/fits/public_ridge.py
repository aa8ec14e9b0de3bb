"""What one training record can move: kernel ridge regression in which every constant is public.

Proofs are in docs/joint-protection.md. Ranges, bandwidth and lambda are typed by the user; nothing is centred, scaled
or chosen from data, so replacing one training record moves every prediction by at most eta.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

from privcause_core.fits.ridge import RidgeFit, solve
from privcause_core.fits.scaling import Scaling
from privcause_core.kernel_features import GaussianFeatures, gaussian_features
from privcause_core.pair import FloatArray

HALF_RANGE = 4.0  # scaled units: a typed range is treated like four standard deviations either way
NORM_ALLOWANCE = 1e-12  # the interpolated kernel exceeds 1 by less than this
PUBLIC_AXIS = Scaling(limit=HALF_RANGE)
GRID = 2.0**-28  # residuals are rounded to whole steps, so that sums of them and of shifts are exact
RELATIVE_ROUNDING, ABSOLUTE_ROUNDING = 1e-6, 1e-9  # of a fitted prediction, measured and rounded up generously


def public_scaling(ends: tuple[float, float]) -> Scaling:
    """Return the map of a typed range to [-4, 4] scaled units; values beyond are clipped."""
    low, high = ends
    return Scaling(low / 2.0 + high / 2.0, (high - low) / (2.0 * HALF_RANGE))


@dataclass(frozen=True, slots=True, eq=False)
class PublicRidgeFit(RidgeFit):
    """A ridge fit on [-4, 4] scaled units without intercept; predictions are clipped to the target's range."""

    def predict(self, x: FloatArray) -> FloatArray:
        """Return clip(f(x), -4, 4), shape (x.size,); x is clipped to [-4, 4]."""
        return self.target.clip(RidgeFit.predict(self, x))


def stability(n: int, ridge: float) -> float:
    """Return eta, the most that replacing one of n training records moves any prediction, for targets in [-1, 1].

    eta = 2 sqrt(1 - s^2) (1 + F s) / (n lambda) with F = 1/(2 sqrt lambda), s = (sqrt(1 + 8 F^2) - 1)/(4 F);
    never above the simpler 2 (1 + F)/(n lambda) of mechanisms.md section 8. Holds for every feature map of norm at
    most 1 and lambda <= 1; for small lambda some map attains it. Capped at 2, the width of the range.
    """
    norm = 0.5 / math.sqrt(ridge)
    sine = (math.sqrt(1.0 + 8.0 * norm * norm) - 1.0) / (4.0 * norm)
    return min(2.0, 2.0 * math.sqrt(1.0 - sine * sine) * (1.0 + norm * sine) / (n * ridge))


def residual_shift(n: int, ridge: float) -> float:
    """Return the most that replacing one of n training records moves any residual, in scaled units.

    eta with all roundings, itself a whole number of grid steps.
    """
    exact = HALF_RANGE * stability(n, ridge) * (1.0 + RELATIVE_ROUNDING) + ABSOLUTE_ROUNDING
    return (math.ceil(exact / GRID) + 1) * GRID


def fit_ridge(x: FloatArray, y: FloatArray, bandwidth: float, ridge: float) -> PublicRidgeFit:
    """Minimise (1/n) sum (y_i - f(x_i))^2 / 2 + (lambda/2) ||f||^2 over the span of the public features.

    x and y are of shape (n,), in [-4, 4] scaled units; the kernel's bandwidth, in scaled units, and lambda are public.
    """
    coefficients = solve(public_features(bandwidth), x, y, x.size * ridge)
    return PublicRidgeFit(coefficients, 0.0, bandwidth, ridge, PUBLIC_AXIS, PUBLIC_AXIS)


@lru_cache(maxsize=16)
def public_features(bandwidth: float) -> GaussianFeatures:
    """Return the Gaussian features on [-4, 4], shrunk so that no feature vector is longer than 1.

    The stability proof needs nothing else of a feature map, so the interpolation error is covered by this factor.
    """
    features = gaussian_features(bandwidth, HALF_RANGE)
    coefficients = features.coefficients / (1.0 + NORM_ALLOWANCE)
    coefficients.setflags(write=False)
    return replace(features, coefficients=coefficients)
