"""Kernel ridge regression with a Gaussian kernel on the low-rank features; everything is chosen on training rows.

Objective: (1/n) sum_i (y_i - b - f(x_i))^2 + lambda ||f||^2 with b the mean target. Read as a Gaussian process,
n lambda is the noise variance over the prior variance; bandwidth and n lambda maximise its marginal likelihood
(Rasmussen and Williams, 2006, section 5.4) on at most 5,000 seeded rows, and the fit uses all rows. docs/ceiling.md
compares the rules.
"""

from dataclasses import dataclass

import numpy as np
from numpy.polynomial.chebyshev import chebval
from scipy.linalg import cho_factor, cho_solve, eigh

from privcause_core.fits.scaling import Scaling
from privcause_core.kernel_features import CHUNK_ROWS, RADIUS, GaussianFeatures, gaussian_features, gaussian_kernel
from privcause_core.pair import FloatArray

BANDWIDTHS = (0.3, 0.5, 1.0, 2.0, 4.0)  # on the axis of the fit
NOISE_RATIOS = 10.0 ** np.arange(-7.0, 4.5, 0.5)  # n lambda: noise variance over the function's prior variance
SELECTION_ROWS = 5_000
DENSE_ROWS = 64  # up to so many, the kernel matrix is smaller than that of the features
CENTRAL = (0.01, 0.99)  # quantiles that fix the axis of a fit ...
CENTRAL_WIDTH = 4.653  # ... and how far apart they are for a standard normal


@dataclass(frozen=True, slots=True, eq=False)
class RidgeFit:
    """A fitted regression function."""

    coefficients: FloatArray  # (nodes,): Chebyshev, of f on the cause's axis from one limit to the other
    intercept: float  # mean of the clipped training target
    bandwidth: float  # as chosen, on the cause's axis
    ridge: float  # lambda, as chosen
    cause: Scaling  # the axis on which f is defined
    target: Scaling  # the axis of what was fitted

    def predict(self, x: FloatArray) -> FloatArray:
        """Return b + f(x), shape (x.size,); x is clipped to what its axis covers."""
        out = np.empty(x.size)
        for start in range(0, x.size, CHUNK_ROWS):
            t = self.cause.apply(x[start : start + CHUNK_ROWS]) / self.cause.limit
            out[start : start + CHUNK_ROWS] = self.intercept + chebval(t, self.coefficients)
        return out


def fit(x: FloatArray, y: FloatArray, rng: np.random.Generator) -> RidgeFit:
    """Fit y from x by kernel ridge regression.

    Parameters
    ----------
    x, y : arrays of shape (n,), finite
        Both are clipped to their axes for the fit, so that a few wild values cannot bend the curve.
    rng : numpy Generator
        Draws the rows used for choosing bandwidth and lambda when there are more than 5,000.
    """
    cause, target = central_axis(x), central_axis(y)
    u, v = cause.apply(x), target.apply(y)
    chosen = rng.choice(x.size, SELECTION_ROWS, replace=False) if x.size > SELECTION_ROWS else slice(None)
    bandwidth, noise_ratio = select(u[chosen], v[chosen])
    intercept = float(v.mean())
    coefficients = target.scale * solve(gaussian_features(bandwidth), u, v - intercept, noise_ratio)
    mean = target.centre + target.scale * intercept
    return RidgeFit(coefficients, mean, bandwidth, noise_ratio / x.size, cause, target)


def central_axis(values: FloatArray) -> Scaling:
    """Return the axis whose +-2.33 are the 1 % and 99 % quantiles (scale: their sd, then 1, where these agree)."""
    low, high = np.quantile(values, CENTRAL).tolist()
    scale = (high - low) / CENTRAL_WIDTH or float(np.std(values)) or 1.0
    return Scaling((low + high) / 2.0, scale, RADIUS)


def select(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Return the bandwidth and noise ratio (n lambda) of the greatest marginal likelihood, for values on their axes."""
    left, x = y - float(y.mean()), np.clip(x, -RADIUS, RADIUS)
    costs = np.array([_negative_evidence(x, left, bandwidth) for bandwidth in BANDWIDTHS])
    bandwidth, ratio = divmod(int(costs.argmin()), NOISE_RATIOS.size)
    return BANDWIDTHS[bandwidth], float(NOISE_RATIOS[ratio])


def _negative_evidence(x: FloatArray, y: FloatArray, bandwidth: float) -> FloatArray:
    """Return n log(y'C^-1 y) + log det C for C = K + ratio I, shape (ratios,): twice the negative log evidence.

    The prior variance is maximised out. K is used as it is, or by its features: their rank is that of K.
    """
    few = y.size <= DENSE_ROWS
    gram, moment = (gaussian_kernel(x, x, bandwidth), y) if few else gaussian_features(bandwidth).moments(x, y)
    eigenvalues, vectors = eigh(gram, driver="evd")
    shifted = np.maximum(eigenvalues, 0.0)[:, None] + NOISE_RATIOS
    explained, total = ((vectors.T @ moment) ** 2 / shifted.T).sum(axis=1), float((y**2).sum())
    least = max(total * np.finfo(float).eps, np.finfo(float).tiny) / NOISE_RATIOS
    quadratic = np.maximum(explained if few else (total - explained) / NOISE_RATIOS, least)
    rest = (y.size - eigenvalues.size) * np.log(NOISE_RATIOS)
    return np.asarray(y.size * np.log(quadratic) + np.log(shifted).sum(axis=0) + rest)


def solve(features: GaussianFeatures, x: FloatArray, y: FloatArray, penalty: float) -> FloatArray:
    """Return Chebyshev coefficients of the f that minimises sum (y_i - f(x_i))^2 + penalty ||f||^2, shape (nodes,)."""
    gram, moment = features.moments(x, y)
    gram.flat[:: len(gram) + 1] += penalty
    return np.asarray(features.coefficients @ cho_solve(cho_factor(gram, lower=True), moment))
