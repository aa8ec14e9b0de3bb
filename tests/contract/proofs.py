"""What the proofs of mechanisms.md give, worked out from their own inequalities: independent of the declared bounds."""

import math

import numpy as np


def hsic(m: int) -> float:
    """Return the largest (2/m) ((q-q^2)(p-p^2))^(1/4) (2(1+q+p))^(1/2) + 4/m^2 over p, q in [0, 1]: section 3."""
    p = np.linspace(0.0, 1.0, 801)
    q = p[:, None]
    change = (2.0 / m) * ((q - q * q) * (p - p * p)) ** 0.25 * np.sqrt(2.0 * (1.0 + q + p))
    return float(change.max()) + 4.0 / m**2


def spearman(m: int) -> float:
    """Return 3/(m(m^2-1)) times the largest 2 (N^2 + N - 2 (a-b)^2 - 2|a-b|), N = m - 1, over ranks a, b: section 3."""
    apart = np.arange(m)
    n = m - 1
    return 3.0 / (m * (m**2 - 1.0)) * 2.0 * float((n * n + n - 2.0 * apart**2 - 2.0 * apart).max())


def kendall(m: int) -> float:
    """Return the change if all m - 1 pairs of a record turn from one sign to the other: section 3."""
    return 2.0 * (m - 1) / math.comb(m, 2)


def root_hsic(m: int) -> float:
    """Return sqrt(max F)/m, F the bound of section 11 over inner products u, v of the moved features."""
    u = np.linspace(-1.0, 2.0, 301)
    v = u[:, None]
    together = (u >= 0) & (v >= 0) & (u <= 1) & (v <= 1)
    square = np.where(together, 4.0 + 2.0 * u * v, 0.0)  # both in [0, 1]: the case that decides
    return math.sqrt(float(square.max())) / m


PROVED = {
    "spearman": spearman,
    "kendall": kendall,
    "soft-kendall": kendall,
    "hsic": hsic,
    "root-hsic": root_hsic,
}
