"""Kendall's tau-a: concordant minus discordant pairs over all pairs, tied pairs counting 0."""

import numpy as np

from privcause_core.fits.scored import ScoredDirection
from privcause_core.pair import NumberArray
from privcause_core.scores.base import DirectionStatistic, LaplaceScore, SensitivityOverview, formulas
from privcause_core.scores.ranks import dense_ranks, ramp_sum
from privcause_core.settings import Calibration, Settings

REORDERED = "one training row can reorder all residuals that lie close together, and how many do is itself private."


def tau_a(x: NumberArray, r: NumberArray) -> float:
    """Return tau_a = (concordant - discordant) / (m (m-1) / 2) in [-1, 1], for arrays of shape (m,), m >= 2.

    Computed from exact integers in O(m log m). Equals scipy's kendalltau when there are no ties; a constant column
    gives 0.
    """
    return 2 * concordance(x, r) / (x.size * (x.size - 1))


def concordance(x: NumberArray, r: NumberArray) -> int:
    """Return concordant minus discordant pairs as an exact integer: unequal dense ranks differ by 1 or more."""
    return ramp_sum(x, dense_ranks(r).astype(np.int64), 1)


class Kendall(DirectionStatistic, LaplaceScore):
    """|tau_a|, Laplace release."""

    name = "kendall"
    title = "Kendall"
    order = 2
    from_paper = True
    definition = (
        r"$|\tau_a|$ with $\tau_a = \frac{\text{concordant} - \text{discordant}}{m(m-1)/2}$; a tied pair counts 0 "
        r"and the denominator never depends on the data."
    )
    sensitivity_formula = formulas(r"\min(1,\ 4/m)", paper=r"4/m")
    overview = SensitivityOverview(
        test_global="4/m, exact",
        test_local="at most 4/m; not needed",
        training_global="none below 1: moving every residual a little can reorder all pairs",
        training_local="4 N(2η)/(m(m-1)), N(d) = pairs of residuals at most d apart",
    )
    no_joint_release = REORDERED

    def statistic(self, direction: ScoredDirection, settings: Settings) -> float:  # noqa: ARG002
        """Return |tau_a(cause, residual)| in [0, 1]."""
        return abs(tau_a(direction.cause, direction.residual))

    def sensitivity(self, m: int, calibration: Calibration) -> float:
        """Return 4/m (exact; refined caps it at the range)."""
        return 4.0 / m if calibration is Calibration.PAPER else min(1.0, 4.0 / m)


SCORE = Kendall()
