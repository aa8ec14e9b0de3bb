"""Foreign files read in a child process with a memory limit and a deadline: one mechanism for every form of file."""

import atexit
import os
import pickle
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from privcause_core.errors import DataError
from privcause_core.loading import load_files
from privcause_core.loading.child import Request
from privcause_core.loading.column import Column
from privcause_core.loading.entries import Entry
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.kind import is_plain_text
from privcause_core.loading.limits import MAX_UPLOAD_BYTES
from privcause_core.loading.loaded import Loaded
from privcause_core.loading.reading import Reading
from privcause_core.loading.table import Table

MEMORY_FLOOR = 224 << 20
MEMORY_PER_BYTE = 8
SECONDS_FLOOR = 4.0
SECONDS_PER_MEGABYTE = 3.0
_MOSTLY = 0.9  # libraries that use two processors spend their time sooner
_SMALL_TEXT = 256 << 10  # the text reader needs at most 64 MB and five times the file, whatever is in it
_SAVE = "save the table as CSV with a spreadsheet program and load that"
_ALLOWED = {
    "privcause_core.loading.loaded": ("Loaded", "Rejected"),
    "privcause_core.loading.table": ("Table",),
    "privcause_core.loading.column": ("Column",),
    "privcause_core.loading.reading": ("Reading",),
    "privcause_core.loading.grammar": ("DecimalMark", "Grouping"),
    "privcause_core.pair": ("Pair", "Direction"),
    "numpy": ("dtype", "ndarray"),
    "numpy._core.numeric": ("_frombuffer",),
    "numpy._core.multiarray": ("_reconstruct", "scalar"),
    "builtins": ("range",),
}


def load_guarded(
    files: Iterable[tuple[str, bytes]],
    *,
    max_bytes: int | None = MAX_UPLOAD_BYTES,
    decimal: DecimalMark | None = None,
    reading: Reading | None = None,
) -> Loaded:
    """Load the files of one upload as ``load_files`` does, whatever they do to their reader.

    Memory beyond that of an idle reader is limited to 224 MB and 8 times the size of the files, processor time to 4 s
    and 3 s a megabyte. Short plain texts are read in this process; so is everything where processes cannot be forked.

    Raises
    ------
    DataError
        If nothing in any of them can be used, or reading takes too much memory or time.
    """
    files = tuple(files)
    size = sum(len(data) for _, data in files)
    if not hasattr(os, "fork") or (size <= _SMALL_TEXT and all(is_plain_text(data) for _, data in files)):
        return load_files(files, max_bytes=max_bytes, decimal=decimal, reading=reading)
    seconds = SECONDS_FLOOR + SECONDS_PER_MEGABYTE * size / (1 << 20)
    request = Request(files, max_bytes, decimal, reading, MEMORY_FLOOR + MEMORY_PER_BYTE * size, seconds)
    started = time.monotonic()
    outcome, value = _TEMPLATE.answer(request)
    if outcome == "loaded":
        return _owned(value)
    if outcome == "refused":
        raise DataError(value)
    name = Entry(files[0][0], bytes).base if len(files) == 1 else "these files"
    if outcome == "died" and time.monotonic() - started >= _MOSTLY * seconds:
        raise DataError(f"{name}: reading takes longer than files of this size may; {_SAVE}.")
    raise DataError(f"{name}: reading takes more memory than files of this size may; {_SAVE}.")


class _Unpickler(pickle.Unpickler):
    """Takes back what loading gives, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401  (as in pickle)
        if name in _ALLOWED.get(module, ()):
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"Expected an answer of loading, got {module}.{name}.")


class _Template:
    """The process that forks workers; started at first use, ended with this one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None

    def _living(self) -> socket.socket:
        """Return the socket of a living template."""
        with self._lock:
            if self._socket is None or self._process is None or self._process.poll() is not None:
                self._end()
                self._socket, theirs = socket.socketpair()
                with theirs:
                    self._process = _started(theirs.fileno())
            return self._socket

    def answer(self, request: Request) -> tuple[str, Any]:
        """Return a worker's answer, or ``("died", None)`` if it ended before it gave one."""
        request_end, ours = os.pipe()
        answer, answer_end = os.pipe()
        with os.fdopen(ours, "wb") as sink, os.fdopen(answer, "rb") as source:
            try:
                socket.send_fds(self._living(), [b"r"], [request_end, answer_end])
            finally:
                os.close(request_end)
                os.close(answer_end)
            return _exchanged(request, sink, source)

    def end(self) -> None:
        """End the template; workers at work end by themselves."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._socket is not None:
            self._socket.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._socket = self._process = None


def _exchanged(request: Request, sink: IO[bytes], source: IO[bytes]) -> tuple[str, Any]:
    try:
        pickle.dump(request, sink, protocol=5)
        sink.close()
        outcome, value = _Unpickler(source).load()
    except (BrokenPipeError, EOFError, pickle.UnpicklingError):
        return "died", None
    return outcome, value


def _started(control: int) -> subprocess.Popen[bytes]:
    root = str(Path(__file__).parents[2])
    boot = f"import sys; sys.path.insert(0, {root!r}); from privcause_core.loading.child import main; main({control})"
    few = {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "1", "OPENBLAS_NUM_THREADS": "1"}
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, "-c", boot], pass_fds=[control], env=os.environ | few, stdin=quiet, stdout=quiet, stderr=quiet
    )


def _owned(loaded: Loaded) -> Loaded:
    """Give each column memory that it owns and nobody can write to, so that its pairs share it."""
    return replace(loaded, tables=tuple(map(_owned_table, loaded.tables)))


def _owned_table(table: Table) -> Table:
    return replace(table, columns=tuple(map(_owned_column, table.columns)))


def _owned_column(column: Column) -> Column:
    if column.values is None:
        return column
    owned = column.values.copy()
    owned.setflags(write=False)
    return replace(column, values=owned)


_TEMPLATE = _Template()
atexit.register(_TEMPLATE.end)
