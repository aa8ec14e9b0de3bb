"""Seeded noise: the Laplace law, one fresh draw for every value, and the same draws for the same seed."""

import numpy as np
import pytest
from scipy.stats import kstest

from privcause_core.explore.simulation import unit_laplace
from tests.seeded_noise import SeededNoise

FALSE_ALARM = 1e-9  # of each Kolmogorov-Smirnov test


def test_draws_follow_the_laplace_law_of_the_asked_scale():
    noise = SeededNoise(np.random.default_rng(1)).add_laplace(np.full(100_000, 5.0), 0.3, 2.0)
    assert kstest(noise, "laplace", (5.0, 0.15)).pvalue > FALSE_ALARM
    assert kstest(noise, "laplace", (5.0, 0.15 * 0.95)).pvalue < FALSE_ALARM
    assert kstest(unit_laplace(np.random.default_rng(2), 1000, 100).ravel(), "laplace").pvalue > FALSE_ALARM


def test_every_value_and_every_call_gets_a_draw_of_its_own():
    noise = SeededNoise(np.random.default_rng(1))
    drawn = np.concatenate([noise.add_laplace(np.zeros(2), 1.0, 1.0) for _ in range(500)])
    assert np.unique(drawn).size == 1000


@pytest.mark.parametrize("shape", [(3,), (2, 5)])
def test_a_seed_fixes_the_draws_and_the_shape_is_that_of_the_values(shape):
    first, again = (SeededNoise(np.random.default_rng(7)).add_laplace(np.zeros(shape), 1.0, 1.0) for _ in range(2))
    assert first.shape == shape
    assert np.array_equal(first, again)
