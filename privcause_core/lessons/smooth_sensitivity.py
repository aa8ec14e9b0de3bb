"""Smooth sensitivities of Kendall and Spearman to *training* records: a lesson, never a release.

Small moves of the residuals can reorder only those that lie close together, so the scores have a small local
sensitivity to a training record, and smoothed over distance (Nissim, Raskhodnikova and Smith, 2007) it protects
training records. It is computed from test residuals, so one *test* record moves the noise scale itself: taking the
larger of this scale and the test scale is not private (docs/joint-protection.md has the counterexample).

``shift`` is the most that one training record moves a residual; all sensitivities are for scores in [0, 1].
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.stats import rankdata

from privcause_core.pair import FloatArray, NumberArray

SMALLEST_EXPONENT = 700.0  # exp(-700), about 1e-304, is taken for 0


@dataclass(frozen=True, slots=True)
class SmoothNoise:
    """Noise of scale 2 S/epsilon with a beta-smooth S makes one score (epsilon, delta)-DP; epsilon, delta per draw."""

    epsilon: float
    delta: float

    @property
    def beta(self) -> float:
        """Return epsilon / (2 log(2/delta)): S may change by a factor e^beta between neighbours."""
        return self.epsilon / (2.0 * math.log(2.0 / self.delta))

    def scale(self, local: Callable[[int], float]) -> float:
        """Return 2 S/epsilon for local sensitivities at distance k; it depends on the data, so never print it."""
        return 2.0 * smooth_sensitivity(local, self.beta) / self.epsilon


def close_pairs(ordered: FloatArray, distance: float) -> int:
    """Return N(d), the number of pairs of sorted residuals at most d apart, in O(m log m)."""
    m = ordered.size
    return int(np.searchsorted(ordered, ordered + distance, side="right").sum()) - m * (m + 1) // 2


def kendall_local(residuals: FloatArray, shift: float) -> Callable[[int], float]:
    """Return k -> min(1, 4 N(2 shift (k+1)) / (m(m-1))): Kendall's local sensitivity after k training changes."""
    ordered, m = np.sort(residuals), residuals.size

    def local(k: int) -> float:
        return min(1.0, 4.0 * close_pairs(ordered, 2.0 * shift * (k + 1)) / (m * (m - 1)))

    return local


def spearman_local(cause: NumberArray, residuals: FloatArray, shift: float) -> Callable[[int], float]:
    """Return k -> min(1, 12/(m(m^2-1)) sum_i |R_i - (m+1)/2| c_i), c_i = others within 2 shift (k+1) of residual i."""
    m = residuals.size
    order = np.argsort(residuals, kind="stable")
    ordered, weights = residuals[order], np.abs(rankdata(cause) - (m + 1) / 2.0)[order]

    def local(k: int) -> float:
        reach = 2.0 * shift * (k + 1)
        above, below = (
            np.searchsorted(ordered, ordered + reach, side="right"),
            np.searchsorted(ordered, ordered - reach),
        )
        reordered = float(weights @ (above - below - 1))
        return min(1.0, 12.0 * reordered / (m * (m * m - 1.0)))

    return local


def rank_local(score: str, cause: NumberArray, residuals: FloatArray, shift: float) -> Callable[[int], float] | None:
    """Return the local sensitivities at distance k of a rank score by its name; None for any other score."""
    if score == "kendall":
        return kendall_local(residuals, shift)
    return spearman_local(cause, residuals, shift) if score == "spearman" else None


def kendall_joint(residuals: FloatArray, shift: float) -> Callable[[int], float]:
    """Return k -> U_k = min(1, max(4/m, 4 (N(2 shift (k+1)) + k (m-1)) / (m(m-1)))), smooth under both changes.

    Valid for every row, and nearly useless: k (m-1) pairs are added for k test changes, so S is at least about
    4/(e beta m) whatever the data.
    """
    m = residuals.size
    training = kendall_local(residuals, shift)

    def local(k: int) -> float:
        return min(1.0, max(4.0 / m, training(k) + 4.0 * k / m))

    return local


def smooth_sensitivity(local: Callable[[int], float], beta: float) -> float:
    """Return S = max over k >= 0 of exp(-beta k) local(k), exactly, for a non-decreasing local sensitivity <= 1.

    Branch and bound: between two known distances the value is at most exp(-beta (low + 1)) local(high), so only a few
    distances are evaluated.
    """
    known, start = cache(local), 0
    while known(start) == 0.0:
        start = 2 * start + 1
        if beta * start > SMALLEST_EXPONENT:
            return 0.0  # whatever follows is discounted to nothing
    best = max(known(0), math.exp(-beta * start) * known(start))
    intervals = [(0, math.ceil(-math.log(best) / beta) + 1)]  # beyond, exp(-beta k) < best
    while intervals:
        low, high = intervals.pop()
        best = max(best, math.exp(-beta * high) * known(high))
        if high - low > 1 and math.exp(-beta * (low + 1)) * known(high) > best:
            middle = (low + high) // 2
            intervals += [(middle, high), (low, middle)]
    return best
