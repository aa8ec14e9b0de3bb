"""The IQR score, and how far a sample's IQR is from leaving a bin (what propose-test-release tests)."""

import math
from bisect import bisect_left
from functools import partial

import numpy as np

from privcause_core.fits.public_ridge import HALF_RANGE
from privcause_core.fits.scaling import iqr, quartile_indices
from privcause_core.fits.scored import ScoredDirection
from privcause_core.pair import FloatArray, NumberArray
from privcause_core.scores.base import DirectionStatistic, Score, SensitivityOverview
from privcause_core.settings import Settings

LARGEST_PUBLIC_IQR = 4.0 * HALF_RANGE  # of residuals under public ranges: a clipped target minus a clipped prediction


def log_iqr(values: NumberArray) -> float:
    """Return the natural log of the IQR; -inf where the IQR is 0."""
    return _log(iqr(values))


def bins(log_value: float, width: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the bins [lower, upper) of both grids that hold a log-IQR (mechanisms.md section 6).

    Grid 1 has edges at multiples of the width, grid 2 half a width further. A log-IQR of -inf is a bin of its own in
    both: [-inf, -inf], left as soon as the IQR is positive.
    """
    if math.isinf(log_value):
        return (-math.inf, -math.inf), (-math.inf, -math.inf)
    return _bin(log_value, width, 0.0), _bin(log_value, width, 0.5)


def distances_to_instability(values: FloatArray, width: float, shift: float = 0.0) -> tuple[int, int]:
    """Return A_1, A_2: the least number of records to replace so that the log-IQR leaves its bin in each grid.

    Each is in 1..m and exact, for values of shape (m,) and a bin width on the log scale; O(m log m) by bisection, since
    the widest IQR that t replacements reach grows with t and the narrowest shrinks. ``shift`` is the most that one
    training record moves any value, 0 while only test rows are protected: the count is over training and test records
    together, each training record moving the IQR by up to 2 shift.
    """
    ordered = np.sort(values)
    value = _log(_widest(ordered, 0))
    counts = range(values.size)  # the whole sample is enough in any case
    grid_1, grid_2 = (
        bisect_left(counts, True, key=partial(leaves_bin, ordered, edges, shift=shift)) for edges in bins(value, width)
    )
    return grid_1, grid_2


def leaves_bin(ordered: FloatArray, edges: tuple[float, float], t: int, shift: float = 0.0) -> bool:
    """Return whether t replacements can move the log-IQR of a sorted sample out of [lower, upper)."""
    lower, upper = edges
    if math.isinf(lower):
        return _widest(ordered, t, shift) > 0.0
    return _log(_widest(ordered, t, shift)) >= upper or _log(_narrowest(ordered, t, shift)) < lower


def _widest(ordered: FloatArray, t: int, shift: float = 0.0) -> float:
    """Return max over i + j + k = t of X_(q3+i) - X_(q1-j) + 2 shift k, with X = -inf/+inf outside the sample."""
    low, high = quartile_indices(ordered.size)
    if t > low or high + t >= ordered.size:
        return math.inf
    return _extreme(ordered[high : high + t + 1], ordered[low - t : low + 1][::-1], 2.0 * shift)


def _narrowest(ordered: FloatArray, t: int, shift: float = 0.0) -> float:
    """Return min over i + j + k = t of X_(q3-i) - X_(q1+j) - 2 shift k; t at most q1, so the indices do not meet."""
    low, high = quartile_indices(ordered.size)
    return -_extreme(ordered[low : low + t + 1], ordered[high - t : high + 1][::-1], 2.0 * shift)


def _extreme(upper: FloatArray, lower: FloatArray, step: float) -> float:
    """Return max over i + j + k = t of upper[i] - lower[j] + step k, for arrays of length t + 1, in O(t)."""
    t = upper.size - 1
    spent = step * np.arange(t + 1)
    best_lower = np.minimum.accumulate(lower + spent)  # over every j up to a limit
    return float((upper - spent - best_lower[::-1]).max() + step * t)


def _bin(log_value: float, width: float, shift: float) -> tuple[float, float]:
    k = math.floor(log_value / width + shift)
    # Division may round across an edge; the edges themselves, (k - shift) w, decide.
    while (k - shift) * width > log_value:
        k -= 1
    while (k + 1 - shift) * width <= log_value:
        k += 1
    return (k - shift) * width, (k + 1 - shift) * width


def _log(value: float) -> float:
    return math.log(value) if value > 0.0 else -math.inf


class Iqr(DirectionStatistic, Score):
    """log IQR(cause) + log IQR(residual), released by propose-test-release."""

    name = "iqr"
    title = "IQR"
    order = 4
    margin_reach = 4.0
    from_paper = True
    no_joint_release = ""
    definition = (
        r"$\log \mathrm{IQR}(x) + \log \mathrm{IQR}(r)$ with "
        r"$\mathrm{IQR} = X_{(\lceil 3m/4\rceil)} - X_{(\lceil m/4\rceil)}$ (order statistics, no interpolation), "
        r"in units of the training half's spread. $\mathrm{IQR}=0$ gives $-\infty$."
    )
    overview = SensitivityOverview(
        test_global="none: one row can move a quartile across any gap",
        test_local="tested: the release is refused unless A₁ or A₂ rows would have to change",
        training_global="none",
        training_local="quartiles of a residual move by at most η each; tested together with the test rows",
    )

    def takes_scaled(self, settings: Settings) -> bool:  # noqa: ARG002
        """Return False: scaled residuals have no spread of their own to compare."""
        return False

    def statistic(self, direction: ScoredDirection, settings: Settings) -> float:  # noqa: ARG002
        """Return log IQR(cause) + log IQR(residual), in scaled units."""
        return log_iqr(direction.cause_scaled) + log_iqr(direction.residual)


SCORE = Iqr()
