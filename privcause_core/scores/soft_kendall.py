"""Soft Kendall: tau with the sign of a residual difference replaced by a ramp, so that small moves change it little."""

import numpy as np

from privcause_core.fits.scored import ScoredDirection
from privcause_core.kernel_features import RADIUS
from privcause_core.pair import FloatArray, NumberArray
from privcause_core.scores.base import DirectionStatistic, LaplaceScore, SensitivityOverview, formulas
from privcause_core.scores.ranks import IntArray, ramp_sum
from privcause_core.settings import Calibration, Settings

GRID = 2**30  # steps of one width h: residuals are rounded to whole steps, so that sums of ramps are exact integers


def soft_tau(x: NumberArray, r: FloatArray, width: float) -> float:
    """Return the mean over pairs of sgn(x_i - x_j) clip((r_i - r_j) / h, -1, 1), in [-1, 1]; tied x count 0.

    x and r are of shape (m,), m >= 2; r, clipped to [-5, 5], and the public width h in [0.01, 10] are in scaled units.
    Exact for r rounded to the nearest multiple of h / 2^30, in O(m log m).
    """
    return 2 * ramp_sum(x, steps(r, width), GRID) / (GRID * x.size * (x.size - 1))


def steps(r: FloatArray, width: float) -> IntArray:
    """Return the clipped residuals in whole steps of h / 2^30."""
    return np.rint(np.clip(r, -RADIUS, RADIUS) * (GRID / width)).astype(np.int64)


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
