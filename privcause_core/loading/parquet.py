"""Parquet and Feather: nullable, decimal, truth and text columns as numbers; dates and nested ones are not."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from privcause_core.errors import DataError
from privcause_core.loading.builder import ColumnBuilder
from privcause_core.loading.columns import assemble
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.guard import foreign_parser
from privcause_core.loading.kind import Kind
from privcause_core.loading.limits import MAX_COLUMNS, MAX_UNPACKED_BYTES
from privcause_core.loading.numbers import Cells, doubles, integers_of, number_cells, without_infinities
from privcause_core.loading.reasons import other_cells
from privcause_core.loading.settle import settled
from privcause_core.loading.table import Table
from privcause_core.loading.wording import counted, megabytes, title_of
from privcause_core.pair import MAX_EXACT_INTEGER

Batches = Callable[[list[str]], Iterable[Any]]
_WHAT = {Kind.PARQUET: "Parquet file", Kind.FEATHER: "Feather file"}
_BATCH_ROWS = 1 << 16
_BYTES_PER_NUMBER = 8


def read_frame(data: bytes, name: str, kind: Kind) -> Table:
    """Read a Parquet file, or a Feather file (version 2, Arrow's own form).

    Raises
    ------
    DataError
        If it is damaged, has no rows, or would unpack to more than ``MAX_UNPACKED_BYTES``.
    """
    with foreign_parser(_WHAT[kind]):
        return arrow_table(name, *_opened(data, kind))


def frame_columns(data: bytes, kind: Kind) -> tuple[list[str], list[Any]]:
    """Return the names and cells of a file's columns: arrays of float64, or pyarrow string arrays; NaN for all else.

    Raises
    ------
    DataError
        As in ``read_frame``.
    """
    with foreign_parser(_WHAT[kind]):
        schema, rows, batches = _opened(data, kind)
        _check_size(rows, len(schema.names), len(schema.names))
        table = pa.Table.from_batches(list(batches(list(schema.names))), schema)
        return list(schema.names), [_column_cells(column) for column in table.columns]


def holds_texts(data: bytes, kind: Kind) -> bool:
    """Say whether some column of a file holds texts, which a decimal mark and a grouping read.

    Raises
    ------
    DataError
        If it is damaged.
    """
    with foreign_parser(_WHAT[kind]):
        return any(map(_is_text, _opened(data, kind)[0].types))


def _opened(data: bytes, kind: Kind) -> tuple[Any, int, Batches]:
    """Return the schema, the number of rows, and what yields record batches of the columns named, anew at each call."""
    if kind is Kind.PARQUET:
        file = pq.ParquetFile(pa.BufferReader(data))
        return file.schema_arrow, file.metadata.num_rows, lambda names: file.iter_batches(_BATCH_ROWS, columns=names)
    reader = pa.ipc.open_file(pa.BufferReader(data))
    parts = [reader.get_batch(index) for index in range(reader.num_record_batches)]
    return reader.schema, sum(part.num_rows for part in parts), lambda names: (part.select(names) for part in parts)


def _column_cells(column: Any) -> Any:  # noqa: ANN401
    if not _is_readable(column.type):
        return np.full(len(column), np.nan)
    value = column.combine_chunks()
    if pa.types.is_dictionary(value.type):
        value = value.dictionary_decode()
    if _is_text(value.type):
        return value.cast(pa.string())
    if pa.types.is_boolean(value.type):
        value = value.cast(pa.int8())
    if pa.types.is_decimal(value.type):
        return number_cells(value.cast(pa.string())).values
    return doubles(value.cast(pa.float64(), safe=False))


def arrow_table(name: str, schema: Any, rows: int, batches: Batches) -> Table:  # noqa: ANN401
    """Turn record batches into a table.

    Parameters
    ----------
    schema : pyarrow.Schema
    rows : int
    batches : callable
        Returns the record batches of the columns named, anew at each call.
    """
    readable = [index for index, kind in enumerate(schema.types[: MAX_COLUMNS + 1]) if _is_readable(kind)]
    _check_size(rows, len(readable), len(schema.names))

    def read(marks: Sequence[DecimalMark]) -> list[ColumnBuilder]:
        builders = [
            ColumnBuilder(rows, mark) if _is_readable(kind) else ColumnBuilder.of_another_type(rows, _typed(kind))
            for kind, mark in zip(schema.types, marks, strict=True)
        ]
        for batch in batches([schema.names[index] for index in readable]):
            for index, array in zip(readable, batch.columns, strict=True):
                _add(builders[index], array)
        return builders

    columns = settled(read, [DecimalMark.POINT] * len(schema.names))
    notes = [
        f"{title_of(schema.names[index])} has numbers stored as text: "
        f"{counted(columns[index].builder.numbers, 'text cell')} read as numbers."
        for index in readable
        if _is_text(schema.types[index]) and columns[index].builder.numbers > other_cells(columns[index].builder)
    ]
    return assemble(name, schema.names, columns, range(1, rows + 1), "row", tuple(notes))


def _check_size(rows: int, columns: int, width: int) -> None:
    if width > MAX_COLUMNS:
        raise DataError(f"the file has {width:,} columns, more than the {MAX_COLUMNS:,} that can be read.")
    if not rows:
        raise DataError("there are no data rows in the file.")
    size = rows * columns * _BYTES_PER_NUMBER
    if size > MAX_UNPACKED_BYTES:
        raise DataError(
            f"the file unpacks to {megabytes(size)}, more than the {megabytes(MAX_UNPACKED_BYTES)} allowed; "
            "save fewer columns or rows."
        )


def _typed(kind: Any) -> str:  # noqa: ANN401  (pyarrow ships no types)
    if pa.types.is_temporal(_value_type(kind)):
        return "dates or times"
    return "lists or other values"


def _value_type(kind: Any) -> Any:  # noqa: ANN401  (pyarrow ships no types)
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: Any) -> bool:  # noqa: ANN401
    value = _value_type(kind)
    return bool(pa.types.is_string(value) or pa.types.is_large_string(value))


def _is_readable(kind: Any) -> bool:  # noqa: ANN401
    value = _value_type(kind)
    tests = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_boolean)
    return _is_text(kind) or any(test(value) for test in tests)


def _add(builder: ColumnBuilder, array: Any) -> None:  # noqa: ANN401
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_integer(array.type):
        builder.add(_whole(array))
    elif pa.types.is_floating(array.type):
        builder.add(Cells(without_infinities(doubles(array.cast(pa.float64(), safe=False)))))
    elif pa.types.is_decimal(array.type):
        builder.add(number_cells(array.cast(pa.string())))  # its digits are rounded once, correctly
    else:
        builder.add_texts(array.cast(pa.string()))


def _whole(array: Any) -> Cells:  # noqa: ANN401
    values = doubles(array.cast(pa.float64(), safe=False))
    if not (np.abs(values) >= MAX_EXACT_INTEGER).any():
        return Cells(values)
    try:
        return Cells(values, integers_of(array.cast(pa.int64())))
    except pa.ArrowInvalid:  # unsigned, beyond 63 bits
        return Cells(values, lossy=True)
