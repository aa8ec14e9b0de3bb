"""Whose budget a release spends: the people of a table, recognised by its columns' values.

Per numeric column of the **whole** table, a keyed digest of its sorted finite values: file format, row order, column
names and the choice of X and Y do not matter, and a row dropped because another column is empty there changes
nothing. Besides, a keyed digest of the file's bytes: read otherwise, it holds other values and the same people.
"""

from dataclasses import dataclass, field

import numpy as np

from privcause_core.errors import DataError
from privcause_core.fits.halves import RowNumbers
from privcause_core.ledger.canonical import Recognised
from privcause_core.ledger.secret import keyed_digest
from privcause_core.ledger.sketch import Sketch, sketch
from privcause_core.loading.column import Column
from privcause_core.loading.table import Table
from privcause_core.pair import FloatArray, NumberArray, Pair

FILE = "the file itself"


@dataclass(frozen=True, slots=True)
class ColumnMark:
    """What the ledger keeps of a column.

    Attributes
    ----------
    name : str
        As the file at hand calls it; not kept.
    digest : str
        Of its sorted finite values.
    distinctive : bool
        More than two distinct values, so that sharing it means the same people.
    sketch : frozenset of str
        To notice nearly the same values by.
    is_file : bool
        It is no column but the file's bytes: the same table, however it is read.
    """

    name: str
    digest: str
    distinctive: bool
    sketch: Sketch = field(default=frozenset(), compare=False)
    is_file: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Cohort:
    """The numeric columns of a whole table and the rows a pair took from it.

    Parameters
    ----------
    columns : tuple of Column
        Numeric, each of shape (rows,).
    used : integer array of shape (pair.rows,)
        The pair's complete rows, in order.
    alone : tuple of Column
        What is left of the pair's columns where the pair comes without its table, to recognise it by.
    content : str
        Tells the file by its bytes; empty where it is unknown.
    """

    columns: tuple[Column, ...] = field(repr=False)
    used: RowNumbers = field(repr=False)
    alone: tuple[Column, ...] = field(default=(), repr=False)
    content: str = field(default="", repr=False)

    @property
    def rows(self) -> int:
        """Return the number of rows of the table, complete or not."""
        return self.columns[0].required().size

    def marks(self, secret: bytes) -> tuple[ColumnMark, ...]:
        """Return each column's mark, and last the file's, where it is known."""
        columns = tuple(_mark(column, secret) for column in (*self.columns, *self.alone))
        if not self.content:
            return columns
        digest = keyed_digest(secret, "file", bytes.fromhex(self.content))
        return (*columns, ColumnMark(FILE, digest, distinctive=False, is_file=True))

    def recognised(self, marks: tuple[ColumnMark, ...]) -> tuple[Recognised, ...]:
        """Return the table's columns with the digests of those marks."""
        pairs = zip(self.columns, marks, strict=False)  # those of ``alone`` and of the file come last
        return tuple(Recognised(mark.digest, column.name, doubles(column)) for column, mark in pairs)

    def test_digests(self, secret: bytes, test: RowNumbers) -> tuple[str, ...]:
        """Return each column's digest on a test half by position among the used rows, in that order."""
        scored = self.used[test]
        return tuple(
            keyed_digest(secret, "test half", _plain_bytes(doubles(column)[scored]))
            for column in (*self.columns, *self.alone)
        )


def cohort_of_pair(pair: Pair) -> Cohort:
    """Return the cohort of a pair that came alone: its own two columns are the table."""
    columns = tuple(Column(name, name, values) for name, values in ((pair.x_name, pair.x), (pair.y_name, pair.y)))
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
            return Cohort(whole, used, tuple(_only(column, used) for column in (first, second)), table.content)
    raise DataError(f"Expected the pair to be columns {first.label} and {second.label} of {table.name}.")


def doubles(column: Column) -> FloatArray:
    """Return a column as doubles: NaN where it has no value, and -0 as 0."""
    return np.where(column.present, _canonical(column.required()), np.nan)


def _only(column: Column, used: RowNumbers) -> Column:
    """Return a column's values on the used rows alone."""
    values = np.full(column.required().size, np.nan)
    values[used] = column.required()[used]
    return Column(column.name, column.label, values)


def _mark(column: Column, secret: bytes) -> ColumnMark:
    numbers = np.sort(_canonical(column.numbers()))
    distinctive = int(np.count_nonzero(np.diff(numbers))) >= 2
    digest = keyed_digest(secret, "column", _plain_bytes(numbers))
    return ColumnMark(column.label, digest, distinctive, sketch(numbers, secret))


def _canonical(values: NumberArray) -> FloatArray:
    """Return doubles in which an integer equals the same number read as a float, and -0 equals 0."""
    return values.astype(np.float64) + 0.0


def _plain_bytes(values: FloatArray) -> bytes:
    return values.astype("<f8").tobytes()
