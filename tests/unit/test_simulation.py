"""Simulated draws: counted by sorted search as by looking at each, at every sign of the margin."""

import numpy as np
import pytest

from privcause_core.explore.simulation import LaplaceDraws
from privcause_core.settings import ReleaseKind

SCALES = np.array([0.01, 0.5, 2.0, 100.0])


@pytest.mark.parametrize("release", ReleaseKind)
@pytest.mark.parametrize("margin", [0.7, -0.7, 3.0, -1e-9])
def test_flip_rates_are_the_shares_of_draws_that_turn_the_arrow(release, margin):
    draws = LaplaceDraws.seeded(5, 200, release)
    slow = [np.mean((margin + scale * draws.noise > 0.0) != (margin > 0.0)) for scale in SCALES]
    assert draws.flip_rates(margin, SCALES).tolist() == slow


def test_without_a_margin_there_is_no_arrow_and_a_coin_decides():
    assert LaplaceDraws.seeded(5, 200, ReleaseKind.DIRECTION).flip_rates(0.0, SCALES).tolist() == [0.5] * 4


def test_both_releases_begin_with_the_same_draws():
    two, one = (LaplaceDraws.seeded(5, 200, release) for release in ReleaseKind)
    assert np.array_equal(two.columns[0], one.columns[0])
    assert np.array_equal(one.noise, one.columns[0])
