"""HSIC: the low-rank value against the dense formula, exact zeros, and how far one record can move it."""

from itertools import product

import numpy as np
import pytest

from privcause_core import kernel_features
from privcause_core.kernel_features import RADIUS, gaussian_kernel
from privcause_core.scores import get_score
from privcause_core.scores.hsic import REFINED_CONSTANT, hsic
from privcause_core.settings import Calibration

SCORE = get_score("hsic")


def dense_hsic(x, r, bandwidth_x=1.0, bandwidth_r=1.0):
    """Return trace(K H L H) / (m-1)^2 from full kernel matrices of the clipped values."""
    m = x.size
    centre = np.eye(m) - 1.0 / m
    k, l_ = (
        centre @ gaussian_kernel(v, v, h) @ centre
        for v, h in ((np.clip(x, -RADIUS, RADIUS), bandwidth_x), (np.clip(r, -RADIUS, RADIUS), bandwidth_r))
    )
    return (k * l_).sum() / (m - 1) ** 2


def dependent(m, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=m)
    return x, 0.5 * rng.normal(size=m) * (1.0 + x**2)


@pytest.mark.parametrize("bandwidths", [(1.0, 1.0), (0.3, 2.0), (0.5, 0.5), (4.0, 0.3), (20.0, 0.05)])
@pytest.mark.parametrize("m", [2, 3, 63, 64, 65, 127, 129, 257])
def test_the_low_rank_value_is_the_dense_formula(m, bandwidths, monkeypatch):
    monkeypatch.setattr(kernel_features, "CHUNK_ROWS", 64)
    x, r = dependent(m)
    assert hsic(x, r, *bandwidths) == pytest.approx(dense_hsic(x, r, *bandwidths), rel=1e-10)


@pytest.mark.parametrize("copies", [64, 65, 66])
def test_rows_beyond_one_chunk_of_the_real_size_are_counted(copies):
    """Repeating every row leaves the biased covariance alone: only the factor (m/(m-1))^2 changes."""
    x, r = dependent(257)
    m = copies * 257  # 16,448 to 16,962 rows; a chunk holds 16,384
    expected = hsic(x, r) * (256 / 257) ** 2 * (m / (m - 1)) ** 2
    assert hsic(np.tile(x, copies), np.tile(r, copies)) == pytest.approx(expected, rel=1e-10)


def test_independent_columns_score_to_ten_digits_too():
    x, r = np.random.default_rng(1).normal(size=(2, 801))
    assert hsic(x, r) == pytest.approx(dense_hsic(x, r), rel=1e-10)


@pytest.mark.parametrize("bandwidth", [0.05, 0.3, 1.0, 20.0])
@pytest.mark.parametrize("constant", [0.0, 0.1, -4.9, 77.0])
def test_a_constant_column_scores_exactly_zero_at_every_bandwidth(bandwidth, constant):
    x = np.random.default_rng(2).normal(size=101)
    assert hsic(np.full(101, constant), x, bandwidth, 1.0) == 0.0
    assert hsic(x, np.full(101, constant), 1.0, bandwidth) == 0.0


def test_both_columns_have_the_same_role_and_the_row_order_has_none():
    x, r = dependent(150)
    order = np.random.default_rng(3).permutation(150)
    assert hsic(x, r, 0.5, 2.0) == pytest.approx(hsic(r, x, 2.0, 0.5), rel=1e-12)
    assert hsic(x[order], r[order]) == pytest.approx(hsic(x, r), rel=1e-12)


@pytest.mark.parametrize("m", [4, 5, 40])
def test_two_equal_far_clusters_reach_the_largest_value(m):
    x = np.where(np.arange(m) < m // 2, -RADIUS, RADIUS)
    largest = m**2 / (4.0 * (m - 1) ** 2) * (1.0 if m % 2 == 0 else 1 - 1 / m**2) ** 2
    assert hsic(x, x) == pytest.approx(largest, rel=1e-12)


def test_a_column_with_most_distances_zero_has_a_finite_positive_score():
    """Golden values of an independent dense computation with the biased 1/n^2, n = 80, rescaled to 1/(n-1)^2."""
    x, y = np.array(MOSTLY_ZERO).T
    scale = (80 / 79) ** 2
    assert hsic(x, y) == pytest.approx(0.024874706515241676 * scale, rel=1e-11)
    assert hsic(x, y, 2.58, 0.4435) == pytest.approx(0.017041506407376013 * scale, rel=1e-11)


def test_two_hundred_thousand_rows_with_few_levels_agree_with_their_table():
    """HSIC of a contingency table P is the sum of (P - pq)_ab K_ac L_bd (P - pq)_cd, times (m/(m-1))^2."""
    i = np.arange(200_000, dtype=np.int64)
    x = (i * i + i // 7) % 7
    y = (i * i * i + i + x * (i % 3)) % 5
    table = np.zeros((7, 5))
    np.add.at(table, (x, y), 1 / i.size)
    residue = table - np.outer(table.sum(1), table.sum(0))
    levels_x, levels_y = np.arange(7.0) - 3, np.arange(5.0) - 2
    k, l_ = gaussian_kernel(levels_x, levels_x, 1.0), gaussian_kernel(levels_y, levels_y, 1.0)
    expected = np.sum(residue * (k @ residue @ l_)) * (i.size / (i.size - 1)) ** 2
    assert hsic(x - 3.0, y - 2.0) == pytest.approx(expected, rel=1e-10)


def test_a_bandwidth_taken_from_the_data_lets_one_row_break_the_bound():
    """Golden values of an independent dense computation: only one x of 900 rows differs, the median distance tips."""
    x, y = np.repeat([[0.0, 0.01, 1.0, 1.01], [-1.0, 1.0, -1.0, 1.0]], [232, 233, 217, 218], axis=1)
    moved = x.copy()
    moved[465] = 0.0
    paper_bound = (12 * 900 - 11) / 899**2
    by_median = dense_hsic(moved, y, 0.01, 0.5) - dense_hsic(x, y, 0.5, 0.5)
    assert by_median == pytest.approx(0.0493395 - 1.50166e-05, abs=1e-7)
    assert by_median > 3 * paper_bound
    fixed = abs(hsic(moved, y, 0.05, 0.5) - hsic(x, y, 0.05, 0.5))
    assert fixed == pytest.approx(1.7e-06, abs=1e-7)


def test_the_refined_constant_is_rounded_up():
    exact = np.sqrt(8 * (10 + 7 * np.sqrt(7)) / 54)
    assert exact < REFINED_CONSTANT < exact * 1.00004
    q = np.linspace(0.0, 1.0, 2001)[1:-1]
    growth = ((q - q**2)[:, None] * (q - q**2)) ** 0.25 * np.sqrt(2 * (1 + q[:, None] + q))
    assert 2 * growth.max() == pytest.approx(exact, rel=1e-5)  # the proof's factor, maximised over a grid


def test_moving_one_record_moves_its_tensor_by_at_most_the_proofs_root_of_two_times_one_plus_q_plus_p():
    """||u(x)v - u'(x)v'||^2 <= 2 (1 + q + p), u = phi(x_k) - mu, q = ||mu||^2, v and p likewise for r.

    Both sides are affine in each of eight numbers in [0, 1]: the values a, a' of mu at both positions of the record,
    the kernel kappa between the positions, q, and the same four for r. So the largest gap is at a corner.
    """
    for a, a_new, kappa, q, b, b_new, lambda_, p in product((0, 1), repeat=8):
        before, after = (1 - 2 * a + q) * (1 - 2 * b + p), (1 - 2 * a_new + q) * (1 - 2 * b_new + p)
        across = (kappa - a - a_new + q) * (lambda_ - b - b_new + p)
        assert before + after - 2 * across <= 2 * (1 + q + p)


@pytest.mark.parametrize(("m", "refined"), [(4, 16 / 36), (7, 49 / 144), (100, 0.020956), (2000, 0.0010288)])
def test_the_sensitivities_are_the_proved_and_the_published_ones(m, refined):
    assert SCORE.sensitivity(m, Calibration.REFINED) == pytest.approx(refined)
    assert SCORE.sensitivity(m, Calibration.PAPER) == pytest.approx((16 * m - 8) / (m - 1) ** 2)


@pytest.mark.parametrize("m", [60, 300, 2000])
def test_the_two_cluster_family_comes_within_a_factor_of_two_of_the_bound(m):
    """A third of the records in one cluster, one of which changes cluster in x alone: 32/27 a record as m grows."""
    x = np.where(np.arange(m) < m // 3, -RADIUS, RADIUS)
    moved = x.copy()
    moved[0] = RADIUS
    change = hsic(x, x) - hsic(moved, x)
    assert 1.1 / m < change <= SCORE.sensitivity(m, Calibration.REFINED)


@pytest.mark.parametrize("m", [5, 9, 20, 60, 500, 2000])
def test_no_clustering_and_no_move_exceeds_the_refined_bound(m):
    rng = np.random.default_rng(m)
    largest = 0.0
    for _ in range(60):
        spots = rng.uniform(-RADIUS, RADIUS, (2, rng.integers(1, 5)))
        shares = rng.dirichlet(np.ones(spots.shape[1]) * rng.choice([0.3, 1.0, 5.0]))
        x, r = spots[:, rng.choice(spots.shape[1], m, p=shares)] + rng.choice([0.0, 0.1, 1.0]) * rng.normal(size=(2, m))
        before = hsic(x, r)
        for _ in range(4):
            moved_x, moved_r = x.copy(), r.copy()
            k = rng.integers(m)
            moved_x[k], moved_r[k] = rng.choice(np.append(spots[0], 1e300)), rng.choice(np.append(spots[1], -1e300))
            largest = max(largest, abs(hsic(moved_x, moved_r) - before))
    bound = SCORE.sensitivity(m, Calibration.REFINED)
    assert 0.2 * bound < largest <= bound


# Rows (x, y); 65.8 per cent of the distances in x are 0.
MOSTLY_ZERO = [
    (0, -0.21), (0, 0.299), (0, -0.085), (0, 0.053), (0, 0.173), (2.26, 1.148), (0, -0.242), (0, 0.479),
    (1.27, 0.231), (0, -0.175), (0, 0.049), (0, -0.471), (0, -0.345), (0, 0.299), (0, 0.284), (0, 0.137),
    (0, 0.402), (0, 0.256), (1.6, 0.599), (0, 0.145), (1.57, 0.625), (0, 0.25), (0, -0.115), (0, -0.347),
    (0, 0.376), (0, 0.19), (0, 0.245), (1.65, 0.885), (5, 2.783), (0, -0.052), (0, 0.066), (0, -0.437),
    (0, 0.055), (4.48, 2.555), (0, 0.206), (0, 0.303), (0, -0.004), (0, 0.381), (3.44, 1.328), (0, 0.376),
    (0, -0.129), (0, -0.409), (0, 0.119), (0, -0.045), (2.3, 1.078), (0, 0.352), (0, -0.362), (0, 0.117),
    (0, -0.086), (2.58, 1.318), (0, -0.001), (0, -0.366), (0, 0.012), (0, 0.362), (4.85, 2.096), (0, -0.489),
    (0, -0.432), (0, -0.04), (0, 0.474), (0, -0.456), (0, 0.491), (2.86, 1.466), (0, -0.38), (0, -0.081),
    (0, -0.293), (0, 0.214), (0, 0.042), (0, -0.212), (4.16, 1.835), (0, 0.367), (1.55, 1.041), (0, -0.064),
    (0, -0.094), (0, 0.237), (0, 0.471), (0, -0.42), (0, -0.341), (3.49, 1.607), (0, 0.008), (0, -0.429),
]  # fmt: skip
