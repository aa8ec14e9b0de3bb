"""One cause-effect pair: two read-only columns of equal length, and what is known about them."""

import math
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from privcause_core.errors import DataError

FloatArray = npt.NDArray[np.float64]
NumberArray = npt.NDArray[np.float64] | npt.NDArray[np.int64]

MAX_EXACT_INTEGER = 2**53  # beyond it neighbouring integers collapse in a double


class Direction(StrEnum):
    """Which way the causal arrow points between the pair's columns."""

    X_TO_Y = "x->y"
    Y_TO_X = "y->x"
    UNDECIDED = "undecided"

    @property
    def reverse(self) -> "Direction":
        """Return the opposite arrow; undecided stays undecided."""
        return {Direction.X_TO_Y: Direction.Y_TO_X, Direction.Y_TO_X: Direction.X_TO_Y}.get(self, self)


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two columns of one table, row by row, with every value finite.

    A column is of shape (rows,): float64, or int64 where it holds integers beyond 2**53 (ranked exactly). Read-only:
    copied unless it already is, together with the array that owns its memory.

    Raises
    ------
    DataError
        If shapes differ, a value is not finite, or there are no rows.
    """

    name: str  # this and the columns' names are shown to people, never parsed
    x_name: str
    y_name: str
    x: NumberArray = field(repr=False)
    y: NumberArray = field(repr=False)
    truth: Direction | None = None  # the known arrow, if any
    weight: float = 1.0  # share of the pair in weighted accuracies, finite and >= 0
    rows_read: int | None = None  # data rows of the source before incomplete ones were dropped; by default those kept
    notes: tuple[str, ...] = ()  # one plain sentence each about what loading did or suspects
    source: str = ""  # where the pair comes from, for people

    def __post_init__(self) -> None:
        for name in ("x", "y"):
            object.__setattr__(self, name, _frozen_column(getattr(self, name), name))
        if self.x.shape != self.y.shape:
            raise DataError(f"Expected two columns of equal length, got {self.x.size} and {self.y.size} values.")
        if not (math.isfinite(self.weight) and self.weight >= 0):
            raise DataError(f"Expected a finite weight >= 0 for pair {self.name}, got {self.weight}.")
        if self.rows_read is None:
            object.__setattr__(self, "rows_read", self.x.size)

    @property
    def rows(self) -> int:
        """Return the number of complete rows."""
        return int(self.x.size)

    def swapped(self) -> "Pair":
        """Return the same pair with its columns exchanged (and its truth turned round)."""
        truth = self.truth.reverse if self.truth else None
        return replace(self, x_name=self.y_name, y_name=self.x_name, x=self.y, y=self.x, truth=truth)


def _frozen_column(values: npt.ArrayLike, name: str) -> NumberArray:
    array = np.asarray(values)
    kind = np.int64 if np.issubdtype(array.dtype, np.signedinteger) else np.float64
    if array.dtype != kind or not _is_frozen(array):
        array = array.astype(kind)
    if array.ndim != 1 or array.size == 0:
        raise DataError(f"Expected at least one row in column {name}, got shape {array.shape}.")
    if array.dtype == np.int64 and array.min() >= -MAX_EXACT_INTEGER and array.max() <= MAX_EXACT_INTEGER:
        array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise DataError(f"Expected only finite values in column {name}; drop incomplete rows first.")
    array.setflags(write=False)
    return array


def _is_frozen(array: npt.NDArray[np.generic]) -> bool:
    """Say whether nobody can write to an array: it is read-only, and so is the array that owns its memory."""
    owner_is_frozen = array.flags.owndata or (isinstance(array.base, np.ndarray) and _is_frozen(array.base))
    return not array.flags.writeable and owner_is_frozen
