"""Smooth sensitivities of the rank scores to training records, against brute force."""

import itertools
import math

import numpy as np
import pytest

from privcause_core.lessons.smooth_sensitivity import (
    SmoothNoise,
    close_pairs,
    kendall_joint,
    kendall_local,
    smooth_sensitivity,
    spearman_local,
)
from privcause_core.scores.kendall import tau_a
from privcause_core.scores.spearman import rho_a


def test_close_pairs_are_counted_as_over_all_pairs():
    rng = np.random.default_rng(0)
    for _ in range(100):
        r = np.sort(np.rint(rng.normal(size=int(rng.integers(2, 40))) * 16) / rng.choice([1, 8, 16]))
        distance = float(rng.choice([0.0, 0.25, 1.0]))
        slow = sum(b - a <= distance for a, b in itertools.combinations(r, 2))
        assert close_pairs(r, distance) == slow


def test_branch_and_bound_finds_the_maximum_over_every_distance():
    rng = np.random.default_rng(1)
    for _ in range(20):
        m = int(rng.integers(4, 30))
        x, r, shift = rng.normal(size=m), rng.normal(size=m), float(rng.choice([1e-3, 0.01, 0.1]))
        beta = float(rng.choice([0.01, 0.1, 1.0]))
        for local in (kendall_local(r, shift), spearman_local(x, r, shift), kendall_joint(r, shift)):
            slow = max(math.exp(-beta * k) * local(k) for k in range(1_500))
            assert smooth_sensitivity(local, beta) == pytest.approx(slow, rel=1e-12)


def kendall_of(signs, r):
    """Return |tau_a| for residual vectors in the rows of r, by all pairs."""
    m = r.shape[1]
    return np.abs((signs * np.sign(r[:, :, None] - r[:, None, :])).sum(axis=(1, 2))) / (m * (m - 1))


def spearman_of(signs, r):
    """Return |rho_a| for residual vectors in the rows of r, by all pairs."""
    m = r.shape[1]
    ranks = np.sign(r[:, :, None] - r[:, None, :]).sum(axis=2)
    return 3.0 * np.abs(ranks @ signs.sum(axis=1)) / (m * (m * m - 1))


@pytest.mark.parametrize("m", [4, 5, 6])
def test_no_way_of_moving_the_residuals_beats_the_local_sensitivity(m):
    """Brute force: every residual up, down or still by the shift; what is then possible was foreseen at distance 1."""
    rng, moves = np.random.default_rng(m), np.array(list(itertools.product([-1.0, 0.0, 1.0], repeat=m)))
    for _ in range(12):
        x, r, shift = rng.normal(size=m), rng.integers(0, 9, m) / 2.0, 0.26
        signs, after = np.sign(x[:, None] - x[None, :]), r + shift * moves
        kendall, spearman = kendall_local(r, shift), spearman_local(x, r, shift)
        assert np.abs(kendall_of(signs, after) - kendall_of(signs, r[None])).max() <= kendall(0) + 1e-12
        assert np.abs(spearman_of(signs, after) - spearman_of(signs, r[None])).max() <= spearman(0) + 1e-12
        for moved in after[:: 3 ** (m - 4)]:
            assert kendall_local(moved, shift)(0) <= kendall(1)
            assert spearman_local(x, moved, shift)(0) <= spearman(1) + 1e-12


def test_the_brute_force_scores_are_the_scores():
    x, r = np.random.default_rng(0).normal(size=(2, 6))
    signs = np.sign(x[:, None] - x[None, :])
    assert kendall_of(signs, r[None])[0] == pytest.approx(abs(tau_a(x, r)))
    assert spearman_of(signs, r[None])[0] == pytest.approx(abs(rho_a(x, r)))


def test_the_smooth_bound_changes_by_at_most_e_to_the_beta_when_every_residual_moves_by_the_shift():
    rng, noise = np.random.default_rng(2), SmoothNoise(1.0, 1e-6)
    for _ in range(40):
        m, shift = 60, float(rng.choice([0.003, 0.03]))
        x, r = rng.normal(size=m), rng.normal(size=m)
        after = r + shift * rng.choice([-1.0, 0.0, 1.0], m)
        for before_local, after_local in (
            (kendall_local(r, shift), kendall_local(after, shift)),
            (spearman_local(x, r, shift), spearman_local(x, after, shift)),
            (kendall_joint(r, shift), kendall_joint(after, shift)),
        ):
            ratio = noise.scale(after_local) / noise.scale(before_local)
            assert math.exp(-noise.beta) * (1 - 1e-12) <= ratio <= math.exp(noise.beta) * (1 + 1e-12)


def test_the_joint_form_is_smooth_under_a_test_record_too_and_drowns_every_score():
    rng, noise = np.random.default_rng(3), SmoothNoise(0.5, 1e-6)
    for _ in range(40):
        m, shift = 100, 1e-4
        r = rng.normal(size=m)
        after = r.copy()
        after[0] = r[1]
        ratio = noise.scale(kendall_joint(after, shift)) / noise.scale(kendall_joint(r, shift))
        assert math.exp(-noise.beta) * (1 - 1e-12) <= ratio <= math.exp(noise.beta) * (1 + 1e-12)
        assert noise.scale(kendall_joint(r, shift)) > 1.0


def test_beta_and_scale_are_the_stated_formulas():
    noise = SmoothNoise(0.5, 1e-6)
    assert noise.beta == pytest.approx(0.5 / (2 * math.log(2e6)))
    assert noise.scale(lambda k: 0.25) == pytest.approx(2 * 0.25 / 0.5)


def test_a_local_sensitivity_that_is_zero_at_every_distance_is_smooth_zero():
    constant = np.ones(20)
    assert smooth_sensitivity(spearman_local(constant, np.random.default_rng(0).normal(size=20), 0.01), 0.05) == 0.0
    assert smooth_sensitivity(kendall_local(np.arange(20.0), 0.0), 0.05) == 0.0
