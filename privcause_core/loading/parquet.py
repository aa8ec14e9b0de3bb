"""Parquet files: nullable, decimal and text columns as numbers; dates, truth values and nested ones are not."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from privcause_core.errors import DataError
from privcause_core.loading.builder import ColumnBuilder
from privcause_core.loading.columns import assemble
from privcause_core.loading.guard import foreign_parser
from privcause_core.loading.limits import MAX_UNPACKED_BYTES
from privcause_core.loading.numbers import Cells, DecimalMark, doubles, integers_of, parse_cells, without_infinities
from privcause_core.loading.table import Table
from privcause_core.loading.wording import counted, megabytes
from privcause_core.pair import MAX_EXACT_INTEGER

_BATCH_ROWS = 1 << 16
_BYTES_PER_NUMBER = 8


def read_parquet(data: bytes, name: str) -> Table:
    """Read a Parquet file.

    Raises
    ------
    DataError
        If it is damaged, has no rows, or would unpack to more than ``MAX_UNPACKED_BYTES``.
    """
    with foreign_parser("Parquet file"):
        file = pq.ParquetFile(pa.BufferReader(data))
        schema, rows = file.schema_arrow, file.metadata.num_rows
        readable = [index for index, kind in enumerate(schema.types) if _is_readable(kind)]
        _check_size(rows, len(readable))
        builders = [_unread(rows) for _ in schema.names]
        for index in readable:
            builders[index] = ColumnBuilder(rows)
        for batch in file.iter_batches(_BATCH_ROWS, columns=[schema.names[index] for index in readable]):
            for index, array in zip(readable, batch.columns, strict=True):
                builders[index].add(_cells(array))
    notes = [
        f"Column {schema.names[index]} has numbers stored as text: "
        f"{counted(builders[index].numbers, 'text cell')} read as numbers."
        for index in readable
        if _is_text(schema.types[index]) and builders[index].numbers > builders[index].text
    ]
    return assemble(name, schema.names, builders, range(1, rows + 1), "row", tuple(notes))


def _check_size(rows: int, columns: int) -> None:
    if not rows:
        raise DataError("there are no data rows in the file.")
    size = rows * columns * _BYTES_PER_NUMBER
    if size > MAX_UNPACKED_BYTES:
        raise DataError(
            f"the file unpacks to {megabytes(size)}, more than the {megabytes(MAX_UNPACKED_BYTES)} allowed; "
            "save fewer columns or rows."
        )


def _unread(rows: int) -> ColumnBuilder:
    builder = ColumnBuilder(0)
    builder.size = builder.text = rows
    return builder


def _value_type(kind: Any) -> Any:  # noqa: ANN401  (pyarrow ships no types)
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_text(kind: Any) -> bool:  # noqa: ANN401
    value = _value_type(kind)
    return bool(pa.types.is_string(value) or pa.types.is_large_string(value))


def _is_readable(kind: Any) -> bool:  # noqa: ANN401
    value = _value_type(kind)
    tests = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    return _is_text(kind) or any(test(value) for test in tests)


def _cells(array: Any) -> Cells:  # noqa: ANN401
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pa.types.is_integer(array.type):
        return _whole(array)
    if pa.types.is_floating(array.type):
        return Cells(without_infinities(doubles(array.cast(pa.float64(), safe=False))))
    return parse_cells(array.cast(pa.string()), DecimalMark.POINT)  # a decimal's digits are rounded once, correctly


def _whole(array: Any) -> Cells:  # noqa: ANN401
    values = doubles(array.cast(pa.float64(), safe=False))
    if not (np.abs(values) >= MAX_EXACT_INTEGER).any():
        return Cells(values)
    try:
        return Cells(values, integers_of(array.cast(pa.int64())))
    except pa.ArrowInvalid:  # unsigned, beyond 63 bits
        return Cells(values, lossy=True)
