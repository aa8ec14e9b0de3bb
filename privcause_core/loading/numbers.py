"""Cells of text to numbers, many at a time, under one decimal mark."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from privcause_core.pair import MAX_EXACT_INTEGER, FloatArray

BoolArray = npt.NDArray[np.bool_]
IntegerArray = npt.NDArray[np.int64]
Number = TypeVar("Number", np.float64, np.int64)
LineNumbers = range | npt.NDArray[np.int32]

_SPREADSHEET_ERRORS = ("#n/a", "#na", "#div/0!", "#value!", "#ref!", "#num!", "#name?", "#null!")
_MISSING = ("", "na", "n/a", "nan", "null", "none", "nil", "-", "--", "?", ".", *_SPREADSHEET_ERRORS)
_NOT_FINITE = ("inf", "+inf", "-inf", "infinity", "+infinity", "-infinity", "+nan", "-nan")
MISSING_MARKERS = frozenset(_MISSING + _NOT_FINITE)  # compared in lower case, stripped
_PROBE = 64
_LONGEST_MARKER = max(map(len, MISSING_MARKERS))
MISSING_SPELLINGS = sorted({case(text) for text in _MISSING for case in (str, str.upper, str.title)} | {"NaN"})


class DecimalMark(StrEnum):
    """The character between a number's whole and fractional digits; the other one may group thousands."""

    POINT = "."
    COMMA = ","

    @property
    def other(self) -> "DecimalMark":
        """Return the mark that groups thousands under this reading."""
        return DecimalMark.COMMA if self is DecimalMark.POINT else DecimalMark.POINT


def _number_pattern(mark: DecimalMark, groups: str) -> str:
    # A group never starts with 0: "0,123" can only hold a decimal comma.
    grouped = rf"[1-9]\d{{0,2}}(?:[{groups}]\d{{3}})+(?:\{mark}\d+)?"
    return rf"^[+-]?(?:\d+(?:\{mark}\d+)?|\d+\.|\{mark}\d+|{grouped})(?:[eE][+-]?\d+)?$"


_BLANK_GROUPS = "' \u00a0\u202f\u2009"  # apostrophe, blank, no-break and thin blanks
_PATTERNS = {mark: _number_pattern(mark, rf"\{mark.other}{_BLANK_GROUPS}") for mark in DecimalMark}
_GROUPINGS = {mark: rf"[\{mark.other}{_BLANK_GROUPS}]" for mark in DecimalMark}
_SINGLE = {mark: re.compile(_number_pattern(mark, rf"\{mark.other}"), re.ASCII) for mark in DecimalMark}


def is_number(text: str, mark: DecimalMark) -> bool:
    """Say whether one stripped cell is a number (thousands grouped by the other mark at most)."""
    return _SINGLE[mark].match(text) is not None


def is_missing(text: str) -> bool:
    """Say whether one stripped cell stands for a missing or infinite value."""
    return text.lower() in MISSING_MARKERS


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A run of one column's cells.

    Parameters
    ----------
    values : array of shape (rows,)
        NaN where there is no finite number.
    integers : array of shape (rows,), optional
        The same numbers exactly, given when some are beyond 2**53 and all are whole.
    text, grouped : int
        Cells that are neither numbers nor missing; number cells that group thousands.
    lossy : bool
        Whole numbers beyond 2**53 are present and could not be kept exactly.
    """

    values: FloatArray
    integers: IntegerArray | None = None
    text: int = 0
    grouped: int = 0
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
        return Cells(values, integers, self.text, self.grouped, self.lossy)


def doubles(array: Any) -> FloatArray:  # noqa: ANN401  (pyarrow ships no types)
    """Return a pyarrow double array as numpy, NaN for null; pyarrow's own way would import pandas."""
    return (
        np.where(_valid(array), _buffer(array, np.float64), np.nan) if array.null_count else _buffer(array, np.float64)
    )


def integers_of(array: Any) -> IntegerArray:  # noqa: ANN401
    """Return a pyarrow int64 array as numpy, 0 for null."""
    return np.where(_valid(array), _buffer(array, np.int64), 0) if array.null_count else _buffer(array, np.int64)


def _buffer(array: Any, kind: type[Number]) -> npt.NDArray[Number]:  # noqa: ANN401
    if not len(array):
        return np.empty(0, kind)
    return np.frombuffer(array.buffers()[1], kind, len(array), array.offset * 8)


def _valid(array: Any) -> BoolArray:  # noqa: ANN401
    bits = np.unpackbits(np.frombuffer(array.buffers()[0], np.uint8), bitorder="little")
    return bits[array.offset : array.offset + len(array)].astype(bool)


def without_infinities(values: FloatArray) -> FloatArray:
    """Turn infinite values into NaN, the one sign of a missing value; the array itself where there are none."""
    infinite = np.isinf(values)
    return np.where(infinite, np.nan, values) if infinite.any() else values


def parse_cells(texts: Any, mark: DecimalMark) -> Cells:  # noqa: ANN401  (pyarrow ships no types)
    """Read a pyarrow string array as numbers; null, "NA", "nan", "inf" and the like are missing.

    Raises nothing: what is not a number is counted in ``text``.
    """
    trimmed = pc.utf8_trim_whitespace(texts)
    return _plain_cells(trimmed, mark) or _mixed_cells(trimmed, mark)


def _plain_cells(trimmed: Any, mark: DecimalMark) -> Cells | None:  # noqa: ANN401
    """Read cells that all are ungrouped numbers or null, the usual and quick case; None if some are not."""
    if mark is DecimalMark.COMMA and pc.any(pc.match_substring(trimmed, ".")).as_py():
        return None
    try:
        _number_cells(_with_point(trimmed[:_PROBE], mark))  # a whole column of words would fail slowly
        return _number_cells(_with_point(trimmed, mark))
    except pa.ArrowInvalid:
        return None


def _mixed_cells(trimmed: Any, mark: DecimalMark) -> Cells:  # noqa: ANN401
    numeric = pc.fill_null(pc.match_substring_regex(trimmed, _PATTERNS[mark]), False)
    text = _count_text(pc.drop_null(trimmed.filter(pc.invert(numeric))))
    if not pc.any(numeric).as_py():
        return Cells(np.full(len(trimmed), np.nan), text=text)
    plain = pc.if_else(numeric, trimmed, pa.scalar(None, trimmed.type))
    digits, grouped = _ungrouped(plain, mark)
    return replace(_number_cells(_with_point(digits, mark)), text=text, grouped=grouped)


def _count_text(others: Any) -> int:  # noqa: ANN401
    """Count the cells that are no markers of a missing value, among cells that are no numbers."""
    short = others.filter(pc.less_equal(pc.binary_length(others), _LONGEST_MARKER))
    markers = pc.is_in(pc.utf8_lower(short), pa.array(sorted(MISSING_MARKERS), others.type))
    return len(others) - int(pc.sum(markers).as_py() or 0)


def _ungrouped(plain: Any, mark: DecimalMark) -> tuple[Any, int]:  # noqa: ANN401
    """Take the thousands grouping out of numbers; return them and how many had one."""
    grouped = int(pc.sum(pc.match_substring_regex(plain, _GROUPINGS[mark])).as_py() or 0)
    for sign in (mark.other, *_BLANK_GROUPS) if grouped else ():
        if pc.any(pc.match_substring(plain, sign)).as_py():
            plain = pc.replace_substring(plain, sign, "")
    return plain, grouped


def _with_point(digits: Any, mark: DecimalMark) -> Any:  # noqa: ANN401
    return pc.replace_substring(digits, ",", ".") if mark is DecimalMark.COMMA else digits


def _number_cells(digits: Any) -> Cells:  # noqa: ANN401
    values = doubles(pc.cast(digits, pa.float64()))
    integers, lossy = _exact_integers(digits, values)
    return Cells(without_infinities(values), integers, lossy=lossy)


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
        whole = pc.fill_null(pc.match_substring_regex(digits, r"^[+-]?\d+$"), False)
        return None, bool((whole.to_numpy(zero_copy_only=False) & big).any())
    return integers_of(exact), False
