"""Noise whose size follows the cause: effect = f(cause) + g(cause) noise, g from a second ridge regression.

The square root of |residual| is regressed on the cause, which makes a nearly symmetric target of it. Everything is
chosen on training rows (mechanisms.md section 12, docs/decisions/0006-likelihood.md).
"""

from dataclasses import dataclass

import numpy as np

from privcause_core.fits import ridge
from privcause_core.fits.densities import Density, checked, fit_density
from privcause_core.pair import FloatArray
from privcause_core.settings import NoiseModel

LEAST_SHARE = 0.1  # of the mean root: below it the root is clipped, so the scale is at least a hundredth of its square
STANDARD_ERRORS = 2.0  # by which location-scale noise must be likelier than additive noise to be taken


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """The size g of the noise as a function of the cause, about 1 on average; the constant 1 without a root."""

    root: ridge.RidgeFit | None = None
    least: float = 0.0

    def predict(self, cause: FloatArray) -> FloatArray:
        """Return g > 0, shape (cause.size,)."""
        if self.root is None:
            return np.ones(cause.size)
        return np.square(np.maximum(self.root.predict(cause), self.least))


@dataclass(frozen=True, slots=True, eq=False)
class NoiseFit:
    """A fitted density of the residuals given the cause."""

    scale: Scale
    density: Density  # of residual / g
    left_out: FloatArray  # leave-one-out log density of the checked training residuals

    def log(self, residual: FloatArray, cause: FloatArray) -> FloatArray:
        """Return log p(residual / g(cause)) - log g(cause), shape (m,)."""
        size = self.scale.predict(cause)
        return np.asarray(self.density.log(residual / size) - np.log(size))


def scale_of(residual: FloatArray, cause: FloatArray, rng: np.random.Generator) -> Scale:
    """Fit g to training residuals, finite and of shape (n,), n >= 1.

    It is the constant 1 where these are all 0 or no positive mean root is found. Beyond 5,000 rows, ``rng`` draws those
    on which the second regression chooses its bandwidth.
    """
    size = np.abs(residual)
    mean = float(size.mean())
    if not (0.0 < mean < np.inf):
        return Scale()
    root = ridge.fit(cause, np.sqrt(size / mean), rng)
    least = LEAST_SHARE * float(root.predict(cause).mean())
    return Scale(root, least) if least > 0.0 else Scale()


def noise_of(residual: FloatArray, cause: FloatArray, scale: Scale) -> NoiseFit:
    """Fit the density of residual / g."""
    size = scale.predict(cause)
    density, left_out = fit_density(residual / size)
    return NoiseFit(scale, density, left_out - np.log(size[checked(size.size)]))


def noise_under(model: NoiseModel, residual: FloatArray, cause: FloatArray, rng: np.random.Generator) -> NoiseFit:
    """Fit the noise of a model; ``auto`` is location-scale where that is clearly likelier on left-out training rows."""
    if model is NoiseModel.ADDITIVE:
        return noise_of(residual, cause, Scale())
    scaled = noise_of(residual, cause, scale_of(residual, cause, rng))
    if model is NoiseModel.LOCATION_SCALE:
        return scaled
    additive = noise_of(residual, cause, Scale())
    gain = scaled.left_out - additive.left_out
    doubt = STANDARD_ERRORS * float(gain.std()) / np.sqrt(gain.size)
    return scaled if float(gain.mean()) > doubt else additive
