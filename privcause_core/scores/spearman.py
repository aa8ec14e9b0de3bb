"""Spearman's rho-a: rank correlation normalised by the no-ties variance, so that ties cannot swing it."""

import numpy as np

from privcause_core.fits.scored import ScoredDirection
from privcause_core.pair import NumberArray
from privcause_core.scores.base import DirectionStatistic, LaplaceScore, SensitivityOverview, formulas
from privcause_core.scores.kendall import REORDERED
from privcause_core.scores.ranks import IntArray, dense_ranks
from privcause_core.settings import Calibration, Settings


def rho_a(x: NumberArray, r: NumberArray) -> float:
    """Return rho_a = 12 sum_i (R_i - (m+1)/2)(S_i - (m+1)/2) / (m (m^2 - 1)) with mid-ranks R, S.

    In [-1, 1], for arrays of shape (m,), m >= 2; computed from exact integers. Equals scipy's spearmanr when there are
    no ties; a constant column gives 0.
    """
    m = x.size
    return 3 * doubled_rank_product(x, r) / (m * (m * m - 1))


def doubled_rank_product(x: NumberArray, r: NumberArray) -> int:
    """Return the exact integer G = sum_i (2 R_i - (m+1)) (2 S_i - (m+1)) of mid-ranks R, S."""
    return exact_product(_doubled_centred_ranks(x), _doubled_centred_ranks(r))


def exact_product(a: IntArray, b: IntArray) -> int:
    """Return sum_i a_i b_i exactly, for integers of magnitude below 3e9, so doubled ranks of up to 3e9 rows.

    As many products are summed in int64 as fit whatever their signs; Python's own integers do the rest.
    """
    largest = int(np.abs(a).max(initial=1)) * int(np.abs(b).max(initial=1))
    size = max(1, (2**63 - 1) // largest)
    return sum(int(a[i : i + size] @ b[i : i + size]) for i in range(0, a.size, size))


def _doubled_centred_ranks(values: NumberArray) -> IntArray:
    ranks = dense_ranks(values)
    counts = np.bincount(ranks)
    return np.asarray((2 * np.cumsum(counts) - counts - values.size)[ranks])


class Spearman(DirectionStatistic, LaplaceScore):
    """|rho_a|, Laplace release."""

    name = "spearman"
    title = "Spearman"
    order = 1
    from_paper = True
    definition = (
        r"$|\rho_a|$ with $\rho_a = \frac{12}{m(m^2-1)}\sum_i "
        r"\left(R_i-\frac{m+1}{2}\right)\left(S_i-\frac{m+1}{2}\right)$, "
        r"$R$, $S$ the mid-ranks of cause and residual. Divided by the no-ties variance, so ties cannot swing it."
    )
    sensitivity_formula = formulas(r"\min(1,\ 6/(m+1))", paper=r"30/m")
    overview = SensitivityOverview(
        test_global="6/(m+1), exact (the paper: 30/m)",
        test_local="at most 6/(m+1); not needed",
        training_global="none below 1: moving every residual a little can reorder all ranks",
        training_local="12/(m(m²-1)) Σ|Rᵢ-(m+1)/2| cᵢ, cᵢ = residuals within 2η of residual i",
    )
    no_joint_release = REORDERED

    def statistic(self, direction: ScoredDirection, settings: Settings) -> float:  # noqa: ARG002
        """Return |rho_a(cause, residual)| in [0, 1]."""
        return abs(rho_a(direction.cause, direction.residual))

    def sensitivity(self, m: int, calibration: Calibration) -> float:
        """Return 6/(m+1) (exact; capped at the range) or Theorem 2's 30/m."""
        return 30.0 / m if calibration is Calibration.PAPER else min(1.0, 6.0 / (m + 1))


SCORE = Spearman()
