"""What a wrong threshold, bin, draw, bandwidth or tie rule does: the numbers behind the lesson and the Methods page.

Every data set here is made up on the spot; nothing in this module touches private data or a release.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import kendalltau

from privcause_core.errors import ParameterError
from privcause_core.pair import FloatArray
from privcause_core.scores import get_score
from privcause_core.scores.base import LaplaceScore
from privcause_core.scores.hsic import hsic
from privcause_core.scores.kendall import tau_a
from privcause_core.settings import Calibration
from privcause_core.verdicts.theory import laplace_tail

_FINE, _FAR = 0.1, 2.0  # spacing inside a cluster, and each cluster's distance from 0


def advanced_factor(k: int, delta_slack: float) -> float:
    """Return 2 sqrt(2 k log(1/delta')), by which advanced composition multiplies one of k equal epsilons.

    For a total below 1, at the price of one more delta' (Dwork and Roth, Corollary 3.21); basic composition's factor
    is k.
    """
    return 2.0 * math.sqrt(2.0 * k * math.log(1.0 / delta_slack))


@dataclass(frozen=True, slots=True)
class Jump:
    """A statistic before and after one row was replaced, and the bound its noise would be scaled by."""

    before: float
    after: float
    bound: float

    @property
    def change(self) -> float:
        """Return how far the statistic moved."""
        return abs(self.after - self.before)

    @property
    def times_bound(self) -> float:
        """Return the change over the bound: above 1 the promise is broken."""
        return self.change / self.bound


def tie_rule_jumps(m: int) -> tuple[Jump, Jump]:
    """Return what one row does to tau-b and to tau-a in a heavily tied table, against the bound 4/m.

    All rows but one are (0, 0); the last is (1, 1) and becomes (1, -1). tau-b divides by the number of untied pairs,
    which here is m - 1, so it goes from 1 to -1 at every m; tau-a divides by all pairs.

    Raises
    ------
    ParameterError
        If m < 4.
    """
    if m < 4:
        raise ParameterError(f"Expected m >= 4, got {m}.")
    x, r = np.zeros(m), np.zeros(m)
    x[-1], r[-1] = 1.0, 1.0
    moved = r.copy()
    moved[-1] = -1.0
    tau_b = Jump(float(kendalltau(x, r).statistic), float(kendalltau(x, moved).statistic), 4.0 / m)
    return tau_b, Jump(tau_a(x, r), tau_a(x, moved), 4.0 / m)


def bandwidth_jumps(root: int) -> tuple[Jump, Jump]:
    """Return what one row does to HSIC with the median-distance bandwidth and with a fixed one, m = root^2.

    Cause: two far clusters, each of two nearby points; residual: +-1, tied to the fine structure. With
    (m + root)/2 and (m - root)/2 rows, as many pairs of rows lie inside a cluster as across. One row that changes
    cluster tips the median from "far" to "near", and with it every entry of the kernel matrix.

    Raises
    ------
    ParameterError
        If root < 4 or root > 50.
    """
    if not 4 <= root <= 50:
        raise ParameterError(f"Expected root between 4 and 50, got {root}.")
    m = root * root
    score = get_score("hsic")
    if not isinstance(score, LaplaceScore):
        raise TypeError("HSIC is released by the Laplace mechanism.")
    bound = score.sensitivity(m, Calibration.REFINED)
    x, r, first_of_second = _two_clusters(m, (m + root) // 2)
    moved = x.copy()
    moved[first_of_second] = -_FAR
    by_median = Jump(hsic(x, r, median_distance(x)), hsic(moved, r, median_distance(moved)), bound)
    return by_median, Jump(hsic(x, r), hsic(moved, r), bound)


def median_distance(values: FloatArray) -> float:
    """Return the median distance between two different rows, shape ``(m,)``: the usual bandwidth, and a private one."""
    above = np.triu_indices(values.size, 1)
    return float(np.median(np.abs(values[above[0]] - values[above[1]])))


def printed_pass_probability(epsilon: float, delta: float) -> float:
    """Return how often the printed threshold 1 + log(1/delta) lets an unstable IQR (A_j = 1) pass one test.

    P(Lap(1/epsilon) > log(1/delta)) = delta^epsilon / 2; the corrected threshold gives delta / 2.
    """
    return float(laplace_tail(-epsilon * math.log(delta)))


def printed_second_bin(log_value: float) -> tuple[float, float]:
    """Return the printed second bin of a log-IQR, [k - 0.5, k + 0.5) with k = floor: it can miss the value."""
    k = math.floor(log_value)
    return k - 0.5, k + 0.5


def reused_draw_giveaway(epsilon: float) -> float:
    """Return how often reusing the test's draw for the value proves which of two tables it came from.

    With one z in the test A + z/epsilon > T and in the value L + w z/epsilon, the value cannot lie below
    L + w (T - A). A neighbour with the same L and A one larger reaches w further down; at A = T the values that only
    it can give have probability (1 - exp(-epsilon)) / 2.
    """
    return -math.expm1(-epsilon) / 2.0


def printed_iqr_margin(log_iqrs: Sequence[float]) -> float:
    """Return Q_y + Q_rX - Q_x + Q_rY, Theorem 5's margin with the sign of its last term as printed.

    ``log_iqrs`` are those of x, y's residual, y and x's residual.
    """
    q_x, q_residual_y, q_y, q_residual_x = log_iqrs
    return q_y + q_residual_x - q_x + q_residual_y


def _two_clusters(m: int, first: int) -> tuple[FloatArray, FloatArray, int]:
    """Return cause and residual of two clusters, and the position of the first row of the second one."""
    odd = np.concatenate([np.arange(first) % 2, np.arange(m - first) % 2])
    centre = np.where(np.arange(m) < first, -_FAR, _FAR - _FINE)
    return centre + _FINE * odd, 2.0 * odd - 1.0, first
