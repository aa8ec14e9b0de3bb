"""A table as an unordered set of records: the same rows in the same order, however the file or its columns are sorted.

Rows are sorted by whole records. The columns that decide first are those the deal was made with, in the order of
their digests; columns that came later only tell equal records apart.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from privcause_core.fits.halves import RowNumbers
from privcause_core.ledger.secret import keyed_digest
from privcause_core.pair import FloatArray

Generations = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Recognised:
    """A numeric column of a whole table as doubles, NaN where a value is missing.

    Attributes
    ----------
    digest : str
        Of its sorted finite values.
    name : str
        Tells columns of equal digests apart, as far as it can.
    values : array of shape (rows,)
    """

    digest: str
    name: str
    values: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Records:
    """Rows of a table in their canonical order.

    Attributes
    ----------
    order : integer array of shape (rows,)
        Row of the file at each canonical place.
    columns : tuple of arrays of shape (rows,)
        The deciding column first, in the order of the file.
    generations : tuple of tuple of str
        Their digests: those the deal was made with, then those of each later release that had more.
    """

    order: RowNumbers
    columns: tuple[FloatArray, ...]
    generations: Generations

    def digests(self, secret: bytes) -> Mapping[int, str]:
        """Return, by its number of columns, a digest of all records, whatever their order in the file."""
        widths = accumulate(map(len, self.generations))
        return {width: keyed_digest(secret, "records", b"".join(map(self._bytes, range(width)))) for width in widths}

    def _bytes(self, column: int) -> bytes:
        return self.columns[column][self.order].astype("<f8").tobytes()


def held_generations(columns: Sequence[Recognised], known: Generations) -> Generations:
    """Return the generations of a deal by which a table's records can be told; none if they cannot.

    They can if the table has all the deal's columns; or just those of its first generations and none besides, so that
    records which tie are equal. A column that only some releases had could tell apart records that others cannot.
    """
    held, so_far = Counter(column.digest for column in columns), Counter[str]()
    for number, generation in enumerate(known):
        so_far.update(generation)
        if so_far - held:
            kept = known[:number]
            return kept if sum(map(len, kept)) == len(columns) else ()
    return known


def records_of(columns: Sequence[Recognised], known: Generations = ()) -> Records:
    """Return a table's records in canonical order; it has all the known columns, which decide first."""
    new = Counter(column.digest for column in columns) - Counter(digest for part in known for digest in part)
    generations = (*known, tuple(sorted(new.elements()))) if new else known
    waiting = sorted(columns, key=lambda column: column.name)
    chosen = []
    for digest in (digest for generation in generations for digest in generation):
        position = next(k for k, column in enumerate(waiting) if column.digest == digest)
        chosen.append(waiting.pop(position).values)
    return Records(_sorted(chosen), tuple(chosen), generations)


def _sorted(columns: Sequence[FloatArray]) -> RowNumbers:
    return np.lexsort(tuple(columns)[::-1]).astype(np.int64, copy=False)
