"""The fingerprint of a column: missing values, sums of any size, large integers."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from privcause_core.cli.inspect import summary


def test_a_summary_skips_missing_values_and_survives_an_empty_column():
    found = summary(np.array([3.0, np.nan, 1.0, 3.0]))
    assert found == {"count": 3, "sum": 7.0, "distinct": 2, "min": 1.0, "max": 3.0}
    assert summary(np.array([np.nan])) == {"count": 0, "sum": 0.0, "distinct": 0, "min": None, "max": None}


@settings(deadline=None)
@given(arrays(np.float64, st.integers(1, 30), elements=st.floats(allow_nan=False, allow_infinity=False)))
def test_sums_are_rounded_once_whatever_the_size_of_the_values(values):
    exact = sum(map(Fraction, values.tolist()), Fraction())
    try:
        expected = float(exact)
    except OverflowError:
        expected = None
    got = summary(values)["sum"]
    assert got == expected or math.isclose(got, expected, rel_tol=1e-15, abs_tol=1e-280)  # beside terms of 1e308


def test_large_integers_are_summed_exactly():
    assert summary(np.array([2**60 + 1, 1 - 2**60, 3]))["sum"] == 5.0
