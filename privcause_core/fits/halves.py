"""Dealing rows: which train, which are scored, and which vote together in a block.

Exploring deals by a public seed. A release deals by a secret permutation of the whole table, in a canonical order, so
that the order of the file plays no part (mechanisms.md section 13, docs/guarantee.md).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from privcause_core.errors import DataError
from privcause_core.settings import MIN_TEST_ROWS

MIN_TRAINING_ROWS = 4
BLOCK_STREAM = 3  # the halves, the regressions and the simulated draws use other streams of the same seed
RowNumbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Halves:
    """Row numbers of a pair's two halves, complete rows only, in the order in which they are read."""

    train: RowNumbers
    test: RowNumbers
    n_test: int  # rows dealt to the test half, complete or not
    places: RowNumbers  # (test.size,): place of each complete test row among them


class Deal(Protocol):
    """A deal of a pair's complete rows."""

    def halves(self, rows: int, test_share: float) -> Halves:
        """Return the training and the test half of a pair of that many complete rows."""

    def blocks(self, rows: int, number: int) -> Iterable[RowNumbers]:
        """Return disjoint blocks of row numbers whose sizes differ by at most 1, incomplete rows left out."""


@dataclass(frozen=True, slots=True)
class SeededDeal:
    """A deal by a public seed, whatever the values: for exploring, never for a release.

    ``exchanged`` halves swap their parts, for cross-fits: every row is then scored by a fit that it did not train.
    """

    seed: int
    exchanged: bool = False

    def halves(self, rows: int, test_share: float) -> Halves:
        """Return both halves, each in the order of the file; of the sizes that ``split_sizes`` gives or refuses."""
        n_train, _ = split_sizes(rows, test_share)
        order = np.random.default_rng(self.seed).permutation(rows)
        train, test = np.sort(order[:n_train]), np.sort(order[n_train:])
        if self.exchanged:
            train, test = test, train
        return Halves(train, test, test.size, np.arange(test.size))

    def blocks(self, rows: int, number: int) -> tuple[RowNumbers, ...]:
        """Return the blocks, each in the order of the file."""
        order = np.random.default_rng((self.seed, BLOCK_STREAM)).permutation(rows)
        return tuple(np.sort(part) for part in np.array_split(order, number))


def splits(rows: int, test_share: float) -> bool:
    """Return whether both halves of a table with that many rows are large enough."""
    n_test = round(rows * test_share)
    return n_test >= MIN_TEST_ROWS and rows - n_test >= MIN_TRAINING_ROWS


def split_sizes(rows: int, test_share: float) -> tuple[int, int]:
    """Return (n_train, n_test) of a table with that many rows; public facts only.

    Raises
    ------
    DataError
        If either half would be too small.
    """
    n_test = round(rows * test_share)
    if splits(rows, test_share):
        return rows - n_test, n_test
    raise DataError(
        f"Expected at least {MIN_TEST_ROWS} test rows and {MIN_TRAINING_ROWS} training rows, got {n_test} and "
        f"{rows - n_test} from {rows} complete rows; bring more rows or change the test share."
    )
