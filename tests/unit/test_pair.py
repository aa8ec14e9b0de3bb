"""Pairs: what they accept, and how they keep numbers exact."""

import math
from dataclasses import replace

import numpy as np
import pytest

from privcause_core.errors import DataError
from privcause_core.pair import MAX_EXACT_INTEGER, Direction, Pair


def pair_of(x, y, **more):
    return Pair("p", "x", "y", np.asarray(x), np.asarray(y), **more)


def test_columns_are_copied_and_read_only():
    x = np.array([1.0, 2.0])
    pair = pair_of(x, x)
    x[0] = 9.0
    assert pair.x.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        pair.x[0] = 5.0


def frozen(values, **kind):
    array = np.array(values, **kind)
    array.setflags(write=False)
    return array


def test_columns_that_nobody_can_write_to_are_shared_not_copied():
    x, y = frozen([1.0, 2.0, 3.0]), frozen([2**60, 2**60 + 1, 3])
    pair = pair_of(x[:2], y[1:])
    assert np.shares_memory(pair.x, x)
    assert np.shares_memory(pair.y, y)
    for other in (pair.swapped(), replace(pair, name="q")):
        assert np.shares_memory(other.x, pair.x) or np.shares_memory(other.x, pair.y)


def test_a_read_only_view_of_memory_that_can_be_written_to_is_copied():
    own = np.array([1.0, 2.0])
    view = own.view()
    view.setflags(write=False)
    foreign = np.frombuffer(bytearray(own.tobytes()))
    foreign.setflags(write=False)
    for values in (view, view[:1], foreign):
        pair = pair_of(values, values)
        assert not np.shares_memory(pair.x, values)
        assert not pair.x.flags.writeable


@pytest.mark.parametrize("values", [[1, 2], [True, False], np.array([1, 2], np.uint8), np.array([1, 2], np.float32)])
def test_numbers_of_any_ordinary_type_become_doubles(values):
    assert pair_of(values, values).x.dtype == np.float64


@pytest.mark.parametrize("edge", [MAX_EXACT_INTEGER, -MAX_EXACT_INTEGER])
def test_integers_stay_exact_from_the_first_one_that_a_double_cannot_hold(edge):
    beyond = edge + 1 if edge > 0 else edge - 1
    assert pair_of([edge, 0], [0, 0]).x.dtype == np.float64
    assert pair_of([beyond, edge], [0, 0]).x.tolist() == [beyond, edge]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_values_that_are_not_finite_are_refused_without_being_named(bad):
    with pytest.raises(DataError, match=r"only finite values in column y; drop incomplete rows first"):
        pair_of([1.0, 2.0], [4.25, bad])


def test_columns_must_have_rows_and_equal_length():
    with pytest.raises(DataError, match="at least one row in column x"):
        pair_of([], [])
    with pytest.raises(DataError, match="equal length, got 2 and 3 values"):
        pair_of([1, 2], [1, 2, 3])


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf])
def test_weights_are_finite_and_not_negative(weight):
    with pytest.raises(DataError, match="finite weight >= 0 for pair p"):
        pair_of([1], [1], weight=weight)


def test_swapping_exchanges_columns_and_turns_the_truth_round():
    pair = Pair("p", "a", "b", np.array([1.0]), np.array([2.0]), Direction.X_TO_Y, 0.5, 7, ("note",), "source")
    swapped = pair.swapped()
    assert (swapped.x_name, swapped.y_name, swapped.truth) == ("b", "a", Direction.Y_TO_X)
    assert (swapped.x[0], swapped.y[0], swapped.weight, swapped.rows_read) == (2.0, 1.0, 0.5, 7)
    assert pair_of([1.0], [2.0]).swapped().truth is None
    assert Direction.UNDECIDED.reverse is Direction.UNDECIDED


def test_rows_read_defaults_to_the_rows_kept():
    assert pair_of([1, 2, 3], [1, 2, 3]).rows_read == 3
