"""The IQR and its distances to instability: order statistics, bins, and a brute-force twin."""

import math
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from privcause_core.fits.scaling import iqr, quartile_indices
from privcause_core.fits.scored import ScoredDirection
from privcause_core.scores.iqr import SCORE, bins, distances_to_instability, log_iqr
from privcause_core.settings import Settings
from privcause_core.verdicts.propose_test_release import ProposeTestRelease

FAR = 1e6


def slow_iqr(values):
    ordered = np.sort(values, axis=-1)
    m = ordered.shape[-1]
    return ordered[..., math.ceil(3 * m / 4) - 1] - ordered[..., math.ceil(m / 4) - 1]


def slow_distance(values, width, shift):
    """Return the least number of replacements that move log IQR out of its bin, trying every one that can matter.

    Only order counts, so a replaced value may as well be one of the sample or beyond all of them.
    """
    start = slow_iqr(values)
    k = math.floor(math.log(start) / width + shift) - shift if start > 0 else None
    candidates = [*sorted(set(values.tolist())), -FAR, FAR]
    for t in range(1, values.size + 1):
        kept = np.array(list(combinations(values, values.size - t)))
        new = np.array(list(combinations_with_replacement(candidates, t)))
        samples = np.concatenate([np.repeat(kept, len(new), axis=0), np.tile(new, (len(kept), 1))], axis=1)
        reached = slow_iqr(samples)
        left = reached > 0 if k is None else (reached < np.exp(k * width)) | (reached >= np.exp((k + 1) * width))
        if left.any():
            return t
    raise AssertionError("every sample can leave its bin")


def small_samples(count, seed=11):
    rng = np.random.default_rng(seed)
    for case in range(count):
        m = int(rng.integers(4, 11))
        values = [
            rng.normal(size=m),
            rng.normal(size=m).round(),  # ties, IQR often 0
            rng.integers(0, 2, m) * rng.exponential(),
            rng.standard_cauchy(m),
            np.where(rng.random(m) < 0.7, 3.0, rng.normal(size=m)),
        ][case % 5]
        yield values, float(rng.choice([0.1, 0.5, 1.0, 2.5]))


def test_distances_equal_brute_force_on_two_hundred_small_samples():
    found = set()
    for values, width in small_samples(200):
        expected = (slow_distance(values, width, 0.0), slow_distance(values, width, 0.5))
        assert distances_to_instability(values, width) == expected, (values, width)
        found |= {(distance, slow_iqr(values) == 0) for distance in expected}
    assert found >= {(1, False), (2, False), (3, False), (1, True), (2, True)}  # the twin can tell them apart


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([30, 50, 80, 130, 150, 180, 220, 270, 310, 440], 190.0),
        ([3, 5, 8, 13, 15, 18, 22, 27, 31, 44], 19.0),  # interpolating would give 16.5
        ([1, 2, 3, 4], 2.0),
        ([5, 1, 1, 1, 1], 0.0),
        ([1, 2, 3, 4, 100], 2.0),
    ],
)
def test_the_iqr_is_a_difference_of_order_statistics_without_interpolation(values, expected):
    assert iqr(np.array(values, dtype=float)) == expected
    assert log_iqr(np.array(values, dtype=float)) == (math.log(expected) if expected else -math.inf)


@pytest.mark.parametrize("m", range(4, 30))
def test_quartiles_are_the_order_statistics_at_the_ceilings(m):
    assert quartile_indices(m) == (math.ceil(m / 4) - 1, math.ceil(3 * m / 4) - 1)
    values = np.random.default_rng(m).normal(size=m)
    assert iqr(values) == slow_iqr(values)


def test_the_spread_of_whole_numbers_may_exceed_64_bits():
    assert iqr(np.array([-(2**63), -(2**63), 2**63 - 1, 2**63 - 1])) == 2.0**64


@settings(deadline=None)
@given(st.floats(-745.0, 710.0), st.sampled_from([0.01, 0.1, 0.3, 1.0, 2.5, 10.0]))
def test_bins_of_both_grids_hold_the_value_and_have_the_width(log_value, width):
    for (lower, upper), shift in zip(bins(log_value, width), (0.0, 0.5), strict=True):
        assert lower <= log_value < upper
        assert upper - lower == pytest.approx(width, rel=1e-9)
        assert lower / width + shift == pytest.approx(round(lower / width + shift), abs=1e-8)


@pytest.mark.parametrize("width", [0.1, 0.3, 0.7, 1.0])
def test_an_edge_belongs_to_the_bin_above_it_however_the_division_rounds(width):
    for k in range(-50, 50):
        assert bins(k * width, width)[0][0] == k * width
        assert bins((k - 0.5) * width, width)[1][0] == (k - 0.5) * width


@pytest.mark.parametrize("width", [0.01, 0.1, 0.3, 1.1])
def test_a_log_iqr_just_below_an_edge_is_in_the_bin_below_even_where_division_rounds_up_to_the_edge(width):
    crossed = 0
    for k in range(-60, 60):
        below = math.nextafter(k * width, -math.inf)
        crossed += math.floor(below / width) == k
        assert bins(below, width)[0] == ((k - 1) * width, k * width)
    assert crossed


def test_a_zero_iqr_is_a_bin_of_its_own_in_both_grids():
    assert bins(-math.inf, 1.0) == ((-math.inf, -math.inf),) * 2
    assert distances_to_instability(np.zeros(40), 1.0) == (10, 10)
    assert distances_to_instability(np.zeros(40), 1.0, shift=0.1) == (1, 1)


def test_an_iqr_that_one_replaced_row_can_bring_just_to_an_edge_is_one_row_from_leaving():
    """The IQR is 0.9, and 1 after a replacement: its log, 0, is the lower edge of the next bin of the first grid."""
    assert distances_to_instability(np.array([0, 0, 0.1, 0.2, 0.5, 0.9, 1, 5]), 1.0) == (1, 1)
    assert distances_to_instability(np.array([0.0] * 30 + [1.0] * 10), 1.0) == (1, 1)


@pytest.mark.parametrize("m", [4, 5, 13, 40, 1001])
def test_no_sample_is_farther_from_instability_than_a_quarter_of_its_rows(m):
    """A quartile can be sent to infinity by replacing everything beyond it."""
    samples = (np.random.default_rng(m).normal(size=m), np.arange(m), np.zeros(m))
    assert all(max(distances_to_instability(np.asarray(v, float), 10.0)) <= math.ceil(m / 4) for v in samples)


def neighbours(rng, m):
    values = [
        rng.normal(size=m),
        rng.normal(size=m).round(),
        rng.integers(0, 3, m).astype(float),
        rng.standard_cauchy(m),
        np.where(rng.random(m) < 0.55, 0.0, rng.exponential(size=m)),
        np.exp(3 * rng.normal(size=m)),
    ][rng.integers(6)]
    moved = values.copy()
    moved[rng.integers(m)] = rng.choice([*values, 1e300, -1e300, 0.0, rng.normal(), values.mean()])
    return values, moved


def test_one_record_moves_a_distance_by_at_most_one_even_across_bins():
    rng = np.random.default_rng(12)
    shared = crossed = zero = 0
    for _ in range(3_000):
        values, moved = neighbours(rng, int(rng.integers(4, 41)))
        width = float(rng.choice([0.05, 0.3, 1.0, 3.0]))
        before, after = distances_to_instability(values, width), distances_to_instability(moved, width)
        assert max(abs(a - b) for a, b in zip(before, after, strict=True)) <= 1
        same = [a == b for a, b in zip(bins(log_iqr(values), width), bins(log_iqr(moved), width), strict=True)]
        if not any(same):
            assert before == after == (1, 1)
            crossed += 1
        elif min(iqr(values), iqr(moved)) > 0:
            assert abs(log_iqr(values) - log_iqr(moved)) < width
            shared += 1
        zero += iqr(values) == 0
    assert min(shared, crossed, zero) > 50  # every situation of the privacy proof was met


def test_the_score_adds_the_log_iqrs_of_cause_and_residual_in_scaled_units():
    x, r = np.arange(8.0), np.array([0.0, 0, 0, 1, 2, 3, 3, 3])
    direction = ScoredDirection(cause=1e9 * x, cause_scaled=x, residual=r, residual_scaled=7 * r)
    assert SCORE.statistic(direction, Settings()) == math.log(4.0) + math.log(3.0)


@pytest.mark.parametrize("shift", [0.01, 0.3, 2.0])
@pytest.mark.parametrize("m", [4, 7, 12])
def test_no_residual_sample_is_farther_from_instability_than_public_facts_say(m, shift):
    """Search over samples within the residuals' public range, extreme and random ones."""
    rng, release = np.random.default_rng(m), ProposeTestRelease(1.0, 1e-6, 1.0, shift)
    ends = [np.repeat([-8.0, 8.0], [k, m - k]) for k in range(1, m)]
    inner = [8.0 * np.clip(rng.normal(size=m) * rng.choice([0.1, 1.0, 10.0]), -1, 1) for _ in range(300)]
    farthest = max(max(distances_to_instability(r, 1.0, shift)) for r in ends + inner)
    assert farthest <= release.largest_distance(m)
    assert release.largest_distance(10**6) == math.floor(16 * (1 - math.exp(-1)) / (2 * shift)) + 1


def test_without_training_rows_a_quarter_of_the_sample_moves_any_quartile():
    release = ProposeTestRelease(1.0, 1e-6, 1.0)
    for m in (4, 9, 100):
        assert release.largest_distance(m) == -(-m // 4)


def slow_joint_distance(values, shift, leaves):
    """Return the least t for which some replaced test rows and t less as many training rows leave the bin."""
    candidates = [*sorted(set(values.tolist())), -FAR, FAR]
    reached = {0: (slow_iqr(values),) * 2}
    for t in range(1, values.size + 1):
        kept = np.array(list(combinations(values, values.size - t)))
        new = np.array(list(combinations_with_replacement(candidates, t)))
        iqrs = slow_iqr(np.concatenate([np.repeat(kept, len(new), axis=0), np.tile(new, (len(kept), 1))], axis=1))
        reached[t] = iqrs.min(), iqrs.max()
        if any(leaves(low - 2 * shift * (t - k), high + 2 * shift * (t - k)) for k, (low, high) in reached.items()):
            return t
    raise AssertionError("every sample can leave its bin")


@pytest.mark.parametrize("shift", [0.005, 0.05, 0.4])
def test_distances_count_training_rows_too_each_of_which_moves_the_iqr_by_twice_the_shift(shift):
    smaller = 0
    for values, width in small_samples(40, seed=3):
        expected = []
        for lower, upper in bins(log_iqr(values), width):
            low, high = math.exp(lower), math.exp(upper)
            expected.append(
                slow_joint_distance(values, shift, lambda least, most, a=low, b=high: least < a or most >= b)
                if math.isfinite(lower)
                else slow_joint_distance(values, shift, lambda _, most: most > 0.0)
            )
        assert distances_to_instability(values, width, shift) == tuple(expected)
        smaller += tuple(expected) < distances_to_instability(values, width)
    assert smaller
