"""One column as it was read: its numbers, where they are missing, and what looks odd."""

from dataclasses import dataclass, field

import numpy as np

from privcause_core.errors import DataError
from privcause_core.loading.numbers import BoolArray
from privcause_core.loading.wording import formulas_at_fault
from privcause_core.pair import NumberArray


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

    @property
    def numeric(self) -> bool:
        """Return whether the column can be X or Y."""
        return self.values is not None

    @property
    def present(self) -> BoolArray:
        """Return where a finite number is present, shape (rows,); only for numeric columns."""
        return np.isfinite(self.required()) if self.absent is None else ~self.absent

    def required(self) -> NumberArray:
        """Return ``values``, or raise DataError if the column does not hold numbers."""
        if self.values is None:
            at_fault = formulas_at_fault(len(self.unvalued)) or "; choose another column"
            raise DataError(f"column {self.label} does not hold numbers{at_fault}.")
        return self.values

    def numbers(self) -> NumberArray:
        """Return the finite numbers alone, shape (rows - missing,); empty if the column is not numeric."""
        return np.empty(0) if self.values is None else self.values[self.present]

    def is_sentinel(self) -> BoolArray:
        """Return where a suspicious marker stands, shape (rows,)."""
        return np.isin(self.required(), self.sentinels)

    def remarks(self, used: NumberArray) -> list[str]:
        """Return one sentence about each odd thing in the column as used, shape (rows used,)."""
        remarks = []
        if self.looks_like_identifier:
            remarks.append(
                f"Column {self.label} looks like an identifier (whole numbers that number the rows); "
                "check that it measures something."
            )
        others = used[used != used[0]]
        if not others.size:
            remarks.append(f"Column {self.label} is constant, so no direction can be told from it.")
        elif (others == others[0]).all():
            remarks.append(f"Column {self.label} takes two values only, so a direction told from it means little.")
        return remarks
