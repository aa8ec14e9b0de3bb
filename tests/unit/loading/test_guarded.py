"""Hostile files meet a memory limit and a deadline in a child process; everybody else's files just load."""

import gzip
import io
import pickle
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread

import numpy as np
import openpyxl
import psutil
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from privcause_core.errors import DataError, ParameterError
from privcause_core.loading import Loaded, Reading, load_files
from privcause_core.loading import guarded as guarded_module
from privcause_core.loading.guarded import load_guarded
from privcause_core.loading.settings_file import settings_values
from tests.unit.loading.material import X, Y, Z, fingerprint, lines, zipped

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
META = "1 1 1 2 2 1\n"
ONE = pa.array([1.0])
TABLE = f"x,y\n{lines(',', X, Y)}".encode()


def book(part: str = "", change: Callable[[str], str] = str) -> bytes:
    """Write a small workbook with one of its parts changed."""
    workbook, stream = openpyxl.Workbook(), io.BytesIO()
    for row in [("x", "y"), *zip(X, Y, strict=True)]:
        workbook.active.append(row)
    workbook.save(stream)
    with zipfile.ZipFile(stream) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    return zipped({name: change(text) if name == part else text for name, text in parts.items()})


def frame(write: Callable[..., None], columns: dict[str, pa.Array], compression: str) -> bytes:
    stream = io.BytesIO()
    write(pa.table(columns), stream, compression=compression)
    return stream.getvalue()


def long_dictionary() -> bytes:
    long = pa.array(["1" * 20_000_000])
    texts = pa.DictionaryArray.from_arrays(pa.array(np.zeros(300, np.int32)), long)
    return frame(pq.write_table, {"x": texts, "y": pa.array(np.arange(300.0))}, "zstd")


def many_styles() -> bytes:
    return book(
        "xl/styles.xml", lambda _: f'<styleSheet xmlns="{MAIN}"><cellXfs>{"<xf/>" * 3_000_000}</cellXfs></styleSheet>'
    )


def entities() -> bytes:
    strings = f"<si><t>{'&e;' * 300}</t></si>" * 200
    head = f'<?xml version="1.0"?><!DOCTYPE sst [<!ENTITY e "{"a" * 10_000}">]>'
    return book("xl/worksheets/sheet1.xml", lambda text: head + text.replace("<sheetData>", f"<sheetData>{strings}"))


def far_cells() -> bytes:
    rows = "".join(f'<row r="{i}"><c r="XFD{i}"><v>1</v></c></row>' for i in range(100, 1300))
    return book("xl/worksheets/sheet1.xml", lambda text: text.replace("</sheetData>", f"{rows}</sheetData>"))


def long_texts() -> bytes:
    texts = pa.array(["1" * 1_000] * 200_000)
    return frame(pyarrow.feather.write_feather, {"x": texts, "y": texts}, "zstd")


HOSTILE = {
    "parquet, one long dictionary string": long_dictionary,
    "xlsx, styles": many_styles,
    "xlsx, internal entities": entities,
    "xlsx, cells far to the right": far_cells,
    "feather, long texts": long_texts,
    "gzip of zeros": lambda: gzip.compress(b"0 0\n" * (45 << 20)),
    "parquet, 20,000 columns": lambda: frame(
        pq.write_table, {f"c{i}": pa.array([1.0]) for i in range(20_000)}, "snappy"
    ),
}


class Watch:
    """The most memory that any worker held beyond the template, looked at every few milliseconds."""

    def __init__(self) -> None:
        load_guarded([("book.xlsx", book())])
        (self.template,) = [one for one in psutil.Process().children() if "loading.child" in " ".join(one.cmdline())]
        self.idle, self.most = self.template.memory_info().rss, 0

    def look(self) -> None:
        for worker in self.template.children():
            with suppress(psutil.Error):
                self.most = max(self.most, worker.memory_info().rss - self.idle)


@pytest.mark.parametrize("attack", HOSTILE)
def test_a_hostile_file_ends_in_one_sentence_within_300_mb(attack):
    data, watch = HOSTILE[attack](), Watch()
    ended = Event()

    def looking() -> None:
        while not ended.wait(0.005):
            watch.look()

    thread = Thread(target=looking)
    thread.start()
    try:
        with pytest.raises(DataError) as caught:
            load_guarded([("attack", data)])
    finally:
        ended.set()
        thread.join()
    message = str(caught.value)
    assert message.startswith("attack: ")
    assert message.endswith(".")
    assert len(message) < 250
    assert watch.most < 300 << 20


def test_time_is_limited_by_the_processor_time_that_is_used(monkeypatch):
    monkeypatch.setattr(guarded_module, "SECONDS_FLOOR", 0.2)
    started = time.monotonic()
    with pytest.raises(DataError, match="attack: reading takes longer than files of this size may"):
        load_guarded([("attack", many_styles())])
    assert time.monotonic() - started < 60


FORMS = {
    "csv": [("a.csv", TABLE)],
    "xlsx": [("a.xlsx", book())],
    "parquet": [("a.parquet", frame(pq.write_table, {"x": pa.array(X), "y": pa.array(Y)}, "snappy"))],
    "zip": [
        (
            "a.zip",
            zipped({"pair1.txt": lines(" ", X, Y), "pair2.txt": lines(" ", X, Z), "pairmeta.txt": "1 1 1 2 2 1\n"}),
        )
    ],
    "several": [("a.xlsx", book()), ("b.csv", TABLE), ("c", b"")],
}


@pytest.mark.parametrize("form", FORMS)
def test_every_other_file_loads_as_it_would_here(form):
    here, there = load_files(FORMS[form]), load_guarded(FORMS[form])
    assert (there.rejected, there.notes) == (here.rejected, here.notes)
    assert [one.notes for one in there.tables] == [one.notes for one in here.tables]
    assert [fingerprint(one) for one in pairs(there)] == [fingerprint(one) for one in pairs(here)]
    assert [one.truth for one in there.pairs] == [one.truth for one in here.pairs]


def pairs(loaded: Loaded) -> list:
    return [*loaded.pairs, *(one.pair(0, 1) for one in loaded.tables)]


def test_large_texts_are_read_in_the_child_and_small_ones_here(monkeypatch):
    asked = []
    monkeypatch.setattr(guarded_module._TEMPLATE, "answer", lambda request: asked.append(request) or ("refused", "x."))
    load_guarded([("small.csv", TABLE)])
    for data in (TABLE * 2_000, book(), gzip.compress(TABLE)):
        with pytest.raises(DataError):
            load_guarded([("f", data)])
    assert len(asked) == 3


def test_what_a_holder_declares_reaches_the_child():
    (table,) = load_guarded([("book.xlsx", book())], reading=Reading(sheet="Sheet")).tables
    assert table.reading == Reading(sheet="Sheet")
    with pytest.raises(DataError, match="more than the 1 MB that can be uploaded"):
        load_guarded([("f.csv", TABLE * 5_000)], max_bytes=1 << 20)


def test_pairs_of_a_guarded_table_share_its_memory_and_nobody_can_write_to_it():
    (table,) = load_guarded([("book.xlsx", book())]).tables
    assert np.shares_memory(table.pair(0, 1).x, table.columns[0].values)
    with pytest.raises(ValueError, match="read-only"):
        table.columns[0].values[0] = 9


def test_a_template_that_was_killed_is_started_again():
    Watch().template.kill()
    time.sleep(0.1)
    assert load_guarded([("book.xlsx", book())]).tables[0].rows_read == 24


class Nasty:
    def __reduce__(self):
        return print, ("reached",)


@pytest.mark.parametrize("answer", [("loaded", Nasty()), ("loaded", io.BytesIO), ("loaded", np.save)])
def test_an_answer_that_holds_anything_else_is_not_opened(answer, capsys):
    with pytest.raises(pickle.UnpicklingError, match="Expected an answer of loading"):
        guarded_module._Unpickler(io.BytesIO(pickle.dumps(answer))).load()
    assert "reached" not in capsys.readouterr().out


LEVELS = "bcdefgh"
ALIASES = "a: &a [" + "x, " * 9 + "x]\n"
ALIASES += "".join(f"{name}: &{name} [{f'*{chr(ord(name) - 1)}, ' * 9}x]\n" for name in LEVELS)
HOSTILE_SETTINGS = [
    ALIASES, "seed: " + "9" * 5_000, "seed: 2001-13-45", "seed: 2001-12-24", "[" * 5_000, "{" * 5_000, "- " * 3_900,
    "epsilon: [" + "1, " * 300 + "1]", "x" * 300 + ": 1", "epsilon: {a: 1}", "epsilon: !!python/name:os.system x",
    "a: *b", "\0", "epsilon: 1\nepsilon", "x: " + "y" * 30_000, "3", "", "? [a, b]\n: 1", "&a *a", "? " * 3_900,
    "epsilon: 0x" + "f" * 4_000, ": " * 3_900, "a: " * 2_000, "'" * 7_999, "!" * 7_999, "&" * 7_999, "<<: [a]",
    "#" * 7_999, "|\n" * 3_900, "a:\n" + "".join(" " * depth + "a:\n" for depth in range(1, 100)),
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE_SETTINGS, ids=range(len(HOSTILE_SETTINGS)))
def test_hostile_settings_are_one_short_sentence(text):
    started = time.monotonic()
    with pytest.raises(ParameterError) as caught:
        settings_values(text)
    assert len(str(caught.value)) < 120
    assert time.monotonic() - started < 5


def test_settings_keep_their_values():
    assert settings_values("score: [hsic, iqr]\nepsilon: 0.5\nseed: 7\nroute: null\n") == {
        "score": ["hsic", "iqr"], "epsilon": 0.5, "seed": 7, "route": None,
    }  # fmt: skip
