"""How often a private verdict agrees with the true one: Theorems 3 and 5, corrected, with their inverses.

``t`` is the margin over the noise scale actually used, gamma / sigma. Correctness signs it by the truth; a *flip*
(private direction differs from the non-private one) uses its absolute value.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import lambertw

from privcause_core.errors import ParameterError
from privcause_core.pair import FloatArray
from privcause_core.settings import ReleaseKind


def flip_two_scores(t: npt.ArrayLike) -> FloatArray:
    """Return P(flip) = (|t| + 2)/4 exp(-|t|) of two independently noised scores (Theorem 3); 1/2 at t = 0."""
    t = _size(t)
    return np.asarray((t + 2.0) / 4.0 * np.exp(-t))


def flip_direction(t: npt.ArrayLike) -> FloatArray:
    """Return P(flip) = exp(-|t|)/2 of one draw of the same scale on the difference."""
    return np.asarray(0.5 * np.exp(-np.abs(np.asarray(t, dtype=np.float64))))


def flip_iqr(t: npt.ArrayLike) -> FloatArray:
    """Return P(wrong order | all four released) = exp(-|t|)/96 (48 + 33|t| + 9|t|^2 + |t|^3) (Theorem 5, part 2)."""
    t = _size(t)
    return np.asarray(np.exp(-t) / 96.0 * (48.0 + 33.0 * t + 9.0 * t**2 + t**3))


def _size(t: npt.ArrayLike) -> FloatArray:
    """Return |t|, cut where exp(-|t|) is 0 anyway, so that an infinite margin gives probability 0, not NaN."""
    return np.minimum(np.abs(np.asarray(t, dtype=np.float64)), 1e3)


def correct(flip: Callable[[npt.ArrayLike], FloatArray], t: npt.ArrayLike) -> FloatArray:
    """Return P(correct): 1 - P(flip) where the true scores are ordered rightly (t >= 0), else the mirrored tail."""
    t = np.asarray(t, dtype=np.float64)
    return np.where(t >= 0.0, 1.0 - flip(t), flip(t))


def margin_in_scales(flip: float, release: ReleaseKind) -> float:
    """Return the t = |gamma|/sigma at which a Laplace verdict flips with the given probability.

    Two scores: t = -2 - W_{-1}(-4 beta exp(-2)); direction only: t = -log(2 beta).

    Raises
    ------
    ParameterError
        If the flip probability is not in (0, 1/2].
    """
    if not 0.0 < flip <= 0.5:
        raise ParameterError(f"Expected a flip probability in (0, 0.5], got {flip:g}.")
    if release is ReleaseKind.DIRECTION:
        return -math.log(2.0 * flip)
    return max(0.0, -2.0 - float(lambertw(-4.0 * flip * math.exp(-2.0), k=-1).real))


def noise_scale(sensitivity: float, epsilon: float) -> float:
    """Return the Laplace scale of a verdict of that total epsilon, 2 D / epsilon.

    Two scores get D / (epsilon/2) each; the difference alone, of sensitivity 2 D, gets the same scale once.
    """
    return 2.0 * sensitivity / epsilon


def stability_threshold(epsilon: float, delta: float) -> float:
    """Return 1 + log(1/delta)/epsilon, the corrected threshold of propose-test-release (epsilon, delta per draw)."""
    return 1.0 - math.log(delta) / epsilon


def laplace_tail(excess: npt.ArrayLike) -> FloatArray:
    """Return P(Z > excess) = P(Z < -excess) for a standard Laplace Z."""
    return correct(flip_direction, -np.asarray(excess, dtype=np.float64))


def pass_probability(distance: npt.ArrayLike, epsilon: float, delta: float) -> FloatArray:
    """Return P(A + Lap(1/epsilon) > threshold) of one test."""
    return laplace_tail(epsilon * (stability_threshold(epsilon, delta) - np.asarray(distance, dtype=np.float64)))


def release_probability(distances: npt.ArrayLike, epsilon: float, delta: float) -> FloatArray:
    """Return P(at least one of the two tests passes) for distances of shape (..., 2), epsilon and delta per draw."""
    passes = pass_probability(distances, epsilon, delta)
    first, second = passes[..., 0], passes[..., 1]
    return np.asarray(first + second * (1.0 - first))  # keeps tiny probabilities, which 1 - (1-p)(1-q) loses


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares of all runs of a verdict; they add to one. Only the IQR verdict is ever refused."""

    right: float
    wrong: float
    partly_refused: float = 0.0
    refused: float = 0.0

    @property
    def released(self) -> float:
        """Return the probability of an arrow: for the IQR, that all four log-IQRs are released."""
        return self.right + self.wrong


def iqr_shares(margin: float, distances: npt.ArrayLike, epsilon: float, delta: float, bin_width: float) -> Shares:
    """Return the four shares of an IQR verdict in closed form; epsilon and delta per draw.

    The margin is positive where it is ordered like the direction that counts as right; distances, of shape (4, 2),
    are A_1, A_2 of each of the four log-IQRs.
    """
    released = release_probability(distances, epsilon, delta)
    everything, nothing = float(np.prod(released)), float(np.prod(1.0 - released))
    right = everything * float(correct(flip_iqr, margin * epsilon / bin_width))
    return Shares(right, everything - right, max(0.0, 1.0 - everything - nothing), nothing)
