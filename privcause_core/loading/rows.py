"""One block of a text table parsed by Arrow: as doubles where it can be, as text where not."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from privcause_core.errors import DataError
from privcause_core.loading.blocks import Block
from privcause_core.loading.layout import Layout, Separator
from privcause_core.loading.numbers import (
    MISSING_SPELLINGS,
    Cells,
    DecimalMark,
    doubles,
    parse_cells,
    without_infinities,
)
from privcause_core.loading.wording import rows_named
from privcause_core.pair import MAX_EXACT_INTEGER

_ALWAYS_SKIPPED = 1_000  # ragged rows of one block that are skipped even if most are ragged

Ragged = list[tuple[int, int]]  # position in the block, number of fields


def read_cells(
    block: Block, layout: Layout, mark: DecimalMark, as_text: frozenset[int]
) -> tuple[list[Cells], Ragged, frozenset[int]]:
    """Read a block as numbers; a row with another number of fields is missing in every column.

    Parameters
    ----------
    as_text : set of int
        Columns that earlier blocks showed not to be plain doubles; only a matter of speed.

    Returns
    -------
    cells, ragged, as_text
        One ``Cells`` a column, the ragged rows, and the columns to read as text from now on.
    """
    table, ragged = _numbers_or_text(block, layout, mark, as_text)
    columns = [_cells(column, mark) for column in table.columns]
    texts = [index for index, kind in enumerate(table.schema.types) if pa.types.is_string(kind)]
    hard = {index for index in texts if columns[index].text or columns[index].grouped or _is_big(columns[index])}
    if ragged:
        at = np.delete(np.arange(len(block.lines)), [position for position, _ in ragged])
        columns = [cells.spread(len(block.lines), at) for cells in columns]
    return columns, ragged, as_text | hard


def read_strings(block: Block, layout: Layout) -> Iterator[tuple[int, tuple[str, ...] | int]]:
    """Yield each row's line number with its fields, or with their number where it is not the layout's."""
    table, ragged = _parsed(block, layout, DecimalMark.POINT, frozenset(range(layout.width)))
    bad = dict(ragged)
    rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
    for position, line in enumerate(block.lines):
        yield int(line), bad[position] if position in bad else tuple(field or "" for field in next(rows))


def _is_big(cells: Cells) -> bool:
    return bool((np.abs(cells.values) >= MAX_EXACT_INTEGER).any())


def _cells(column: Any, mark: DecimalMark) -> Cells:  # noqa: ANN401  (pyarrow ships no types)
    if pa.types.is_string(column.type):
        return parse_cells(column.combine_chunks(), mark)
    return Cells(without_infinities(doubles(column.combine_chunks())))


def _numbers_or_text(block: Block, layout: Layout, mark: DecimalMark, as_text: frozenset[int]) -> tuple[Any, Ragged]:
    everything = frozenset(range(layout.width))
    if as_text != everything:
        try:
            table, ragged = _parsed(block, layout, mark, as_text)
        except pa.ArrowInvalid:  # some cell is no plain double
            return _parsed(block, layout, mark, everything)
        doubles = [index for index in everything if index not in as_text]
        big = {index for index in doubles if _is_big(_cells(table.column(index), mark))}
        if not big:
            return table, ragged
        as_text = as_text | big  # perhaps integers that a double cannot hold
    return _parsed(block, layout, mark, as_text)


def mostly_ragged(width: int) -> DataError:
    """Return the error for a text in which most lines do not have the fields that the first ones have."""
    return DataError(f"most lines do not have {width} fields as the first ones do, so this is no table.")


def _parsed(block: Block, layout: Layout, mark: DecimalMark, as_text: frozenset[int]) -> tuple[Any, Ragged]:
    ragged: Ragged = []
    most = len(block.lines) // 2 + _ALWAYS_SKIPPED

    def skip(row: Any) -> str:  # noqa: ANN401
        ragged.append((row.number - 1, row.actual_columns))
        return "skip" if len(ragged) <= most else "error"

    try:
        table = _arrow_table(block, layout, mark, as_text, skip)
    except pa.ArrowInvalid as error:
        if len(ragged) > most:
            raise mostly_ragged(layout.width) from error
        if len(as_text) == layout.width:  # no cell can be at fault
            raise _unreadable(block) from error
        raise
    if table.num_rows + len(ragged) != len(block.lines):
        raise _unreadable(block)
    return table, ragged


def _unreadable(block: Block) -> DataError:
    lines = rows_named("line", [block.lines[0], block.lines[-1]])
    return DataError(f"the rows between {lines} cannot be told apart; look for a quotation mark that is not closed.")


def _arrow_table(
    block: Block, layout: Layout, mark: DecimalMark, as_text: frozenset[int], on_ragged: Callable[[Any], str]
) -> Any:  # noqa: ANN401
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
            column_types={name: pa.string() if i in as_text else pa.float64() for i, name in enumerate(names)},
            null_values=MISSING_SPELLINGS,
            strings_can_be_null=True,
            decimal_point=str(mark),
            check_utf8=False,
        ),
    )
