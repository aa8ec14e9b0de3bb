"""One column under construction: blocks of cells in, one array out."""

from typing import Any

import numpy as np

from privcause_core.loading.chunk import read_chunk
from privcause_core.loading.evidence import PATIENCE, Evidence
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.numbers import BoolArray, Cells, IntegerArray
from privcause_core.pair import MAX_EXACT_INTEGER, FloatArray, NumberArray

_LONGEST_WORD = 40


class ColumnBuilder:
    """Collects a column's cells block by block into arrays allocated once.

    Parameters
    ----------
    capacity : int
        The most rows that will be added; untouched memory is never paged in.
    mark : DecimalMark
        Under which text is read.
    patience : int, optional
        As in ``Evidence``.
    """

    __slots__ = (
        "_floats", "_inexact_spans", "_integers", "evidence", "last_word", "lossy", "mark", "numbers", "size", "typed",
        "unvalued",
    )  # fmt: skip

    def __init__(self, capacity: int, mark: DecimalMark = DecimalMark.POINT, patience: int = PATIENCE) -> None:
        self._floats: FloatArray = np.empty(capacity)
        self._integers: IntegerArray | None = None
        self._inexact_spans: list[slice] = []
        self.mark = mark
        self.evidence = Evidence(patience=patience)
        self.size = 0
        self.numbers = 0
        self.typed = ""  # what a column of another type than numbers or text holds
        self.last_word = ""  # of the last text cell, to tell a row of totals
        self.lossy = False
        self.unvalued: tuple[int, ...] = ()

    @classmethod
    def of_another_type(cls, rows: int, typed: str) -> "ColumnBuilder":
        """Return a column that holds no numbers whatever its cells: dates, lists."""
        builder = cls(0)
        builder.size, builder.typed = rows, typed
        return builder

    def add_texts(self, texts: Any, rows: int | None = None, at: IntegerArray | None = None) -> None:  # noqa: ANN401
        """Append a block of ``rows`` rows with text cells at positions ``at`` (everywhere by default)."""
        at = np.arange(len(texts)) if at is None else at
        cells = read_chunk(texts, self.mark, self.evidence, self.size + at)
        self.last_word = ((texts[-1].as_py() or "")[:_LONGEST_WORD]).strip() if len(texts) else ""
        self.add(cells if rows is None or rows == len(texts) else cells.spread(rows, at))

    def add(self, cells: Cells) -> None:
        """Append a block of numbers."""
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
