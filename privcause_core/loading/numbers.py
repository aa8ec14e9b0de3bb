"""Number columns between Arrow and numpy, and whole numbers that a double cannot hold."""

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from privcause_core.pair import MAX_EXACT_INTEGER, FloatArray

BoolArray = npt.NDArray[np.bool_]
IntegerArray = npt.NDArray[np.int64]
Number = TypeVar("Number", np.float64, np.int64, np.int32)
LineNumbers = range | npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A run of one column's numbers.

    Parameters
    ----------
    values : array of shape (rows,)
        NaN where there is no finite number.
    integers : array of shape (rows,), optional
        The same numbers exactly, given when some are beyond 2**53 and all are whole.
    lossy : bool
        Whole numbers beyond 2**53 are present and could not be kept exactly.
    """

    values: FloatArray
    integers: IntegerArray | None = None
    lossy: bool = False

    @property
    def numbers(self) -> int:
        """Return how many cells hold a finite number."""
        return int(np.count_nonzero(np.isfinite(self.values)))

    def spread(self, rows: int, at: IntegerArray) -> "Cells":
        """Return ``rows`` cells with these at positions ``at`` and the others missing."""
        values = np.full(rows, np.nan)
        values[at] = self.values
        integers = None
        if self.integers is not None:
            integers = np.zeros(rows, np.int64)
            integers[at] = self.integers
        return Cells(values, integers, self.lossy)


def doubles(array: Any) -> FloatArray:  # noqa: ANN401  (pyarrow ships no types)
    """Return a pyarrow double array as numpy, NaN for null; pyarrow's own way would import pandas."""
    return (
        np.where(_valid(array), _buffer(array, np.float64), np.nan) if array.null_count else _buffer(array, np.float64)
    )


def integers_of(array: Any) -> IntegerArray:  # noqa: ANN401
    """Return a pyarrow int64 array as numpy, 0 for null."""
    return np.where(_valid(array), _buffer(array, np.int64), 0) if array.null_count else _buffer(array, np.int64)


def indices_of(array: Any) -> IntegerArray:  # noqa: ANN401
    """Return a pyarrow int32 array without nulls as numpy."""
    return _buffer(array, np.int32).astype(np.int64)


def flags(array: Any) -> BoolArray:  # noqa: ANN401
    """Return a pyarrow truth array as numpy, False for null."""
    if not len(array):
        return np.empty(0, bool)
    bits = _bits(array, 1)
    return bits & _valid(array) if array.null_count else bits


def _buffer(array: Any, kind: type[Number]) -> npt.NDArray[Number]:  # noqa: ANN401
    if not len(array):
        return np.empty(0, kind)
    return np.frombuffer(array.buffers()[1], kind, len(array), array.offset * np.dtype(kind).itemsize)


def _valid(array: Any) -> BoolArray:  # noqa: ANN401
    return _bits(array, 0)


def _bits(array: Any, buffer: int) -> BoolArray:  # noqa: ANN401
    bits = np.unpackbits(np.frombuffer(array.buffers()[buffer], np.uint8), bitorder="little")
    return bits[array.offset : array.offset + len(array)].astype(bool)


def without_infinities(values: FloatArray) -> FloatArray:
    """Turn infinite values into NaN, the one sign of a missing value; the array itself where there are none."""
    infinite = np.isinf(values)
    return np.where(infinite, np.nan, values) if infinite.any() else values


def number_cells(digits: Any) -> Cells:  # noqa: ANN401
    """Return the numbers of a pyarrow string array with decimal points and no grouping; null is missing.

    Raises
    ------
    pyarrow.ArrowInvalid
        If some cell is no such number.
    """
    values = doubles(pc.cast(digits, pa.float64()))
    integers, lossy = _exact_integers(digits, values)
    return Cells(without_infinities(values), integers, lossy)


def _exact_integers(digits: Any, values: FloatArray) -> tuple[IntegerArray | None, bool]:  # noqa: ANN401
    """Return whole numbers exactly when doubles cannot hold them, and whether exactness was lost.

    Parameters
    ----------
    digits : pyarrow string array
        Numbers with a decimal point and no grouping; null where there is none.
    values : array of shape (rows,)
        The same as doubles.
    """
    big = np.abs(values) >= MAX_EXACT_INTEGER  # 2**53 + 1 reads as 2**53
    if not big.any():
        return None, False
    try:
        exact = pc.cast(pc.utf8_ltrim(digits, "+"), pa.int64())
    except pa.ArrowInvalid:  # fractions among them, or beyond 64 bits; scientific notation never promised digits
        whole = flags(pc.match_substring_regex(digits, r"^[+-]?\d+$"))
        return None, bool((whole & big).any())
    return integers_of(exact), False
