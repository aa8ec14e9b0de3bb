"""Kernel ridge regression with a Gaussian kernel on the low-rank features; everything is chosen on training rows.

Objective: (1/n) sum_i (y_i - b - f(x_i))^2 + lambda ||f||^2 with b the mean target. Bandwidth and lambda minimise
generalised cross-validation (Golub, Heath and Wahba, 1979) on at most 5,000 seeded rows; the fit uses all rows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.polynomial.chebyshev import chebval
from scipy.linalg import cho_factor, cho_solve, eigh

from privcause_core.features import CHUNK_ROWS, RADIUS, gaussian_features
from privcause_core.pair import FloatArray

BANDWIDTHS = (0.3, 0.5, 1.0, 2.0, 4.0)  # scaled units
RIDGES = tuple(float(10.0**k) for k in np.arange(-9.0, 1.5, 0.5))
SELECTION_ROWS = 5_000


@dataclass(frozen=True, slots=True, eq=False)
class RidgeFit:
    """A fitted regression function on the scaled axis.

    Attributes
    ----------
    coefficients : array of shape (nodes,)
        Chebyshev coefficients of f on [-radius, radius].
    intercept : float
        Mean of the training target.
    bandwidth, ridge : float
        The chosen kernel bandwidth (scaled units) and lambda.
    """

    coefficients: FloatArray
    intercept: float
    bandwidth: float
    ridge: float

    def predict(self, x: FloatArray) -> FloatArray:
        """Return b + f(x), shape (x.size,); x is clipped to [-radius, radius]."""
        out = np.empty(x.size)
        for start in range(0, x.size, CHUNK_ROWS):
            t = np.clip(x[start : start + CHUNK_ROWS], -RADIUS, RADIUS) / RADIUS
            out[start : start + CHUNK_ROWS] = chebval(t, self.coefficients)
        out += self.intercept
        return out


def fit(x: FloatArray, y: FloatArray, rng: np.random.Generator) -> RidgeFit:
    """Fit y from x by kernel ridge regression.

    Parameters
    ----------
    x, y : arrays of shape (n,), scaled units
        The target is clipped to [-5, 5] for the fit, so that a few wild values cannot bend the curve.
    rng : numpy Generator
        Draws the rows used for choosing bandwidth and lambda when there are more than 5,000.
    """
    y = np.clip(y, -RADIUS, RADIUS)
    chosen = rng.choice(x.size, SELECTION_ROWS, replace=False) if x.size > SELECTION_ROWS else slice(None)
    bandwidth, ridge = select(x[chosen], y[chosen])
    features = gaussian_features(bandwidth)
    gram, moment, intercept = _moments(bandwidth, x, y)
    gram.flat[:: features.rank + 1] += x.size * ridge
    weights = cho_solve(cho_factor(gram, lower=True), moment)
    return RidgeFit(features.coefficients @ weights, intercept, bandwidth, ridge)


def select(x: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Return the (bandwidth, lambda) with the least generalised cross-validation error n RSS / (n - df)^2."""
    candidates = []
    for bandwidth in BANDWIDTHS:
        gram, moment, _ = _moments(bandwidth, x, y)
        candidates += [(*row, bandwidth) for row in _validation_errors(gram, moment, y)]
    _, ridge, bandwidth = min(candidates)
    return bandwidth, ridge


def _validation_errors(gram: FloatArray, moment: FloatArray, y: FloatArray) -> list[tuple[float, float]]:
    n = y.size
    eigenvalues, vectors = eigh(gram, driver="evd")
    eigenvalues = np.maximum(eigenvalues, 0.0)
    projected = vectors.T @ moment
    total = float(((y - y.mean()) ** 2).sum())
    errors = []
    for ridge in RIDGES:
        shrunk = 1.0 / (eigenvalues + n * ridge)
        freedom = 1.0 + float((eigenvalues * shrunk).sum())
        fitted = projected * shrunk
        residual = max(total - float((projected * fitted).sum()) - n * ridge * float((fitted**2).sum()), 0.0)
        if freedom < n:
            errors.append((n * residual / (n - freedom) ** 2, ridge))
    return errors


def _moments(bandwidth: float, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Return Phi'Phi, Phi'(y - mean y) and mean y, accumulated in row chunks."""
    features = gaussian_features(bandwidth)
    gram, moment = np.zeros((features.rank, features.rank)), np.zeros(features.rank)
    intercept = float(y.mean())
    for k, phi in enumerate(features.chunks(x)):
        gram += phi.T @ phi
        moment += phi.T @ (y[k * CHUNK_ROWS : (k + 1) * CHUNK_ROWS] - intercept)
    return gram, moment, intercept
