"""Smooth sensitivity to a training record, step by step on a made-up table: the numbers behind the live lesson.

Local sensitivities at distance k, discounted by exp(-beta k); the largest discounted one is the smooth sensitivity S.
Nothing here touches private data, and none of it is ever released (``smooth`` says why).
"""

from dataclasses import dataclass

import numpy as np

from privcause_core.errors import ParameterError
from privcause_core.fits.public_ridge import residual_shift
from privcause_core.lessons.sensitivities import PUBLIC
from privcause_core.lessons.smooth_sensitivity import SmoothNoise, kendall_joint, rank_local
from privcause_core.pair import FloatArray, NumberArray
from privcause_core.protection import public_ranges
from privcause_core.samples import DEFAULT_SAMPLE, load_sample
from privcause_core.scores import LaplaceScore, get_score
from privcause_core.settings import Calibration

MOST_DISTANCES = 100  # evaluated for the picture; S itself is exact
FARTHEST_DISCOUNT = 1e-3  # the picture ends where a distance counts a thousandth


@dataclass(frozen=True, slots=True, eq=False)
class MovedBy:
    """Test half of the standard sample under the regression with public constants, and what a training record moves.

    Attributes
    ----------
    cause, residual : arrays of shape (m,)
    shift : float
        Most that one training record moves a residual, in scaled units.
    """

    cause: NumberArray
    residual: FloatArray
    shift: float


@dataclass(frozen=True, slots=True, eq=False)
class Smoothing:
    """One score's local sensitivities over distance, and three noise scales of one draw.

    Attributes
    ----------
    distance : integer array
        k, the number of training records that were already replaced.
    local, discounted : arrays of the same shape
        min(1, local sensitivity at k), and that times exp(-beta k).
    smooth : float
        S, the largest discounted value over every k >= 0.
    training_scale, test_scale : float
        2 S/epsilon, and the Laplace scale that covers test records only.
    joint_scale : float or None
        Of the bound that is smooth under both changes (Kendall only).
    """

    distance: FloatArray
    local: FloatArray
    discounted: FloatArray
    smooth: float
    training_scale: float
    test_scale: float
    joint_scale: float | None


def moved_by(rows: int, ridge: float) -> MovedBy:
    """Return the standard sample's test residuals of x -> y and what one training record moves, for a public lambda."""
    fitted = public_ranges.fit(load_sample(DEFAULT_SAMPLE, rows=rows), PUBLIC.with_(ridge=ridge))
    return MovedBy(fitted.scored.x_to_y.cause, fitted.scored.x_to_y.residual, residual_shift(fitted.n_train, ridge))


def smoothing(moved: MovedBy, score: str, noise: SmoothNoise) -> Smoothing:
    """Return the smooth sensitivity of Kendall's or Spearman's score with all that leads to it.

    Raises
    ------
    ParameterError
        If the score is neither.
    """
    m, local = moved.residual.size, rank_local(score, moved.cause, moved.residual, moved.shift)
    if local is None:
        raise ParameterError(f"Expected score to be kendall or spearman, got {score!r}.")
    farthest = int(-np.log(FARTHEST_DISCOUNT) / noise.beta)
    distance = np.unique(np.geomspace(1, farthest + 1, MOST_DISTANCES).astype(int)) - 1
    values = np.array([local(int(k)) for k in distance])
    training_scale, known = noise.scale(local), get_score(score)
    test = known.sensitivity(m, Calibration.REFINED) if isinstance(known, LaplaceScore) else 1.0
    return Smoothing(
        distance=distance.astype(float),
        local=values,
        discounted=np.exp(-noise.beta * distance) * values,
        smooth=training_scale * noise.epsilon / 2.0,
        training_scale=training_scale,
        test_scale=test / noise.epsilon,
        joint_scale=noise.scale(kendall_joint(moved.residual, moved.shift)) if score == "kendall" else None,
    )
