"""Uploaded files as a data set, if anything in them is long enough for a verdict."""

import uuid

from pages.shared.session import Dataset
from privcause_core.errors import DataError
from privcause_core.fits.halves import MIN_TRAINING_ROWS
from privcause_core.loading import Loaded, Table
from privcause_core.loading.guarded import load_guarded
from privcause_core.pair import Pair
from privcause_core.settings import MIN_TEST_ROWS
from privcause_core.text.names import isolated

LEAST_ROWS = MIN_TRAINING_ROWS + MIN_TEST_ROWS
PAIR_COLUMNS = 2


def dataset_of(files: list[tuple[str, bytes]]) -> Dataset:
    """Return what can be read of the files.

    Raises
    ------
    DataError
        If nothing can be read, or nothing of it is long enough for any verdict.
    """
    loaded = load_guarded(files)
    name, items = files[0][0] if len(files) == 1 else f"{len(files)} files", _items(loaded)
    if not any(map(_long_enough, items)):
        raise DataError(
            f"{isolated(name)}: a pair needs at least {LEAST_ROWS} complete rows, {MIN_TRAINING_ROWS} to train and "
            f"{MIN_TEST_ROWS} to score, and the file has fewer; bring more rows."
        )
    return Dataset(uuid.uuid4().hex, name, items, _remarks(loaded))


def _long_enough(found: Table | Pair) -> bool:
    """Return whether two columns may have the rows of a pair; among several columns, or open ones, people choose."""
    if isinstance(found, Pair):
        return found.rows >= LEAST_ROWS
    if found.ambiguous or len(found.numeric_columns) > PAIR_COLUMNS:
        return found.rows_read >= LEAST_ROWS
    first, second = (found.columns[position].present for position in found.numeric_columns)
    return int((first & second).sum()) >= LEAST_ROWS


def _items(loaded: Loaded) -> tuple[Table | Pair, ...]:
    usable = tuple(table for table in loaded.tables if len(table.numeric_columns) >= PAIR_COLUMNS)
    return usable + loaded.pairs


def _remarks(loaded: Loaded) -> tuple[str, ...]:
    unusable = [table.name for table in loaded.tables if len(table.numeric_columns) < PAIR_COLUMNS]
    skipped = tuple(f"{isolated(one.name)}: {one.reason}" for one in loaded.rejected)
    return loaded.notes + skipped + tuple(f"{isolated(name)}: fewer than two columns of numbers." for name in unusable)
