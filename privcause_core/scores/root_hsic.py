"""The root of HSIC: the Hilbert-Schmidt norm of the cross-covariance, whose noise is small beside real gaps."""

import math

from privcause_core.fits.scored import ScoredDirection
from privcause_core.scores.base import DirectionStatistic, LaplaceScore, SensitivityOverview, formulas
from privcause_core.scores.hsic import squared_cross_norm
from privcause_core.settings import Calibration, NoiseModel, Settings

CONSTANT = 2.4495  # sqrt 6 = 2.449490 rounded up: the rest covers 2e-13 of rounding up to m = 10^6
ROUNDING, ROUNDING_ABOVE = 1e-12, 10**6


class RootHsic(DirectionStatistic, LaplaceScore):
    """sqrt(HSIC), Laplace release."""

    name = "root-hsic"
    title = "Root HSIC"
    order = 6
    margin_reach = 0.3
    own_noise = NoiseModel.LOCATION_SCALE
    uses = ("bandwidth",)
    from_paper = False
    no_joint_release = "its bound under a moved training row is not proved; blocks can vote with it."
    definition = (
        r"$\lVert C\rVert_{HS}=\sqrt{\mathrm{HSIC}}$, computed as $\lVert A^\top B\rVert_F/(m-1)$ with centred feature "
        r"matrices $A$, $B$ of the same Gaussian kernels as HSIC."
    )
    sensitivity_formula = formulas(r"\min\left(2.4495/m,\ \frac{m}{2(m-1)}\right)")
    overview = SensitivityOverview(
        test_global="√6/m; the best known neighbours reach 2.31/m at m = 3,000",
        test_local="at most the global one; not needed",
        training_global="m η/(√2 h (m-1)) is derived, not proved: blocks only",
        training_local="not derived",
    )

    def statistic(self, direction: ScoredDirection, settings: Settings) -> float:
        """Return the root of HSIC of the scaled cause and the scaled residual, in [0, m/(2(m-1))]."""
        x, r = direction.cause_scaled, direction.residual_scaled
        return math.sqrt(squared_cross_norm(x, r, settings.bandwidth, settings.bandwidth)) / (x.size - 1)

    def largest(self, m: int) -> float:
        """Return m / (2 (m-1)): about 1/2."""
        return m / (2.0 * (m - 1))

    def sensitivity(self, m: int, calibration: Calibration) -> float:  # noqa: ARG002
        """Return sqrt(6)/m, rounded up (mechanisms.md section 11); the paper has no calibration of its own."""
        rounding = ROUNDING if m > ROUNDING_ABOVE else 0.0
        return min(CONSTANT / m + rounding, self.largest(m))


SCORE = RootHsic()
