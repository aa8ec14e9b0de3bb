"""One column as it was read: its numbers, where they are missing, and what looks odd."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from privcause_core.errors import DataError
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.numbers import BoolArray
from privcause_core.loading.wording import formulas_at_fault, name_of, title_of
from privcause_core.pair import FloatArray, NumberArray

Values = tuple[NumberArray, BoolArray | None]


class AmbiguousNumbersError(DataError):
    """A column's numbers can be read in two ways; ``Table.with_decimal`` settles which."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One column of a table.

    Parameters
    ----------
    name : str
        The header's exact text, or ``"column 3"`` where there is none.
    label : str
        Shown to people and distinct within the table.
    values : array of shape (rows,), optional
        float64 with NaN where no finite number is present; int64 (with ``absent``) where whole numbers beyond
        2**53 must rank exactly; None if the column does not hold numbers.
    absent : bool array of shape (rows,), optional
        Where an int64 column has no value.
    missing : int
        Rows without a finite number.
    unvalued : tuple of int
        Positions of those rows whose cell is a formula that was saved without its value.
    looks_like_identifier : bool
        It numbers the rows rather than measuring something.
    sentinels : tuple of int
        Markers such as -999 that occur, far outside the other values.
    sentinel_rows : int
        Rows that hold one of them.
    reason : str
        Why it cannot be X or Y, by kind alone ("text", "dates or times", "empty", ...); empty if it can.
    examples : tuple of str
        A few of its cells that are no numbers: data, so for a holder who is exploring only.
    two_valued_truth : bool
        TRUE and FALSE, read as 1 and 0.
    readings : mapping, optional
        Values and absences under each decimal mark, where the cells can be read under both and differ; ``values`` is
        None then.
    """

    name: str
    label: str
    values: NumberArray | None = field(default=None, repr=False)
    absent: BoolArray | None = field(default=None, repr=False)
    missing: int = 0
    unvalued: tuple[int, ...] = ()
    looks_like_identifier: bool = False
    sentinels: tuple[int, ...] = ()
    sentinel_rows: int = 0
    reason: str = ""
    examples: tuple[str, ...] = field(default=(), repr=False)
    two_valued_truth: bool = False
    readings: Mapping[DecimalMark, Values] | None = field(default=None, repr=False)

    @property
    def numeric(self) -> bool:
        """Return whether the column can be X or Y, if need be once its decimal mark is known."""
        return self.values is not None or self.readings is not None

    @property
    def measures_little(self) -> bool:
        """Return whether the column is better left for last: it numbers the rows, or holds TRUE and FALSE."""
        return self.looks_like_identifier or self.two_valued_truth

    @property
    def present(self) -> BoolArray:
        """Return where a finite number is present, shape (rows,); only for numeric columns."""
        return np.isfinite(self.required()) if self.absent is None else ~self.absent

    def required(self) -> NumberArray:
        """Return ``values``.

        Raises
        ------
        DataError
            If the column does not hold numbers, or (``AmbiguousNumbersError``) holds them in two possible readings.
        """
        if self.readings is not None:
            raise AmbiguousNumbersError(
                f"the numbers of {name_of(self.label)} can be read with a decimal point or with a decimal comma, and "
                "nothing in the file tells which; choose (on the command line: --decimal point or --decimal comma)."
            )
        if self.values is None:
            if self.unvalued:
                at_fault = formulas_at_fault([], len(self.unvalued))
                raise DataError(f"{name_of(self.label)} does not hold numbers{at_fault}.")
            raise DataError(f"{name_of(self.label)} {self.reason or 'does not hold numbers'}; choose another column.")
        return self.values

    def numbers(self) -> NumberArray:
        """Return the finite numbers alone, shape (rows - missing,); empty if the column is not numeric."""
        return np.empty(0) if self.values is None else self.values[self.present]

    def doubles(self) -> FloatArray:
        """Return the numbers as float64 with NaN where there is none, shape (rows,)."""
        values = self.required().astype(np.float64, copy=False)
        return values if self.absent is None else np.where(self.absent, np.nan, values)

    def is_sentinel(self) -> BoolArray:
        """Return where a suspicious marker stands, shape (rows,)."""
        return np.isin(self.required(), self.sentinels)

    def remarks(self, used: NumberArray) -> list[str]:
        """Return one sentence about each odd thing in the column as used, shape (rows used,)."""
        remarks = []
        if self.looks_like_identifier:
            remarks.append(
                f"{title_of(self.label)} looks like an identifier (whole numbers that number the rows); "
                "check that it measures something."
            )
        others = used[used != used[0]]
        if not others.size:
            remarks.append(f"{title_of(self.label)} is constant, so no direction can be told from it.")
        elif (others == others[0]).all():
            remarks.append(f"{title_of(self.label)} takes two values only, so a direction told from it means little.")
        return remarks
