"""Exact privacy loss of one propose-test-release, over every pair of measurements that one record can connect.

No sampling: what is released has a mass on "refused" and a Laplace density on values, so the smallest delta that makes
a release (E, delta)-DP, the mass by which one side exceeds exp(E) times the other, has a closed form.
"""

import math
from itertools import product

import numpy as np
import pytest

from privcause_core.verdicts.theory import laplace_tail, pass_probability, release_probability, stability_threshold

WIDTH = 1.0
BUDGETS = [(0.1, 1e-3), (0.5, 1e-3), (1.0, 1e-6), (2.0, 1e-6)]
SHIFTS = np.linspace(0.0, WIDTH, 6)  # distances of two log-IQRs in a common bin
FAR = 1e9  # distance of two log-IQRs without one
each_budget = pytest.mark.parametrize(("epsilon", "delta"), BUDGETS)


def excess(mass, other_mass, shift, epsilon, total):
    """Return the mass by which Laplace values around 0 exceed exp(total) times those around ``shift`` >= 0.

    The log-likelihood ratio falls from log(mass/other) + shift/b to log(mass/other) - shift/b, b = WIDTH/epsilon, so
    the exceeding values are those below one cut.
    """
    scale = WIDTH / epsilon
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = total - np.log(mass) + np.log(other_mass)
    cut = np.where(
        needed < -shift / scale, np.inf, np.where(needed >= shift / scale, -np.inf, (shift - needed * scale) / 2)
    )
    below, other_below = (laplace_tail(-(cut - at) / scale) for at in (0.0, shift))
    return np.maximum(mass * below - np.exp(total) * other_mass * other_below, 0.0)


def connected(epsilon, delta):
    """Return distances (A_1, A_2) of both sides, and the shift of the log-IQR, that one record can connect.

    In a common bin every distance may move by at most 1 and the log-IQR by at most the width. Without one, all
    distances are 1. Log-IQRs with a bin in common in one grid only, distances 1 in the other, are among the first.
    """
    most = math.ceil(stability_threshold(epsilon, delta)) + 3
    pairs = [(a, b) for a in range(1, most + 1) for b in range(max(1, a - 1), min(most, a + 1) + 1)]
    first, second = np.array(list(product(pairs, pairs))).transpose(1, 2, 0)
    before, after = np.stack([first[0], second[0]], axis=-1), np.stack([first[1], second[1]], axis=-1)
    ones = np.ones((1, 2), dtype=int)
    return [(before, after, shift) for shift in SHIFTS] + [(ones, ones, FAR)]


def delta_needed(epsilon, delta, total, probability=release_probability):
    """Return the delta at which one release of these per-draw epsilon and delta is (total, delta)-DP."""
    worst = 0.0
    for before, after, shift in connected(epsilon, delta):
        g, h = probability(before, epsilon, delta), probability(after, epsilon, delta)
        refused = np.maximum((1.0 - g) - math.exp(total) * (1.0 - h), 0.0)
        worst = max(worst, (refused + excess(g, h, shift, epsilon, total)).max())
    return worst


def delta_needed_if_shown(epsilon, delta, total):
    """Return the same where the release also says which tests passed."""
    worst = 0.0
    for before, after, shift in connected(epsilon, delta):
        p, q = pass_probability(before, epsilon, delta), pass_probability(after, epsilon, delta)
        needed = np.maximum((1.0 - p).prod(axis=-1) - math.exp(total) * (1.0 - q).prod(axis=-1), 0.0)
        for shown in ((True, True), (True, False), (False, True)):
            masses = (np.where(shown, passes, 1.0 - passes).prod(axis=-1) for passes in (p, q))
            needed = needed + excess(*masses, shift, epsilon, total)
        worst = max(worst, needed.max())
    return worst


def test_the_closed_form_is_an_integral():
    grid = np.linspace(-60.0, 60.0, 1_200_001)
    for mass, other, shift, total in [
        (0.5, 0.3, 0.7, 0.2),
        (0.9, 0.1, 1.0, 2.5),
        (0.2, 0.9, 1.0, 0.1),
        (0.5, 0.5, 1, 0.4),
    ]:
        densities = [m * 0.25 * np.exp(-0.5 * np.abs(grid - at)) for m, at in ((mass, 0.0), (other, shift))]
        integral = np.maximum(densities[0] - math.exp(total) * densities[1], 0.0).sum() * (grid[1] - grid[0])
        assert excess(mass, other, shift, 0.5, total) == pytest.approx(integral, abs=1e-6)


@each_budget
def test_one_release_never_costs_more_than_two_epsilons_and_delta(epsilon, delta):
    assert delta_needed(epsilon, delta, 2 * epsilon) <= delta


@each_budget
def test_the_count_of_two_epsilons_is_tight(epsilon, delta):
    assert delta_needed(epsilon, delta, 1.9 * epsilon) > delta


@each_budget
def test_delta_is_needed_and_tight(epsilon, delta):
    """An unstable value is released with probability delta - delta^2/4; a smaller delta would not cover it."""
    assert delta_needed(epsilon, delta, 2 * epsilon) > 0.99 * delta


@each_budget
def test_showing_which_test_passed_costs_three_epsilons(epsilon, delta):
    assert delta_needed_if_shown(epsilon, delta, 2 * epsilon) > delta
    assert delta_needed_if_shown(epsilon, delta, 2.9 * epsilon) > delta
    assert delta_needed_if_shown(epsilon, delta, 3 * epsilon) <= delta * (1 + 1e-9)


def test_the_printed_threshold_does_not_keep_the_papers_own_count():
    """Algorithm 4 as printed at epsilon 0.1, delta 1e-3: three epsilons would need delta 0.44."""

    def printed(distances, epsilon, delta):
        passes = laplace_tail(epsilon * (1.0 + math.log(1.0 / delta) - distances))
        return 1.0 - (1.0 - passes).prod(axis=-1)

    assert delta_needed(0.1, 1e-3, 0.3, printed) == pytest.approx(0.4384, abs=1e-4)
    assert delta_needed(0.1, 1e-3, 0.3) <= 1e-3
