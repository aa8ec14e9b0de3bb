"""The Hilbert-Schmidt independence criterion with Gaussian kernels, in one pass over low-rank features."""

import math

import numpy as np

from privcause_core.fits.scored import ScoredDirection
from privcause_core.kernel_features import gaussian_features
from privcause_core.pair import FloatArray
from privcause_core.scores.base import DirectionStatistic, LaplaceScore, SensitivityOverview, formulas
from privcause_core.settings import Calibration, Settings

# sqrt(8 (10 + 7 sqrt 7) / 54) = 2.05554 rounded up; the 3e-5 covers interpolation and summation (1.4e-7 at m = 10^6).
REFINED_CONSTANT = 2.0556


def hsic(x: FloatArray, r: FloatArray, bandwidth_x: float = 1.0, bandwidth_r: float = 1.0) -> float:
    """Return trace(K H L H) / (m-1)^2 in [0, m^2 / (4 (m-1)^2)], for Gaussian kernels of values clipped to [-5, 5].

    Values, of shape (m,), m >= 2, and the public bandwidths are in scaled units. O(m rank^2) time, memory independent
    of m: with centred feature matrices A, B it is ||A'B||_F^2 / (m-1)^2 (mechanisms.md section 9). A constant column
    gives exactly 0.
    """
    return squared_cross_norm(x, r, bandwidth_x, bandwidth_r) / (x.size - 1) ** 2


def squared_cross_norm(x: FloatArray, r: FloatArray, bandwidth_x: float, bandwidth_r: float) -> float:
    """Return ||A'B||_F^2 of the centred features; its root is exact to 2e-13 where the truth is 0, too."""
    map_x, map_r = gaussian_features(bandwidth_x), gaussian_features(bandwidth_r)
    cross = np.zeros((len(map_x.coefficients), len(map_r.coefficients)))
    for a, b in zip(map_x.chunks_from_first(x), map_r.chunks_from_first(r), strict=True):
        a[0] = b[0] = 1.0  # in place of T_0 - T_0 = 0: products with it are sums
        cross += a @ b.T
    centred = cross[1:, 1:] - np.outer(cross[1:, 0], cross[0, 1:]) / x.size
    return float(np.square(map_x.coefficients[1:].T @ centred @ map_r.coefficients[1:]).sum())


class Hsic(DirectionStatistic, LaplaceScore):
    """HSIC, Laplace release."""

    name = "hsic"
    title = "HSIC"
    order = 3
    margin_reach = 0.1
    uses = ("bandwidth",)
    from_paper = True
    no_joint_release = ""
    rounding_slack = 1e-9
    definition = (
        r"$\operatorname{tr}(KHLH)/(m-1)^2$, $K_{ij}=k(x_i,x_j)$, $L_{ij}=l(r_i,r_j)$, "
        r"$H=I-\mathbf{1}\mathbf{1}^\top/m$, "
        r"Gaussian kernels of a public bandwidth on values scaled by the training half and clipped to $\pm 5$."
    )
    sensitivity_formula = formulas(
        r"\min\left(2.0556/m + 4/m^2,\ \frac{m^2}{4(m-1)^2}\right)", paper=r"\frac{16m-8}{(m-1)^2}"
    )
    overview = SensitivityOverview(
        test_global="2.0556/m + 4/m² (the paper: (16m-8)/(m-1)²)",
        test_local="at most the global one; not needed",
        training_global="(m/(m-1))² Λη/√2, Λ = e^(-1/2)/h, the Lipschitz constant of the residual kernel",
        training_local="at most the global one; not needed",
    )

    def statistic(self, direction: ScoredDirection, settings: Settings) -> float:
        """Return HSIC of the scaled cause and the scaled residual."""
        return hsic(direction.cause_scaled, direction.residual_scaled, settings.bandwidth, settings.bandwidth)

    def largest(self, m: int) -> float:
        """Return m^2 / (4 (m-1)^2): about 1/4."""
        return m**2 / (4.0 * (m - 1) ** 2)

    def sensitivity(self, m: int, calibration: Calibration) -> float:
        """Return min(2.0556/m + 4/m^2, range) or Theorem 4's (16m-8)/(m-1)^2."""
        if calibration is Calibration.PAPER:
            return (16.0 * m - 8.0) / (m - 1) ** 2
        return min(REFINED_CONSTANT / m + 4.0 / m**2, self.largest(m))

    def training_sensitivity(self, m: int, shift: float, settings: Settings) -> float:
        """Return (m/(m-1))^2 Lam shift / sqrt 2, Lam = exp(-1/2)/bandwidth (docs/joint-protection.md)."""
        lipschitz = math.exp(-0.5) / settings.bandwidth
        return min((m / (m - 1)) ** 2 * lipschitz * shift / math.sqrt(2.0), self.largest(m))


SCORE = Hsic()
