"""The root of HSIC: its bound by search and by the family of mechanisms.md section 11, its rounding, its range."""

import itertools
import math

import numpy as np
import pytest

from privcause_core.kernel_features import gaussian_kernel
from privcause_core.scores import get_score
from privcause_core.scores.hsic import hsic, squared_cross_norm
from privcause_core.settings import Calibration, Settings
from tests.contract.adversaries import direction_of

SCORE = get_score("root-hsic")
FAR = Settings(bandwidth=0.3)  # points 3 apart have a kernel value below 1e-21


def root(x, r, settings=FAR):
    return SCORE.statistic(direction_of(np.asarray(x, dtype=float), np.asarray(r, dtype=float)), settings)


def bound(m):
    return SCORE.sensitivity(m, Calibration.REFINED)


def test_it_is_the_root_of_hsic():
    rng = np.random.default_rng(0)
    x, r = rng.normal(size=300), rng.normal(size=300)
    assert root(x, r) == pytest.approx(math.sqrt(hsic(x, r, 0.3, 0.3)), rel=1e-12)


def test_no_replacement_in_any_small_table_of_far_points_exceeds_the_bound():
    spots, largest = (-4.0, 0.0, 4.0), {}
    for m in (3, 4):
        tables = itertools.product(itertools.combinations_with_replacement(itertools.product(spots, spots), m - 1))
        for (rest,) in tables:
            scores = [root(*zip(*rest, moved, strict=True)) for moved in itertools.product(spots, spots)]
            largest[m] = max(largest.get(m, 0.0), max(scores) - min(scores))
        assert 0.5 * bound(m) < largest[m] <= bound(m)


def family(m, few, more):
    """Rows mostly at (P, P), a few at (Q, Q), more at (S, P) and (P, S); the last row moves from (Q, Q) to (S, S)."""
    p, q, s = -4.0, 0.0, 4.0
    x, r = np.full(m, p), np.full(m, p)
    x[:few], r[:few] = q, q
    x[few : few + more] = s
    r[few + more : few + 2 * more] = s
    moved_x, moved_r = x.copy(), r.copy()
    x[-1], r[-1] = q, q
    moved_x[-1], moved_r[-1] = s, s
    return (x, r), (moved_x, moved_r)


def test_the_family_of_the_proof_reaches_more_than_2_2_over_m_but_never_the_bound():
    m, best = 1_000, 0.0
    for few in (1, 2, 4, 8, 16):
        for more in (2, 5, 10, 20, 40, 80):
            best = max(best, m * abs(np.diff([root(*one) for one in family(m, few, more)])[0]))
    assert 2.2 < best <= m * bound(m)


def test_the_bound_is_root_six_rounded_up_and_never_above_the_range():
    assert bound(1_000) == pytest.approx(math.sqrt(6.0) / 1_000, rel=1e-5)
    assert bound(1_000) > math.sqrt(6.0) / 1_000
    assert bound(10**7) > math.sqrt(6.0) / 10**7 + 9e-13
    assert bound(4) == SCORE.largest(4) == pytest.approx(4 / 6) or bound(4) < SCORE.largest(4)


@pytest.mark.parametrize("m", [10, 1_000])
def test_two_equal_far_clusters_reach_the_largest_value(m):
    side = np.where(np.arange(m) % 2, -4.0, 4.0)
    assert root(side, side) == pytest.approx(SCORE.largest(m), rel=1e-9)


def test_a_value_of_zero_is_zero_to_twelve_digits_where_the_trace_formula_has_eight():
    m = 400
    x, r = np.repeat([-1.0, 1.0], m // 2), np.tile([-1.0, 1.0], m // 2)  # independent, exactly
    assert math.sqrt(squared_cross_norm(x, r, 1.0, 1.0)) / (m - 1) < 1e-12
    centre = np.eye(m) - 1.0 / m
    k, l = gaussian_kernel(x, x, 1.0), gaussian_kernel(r, r, 1.0)  # noqa: E741
    trace = float(np.trace(k @ centre @ l @ centre))
    assert math.sqrt(abs(trace)) / (m - 1) < 1e-6


def test_the_gap_of_two_roots_stands_out_of_its_noise_where_the_gap_of_squares_drowns():
    """mechanisms.md section 11: real HSIC values are small, so their roots differ by much more than their noise."""
    squares = np.array([0.004, 0.010])
    m = 500
    by_square = np.diff(squares)[0] / get_score("hsic").sensitivity(m, Calibration.REFINED)
    by_root = np.diff(np.sqrt(squares))[0] / bound(m)
    assert by_root > 3 * by_square
