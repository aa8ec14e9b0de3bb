"""Data-independent low-rank features of the Gaussian kernel on an interval, shared by HSIC and the regression.

The kernel k(x, x') = exp(-(x - x')^2 / (2 h^2)) is interpolated in both arguments at Chebyshev nodes of [-R, R].
With the eigenvalues of the node matrix cut at zero, the interpolant is phi(x)'phi(x') for a feature map phi whose
rank depends on R/h only, never on data, so sensitivity proofs for the exact kernel carry over
(mechanisms.md section 9).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.polynomial.chebyshev import chebvander
from scipy.linalg import eigh

from privcause_core.pair import FloatArray

RADIUS = 5.0  # clipping range in scaled units
CHUNK_ROWS = 16_384


@dataclass(frozen=True, slots=True, eq=False)
class GaussianFeatures:
    """Feature map phi with phi(x)'phi(x') = k(x, x') to 1e-12 for all x, x' in [-radius, radius], which x is cut to."""

    radius: float  # R, in scaled units
    coefficients: FloatArray  # (nodes, rank): of every feature, in Chebyshev polynomials of x/R

    def __call__(self, x: FloatArray) -> FloatArray:
        """Return the features of x, shape (x.size, rank)."""
        return self._polynomials(x, len(self.coefficients)).T @ self.coefficients

    def chunks_from_first(self, x: FloatArray) -> Iterator[FloatArray]:
        """Yield the polynomials whose sums are the features, less those of x_1, shape (nodes, rows), by chunks of rows.

        ``coefficients`` need only be applied to sums of products; 0 for a constant x, exactly, so centring is harmless.
        """
        origin = self._polynomials(x[:1], len(self.coefficients))
        for start in range(0, x.size, CHUNK_ROWS):
            chunk = self._polynomials(x[start : start + CHUNK_ROWS], len(origin))
            yield np.subtract(chunk, origin, out=chunk)

    def moments(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return Phi'Phi, shape (rank, rank), and Phi'y, shape (rank,), in chunks of rows.

        As T_i T_j = (T_(i+j) + T_|i-j|) / 2, sums of single polynomials are enough. They follow from sums of products
        of a few, T_a, with every step-th, T_b(T_step) = T_(b step): 2 sqrt(2 nodes) polynomials a row.
        """
        nodes = len(self.coefficients)
        step = math.isqrt(2 * nodes - 2) + 1
        products = np.zeros((2 * step, step))
        for start in range(0, x.size, CHUNK_ROWS):
            few = self._polynomials(x[start : start + CHUNK_ROWS], step + 1)
            far = chebvander(few[step], step - 1).T
            products += np.concatenate([few[:step], few[:step] * y[start : start + CHUNK_ROWS]]) @ far.T
        sums, weighted = _single_sums(products[:step]), _single_sums(products[step:])[:nodes]
        i, j = np.ogrid[:nodes, :nodes]
        gram = (sums[i + j] + sums[abs(i - j)]) / 2.0
        return self.coefficients.T @ gram @ self.coefficients, self.coefficients.T @ weighted

    def _polynomials(self, x: FloatArray, count: int) -> FloatArray:
        return np.asarray(chebvander(np.clip(x, -self.radius, self.radius) / self.radius, count - 1).T)


def _single_sums(products: FloatArray) -> FloatArray:
    """Return the sums of T_k, k < step^2, from those of T_a T_(b step) = (T_(b step + a) + T_(b step - a)) / 2."""
    step, sums = len(products), products.T.flatten()
    for k in range(step, sums.size, step):
        sums[k : k + step] = 2.0 * sums[k : k + step] - sums[k : k - step : -1]
    return sums


@lru_cache(maxsize=64)
def gaussian_features(bandwidth: float, radius: float = RADIUS) -> GaussianFeatures:
    """Build the feature map for a bandwidth (scaled units).

    The number of nodes, 20 + 7.3 R/h, brings the interpolation error down to rounding (measured for R/h up to 100).
    """
    nodes = 20 + int(np.ceil(7.3 * radius / bandwidth))
    angles = np.pi * (np.arange(nodes) + 0.5) / nodes
    points = radius * np.cos(angles)
    to_coefficients = 2.0 / nodes * np.cos(np.outer(np.arange(nodes), angles))
    to_coefficients[0] /= 2.0
    eigenvalues, vectors = eigh(gaussian_kernel(points, points, bandwidth), driver="evd")
    kept = eigenvalues > 1e-17 * eigenvalues[-1]  # negative ones are rounding; without them phi'phi stays a kernel
    coefficients = to_coefficients @ (vectors[:, kept] * np.sqrt(eigenvalues[kept]))
    coefficients.setflags(write=False)
    return GaussianFeatures(radius, coefficients)


def gaussian_kernel(x: FloatArray, y: FloatArray, bandwidth: float) -> FloatArray:
    """Return the dense kernel matrix k(x_i, y_j), shape (x.size, y.size)."""
    return np.exp(-0.5 * ((x[:, None] - y[None, :]) / bandwidth) ** 2)
