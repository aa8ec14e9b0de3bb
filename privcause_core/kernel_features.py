"""Data-independent low-rank features of the Gaussian kernel on an interval, shared by HSIC and the regression.

The kernel k(x, x') = exp(-(x - x')^2 / (2 h^2)) is interpolated in both arguments at Chebyshev nodes of [-R, R].
With the eigenvalues of the node matrix cut at zero, the interpolant is phi(x)'phi(x') for a feature map phi whose
rank depends on R/h only, never on data, so sensitivity proofs for the exact kernel carry over
(mechanisms.md section 9).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.linalg import eigh

from privcause_core.pair import FloatArray

RADIUS = 5.0  # clipping range in scaled units
CHUNK_ROWS = 16_384


@dataclass(frozen=True, slots=True, eq=False)
class GaussianFeatures:
    """Feature map phi with phi(x)'phi(x') = k(x, x') to 1e-12 for all x, x' in [-radius, radius]."""

    bandwidth: float  # h, in scaled units
    radius: float  # R, in scaled units
    coefficients: FloatArray  # (nodes, rank): Chebyshev, of every feature

    @property
    def rank(self) -> int:
        """Return the number of features."""
        return int(self.coefficients.shape[1])

    def __call__(self, x: FloatArray) -> FloatArray:
        """Return the features of x, shape (x.size, rank); values are clipped to [-radius, radius] first."""
        return self._polynomials(x).T @ self.coefficients

    def chunks(self, x: FloatArray) -> Iterator[FloatArray]:
        """Yield the polynomials whose sums are the features, shape (nodes, rows), in chunks of rows.

        So memory does not grow with x, and ``coefficients`` need only be applied to sums of products.
        """
        for start in range(0, x.size, CHUNK_ROWS):
            yield self._polynomials(x[start : start + CHUNK_ROWS])

    def chunks_from_first(self, x: FloatArray) -> Iterator[FloatArray]:
        """Yield the same less those of x_1: exactly 0 for a constant x, which centring can then not spoil."""
        origin = self._polynomials(x[:1])
        for chunk in self.chunks(x):
            chunk -= origin
            yield chunk

    def _polynomials(self, x: FloatArray) -> FloatArray:
        """Return the Chebyshev polynomials at x/radius (clipped to [-1, 1]) by the recurrence, (nodes, x.size)."""
        t = np.clip(x, -self.radius, self.radius) / self.radius
        basis = np.empty((len(self.coefficients), t.size))
        basis[0], basis[1] = 1.0, t
        twice = 2.0 * t
        for j in range(2, len(basis)):
            np.multiply(twice, basis[j - 1], out=basis[j])
            basis[j] -= basis[j - 2]
        return basis


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
    return GaussianFeatures(bandwidth, radius, coefficients)


def gaussian_kernel(x: FloatArray, y: FloatArray, bandwidth: float) -> FloatArray:
    """Return the dense kernel matrix k(x_i, y_j), shape (x.size, y.size)."""
    return np.exp(-0.5 * ((x[:, None] - y[None, :]) / bandwidth) ** 2)
