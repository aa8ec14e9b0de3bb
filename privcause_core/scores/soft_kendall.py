"""Soft Kendall: tau with the sign of a residual difference replaced by a ramp, so that small moves change it little."""

from typing import Any

import numpy as np
import numpy.typing as npt

from privcause_core.fits.scored import ScoredDirection
from privcause_core.kernel_features import RADIUS
from privcause_core.pair import FloatArray, NumberArray
from privcause_core.scores.base import DirectionStatistic, LaplaceScore, SensitivityOverview, formulas
from privcause_core.settings import Calibration, Settings

GRID = 2**30  # steps of one width h: residuals are rounded to whole steps, so that sums of ramps are exact integers

IntArray = npt.NDArray[np.int64]


def soft_tau(x: NumberArray, r: FloatArray, width: float) -> float:
    """Return the mean over pairs of sgn(x_i - x_j) clip((r_i - r_j) / h, -1, 1), in [-1, 1]; tied x count 0.

    x and r are of shape (m,), m >= 2; r, clipped to [-5, 5], and the public width h in [0.01, 10] are in scaled units.
    Exact for r rounded to the nearest multiple of h / 2^30, in O(m log m).
    """
    m = x.size
    return ramp_sum(x, steps(r, width)) / (GRID * (m * (m - 1) // 2))


def steps(r: FloatArray, width: float) -> IntArray:
    """Return the clipped residuals in whole steps of h / 2^30."""
    return np.rint(np.clip(r, -RADIUS, RADIUS) * (GRID / width)).astype(np.int64)


def ramp_sum(x: NumberArray, r: IntArray) -> int:
    """Return the exact sum over pairs with x_i > x_j of clip(r_i - r_j, -2^30, 2^30).

    A wavelet matrix: rows sorted by r are split by the bits of x's dense rank, the highest first. Rows of unequal x
    part at exactly one bit, where prefix counts and sums over the block's 0-rows settle the pair. ``ends`` holds, for
    each row, where its block starts, where the block's rows within reach of r start and stop, and where it stops.
    """
    order = np.argsort(r, kind="stable")
    r, rank = r[order], np.unique(x, return_inverse=True)[1].astype(np.int32)[order]  # int32: half to move around
    del order
    ends = np.zeros((4, r.size), dtype=np.int32)
    ends[1] = np.searchsorted(r, r - GRID)
    ends[2] = np.searchsorted(r, r + GRID)
    ends[3] = r.size
    total = 0
    for bit in reversed(range(int(rank.max()).bit_length())):
        is_zero = (rank >> bit) & 1 == 0
        zeros, ones = np.flatnonzero(is_zero), np.flatnonzero(~is_zero)
        sums = _prefix_sums(r * is_zero, np.int64).take(ends[1:3].take(ones, axis=1))
        before = _prefix_sums(is_zero, np.int32).take(ends)  # 0-rows ahead of each of the four ends
        total += _crossing(r.take(ones), before.take(ones, axis=1), sums)
        after = (ends - before).take(ones, axis=1) + np.int32(zeros.size)
        ends = np.concatenate([before.take(zeros, axis=1), after], axis=1)
        rank, r = (np.concatenate([v.take(zeros), v.take(ones)]) for v in (rank, r))
    return total


def _crossing(r: IntArray, before: npt.NDArray[np.int32], sums: IntArray) -> int:
    """Return the sum of ramps between each 1-row and the 0-rows of its block."""
    start, low, high, stop = before
    ramps = (high - low) * r - (sums[1] - sums[0])
    ramps += GRID * ((low - start) - (stop - high)).astype(np.int64)
    return (int((ramps >> 20).sum()) << 20) + int((ramps & 0xFFFFF).sum())  # in two parts, each far below 2^63


def _prefix_sums(values: npt.NDArray[np.generic], kind: npt.DTypeLike) -> npt.NDArray[Any]:
    sums = np.zeros(values.size + 1, dtype=kind)
    np.cumsum(values, out=sums[1:])
    return sums


class SoftKendall(DirectionStatistic, LaplaceScore):
    """|soft tau|, Laplace release; the rank score that can protect every row."""

    name = "soft-kendall"
    title = "Soft Kendall"
    order = 5
    uses = ("soft_width",)
    from_paper = False
    no_joint_release = ""
    definition = (
        r"$|\tau_h|$ with $\tau_h = \frac{1}{m(m-1)/2}\sum_{i<j} \operatorname{sgn}(x_i-x_j)\,"
        r"\operatorname{clip}\left(\frac{r_i-r_j}{h},-1,1\right)$ and a public width $h$ in scaled units: "
        r"Kendall's $\tau_a$ as $h \to 0$."
    )
    sensitivity_formula = formulas(r"\min(1,\ 4/m)", paper=r"4/m")
    overview = SensitivityOverview(
        test_global="4/m",
        test_local="at most 4/m; not needed",
        training_global="m/(m-1) η/h",
        training_local="at most the global one; not needed",
    )

    def statistic(self, direction: ScoredDirection, settings: Settings) -> float:
        """Return |soft tau(cause, scaled residual)| in [0, 1]."""
        return abs(soft_tau(direction.cause, direction.residual_scaled, settings.soft_width))

    def sensitivity(self, m: int, calibration: Calibration) -> float:
        """Return 4/m: one record is in m - 1 of m(m-1)/2 pairs, and each moves by at most 2 (refined: capped at 1)."""
        return 4.0 / m if calibration is Calibration.PAPER else min(1.0, 4.0 / m)

    def training_sensitivity(self, m: int, shift: float, settings: Settings) -> float:
        """Return 4 floor(m^2/4) / (m(m-1)) shift/h, capped at 1 (docs/joint-protection.md).

        The sum over pairs of |d_i - d_j| with every |d_i| <= shift is largest when half of the residuals move up and
        half move down: floor(m^2/4) pairs, 2 shift each. Rounding to the grid adds 1/2^30 to shift/h.
        """
        return min(1.0, 4 * (m * m // 4) / (m * (m - 1)) * (shift / settings.soft_width + 1.0 / GRID))


SCORE = SoftKendall()
