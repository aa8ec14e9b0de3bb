"""The demonstrations show what they say: the wrong rule breaks its bound, the right one does not."""

import math

import numpy as np
import pytest

from privcause_core.errors import ParameterError
from privcause_core.lessons import pitfalls
from privcause_core.scores.iqr import bins
from privcause_core.verdicts.theory import pass_probability


@pytest.mark.parametrize("m", [4, 10, 40, 1000])
def test_one_row_moves_tau_b_across_its_whole_range_and_tau_a_within_its_bound(m):
    tau_b, tau_a = pitfalls.tie_rule_jumps(m)
    assert tau_b.change == pytest.approx(2.0)
    assert tau_a.change == pytest.approx(4.0 / m)
    assert tau_a.times_bound <= 1.0 + 1e-12


@pytest.mark.parametrize("root", [10, 20, 30])
def test_one_row_moves_hsic_with_a_median_bandwidth_far_beyond_its_bound(root):
    by_median, fixed = pitfalls.bandwidth_jumps(root)
    assert by_median.change > 0.04  # does not shrink as m grows
    assert by_median.times_bound > 2.0
    assert fixed.times_bound < 0.1


def test_the_median_distance_is_over_pairs_of_different_rows():
    values = np.array([0.0, 1.0, 5.0])
    assert pitfalls.median_distance(values) == 4.0  # of 1, 4, 5


def test_the_printed_threshold_passes_an_unstable_iqr_500_times_too_often():
    printed = pitfalls.printed_pass_probability(0.1, 1e-3)
    corrected = float(pass_probability(1, 0.1, 1e-3))
    assert printed == pytest.approx(0.2506, abs=1e-4)  # delta^epsilon / 2
    assert corrected == pytest.approx(0.0005)
    assert printed / corrected > 500


def test_the_printed_second_bin_misses_a_value_with_a_large_fraction_and_the_shifted_grid_never_does():
    for value in np.linspace(-3.0, 3.0, 601):
        low, high = pitfalls.printed_second_bin(value)
        assert (low <= value < high) == (value - math.floor(value) < 0.5)
        shifted = bins(value, 1.0)[1]
        assert shifted[0] <= value < shifted[1]


def test_a_reused_draw_gives_away_the_table_as_often_as_a_simulation_says():
    epsilon, threshold = 0.7, 10.0
    z = np.random.default_rng(3).laplace(size=200_000)
    passed = threshold + 1 + z / epsilon > threshold  # the neighbour: A = T + 1
    impossible_here = z / epsilon <= 0.0  # A = T would not have passed, so its value is not below L
    assert np.mean(passed & impossible_here) == pytest.approx(pitfalls.reused_draw_giveaway(epsilon), abs=0.005)


def test_the_printed_margin_differs_by_twice_the_last_term():
    q_x, q_ry, q_y, q_rx = 0.1, -1.2, 0.4, -0.7
    corrected = q_y + q_rx - q_x - q_ry
    assert pitfalls.printed_iqr_margin((q_x, q_ry, q_y, q_rx)) == pytest.approx(corrected + 2 * q_ry)


def test_sizes_outside_the_demonstrations_are_refused_by_name():
    with pytest.raises(ParameterError, match="m >= 4"):
        pitfalls.tie_rule_jumps(3)
    with pytest.raises(ParameterError, match="root between 4 and 50"):
        pitfalls.bandwidth_jumps(51)
