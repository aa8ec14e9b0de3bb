"""One block of a text table split into cells by Arrow."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from privcause_core.errors import DataError
from privcause_core.loading.blocks import Block
from privcause_core.loading.cell import MISSING_SPELLINGS
from privcause_core.loading.layout import Layout
from privcause_core.loading.numbers import IntegerArray
from privcause_core.loading.separator import Separator
from privcause_core.loading.split import suspicion
from privcause_core.loading.wording import rows_named

_ALWAYS_SKIPPED = 1_000  # ragged rows of one block that are skipped even if most are ragged

Ragged = list[tuple[int, int, int]]  # position in the block, number of fields, suspicion that a number is split


def read_cells(block: Block, layout: Layout) -> tuple[list[Any], IntegerArray, Ragged]:
    """Read a block as text.

    Returns
    -------
    columns, at, ragged
        One pyarrow string array a column, the positions in the block of its cells, and the rows with another number of
        fields, which have none.
    """
    table, ragged = _parsed(block, layout)
    at = np.arange(len(block.lines))
    if ragged:
        at = np.delete(at, [position for position, *_ in ragged])
    return [column.combine_chunks() for column in table.columns], at, ragged


def read_strings(block: Block, layout: Layout) -> Iterator[tuple[int, tuple[str, ...] | int]]:
    """Yield each row's line number with its fields, or with their number where it is not the layout's."""
    table, ragged = _parsed(block, layout)
    bad = {position: fields for position, fields, _ in ragged}
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    for position, line in enumerate(block.lines):
        yield int(line), bad[position] if position in bad else tuple(field or "" for field in next(rows))


def mostly_ragged(width: int) -> DataError:
    """Return the error for a text in which most lines do not have the fields that the first ones have."""
    return DataError(f"most lines do not have {width} fields as the first ones do, so this is no table.")


def _parsed(block: Block, layout: Layout) -> tuple[Any, Ragged]:
    ragged: Ragged = []
    most = len(block.lines) // 2 + _ALWAYS_SKIPPED

    def skip(row: Any) -> str:  # noqa: ANN401  (pyarrow ships no types)
        too_many = row.actual_columns > layout.width
        ragged.append((row.number - 1, row.actual_columns, suspicion(row.text, layout.separator) if too_many else 0))
        return "skip" if len(ragged) <= most else "error"

    try:
        table = _arrow_table(block, layout, skip)
    except pa.ArrowInvalid as error:
        raise (mostly_ragged(layout.width) if len(ragged) > most else _unreadable(block)) from error
    if table.num_rows + len(ragged) != len(block.lines):
        raise _unreadable(block)
    return table, ragged


def _unreadable(block: Block) -> DataError:
    lines = rows_named("line", [block.lines[0], block.lines[-1]])
    return DataError(f"the rows between {lines} cannot be told apart; look for a quotation mark that is not closed.")


def _arrow_table(block: Block, layout: Layout, on_ragged: Callable[[Any], str]) -> Any:  # noqa: ANN401
    names = [str(index) for index in range(layout.width)]
    return pa_csv.read_csv(
        pa.BufferReader(block.data),
        # One thread: only then does Arrow tell a ragged row's number.
        read_options=pa_csv.ReadOptions(use_threads=False, block_size=len(block.data) + 1, column_names=names),
        parse_options=pa_csv.ParseOptions(
            delimiter="\t" if layout.separator is Separator.BLANKS else str(layout.separator),
            quote_char='"' if b'"' in block.data else False,
            invalid_row_handler=on_ragged,
        ),
        convert_options=pa_csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()),
            null_values=MISSING_SPELLINGS,
            strings_can_be_null=True,
            check_utf8=False,
        ),
    )
