"""Distance covariance of values clipped to a public range: zero for independent columns, and of bounded sensitivity."""

import numpy as np

from privcause_core.fits.scored import ScoredDirection
from privcause_core.pair import FloatArray
from privcause_core.scores.base import DirectionStatistic, LaplaceScore, SensitivityOverview, formulas
from privcause_core.settings import Calibration, Settings

CLIP = 5.0  # scaled units
LARGEST = 0.25


class DistanceCovariance(DirectionStatistic, LaplaceScore):
    """Squared distance covariance, Laplace release."""

    name = "distance-covariance"
    title = "Distance covariance"
    order = 90
    from_paper = False
    no_joint_release = ""
    rounding_slack = 1e-9
    definition = r"$\frac{1}{m^2}\sum_{ij} A_{ij} B_{ij}$ of centred distances $|x_i - x_j|/10$ and $|r_i - r_j|/10$."
    sensitivity_formula = formulas(r"\min(1/4,\ 4/m)")
    overview = SensitivityOverview(
        test_global="4/m",
        test_local="at most the global one; not needed",
        training_global="η/10",
        training_local="at most the global one; not needed",
    )

    def statistic(self, direction: ScoredDirection, settings: Settings) -> float:
        """Return the squared distance covariance in [0, 1/4]."""
        a, b = _centred(direction.cause_scaled), _centred(direction.residual_scaled)
        return float(np.clip((a * b).mean(), 0.0, LARGEST))

    def largest(self, m: int) -> float:
        """Return 1/4."""
        return LARGEST

    def sensitivity(self, m: int, calibration: Calibration) -> float:
        """Return 4/m, capped at the range."""
        return min(LARGEST, 4.0 / m)

    def training_sensitivity(self, m: int, shift: float, settings: Settings) -> float:
        """Return shift/10, capped at the range."""
        return min(LARGEST, shift / (2.0 * CLIP))


def _centred(values: FloatArray) -> FloatArray:
    clipped = np.clip(values, -CLIP, CLIP) / (2.0 * CLIP)
    distances = np.abs(np.subtract.outer(clipped, clipped))
    centred: FloatArray = distances - distances.mean(axis=0) - distances.mean(axis=1)[:, None] + distances.mean()
    return centred


SCORE = DistanceCovariance()
