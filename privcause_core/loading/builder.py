"""One column under construction: blocks of cells in, one array out."""

import numpy as np

from privcause_core.loading.numbers import BoolArray, Cells, IntegerArray
from privcause_core.pair import MAX_EXACT_INTEGER, FloatArray, NumberArray


class ColumnBuilder:
    """Collects a column's cells block by block into arrays allocated once.

    Parameters
    ----------
    capacity : int
        The most rows that will be added; untouched memory is never paged in.
    """

    __slots__ = ("_floats", "_inexact_spans", "_integers", "grouped", "lossy", "numbers", "size", "text", "unvalued")

    def __init__(self, capacity: int) -> None:
        self._floats: FloatArray = np.empty(capacity)
        self._integers: IntegerArray | None = None
        self._inexact_spans: list[slice] = []
        self.size = 0
        self.numbers = 0
        self.text = 0
        self.grouped = 0
        self.lossy = False
        self.unvalued: tuple[int, ...] = ()

    def add(self, cells: Cells) -> None:
        """Append a block."""
        span = slice(self.size, self.size + cells.values.size)
        self._floats[span] = cells.values
        if cells.integers is None:
            self._inexact_spans.append(span)
        else:
            if self._integers is None:
                self._integers = np.zeros(self._floats.size, np.int64)
            self._integers[span] = cells.integers
        self.size = span.stop
        self.numbers += cells.numbers
        self.text += cells.text
        self.grouped += cells.grouped
        self.lossy |= cells.lossy

    def finish(self) -> tuple[NumberArray, BoolArray | None]:
        """Return the values, read-only, and where int64 values are absent (float64 ones are NaN there)."""
        self._floats.setflags(write=False)  # pairs of a column share it then, and need no copy
        floats = self._floats[: self.size]
        if self._integers is None or self.lossy:
            return floats, None
        for span in self._inexact_spans:
            block = self._floats[span]
            known = np.isfinite(block)
            whole = np.trunc(block[known]) == block[known]
            if not (whole & (np.abs(block[known]) <= MAX_EXACT_INTEGER)).all():
                self.lossy = True
                return floats, None
            self._integers[span] = np.where(known, block, 0)
        self._integers.setflags(write=False)
        return self._integers[: self.size], ~np.isfinite(floats)
