"""The two tempting wrong combinations of test and training protection, with their actual delta, and the right ones."""

import math

import numpy as np
import pytest

from privcause_core.mechanisms import ProposeTestRelease
from privcause_core.scores.iqr import distances_to_instability, log_iqr
from privcause_core.scores.kendall import tau_a
from privcause_core.smooth import SmoothNoise, kendall_joint, kendall_local
from privcause_core.theory import release_probability

CLAIMED_DELTA = 1e-6


def delta_between(centre, scale, other_centre, other_scale, epsilon):
    """Return sup_S P(S) - e^epsilon Q(S) for two Laplace laws, by integrating (p - e^epsilon q)+ finely."""
    reach = 60.0 * max(scale, other_scale)
    edges = np.unique(np.concatenate([np.linspace(-reach, reach, 1_000_001), [centre, other_centre]]))
    z, width = (edges[1:] + edges[:-1]) / 2.0, np.diff(edges)
    p = np.exp(-np.abs(z - centre) / scale) / (2.0 * scale)
    q = np.exp(-np.abs(z - other_centre) / other_scale) / (2.0 * other_scale)
    return float((np.maximum(p - math.exp(epsilon) * q, 0.0) * width).sum())


# Kendall: 11 residuals are tied, the other 89 far apart; one test record joins the tie. N(2 eta): 55 -> 66 pairs.
M, SHIFT, EPSILON = 100, 1e-9, 0.2
CAUSE = np.random.default_rng(0).permutation(M).astype(float)
RESIDUALS = np.concatenate([np.zeros(11), np.arange(1.0, 90.0)])
NEIGHBOUR = np.where(np.arange(M) == 99, 0.0, RESIDUALS)
NOISE = SmoothNoise(EPSILON, CLAIMED_DELTA)


def actual_delta(scale_of):
    """Return the worse delta of releasing |tau| with the scale that a rule takes from the residuals."""
    laws = [(abs(tau_a(CAUSE, r)), scale_of(r)) for r in (RESIDUALS, NEIGHBOUR)]
    return max(delta_between(*laws[0], *laws[1], EPSILON), delta_between(*laws[1], *laws[0], EPSILON))


def test_the_kendall_neighbours_differ_in_one_test_record():
    assert np.count_nonzero(RESIDUALS != NEIGHBOUR) == 1


def test_the_delta_of_equal_laplace_laws_is_zero_and_of_shifted_ones_known():
    assert delta_between(0.0, 1.0, 0.0, 1.0, 0.1) == 0.0
    assert delta_between(0.0, 1.0, 1.0, 1.0, 1.0) == pytest.approx(0.0, abs=1e-12)
    assert delta_between(0.0, 1.0, 1.0, 1.0, 0.5) == pytest.approx(1 - math.exp((0.5 - 1) / 2), abs=1e-6)


def test_the_larger_of_the_smooth_training_scale_and_the_test_scale_breaks_its_promise():
    """S comes from test residuals, so one test record moves the noise scale itself by a fifth."""

    def larger(residuals):
        return max(NOISE.scale(kendall_local(residuals, SHIFT)), 4.0 / M / EPSILON)

    assert larger(NEIGHBOUR) / larger(RESIDUALS) == pytest.approx(66 / 55)
    assert actual_delta(larger) > 0.02  # 20,000 times the claim of 1e-6


def test_a_bound_smooth_under_both_changes_keeps_it_but_drowns_the_score():
    def joint_scale(residuals):
        return NOISE.scale(kendall_joint(residuals, SHIFT))

    assert actual_delta(joint_scale) < CLAIMED_DELTA
    assert joint_scale(RESIDUALS) > 5.0  # for a score in [0, 1]


# IQR: log-IQR 0.49 and, after one test record, 0.99; bins of width 1.
SMALL, LARGE, STEP = math.exp(0.49), math.exp(0.99), 0.014
COLUMN = np.repeat([0.0, SMALL, LARGE], [50, 25, 25])
MOVED = np.where(np.arange(100) == 74, LARGE, COLUMN)


def smaller_distances(column):
    """Return the wrong A_j: the smaller of the distance by test records alone and by training records alone."""
    by_test = distances_to_instability(column, 1.0)
    value = math.exp(log_iqr(column))

    def by_training(lower, upper):
        return min(math.ceil((math.exp(upper) - value) / (2 * STEP)),
                   math.floor((value - math.exp(lower)) / (2 * STEP)) + 1)  # fmt: skip

    log_value = math.log(value)
    low_1, low_2 = math.floor(log_value), math.floor(log_value + 0.5) - 0.5
    return min(by_test[0], by_training(low_1, low_1 + 1)), min(by_test[1], by_training(low_2, low_2 + 1))


def release_probabilities(distances_of, epsilon=1.0):
    return [float(release_probability(distances_of(column), epsilon, CLAIMED_DELTA)) for column in (COLUMN, MOVED)]


def test_the_iqr_neighbours_differ_in_one_test_record():
    assert np.count_nonzero(COLUMN != MOVED) == 1
    assert (log_iqr(COLUMN), log_iqr(MOVED)) == pytest.approx((0.49, 0.99))


def test_the_smaller_of_a_test_only_and_a_training_only_distance_breaks_the_promise():
    """It falls from 23 to 1 for one test record: surely released on one side, practically never on the other."""
    assert smaller_distances(COLUMN) == (23, 1)
    assert smaller_distances(MOVED) == (1, 1)
    before, after = release_probabilities(smaller_distances)
    assert before - math.exp(2.0) * after > 0.99  # the actual delta of a claimed (2, 1e-6)


def test_the_joint_distances_keep_it():
    def joint_distances(column):
        return distances_to_instability(column, 1.0, STEP)

    assert joint_distances(COLUMN) == (2, 1)
    assert joint_distances(MOVED) == (1, 1)
    before, after = release_probabilities(joint_distances)
    assert max(before, after) <= math.exp(2.0) * min(before, after) + CLAIMED_DELTA
    assert ProposeTestRelease(1.0, CLAIMED_DELTA, 1.0, STEP).threshold > 2
