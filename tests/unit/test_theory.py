"""Theorems 3 and 5, corrected: golden values, a million draws each, inverses, and the stability test."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from privcause_core.errors import ParameterError
from privcause_core.explore.correctness import least_epsilon, least_epsilon_by_bisection
from privcause_core.settings import ReleaseKind
from privcause_core.verdicts.theory import (
    correct,
    flip_direction,
    flip_iqr,
    flip_two_scores,
    iqr_shares,
    margin_in_scales,
    noise_scale,
    pass_probability,
    release_probability,
    stability_threshold,
)

DRAWS = 1_000_000
FALSE_ALARM = 1e-9  # of each comparison with simulated draws, by an exact binomial test
TWO, ONE = ReleaseKind.TWO_SCORES, ReleaseKind.DIRECTION
FLIP = {TWO: flip_two_scores, ONE: flip_direction}


def assert_agrees(hits, probability):
    assert binomtest(int(hits), DRAWS, float(probability)).pvalue > FALSE_ALARM


def laplace(seed, *shape):
    return np.random.default_rng(seed).laplace(size=shape)


@pytest.mark.parametrize(("t", "probability"), [(0.5, 0.6209183377), (1.0, 0.7240904191), (3.0, 0.9377661645)])
def test_theorem_3_has_its_golden_values(t, probability):
    """1 - (t+2)/4 exp(-t), by hand."""
    assert correct(flip_two_scores, t) == pytest.approx(probability, abs=1e-9)


@pytest.mark.parametrize(
    ("t", "probability"), [(0.0, 0.5), (0.5, 0.5774818972), (1.0, 0.6512809464), (3.0, 0.8677530996)]
)
def test_theorem_5_has_its_golden_values(t, probability):
    """1 - exp(-t)/96 (48 + 33t + 9t^2 + t^3), by hand."""
    assert correct(flip_iqr, t) == pytest.approx(probability, abs=1e-9)


@pytest.mark.parametrize(
    ("gap", "probability"),
    [
        (0.0, 0.5),
        (0.01, 0.5311735205),
        (0.05, 0.6487346875),
        (0.1, 0.7672148526),
        (0.2, 0.9076543765),
        (0.4, 0.9882085928),
    ],
)
def test_both_noises_enter_the_correctness_of_two_scores(gap, probability):
    """Golden values: 1 - (1/2)(1 + g/(2b)) exp(-g/b) at b = 0.08; the one-noise formula 1 - exp(-g/b)/2 is another."""
    assert 1.0 - flip_two_scores(gap / 0.08) == pytest.approx(probability, abs=1e-9)
    assert 1.0 - flip_direction(gap / 0.08) == pytest.approx(1.0 - 0.5 * math.exp(-gap / 0.08), abs=1e-12)


@pytest.mark.parametrize("t", [0.0, 0.3, 1.0, 3.0, 8.0])
def test_a_million_draws_agree_with_every_theorem(t):
    for terms, theorem in ((1, flip_direction), (2, flip_two_scores), (4, flip_iqr)):
        noise = laplace(int(10 * t) + terms, terms, DRAWS).sum(axis=0)
        assert_agrees(np.count_nonzero(noise > t), theorem(t))


def test_a_theorem_for_another_number_of_draws_is_told_apart():
    noise = laplace(77, 2, DRAWS).sum(axis=0)
    for wrong in (flip_direction, flip_iqr):
        with pytest.raises(AssertionError):
            assert_agrees(np.count_nonzero(noise > 1.0), wrong(1.0))


def test_theorem_5s_margin_subtracts_the_residual_of_y():
    """The printed + Q_rY predicts another probability than the runs show."""
    q_x, q_ry, q_y, q_rx = 0.3, -0.8, 0.5, 0.4
    noisy = np.array([[q_x], [q_ry], [q_y], [q_rx]]) + laplace(5, 4, DRAWS)
    right = np.count_nonzero(noisy[2] + noisy[3] > noisy[0] + noisy[1])
    assert_agrees(right, correct(flip_iqr, q_y + q_rx - q_x - q_ry))
    with pytest.raises(AssertionError):
        assert_agrees(right, correct(flip_iqr, q_y + q_rx - q_x + q_ry))


@pytest.mark.parametrize("flip", [flip_two_scores, flip_direction, flip_iqr])
def test_a_flip_forgets_the_sign_of_the_margin_and_correctness_mirrors_it(flip):
    t = np.linspace(0.0, 30.0, 301)
    assert flip(0.0) == 0.5
    assert np.array_equal(flip(t), flip(-t))
    assert (np.diff(flip(t)) < 0).all()
    assert correct(flip, -t) == pytest.approx(1.0 - correct(flip, t))
    assert flip(math.inf) == 0.0
    assert correct(flip, [-math.inf, math.inf]).tolist() == [0.0, 1.0]


def test_one_draw_flips_less_often_than_two_at_equal_total_budget():
    t = np.linspace(0.01, 30.0, 300)
    assert noise_scale(0.04, 1.0) == 0.08  # for each of two scores, and for their difference of sensitivity 0.08
    assert (flip_direction(t) < flip_two_scores(t)).all()


@pytest.mark.parametrize("release", ReleaseKind)
def test_margins_and_flip_probabilities_invert_each_other(release):
    for flip in [*np.geomspace(1e-300, 0.499, 80), 0.5]:
        assert FLIP[release](margin_in_scales(flip, release)) == pytest.approx(flip, rel=1e-10)


@pytest.mark.parametrize("flip", [0.0, -0.1, 0.5000001, 1.0, math.nan])
def test_no_margin_flips_more_often_than_a_coin_or_never(flip):
    with pytest.raises(ParameterError, match=r"flip probability in \(0, 0.5\]"):
        margin_in_scales(flip, TWO)


@pytest.mark.parametrize("release", ReleaseKind)
@pytest.mark.parametrize("margin", [0.3, -0.002])
def test_the_least_epsilon_reaches_the_certainty_exactly(release, margin):
    epsilon = least_epsilon(margin, 0.04, 0.95, release)
    assert FLIP[release](margin / noise_scale(0.04, epsilon)) == pytest.approx(0.05, rel=1e-9)
    assert least_epsilon(0.0, 0.04, 0.95, release) is None


def test_the_corrected_threshold_passes_an_unstable_iqr_half_delta_of_the_time_and_the_printed_one_far_more_often():
    """At epsilon 0.1, delta 1e-3: 0.0005 against delta^epsilon / 2 = 0.25, which leaving out "/epsilon" gives."""
    assert stability_threshold(0.1, 1e-3) == pytest.approx(1 + math.log(1e3) / 0.1)
    assert pass_probability(1, 0.1, 1e-3) == pytest.approx(0.0005)
    noise = laplace(6, DRAWS) / 0.1
    assert_agrees(np.count_nonzero(1 + noise > stability_threshold(0.1, 1e-3)), 0.0005)
    assert_agrees(np.count_nonzero(1 + noise > 1 + math.log(1e3)), 0.25059361681363615)


@pytest.mark.parametrize("epsilon", [1e-6, 0.125, 1.0, 50.0])
@pytest.mark.parametrize("delta", [1e-100, 1e-20, 1e-6, 0.01])
def test_an_unstable_iqr_is_released_with_probability_at_most_delta(epsilon, delta):
    """Theorem 5, part 1, with A_1 = A_2 = 1: delta - delta^2/4, also where it is far below a double's precision."""
    released = release_probability((1, 1), epsilon, delta)
    assert released == pytest.approx(delta - delta**2 / 4, rel=1e-9)
    assert released <= delta


@pytest.mark.parametrize("distances", [(1, 1), (3, 9), (12, 9), (20, 30)])
def test_release_probabilities_agree_with_a_million_runs(distances):
    epsilon, delta = 0.5, 0.01
    tests = np.array(distances)[:, None] + laplace(sum(distances), 2, DRAWS) / epsilon
    released = (tests > stability_threshold(epsilon, delta)).any(axis=0)
    assert_agrees(np.count_nonzero(released), release_probability(distances, epsilon, delta))


def test_release_probabilities_grow_with_the_distance_from_zero_to_one():
    distances = np.arange(0, 400)
    released = release_probability(np.stack([distances, distances], axis=-1), 0.5, 1e-3)
    assert (np.diff(released) >= 0).all()
    assert released[0] < 1e-3
    assert released[-1] == 1.0


def test_the_four_shares_of_the_iqr_verdict_agree_with_a_million_runs_and_add_to_one():
    distances, epsilon, delta, width = np.array([(9, 14), (12, 2), (11, 11), (25, 8)]), 0.5, 0.01, 1.0
    log_iqrs = np.array([0.1, -0.5, 0.4, 0.2])
    threshold = stability_threshold(epsilon, delta)
    passed = (distances[..., None] + laplace(1, 4, 2, DRAWS) / epsilon > threshold).any(axis=1)
    noisy = log_iqrs[:, None] + width / epsilon * laplace(2, 4, DRAWS)
    right = noisy[2] + noisy[3] > noisy[0] + noisy[1]
    everything, nothing = passed.all(axis=0), ~passed.any(axis=0)
    shares = iqr_shares(log_iqrs[2:].sum() - log_iqrs[:2].sum(), distances, epsilon, delta, width)
    assert_agrees(np.count_nonzero(everything & right), shares.right)
    assert_agrees(np.count_nonzero(everything & ~right), shares.wrong)
    assert_agrees(np.count_nonzero(~everything & ~nothing), shares.partly_refused)
    assert_agrees(np.count_nonzero(nothing), shares.refused)
    assert shares.right + shares.wrong + shares.partly_refused + shares.refused == pytest.approx(1.0)
    assert shares.released == pytest.approx(shares.right + shares.wrong)


def test_an_infinite_iqr_margin_is_always_ordered_rightly_when_released():
    shares = iqr_shares(math.inf, np.full((4, 2), 1000), 1.0, 1e-6, 1.0)
    assert (shares.right, shares.wrong) == (1.0, 0.0)


def test_bisection_finds_the_least_epsilon_or_none():
    assert least_epsilon_by_bisection(lambda e: 1 - math.exp(-e), 0.95) == pytest.approx(math.log(20), rel=1e-12)
    assert least_epsilon_by_bisection(lambda e: 0.5, 0.95) is None
    assert least_epsilon_by_bisection(lambda e: 1.0, 0.95) == pytest.approx(1e-6)
