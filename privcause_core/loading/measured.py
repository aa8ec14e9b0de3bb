"""What a finished column of numbers shows: identifiers, and markers such as -999."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np

from privcause_core.loading.column import Column, Values
from privcause_core.pair import NumberArray

# Numbers that files use for "missing"; flagged only where they lie far outside the column's other values.
SENTINELS = tuple(sign * (10**digits - 1) for digits in range(2, 7) for sign in (-1, 1))
_IDENTIFIER_NAME = re.compile(r"(.*[ _.-])?(id|index|uid|key)", re.IGNORECASE)
_SLICE = 1 << 18  # rows looked at together, so that temporary arrays stay small


def measured(column: Column, found: Values, *, truth: bool = False) -> Column:
    """Return the column with its numbers and what looks odd in them."""
    values, absent = found
    sentinels, sentinel_rows = _suspicious_sentinels(values)
    return replace(
        column,
        values=values,
        absent=absent,
        readings=None,
        looks_like_identifier=_looks_like_identifier(column, values),
        sentinels=sentinels,
        sentinel_rows=sentinel_rows,
        two_valued_truth=truth,
    )


def _slices(rows: int) -> list[slice]:
    return [slice(start, start + _SLICE) for start in range(0, rows, _SLICE)]


def _looks_like_identifier(column: Column, values: NumberArray) -> bool:
    """Say whether a column counts rows: whole numbers, none missing, ever rising or named like an id."""
    if column.missing or values.size < 3:
        return False
    rising = all((values[1:][part] > values[:-1][part]).all() for part in _slices(values.size))
    if not rising and not _IDENTIFIER_NAME.fullmatch(column.name):
        return False
    return is_whole(values) and (rising or np.unique(values).size == values.size)


def is_whole(values: NumberArray) -> bool:
    """Say whether every value is a whole number, slice by slice."""
    return all((np.trunc(values[part]) == values[part]).all() for part in _slices(values.size))


def _suspicious_sentinels(values: NumberArray) -> tuple[tuple[int, ...], int]:
    """Return the sentinels farther from a column's other values than those are wide, and how many rows."""
    low, high, found = np.inf, -np.inf, Counter[int]()
    for part in _slices(values.size):
        block = values[part].astype(np.float64, copy=False)
        block = block[np.isfinite(block)]
        if (np.abs(block) >= min(map(abs, SENTINELS))).any():
            known = np.isin(block, SENTINELS)
            found.update(block[known].astype(int).tolist())
            block = block[~known]
        if block.size:
            low, high = min(low, float(block.min())), max(high, float(block.max()))
    width = high - low
    far = {value: rows for value, rows in found.items() if value < low - width or value > high + width}
    return (tuple(sorted(far)), sum(far.values())) if np.isfinite(width) else ((), 0)
