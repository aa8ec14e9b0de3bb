"""Dithering: how wide a column's rounding is, and draws that follow the column and the dealt place."""

import numpy as np
import pytest

from privcause_core.fits.dither import draw_names, draws, rounding_step


def test_the_step_is_the_median_gap_of_neighbouring_distinct_values():
    assert rounding_step(np.repeat([0.0, 1.0, 2.0, 7.0], 5)) == 1.0
    assert rounding_step(0.25 * np.random.default_rng(0).integers(0, 9, 300)) == 0.25


@pytest.mark.parametrize("values", [[], [2.0], [2.0] * 9, np.random.default_rng(1).normal(size=50)])
def test_constant_or_mostly_distinct_columns_have_no_step(values):
    assert rounding_step(np.array(values)) == 0.0


def test_over_nine_in_ten_distinct_values_are_not_rounded():
    assert rounding_step(np.r_[np.arange(91.0), np.zeros(9)]) == 0.0
    assert rounding_step(np.r_[np.arange(90.0), np.zeros(10)]) == 1.0


def test_exchanging_the_columns_exchanges_the_names_of_their_draws():
    x, y = np.round(np.random.default_rng(2).normal(size=(2, 40)))
    assert draw_names(x, y) == draw_names(y, x)[::-1]
    assert set(draw_names(x, y)) == {0, 1}


def test_equal_columns_share_their_draws():
    x = np.arange(5.0)
    assert draw_names(x, x.copy()) == (0, 0)


def test_draws_are_uniform_within_half_a_step_and_never_repeated_between_columns_or_halves():
    found = [half for name in range(2) for half in draws(7, name, 4_000, 4_000)]
    for one in found:
        assert -0.5 <= one.min() < -0.49
        assert 0.49 < one.max() < 0.5
        assert one.var() == pytest.approx(1 / 12, rel=0.05)
    assert np.abs(np.corrcoef(found) - np.eye(4)).max() < 0.06


def test_the_draw_of_a_place_does_not_depend_on_how_many_rows_train():
    assert draws(3, 0, 10, 6)[1].tolist() == draws(3, 0, 99, 6)[1].tolist()
