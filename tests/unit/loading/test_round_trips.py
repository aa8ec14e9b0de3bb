"""A table written in any form and read back is the same table; hypothesis chooses the tables."""

import csv
import io

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from privcause_core.loading import load_bytes
from tests.unit.loading.material import QUICK, column, only_table, zipped

Columns = list[list[float | None]]
WORDS = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=8)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], Columns]:
    """Draw distinct names with a letter in front, and two to four columns that each hold a number."""
    width, rows = draw(st.integers(2, 4)), draw(st.integers(1, 12))
    numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**6), 10**6).map(float)
    names = [f"v{i}{draw(WORDS)}".strip() for i in range(width)]
    cells = st.lists(st.none() | numbers, min_size=rows, max_size=rows).filter(lambda c: c[0] is not None)
    return names, [draw(cells) for _ in range(width)]


def same(table, names: list[str], columns: Columns) -> None:
    assert [one.name for one in table.columns] == names
    assert table.rows_read == len(columns[0])
    for place, cells in enumerate(columns):
        expected = np.array([np.nan if value is None else value for value in cells])
        np.testing.assert_array_equal(column(table, place), expected)


def written(names: list[str], columns: Columns, separator: str, decimal: str, quoting: int) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, quoting=quoting)
    writer.writerow(names)
    for row in zip(*columns, strict=True):
        writer.writerow(["" if value is None else repr(value).replace(".", decimal) for value in row])
    return stream.getvalue()


@QUICK
@given(
    table=tables(),
    form=st.sampled_from([(",", "."), (";", "."), (";", ","), ("\t", "."), ("\t", ",")]),
    quoted=st.booleans(),
    codec=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_text_reads_back_equal(table, form, quoted, codec):
    names, columns = table
    separator, decimal = form
    text = written(names, columns, separator, decimal, csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL)
    same(only_table(text.encode(codec)), names, columns)


@QUICK
@given(tables())
def test_quoted_decimal_commas_between_commas_read_back_equal(table):
    names, columns = table
    columns = [[0.5, *cells] for cells in columns]  # at least one cell that only a decimal comma explains
    same(only_table(written(names, columns, ",", ",", csv.QUOTE_ALL)), names, columns)


@QUICK
@given(st.lists(st.tuples(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300)), min_size=1, max_size=12), st.data())
def test_blanks_read_back_equal(rows, data):
    between, around = st.sampled_from([" ", "   ", "\t", " \t "]), st.sampled_from(["", " ", "   "])
    lines = (f"{data.draw(around)}{x!r}{data.draw(between)}{y!r}{data.draw(around)}\n" for x, y in rows)
    table = only_table("".join(lines))
    np.testing.assert_array_equal(column(table, 0), [x for x, _ in rows])
    np.testing.assert_array_equal(column(table, 1), [y for _, y in rows])


@QUICK
@given(tables())
def test_excel_reads_back_equal(table):
    names, columns = table
    columns = [[None if v is None else float(f"{v / 1e8:.15g}") for v in cells] for cells in columns]
    book = openpyxl.Workbook()  # openpyxl writes 16 digits
    for row in [names, *zip(*columns, strict=True)]:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    (sheet,) = load_bytes(stream.getvalue(), "book.xlsx").tables
    complete = [row for row in zip(*columns, strict=True) if any(value is not None for value in row)]
    same(sheet, names, [list(cells) for cells in zip(*complete, strict=True)])


@QUICK
@given(tables(), st.sampled_from(["snappy", "gzip", "none"]))
def test_parquet_reads_back_equal(table, compression):
    names, columns = table
    stream = io.BytesIO()
    arrays = [pa.array(cells, pa.float64()) for cells in columns]
    pq.write_table(pa.Table.from_arrays(arrays, names), stream, compression=compression)
    same(only_table(stream.getvalue()), names, columns)


@QUICK
@given(
    st.dictionaries(
        st.integers(1, 9999),
        st.lists(st.tuples(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9)), min_size=1),
        min_size=1,
        max_size=4,
    )
)
def test_pairs_read_back_equal_from_archives_and_pair_tables(pairs):
    files = {f"pair{n:04d}.txt": "".join(f"{x!r}\t{y!r}\n" for x, y in rows) for n, rows in pairs.items()}
    table = "SampleID,A,B\n" + "".join(
        f"pair{n:04d},{' '.join(repr(x) for x, _ in rows)},{' '.join(repr(y) for _, y in rows)}\n"
        for n, rows in sorted(pairs.items())
    )
    for data in (zipped(files), table.encode()):
        loaded = load_bytes(data, "pairs")
        assert [pair.name for pair in loaded.pairs] == [f"pair{n:04d}" for n in sorted(pairs)]
        for pair, (_, rows) in zip(loaded.pairs, sorted(pairs.items()), strict=True):
            np.testing.assert_array_equal(pair.x, [x for x, _ in rows])
            np.testing.assert_array_equal(pair.y, [y for _, y in rows])


@pytest.mark.parametrize("separator", [",", "\t"])
@QUICK
@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=2, max_size=9), st.booleans())
def test_large_integers_read_back_exactly(separator, numbers, gap):
    rows = [f"{number}{separator}{i}.5\n" for i, number in enumerate(numbers)] + [f"{separator}1.5\n"] * gap
    pair = only_table(f"n{separator}v\n" + "".join(rows)).pair(0, 1)
    assert [int(value) for value in pair.x] == numbers
