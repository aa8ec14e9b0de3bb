"""The exact delta of two Laplace laws, against fine integration and against what is known."""

import itertools
import math

import numpy as np
import pytest

from privcause_core.lessons.divergence import LaplaceLaw, exact_delta


def integrated_delta(p: LaplaceLaw, q: LaplaceLaw, epsilon: float) -> float:
    """Return the integral of (p - e^epsilon q)+ by the midpoint rule on a fine grid."""
    reach = 60.0 * max(p.scale, q.scale)
    edges = np.unique(np.concatenate([np.linspace(-reach, reach, 1_000_001), [p.centre, q.centre]]))
    z, width = (edges[1:] + edges[:-1]) / 2.0, np.diff(edges)
    densities = [np.exp(-np.abs(z - law.centre) / law.scale) / (2.0 * law.scale) for law in (p, q)]
    return float((np.maximum(densities[0] - math.exp(epsilon) * densities[1], 0.0) * width).sum())


def test_the_closed_form_is_the_integral_for_any_two_laws() -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        p, q = (LaplaceLaw(float(rng.normal()), float(np.exp(rng.normal()))) for _ in range(2))
        epsilon = float(rng.choice([0.0, 0.1, 1.0, 3.0]))
        assert exact_delta(p, q, epsilon) == pytest.approx(integrated_delta(p, q, epsilon), rel=1e-4, abs=1e-7)


def test_equal_laws_give_nothing_away_and_a_shift_within_the_sensitivity_no_more_than_epsilon() -> None:
    here, there = LaplaceLaw(0.0, 1.0), LaplaceLaw(1.0, 1.0)
    assert exact_delta(here, here, 0.0) == 0.0
    assert exact_delta(here, there, 1.0) == pytest.approx(0.0, abs=1e-15)
    assert exact_delta(here, there, 0.5) == pytest.approx(1.0 - math.exp((0.5 - 1.0) / 2.0), rel=1e-12)


def test_tiny_deltas_keep_their_digits() -> None:
    """The same centre, scales 1 and 1.1: the densities cross where (10/11) |z| - |z| + log 1.1 = -epsilon."""
    wide, narrow, epsilon = LaplaceLaw(0.0, 1.1), LaplaceLaw(0.0, 1.0), 3.0
    crossing = (epsilon + math.log(1.1)) / (1.0 - 1.0 / 1.1)
    exact = math.exp(-crossing / 1.1) - math.exp(epsilon - crossing)
    assert exact < 1e-12
    assert exact_delta(wide, narrow, epsilon) == pytest.approx(exact, rel=1e-9)


def test_masses_add_to_one_and_the_density_is_their_slope() -> None:
    law = LaplaceLaw(0.3, 0.7)
    cuts = [-math.inf, -2.0, 0.3, 0.9, math.inf]
    assert sum(law.mass(a, b) for a, b in itertools.pairwise(cuts)) == pytest.approx(1.0, abs=1e-15)
    for z in (-2.0, 0.0, 0.9):
        assert law.mass(z - 1e-6, z + 1e-6) / 2e-6 == pytest.approx(math.exp(law.log_density(z)), rel=1e-5)
