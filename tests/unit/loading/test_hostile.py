"""Broken and hostile files: one plain sentence or a table, never another error, and memory that follows the size."""

import io
import itertools
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from privcause_core.errors import DataError
from privcause_core.loading import Loaded, Table, load_bytes, load_files
from tests.unit.loading.material import QUICK, X, Y, Z, lines, zipped


def survive(data: bytes) -> Loaded | str:
    """Load anything: what comes out must be usable, and the only error allowed is one plain sentence."""
    try:
        loaded = load_bytes(data, "f")
    except DataError as error:
        loaded = str(error)
    if isinstance(loaded, str):
        assert loaded.endswith(".")
        assert "\n" not in loaded
    else:
        for table in loaded.tables:
            for x, y in itertools.combinations(table.numeric_columns[:3], 2):
                check(table, x, y)
    return loaded


def check(table: Table, x: int, y: int) -> None:
    try:
        pair = table.pair(x, y)
    except DataError:
        return
    assert np.isfinite(pair.x).all()
    assert np.isfinite(pair.y).all()
    assert pair.rows <= table.rows_read == len(table.line_numbers)


@cache
def seeds() -> dict[str, bytes]:
    """Return small real files of every form."""
    book, sheet, parquet = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    for row in [("x", "y"), *zip(X, Y, strict=True)]:
        book.active.append(row)
    book.active["C3"] = "=A2"
    book.save(sheet)
    pq.write_table(pa.table({"x": X, "y": [str(y) for y in Y]}), parquet)
    pairs = {"pair1.txt": lines(" ", X, Y), "pair2.txt": lines(",", X, Y, Z), "pairmeta.txt": "1 1 1 2 2 1\n"}
    return {
        "csv": ("x,y\n" + lines(",", X, Y)).encode(),
        "german": ('"a b";c\n' + lines(";", X, Y, decimal=",")).encode("cp1252"),
        "blanks": lines("  ", X, Y).encode("utf-16"),
        "pairs": f'SampleID,A,B\np,"{" ".join(map(str, X))}",{" ".join(map(str, Y))}\n'.encode(),
        "xlsx": sheet.getvalue(),
        "parquet": parquet.getvalue(),
        "zip": zipped(pairs),
    }


@QUICK
@given(st.binary(max_size=400))
@example(b'"')
@example(b"\xff\xfe")
@example(b"PK\x03\x04")
@example(b"PAR1PAR1")
@example(b",\n,")
@example(b'a,"b\n1,2')
@example(b'x"y,"z\n1,2\n3,4')
@example(b"SampleID,A,B\n\xef\xbb\xbf")
@example(b"\xef\xbb\xbfa,b\n1,2\n\xef\xbb\xbf\n")
@example(b"a b\n1 2\n# c\n3 4\n ")
def test_arbitrary_bytes_are_survived(data):
    survive(data)


@QUICK
@given(st.text(alphabet='01.,;\t "\n\r#-eEaNñ', max_size=200))
@example('1,"2\n3,4')
@example("#\n#N/A,1\n\n 2,3")
@example('0,0\n"0"0",0\n')
def test_arbitrary_near_tables_are_survived(text):
    survive(text.encode())


@pytest.mark.parametrize("form", ["csv", "german", "blanks", "pairs", "xlsx", "parquet", "zip"])
@QUICK
@given(data=st.data())
def test_mutated_real_files_are_survived(form, data):
    content = bytearray(seeds()[form])
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(content) - 1))
        action = data.draw(st.sampled_from(["change", "cut", "repeat", "insert"]))
        if action == "change":
            content[place] = data.draw(st.integers(0, 255))
        elif action == "cut":
            del content[place : place + data.draw(st.integers(1, 50))]
        elif action == "repeat":
            content[place:place] = content[place : place + 50]
        else:
            content[place:place] = data.draw(st.binary(max_size=8))
        content = content or bytearray(b"\0")
    survive(bytes(content))


@pytest.mark.parametrize("form", ["csv", "german", "blanks", "pairs", "xlsx", "parquet", "zip"])
def test_every_truncation_is_survived(form):
    whole = seeds()[form]
    assert isinstance(survive(whole), Loaded)
    for stop in range(0, len(whole), max(1, len(whole) // 60)):
        survive(whole[:stop])


@QUICK
@given(st.text(st.characters(codec="utf-8"), max_size=8))
@example("\0")
@example("/")
@example("a\nb.csv")
def test_any_name_of_an_entry_is_survived(name):
    survive(zipped({name: "x,y\n1,2\n", "z.csv": "x"}))


@QUICK
@given(
    st.lists(
        st.tuples(st.sampled_from(["a.csv", "pairmeta.txt", "pair1.txt", "t"]), st.binary(max_size=60)), max_size=4
    )
)
def test_arbitrary_uploads_of_several_files_are_survived(files):
    good = ("good.csv", seeds()["csv"])
    assert "good.csv" in {table.name for table in load_files([*files, good]).tables}


MEASURE = """
import sys
from privcause_core.errors import DataError
from privcause_core.loading import load_bytes
def status(key):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(key)) * 1024
load_bytes(b"x,y\\n1,oops\\n2,3\\n4,5\\n", "f")  # what libraries import on first use is not the file's
unit, size = {unit!r}, 12 << 20
data = unit * (size // len(unit))
before = status("VmRSS")
try:
    load_bytes(data, "f")
except DataError:
    pass
print((status("VmHWM") - before - (64 << 20)) / len(data))
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's own account of memory")
@pytest.mark.parametrize("unit", [b"0 1\n", b"0,1\r\n", b"\n", b"#\n1,2\n", b"1,", b'"a,1\n', b"1;0,5\n"], ids=repr)
def test_memory_stays_within_64_mb_and_five_times_the_file(unit):
    done = subprocess.run(
        [sys.executable, "-c", MEASURE.format(unit=unit)], capture_output=True, text=True, check=True, timeout=120
    )
    assert float(done.stdout) <= 5
