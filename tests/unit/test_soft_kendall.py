"""Soft Kendall against its definition over all pairs, and its two sensitivities."""

import numpy as np
import pytest

from privcause_core.errors import ParameterError
from privcause_core.scores import get_score
from privcause_core.scores.kendall import tau_a
from privcause_core.scores.ranks import ramp_sum
from privcause_core.scores.soft_kendall import GRID, soft_tau, steps
from privcause_core.settings import Calibration, Settings

SOFT = get_score("soft-kendall")


def slow_ramp_sum(x, r):
    """Return the sum over all pairs, one by one, in exact integers."""
    signs = np.sign(x[:, None] - x[None, :]).astype(int)
    return int((signs * np.clip(r[:, None] - r[None, :], -GRID, GRID)).sum(dtype=object)) // 2


def test_the_fast_sum_equals_the_sum_over_all_pairs_exactly():
    rng = np.random.default_rng(0)
    for trial in range(300):
        m = int(rng.integers(2, 60))
        x, r = rng.integers(0, rng.integers(1, 30), m).astype(float), rng.normal(size=m) * rng.choice([0.1, 1.0, 10.0])
        if trial % 3 == 0:
            r = np.round(r)
        whole = steps(r, float(rng.choice([0.01, 0.3, 1.0, 10.0])))
        assert ramp_sum(x, whole, GRID) == slow_ramp_sum(x, whole)


@pytest.mark.parametrize("m", [2, 3, 64, 65, 1_025])
def test_sizes_around_powers_of_two_and_large_integer_causes_are_exact(m):
    rng = np.random.default_rng(m)
    x, r = 2**60 + rng.permutation(m), steps(rng.normal(size=m), 0.5)
    assert ramp_sum(x, r, GRID) == slow_ramp_sum(rng.permuted(x) * 0 + (x - 2**60), r)


def test_every_residual_difference_beyond_the_width_makes_it_kendalls_tau():
    rng = np.random.default_rng(1)
    x, r = rng.integers(0, 20, 300).astype(float), rng.permutation(300) / 60.0 - 2.5
    assert soft_tau(x, r, 0.01) == tau_a(x, r)


def test_it_is_exactly_odd_in_the_cause_and_zero_for_a_constant_column():
    rng = np.random.default_rng(2)
    x, r = rng.normal(size=200), rng.normal(size=200)
    assert soft_tau(-x, r, 1.0) == -soft_tau(x, r, 1.0)
    assert soft_tau(np.ones(200), r, 1.0) == soft_tau(x, np.ones(200), 1.0) == 0.0


def test_it_reaches_its_range_and_residuals_are_clipped():
    x = np.arange(50.0)
    assert soft_tau(x, x, 0.01) == pytest.approx(8 / 50, rel=0.9)  # five units of range hold few of the fifty steps
    assert soft_tau(np.arange(5.0), np.arange(5.0) - 2.0, 1.0) == 1.0
    assert soft_tau(x, 1e300 * (x - 25.5), 0.5) == soft_tau(x, 5.0 * np.sign(x - 25.5), 0.5)


def test_many_rows_agree_with_kendall_for_a_small_width():
    rng = np.random.default_rng(3)
    x = rng.normal(size=200_000)
    r = 0.2 * x + rng.normal(size=x.size)
    assert soft_tau(x, r, 0.01) == pytest.approx(tau_a(x, r), abs=1e-4)


@pytest.mark.parametrize("m", [4, 5, 20, 101])
@pytest.mark.parametrize("shift", [1e-6, 1e-3, 0.1, 2.0])
def test_moving_every_residual_by_at_most_the_shift_keeps_the_training_sensitivity(m, shift):
    settings, rng = Settings(soft_width=0.7), np.random.default_rng(m)
    bound = SOFT.training_sensitivity(m, shift, settings)
    for trial in range(60):
        x, r = rng.normal(size=m), rng.normal(size=m) * rng.choice([0.05, 1.0])
        moves = shift * (np.sign(x - np.median(x)) if trial % 2 else rng.choice([-1.0, 1.0], m))
        assert abs(abs(soft_tau(x, r + moves, 0.7)) - abs(soft_tau(x, r, 0.7))) <= bound


@pytest.mark.parametrize("m", [4, 5, 20, 101])
def test_half_up_and_half_down_attains_the_training_sensitivity(m):
    x, moves = np.arange(float(m)), 0.1 * np.where(np.arange(m) >= m // 2, 1.0, -1.0)
    reached = soft_tau(x, moves, 1.0) - soft_tau(x, np.zeros(m), 1.0)
    assert reached == pytest.approx(SOFT.training_sensitivity(m, 0.1, Settings()), rel=1e-6)


def test_sensitivities_are_the_stated_formulas():
    assert SOFT.sensitivity(3, Calibration.REFINED) == 1.0
    assert SOFT.sensitivity(400, Calibration.PAPER) == SOFT.sensitivity(400, Calibration.REFINED) == 0.01
    assert SOFT.training_sensitivity(1_000, 0.001, Settings(soft_width=0.5)) == pytest.approx(1000 / 999 * 0.002)
    assert SOFT.training_sensitivity(1_000, 8.0, Settings(soft_width=0.5)) == 1.0


@pytest.mark.parametrize("name", ["kendall", "spearman"])
def test_the_hard_rank_scores_say_why_they_cannot_protect_training_rows(name):
    with pytest.raises(ParameterError, match=f"bound for training rows, got {name}: one training row can reorder"):
        get_score(name).training_sensitivity(100, 0.01, Settings())
