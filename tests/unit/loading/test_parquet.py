"""Parquet files."""

import io
from datetime import datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from privcause_core.errors import DataError
from privcause_core.loading import Table, load_bytes
from privcause_core.loading import parquet as parquet_module
from tests.unit.loading.material import X, Y, close, column, fingerprint, only_table


def parquet(**columns: pa.Array) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def read(**columns: pa.Array) -> Table:
    return only_table(parquet(**columns), "pair.parquet")


def test_nullable_and_decimal_columns_are_numbers_and_dates_are_not():  # data_19; golden values by scipy 1.17.1
    x = pa.array([None if i == 5 else round(100 * value) for i, value in enumerate(X)], pa.int64())
    y = pa.array([Decimal(f"{value:.2f}") for value in Y], pa.decimal128(12, 2))
    table = read(x=x, y=y, when=pa.array([datetime(2020, 9, 13)] * 24))
    assert table.numeric_columns == (0, 1)
    assert table.columns[0].missing == 1
    pair = table.pair(0, 1)
    assert fingerprint(pair) == close((23, 257.0, 2.52, 0.9812252964426879, 0.9209486166007905))
    assert "1 of 24 rows left out as incomplete: row 6." in pair.notes


def test_integers_stay_exact_and_too_large_ones_are_announced():
    big = [9007199254740993, None, 9007199254740995]
    exact = read(t=pa.array(big, pa.int64()), v=pa.array([1.5, 2.5, 3.5]))
    assert exact.pair(0, 1).x.tolist() == [9007199254740993, 9007199254740995]
    lossy = read(t=pa.array([2**64 - 1, 2**64 - 2], pa.uint64()), v=pa.array([1.5, 2.5]))
    assert any("beyond 2^53" in note for note in lossy.notes)


@pytest.mark.parametrize(
    "kind", [pa.int8(), pa.uint16(), pa.float16(), pa.float32(), pa.decimal256(40, 3), pa.string()]
)
def test_every_kind_of_number_is_read(kind):
    values = [1, 2, 4, None]
    texts = pa.array([None if v is None else str(v) for v in values])
    cells = pa.array(np.array([1, 2, 4, np.nan], np.float16), kind) if kind == pa.float16() else texts.cast(kind)
    table = read(x=cells, y=pa.array([1.5, 2.5, 0.5, 3.5]))
    assert column(table, 0)[:3].tolist() == [1, 2, 4]
    assert table.columns[0].missing == 1
    assert any("3 text cells read as numbers" in note for note in table.notes) == (kind == pa.string())


def test_categories_are_read_by_what_they_stand_for():
    table = read(x=pa.array(["3", "1"]).dictionary_encode(), y=pa.array([1, 2]).dictionary_encode())
    assert column(table, 0).tolist() == [3, 1]
    assert column(table, 1).tolist() == [1, 2]


def test_words_and_nested_columns_are_not_numbers_and_truth_values_are_1_and_0_as_in_other_files():
    table = read(
        x=pa.array([1, 2]), y=pa.array([2.5, 1]), w=pa.array(["a", "b"]), t=pa.array([True, False]),
        n=pa.array([[1], [2]]), z=pa.nulls(2),
    )  # fmt: skip
    assert table.numeric_columns == (0, 1, 3)
    assert column(table, 3).tolist() == [1, 0]
    assert "Column t is TRUE and FALSE, read as 1 and 0." in table.notes


def test_no_rows_and_damage_are_said_plainly():
    whole = parquet(x=pa.array([1, 2]), y=pa.array([2.5, 1]))
    with pytest.raises(DataError, match="no data rows"):
        load_bytes(parquet(x=pa.array([], pa.int64())), "empty.parquet")
    with pytest.raises(DataError, match="Parquet file is damaged"):
        load_bytes(whole[: len(whole) // 2], "half.parquet")


def test_a_small_file_that_unpacks_to_too_much_is_refused_before_reading(monkeypatch):
    data = parquet(x=pa.array(np.zeros(100_000)), y=pa.array(np.zeros(100_000)))
    assert len(data) < 10_000
    monkeypatch.setattr(parquet_module, "MAX_UNPACKED_BYTES", 1 << 20)
    with pytest.raises(DataError, match="unpacks to 2 MB, more than the 1 MB allowed"):
        load_bytes(data, "bomb.parquet")


def test_a_column_without_any_value_is_not_numeric():
    table = read(n=pa.array([None, None], pa.int64()), x=pa.array([1, 2]), y=pa.array([2.5, 1]))
    assert table.numeric_columns == (1, 2)
