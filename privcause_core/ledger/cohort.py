"""Whose budget a release spends: the people of a table, recognised by its columns' values.

Per numeric column of the **whole** table, a keyed digest of its sorted finite values: file format, row order, column
names and the choice of X and Y do not matter, and a row dropped because another column is empty there changes
nothing. The test half is digested in row order, column by column, so the same digests mean the same scored people.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from privcause_core.errors import DataError
from privcause_core.ledger.secret import keyed_digest
from privcause_core.loading.column import Column
from privcause_core.loading.table import Table
from privcause_core.pair import FloatArray, NumberArray, Pair

IndexArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ColumnMark:
    """What the ledger keeps of a column.

    Attributes
    ----------
    digest : str
        Of its sorted finite values.
    distinctive : bool
        More than two distinct values, so that sharing it means the same people.
    test : str
        Of its values on the test half, in row order.
    """

    digest: str
    distinctive: bool
    test: str


@dataclass(frozen=True, slots=True, eq=False)
class Cohort:
    """The numeric columns of a whole table and the rows a pair took from it.

    Parameters
    ----------
    columns : tuple of Column
        Numeric, each of shape (rows,).
    used : integer array of shape (pair.rows,)
        The pair's complete rows, in order.
    """

    columns: tuple[Column, ...] = field(repr=False)
    used: IndexArray = field(repr=False)

    def marks(self, secret: bytes, test: IndexArray) -> tuple[ColumnMark, ...]:
        """Return each column's mark, given the test half as positions among the used rows."""
        scored = self.used[test]
        return tuple(_mark(column, secret, scored) for column in self.columns)


def cohort_of_pair(pair: Pair) -> Cohort:
    """Return the cohort of a pair that came alone: its own two columns are the table."""
    columns = (Column("x", "x", pair.x), Column("y", "y", pair.y))
    return Cohort(columns, np.arange(pair.rows))


def cohort_of_table(table: Table, x: int, y: int, pair: Pair) -> Cohort:
    """Return the cohort of a pair taken from columns x and y (positions) of a table, with or without its sentinels.

    Raises
    ------
    DataError
        If the pair is not those two columns of this table.
    """
    first, second = table.columns[x], table.columns[y]
    complete = first.present & second.present
    marked = first.is_sentinel() | second.is_sentinel()
    for kept in (complete, complete & ~marked):
        used = np.flatnonzero(kept)
        if np.array_equal(first.required()[used], pair.x) and np.array_equal(second.required()[used], pair.y):
            whole = tuple(table.columns[position] for position in table.numeric_columns)
            return Cohort((*whole, *(_only(column, used) for column in (first, second))), used)
    raise DataError(f"Expected the pair to be columns {first.label} and {second.label} of {table.name}.")


def _only(column: Column, used: IndexArray) -> Column:
    """Return a column's values on the used rows alone: all that is left of it where the pair comes alone."""
    values = np.full(column.required().size, np.nan)
    values[used] = column.required()[used]
    return Column(column.name, column.label, values)


def _mark(column: Column, secret: bytes, scored: IndexArray) -> ColumnMark:
    numbers = np.sort(_canonical(column.numbers()))
    test = np.where(column.present[scored], _canonical(column.required()[scored]), np.nan)
    return ColumnMark(
        keyed_digest(secret, "column", _plain_bytes(numbers)),
        int(np.count_nonzero(np.diff(numbers))) >= 2,
        keyed_digest(secret, "test half", _plain_bytes(test)),
    )


def _canonical(values: NumberArray) -> FloatArray:
    """Return doubles in which an integer equals the same number read as a float, and -0 equals 0."""
    return values.astype(np.float64) + 0.0


def _plain_bytes(values: FloatArray) -> bytes:
    return values.astype("<f8").tobytes()
