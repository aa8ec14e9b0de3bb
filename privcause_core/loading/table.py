"""A table as it was read: its columns, its rows' line numbers, and the pair that two columns make."""

import re
from dataclasses import dataclass, field, replace

import numpy as np

from privcause_core.errors import DataError, NoCompleteRowError
from privcause_core.loading.column import Column
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.measured import measured
from privcause_core.loading.numbers import BoolArray, LineNumbers
from privcause_core.loading.reading import Reading
from privcause_core.loading.wording import (
    MAX_LISTED,
    counted,
    formulas_at_fault,
    listed,
    name_of,
    rows_named,
    shortened,
)
from privcause_core.pair import NumberArray, Pair

_MOST_REASONS = 3  # columns named in one sentence
_WRITE_NUMBERS = "; write plain numbers such as 12.5 there, or bring a file with two columns of them"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table of columns of equal length.

    Parameters
    ----------
    name : str
        File or sheet.
    columns : tuple of Column
    rows_read : int
        Data rows in the source, ragged and incomplete ones included.
    line_numbers : range or array of shape (rows_read,)
        What to call each row, together with ``line_word`` ("line" of a text file, "row" of a sheet).
    notes : tuple of str
        One sentence each about how the table was read.
    reading : Reading, optional
        How it was read: exploring found it, or it was declared; a release states it and reads by it.
    content : str
        Tells the file (``content_digest``) by its bytes; empty where it is unknown.
    """

    name: str
    columns: tuple[Column, ...]
    rows_read: int
    line_numbers: LineNumbers = field(repr=False)
    line_word: str = "line"
    notes: tuple[str, ...] = ()
    reading: Reading | None = None
    content: str = field(default="", repr=False)

    @property
    def numeric_columns(self) -> tuple[int, ...]:
        """Return the positions of the columns that can be X or Y."""
        return tuple(position for position, column in enumerate(self.columns) if column.numeric)

    @property
    def unvalued(self) -> int:
        """Return the number of formulas without a stored value."""
        return sum(len(column.unvalued) for column in self.columns)

    @property
    def ambiguous(self) -> tuple[int, ...]:
        """Return the positions of the columns that wait for ``with_decimal``."""
        return tuple(position for position, column in enumerate(self.columns) if column.readings is not None)

    def with_decimal(self, mark: DecimalMark) -> "Table":
        """Return the table with every column that was open read under one decimal mark."""
        columns = tuple(
            measured(column, column.readings[mark]) if column.readings is not None else column
            for column in self.columns
        )
        return replace(self, columns=columns)

    def default_columns(self) -> tuple[int, int]:
        """Return the first two numeric columns, in file order; identifiers, truth values and the like as a last resort.

        Raises
        ------
        DataError
            If fewer than two columns hold numbers.
        """
        if len(self.numeric_columns) < 2:
            raise DataError(
                f"a pair needs two columns of numbers and {self.name} has {len(self.numeric_columns)} "
                f"among its {counted(len(self.columns), 'column')}{self.why_not()}."
            )
        plain_first = sorted(self.numeric_columns, key=lambda one: self.columns[one].measures_little)
        x, y = sorted(plain_first[:2])
        return x, y

    def why_not(self) -> str:
        """Return the end of a sentence that names the columns that cannot be chosen and why; empty if all can."""
        if at_fault := formulas_at_fault([column.label for column in self.columns if column.unvalued], self.unvalued):
            return at_fault
        said = [f"{name_of(column.label)} {column.reason}" for column in self.columns if column.reason]
        if not said:
            return ""
        lacking = any(column.reason.startswith(("does not hold", "has no values")) for column in self.columns)
        return f": {'; '.join(said[:_MOST_REASONS])}{_WRITE_NUMBERS if lacking else ''}"

    def column_index(self, key: str) -> int:
        """Return the position of a column given by its exact name, its label, or its number from 1.

        Raises
        ------
        DataError
            If there is no such column or the name is not the only one; the sentence lists the labels.
        """
        labels = [column.label for column in self.columns]
        named = [position for position, column in enumerate(self.columns) if column.name == key]
        if len(named) == 1:
            return named[0]
        if key in labels:
            return labels.index(key)
        if not named and re.fullmatch(r"[0-9]{1,6}", key) and 1 <= int(key) <= len(labels):
            return int(key) - 1
        typed = shortened(key)
        fault = f"{len(named)} columns are named {typed}" if named else f"there is no column {typed}"
        raise DataError(f"{fault} in {self.name}; choose one of: {listed(map(shortened, labels))}.")

    def pair(self, x: int, y: int, *, sentinels_missing: bool = False, name: str | None = None) -> Pair:
        """Return two columns as a pair of complete rows, with notes about all that was dropped or looks odd.

        Parameters
        ----------
        x, y : int
            Positions in ``columns``.
        sentinels_missing : bool
            Treat suspicious markers such as -999 as missing.
        name : str, optional
            Defaults to the table's.

        Raises
        ------
        DataError
            If x and y are the same, out of range or not numeric.
        NoCompleteRowError
            If no row has a number in both.
        """
        first, second = self._chosen(x, y)
        complete = first.present & second.present
        marked = complete & (first.is_sentinel() | second.is_sentinel())
        kept = complete & ~marked if sentinels_missing else complete
        if not kept.any():
            both = " and ".join(shortened(one.label) for one in (first, second))
            raise NoCompleteRowError(f"no row of {self.name} has a number in both {both}{_why_none(first, second)}.")
        left, right = (one.required() if kept.all() else _rows_of(one.required(), kept) for one in (first, second))
        notes = (
            *self.notes,
            *self._dropped_note(~complete, len({*first.unvalued, *second.unvalued})),
            *self._sentinel_note(marked, first.sentinels + second.sentinels, dropped=sentinels_missing),
            *first.remarks(left),
            *second.remarks(right),
        )
        return Pair(
            name or self.name, first.label, second.label, left, right,
            rows_read=self.rows_read, notes=notes, source=self.name,
        )  # fmt: skip

    def _chosen(self, x: int, y: int) -> tuple[Column, Column]:
        for position in (x, y):
            if not 0 <= position < len(self.columns):
                raise DataError(f"{self.name} has no column {position + 1}, only {len(self.columns)}.")
        if x == y:
            raise DataError(f"{name_of(self.columns[x].label)} was chosen twice; choose two different columns.")
        return self.columns[x], self.columns[y]

    def _where(self, rows: BoolArray) -> str:
        positions = np.flatnonzero(rows)
        return rows_named(self.line_word, [self.line_numbers[row] for row in positions[:MAX_LISTED]], positions.size)

    def _dropped_note(self, gone: BoolArray, unvalued: int) -> list[str]:
        number = int(np.count_nonzero(gone))
        if not number:
            return []
        why = f", {unvalued:,} of them for a formula without a stored value" if unvalued else ""
        return [f"{number:,} of {counted(self.rows_read, 'row')} left out as incomplete{why}: {self._where(gone)}."]

    def _sentinel_note(self, marked: BoolArray, sentinels: tuple[int, ...], *, dropped: bool) -> list[str]:
        number = int(np.count_nonzero(marked))
        if not number:
            return []
        markers = listed(sorted(set(sentinels)))
        fate = "left out, as chosen" if dropped else "kept as numbers; say so if they mark missing values"
        subject = f"{counted(number, 'row')} with what looks like a missing-value marker ({markers})"
        return [f"{subject} {fate}: {self._where(marked)}."]


def _why_none(first: Column, second: Column) -> str:
    """Return the end of a sentence about two columns without a complete row."""
    unvalued = [one for one in (first, second) if one.unvalued]
    if unvalued:
        return formulas_at_fault([one.label for one in unvalued], sum(len(one.unvalued) for one in unvalued))
    empty = [name_of(one.label) for one in (first, second) if not one.present.any()]
    if not empty:
        return ": each has numbers, but in other rows"
    return f": {' and '.join(empty)} {'has' if len(empty) == 1 else 'have'} none at all"


def _rows_of(values: NumberArray, kept: BoolArray) -> NumberArray:
    rows = values[kept]
    rows.setflags(write=False)  # spares the pair a copy
    return rows
