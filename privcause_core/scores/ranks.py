"""Dense ranks, and sums over all pairs of rows that they tell apart, exact and in O(m log m)."""

import numpy as np
import numpy.typing as npt

from privcause_core.pair import NumberArray

SMALL = 2**16  # rows whose arrays stay in the processor's cache
IntArray = npt.NDArray[np.int64]
Ranks = npt.NDArray[np.int32]  # half as much to move around


def dense_ranks(values: NumberArray) -> Ranks:
    """Return 0 for the smallest value, 1 for the next larger one and so on, shape (m,)."""
    order = np.argsort(values)
    ordered = values[order]
    ranks = np.zeros(values.size, dtype=np.int32)
    ranks[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1], dtype=np.int32)
    return ranks


def ramp_sum(x: NumberArray, r: IntArray, reach: int) -> int:
    """Return the exact sum over pairs with x_i > x_j of clip(r_i - r_j, -reach, reach)."""
    order = np.argsort(r)
    r, ranks = r[order], dense_ranks(x)[order]
    del order
    return _ordered_sum(r, ranks, np.searchsorted(r, r - reach).astype(np.int32), reach)


def _ordered_sum(r: IntArray, ranks: Ranks, low: Ranks, reach: int) -> int:
    """Return the same of rows in the order of r: sgn(x_i - x_j) (reach - what r_i - r_j lacks of it) at places j < i.

    Only the rows from ``low`` on, the first within reach below row i, lack any. A wavelet matrix: rows are split by the
    bits of their ranks, the highest first; those of unequal ranks are together in a block until exactly one bit parts
    them. ``bounds`` holds where blocks start and stop, ``ahead`` how many 0-rows are ahead of a place.
    """
    ranks, bounds, total = ranks - ranks.min(), np.array([[0], [r.size]]), 0
    for bit in reversed(range(int(ranks.max()).bit_length())):
        is_zero = (ranks >> bit) & 1 == 0
        zeros, ones, ahead = np.flatnonzero(is_zero), np.flatnonzero(~is_zero), np.zeros(r.size + 1, dtype=np.int32)
        np.cumsum(is_zero, out=ahead[1:])
        zero_bounds = ahead.take(bounds).astype(np.int64)
        one_bounds = bounds - zero_bounds
        (n_zeros,), (n_ones,) = np.diff(zero_bounds, axis=0), np.diff(one_bounds, axis=0)
        zeros_first = int(ahead.take(ones).sum(dtype=np.int64)) - int(zero_bounds[0] @ n_ones)  # pairs in a block
        r_zeros, r_ones, low_zeros, low_ones = r.take(zeros), r.take(ones), low.take(zeros), low.take(ones)
        zeros_below, ones_below = ahead.take(low_zeros), ahead.take(low_ones)  # 0-rows ahead of low
        low_zeros -= zeros_below  # from here on 1-rows ahead of low
        low_ones -= ones_below
        total += reach * (2 * zeros_first - int(n_zeros @ n_ones))
        total += _lacking(r_zeros, low_zeros, zeros, r_ones, reach) - _lacking(r_ones, ones_below, ones, r_zeros, reach)
        if ranks.size > SMALL:
            total += _ordered_sum(r_zeros, ranks[zeros], zeros_below, reach)
            return total + _ordered_sum(r_ones, ranks[ones], low_ones, reach)
        r, low = np.concatenate([r_zeros, r_ones]), np.concatenate([zeros_below, low_ones + np.int32(zeros.size)])
        ranks = np.concatenate([ranks.take(zeros), ranks.take(ones)])
        bounds = np.concatenate([zero_bounds, one_bounds + zeros.size], axis=1)
    return total


def _lacking(r: IntArray, first: Ranks, places: IntArray, others: IntArray, reach: int) -> int:
    """Return the sum of reach - (r_i - r_j) over rows i at their places and the others j ahead of them, from first."""
    last = places - np.arange(places.size)  # how many of the others are ahead
    sums = np.zeros(others.size + 1, dtype=np.int64)
    np.cumsum(others, out=sums[1:])
    lacking = (last - first) * (reach - r)
    lacking += sums.take(last)
    lacking -= sums.take(first)
    return (int((lacking >> 20).sum()) << 20) + int((lacking & 0xFFFFF).sum())  # in two parts, each far below 2^63
