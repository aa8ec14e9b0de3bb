"""Generated number columns: each value comes out right, or the file asks or refuses; never silently wrong."""

import numpy as np
import pytest

from privcause_core.errors import DataError
from privcause_core.loading import load_bytes
from tests.unit.loading.written import File, file

SEEDS = 2_000


def outcome(written: File) -> str:
    """Return "right", "asked" or "refused", or what is wrong."""
    try:
        (table,) = load_bytes(written.text.encode(), "f").tables
    except DataError:
        return "refused"
    if len(table.columns) != 2:
        return "wrong columns" if len(table.numeric_columns) > 1 else "refused"
    if written.has_header and [one.name for one in table.columns] != ["dose", "answer"]:
        return "wrong names"
    if table.rows_read != len(written.columns[0].cells):
        return "wrong rows"
    said = {"right"}
    for read, meant in zip(table.columns, written.columns, strict=True):
        if read.readings is not None:
            said.add("asked")
        elif read.values is None:
            said.add("refused")
        elif not np.array_equal(read.doubles(), meant.values, equal_nan=True):
            return "wrong values"
    return next(one for one in ("refused", "asked", "right") if one in said)


def outcomes(seeds: range) -> dict[str, list[int]]:
    """Return the seeds that came to each outcome."""
    found: dict[str, list[int]] = {}
    for seed in seeds:
        found.setdefault(outcome(file(np.random.default_rng(seed))), []).append(seed)
    return found


@pytest.mark.parametrize("part", range(4))
def test_no_value_of_a_generated_column_is_ever_silently_wrong(part):
    found = outcomes(range(part * SEEDS // 4, (part + 1) * SEEDS // 4))
    assert found.keys() <= {"right", "asked", "refused"}, found
    assert len(found["right"]) > 0.6 * SEEDS / 4
