"""Two tempting ways to cover test and training records at once, what they really promise, and the right ways.

The numbers behind the live lesson on smooth sensitivity (proofs and discussion: docs/joint-protection.md). Every data
set here is made up on the spot; nothing in this module touches private data or a release.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from privcause_core.errors import ParameterError
from privcause_core.lessons.divergence import LaplaceLaw, exact_delta
from privcause_core.lessons.smooth_sensitivity import SmoothNoise, kendall_joint, kendall_local
from privcause_core.pair import FloatArray
from privcause_core.scores.iqr import bins, distances_to_instability, log_iqr
from privcause_core.scores.kendall import tau_a
from privcause_core.verdicts.theory import release_probability

ROWS = 100  # test records of either example
TRAINING_SHIFT = 1e-9  # of the Kendall example: a training record reorders tied residuals only
SMALL_IQR, LARGE_IQR = math.exp(0.49), math.exp(0.99)  # of the IQR example: inside one bin of grid 1, and near its end
QUARTILE_SHIFT = 0.014  # what a training record moves a quartile there
CLAIMED_DELTA = 1e-6


@dataclass(frozen=True, slots=True)
class ScaleRule:
    """A rule that takes the noise scale of |tau| from the residuals, on two tables that differ in one test record.

    ``before`` and ``after`` are the laws of the published score; ``delta``, the worse of both directions, is what the
    rule really promises for that test record at its epsilon.
    """

    name: str
    before: LaplaceLaw
    after: LaplaceLaw
    delta: float

    def loss(self, published: float) -> float:
        """Return the privacy loss log(p_after / p_before) at a published score."""
        return self.after.log_density(published) - self.before.log_density(published)


def tied_residuals(tied: int) -> tuple[FloatArray, FloatArray]:
    """Return 100 residuals of which ``tied`` are 0 and the others far apart, and the same with one more joining.

    Raises
    ------
    ParameterError
        If tied is not in [2, 99].
    """
    if not 2 <= tied < ROWS:
        raise ParameterError(f"Expected tied between 2 and {ROWS - 1}, got {tied}.")
    residuals = np.concatenate([np.zeros(tied), np.arange(1.0, ROWS - tied + 1.0)])
    joined = residuals.copy()
    joined[-1] = 0.0
    return residuals, joined


def scale_rules(tied: int, epsilon: float) -> tuple[ScaleRule, ...]:
    """Return what three noise scales promise a test record: for test records only, the larger of two, smooth in both.

    Kendall's score of 100 test records, epsilon for one draw, a claimed delta of 1e-6.

    Raises
    ------
    ParameterError
        If tied is not in [2, 99].
    """
    noise, test_scale = SmoothNoise(epsilon, CLAIMED_DELTA), 4.0 / ROWS / epsilon

    def larger(residuals: FloatArray) -> float:
        return max(noise.scale(kendall_local(residuals, TRAINING_SHIFT)), test_scale)

    def smooth_in_both(residuals: FloatArray) -> float:
        return noise.scale(kendall_joint(residuals, TRAINING_SHIFT))

    rules: dict[str, Callable[[FloatArray], float]] = {
        "test rows only: 4/(mε)": lambda _: test_scale,
        "wrong: the larger of the two scales": larger,
        "right: smooth under both changes": smooth_in_both,
    }
    tables = tied_residuals(tied)
    return tuple(_scale_rule(name, rule, tables, epsilon) for name, rule in rules.items())


@dataclass(frozen=True, slots=True)
class DistanceRule:
    """A rule for A_1, A_2 of a log-IQR, on two tables that differ in one test record.

    ``released`` are both tables' release probabilities; ``delta`` the worse direction of P - exp(2 epsilon) P'.
    """

    name: str
    distances: tuple[int, int]
    distances_after: tuple[int, int]
    released: tuple[float, float]
    delta: float


def gapped_column() -> tuple[FloatArray, FloatArray]:
    """Return a column of three values whose log-IQR is 0.49, and one with a single value replaced: 0.99."""
    column = np.repeat([0.0, SMALL_IQR, LARGE_IQR], [50, 25, 25])
    moved = column.copy()
    moved[74] = LARGE_IQR
    return column, moved


def distance_rules(epsilon: float) -> tuple[DistanceRule, ...]:
    """Return what three distances promise a test record: for test records only, the smaller of two, joint ones.

    One propose-test-release with epsilon per draw and a claimed delta of 1e-6; a release is (2 epsilon, delta)-DP.
    """
    rules: dict[str, Callable[[FloatArray], tuple[int, int]]] = {
        "test rows only": lambda column: distances_to_instability(column, 1.0),
        "wrong: the smaller of the two distances": _smaller_distances,
        "right: both kinds of record counted together": lambda column: distances_to_instability(
            column, 1.0, QUARTILE_SHIFT
        ),
    }
    return tuple(_distance_rule(name, rule, epsilon) for name, rule in rules.items())


def _scale_rule(
    name: str, rule: Callable[[FloatArray], float], tables: tuple[FloatArray, FloatArray], epsilon: float
) -> ScaleRule:
    cause = np.random.default_rng(0).permutation(ROWS).astype(float)
    here, there = (LaplaceLaw(abs(tau_a(cause, residuals)), rule(residuals)) for residuals in tables)
    delta = max(exact_delta(here, there, epsilon), exact_delta(there, here, epsilon))
    return ScaleRule(name, here, there, delta)


def _distance_rule(name: str, rule: Callable[[FloatArray], tuple[int, int]], epsilon: float) -> DistanceRule:
    here, there = (rule(column) for column in gapped_column())
    before, after = (float(release_probability(two, epsilon, CLAIMED_DELTA)) for two in (here, there))
    allowed = math.exp(2.0 * epsilon)
    return DistanceRule(
        name, here, there, (before, after), max(0.0, before - allowed * after, after - allowed * before)
    )


def _smaller_distances(column: FloatArray) -> tuple[int, int]:
    """Return the wrong A_1, A_2: the smaller of the distances by test records alone and by training records alone."""
    by_test, value = distances_to_instability(column, 1.0), log_iqr(column)
    by_training = [_by_training(math.exp(value), *edges) for edges in bins(value, 1.0)]
    return min(by_test[0], by_training[0]), min(by_test[1], by_training[1])


def _by_training(value: float, lower: float, upper: float) -> int:
    """Return how many training records, moving the IQR by 2 shifts each, take it out of [exp(lower), exp(upper))."""
    step = 2.0 * QUARTILE_SHIFT
    return min(math.ceil((math.exp(upper) - value) / step), math.floor((value - math.exp(lower)) / step) + 1)
