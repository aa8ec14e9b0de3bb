"""Paths as typed, judged before any work: what can be read, and where a result can be written."""

import contextlib
import os
import tempfile
from pathlib import Path

from privcause_core.errors import DataError
from privcause_core.loading import why_no_file


def output_path(typed: str) -> Path:
    """Return where to write, once a trial has shown that a file can be written there.

    Raises
    ------
    DataError
        If not; nothing was left behind.
    """
    path = Path(typed)
    try:
        if why := _why_not_written(typed, path):
            raise DataError(f"Cannot write {typed!r}: {why}.")
        with tempfile.TemporaryFile(dir=_target(path).parent):
            return path
    except OSError as error:
        raise DataError(f"Cannot write {typed!r}: {error.strerror}.") from None


def write_whole(path: Path, text: str) -> None:
    """Write a file completely or not at all.

    Raises
    ------
    DataError
        If it cannot be written; what was there stays.
    """
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=_target(path).parent, prefix=".privcause-")
        temporary = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
        temporary.replace(_target(path))
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise DataError(f"Cannot write {path}: {error.strerror}.") from None


def read_text(typed: str, what: str) -> str:
    """Return the text of a file.

    Raises
    ------
    DataError
        If it is not a file, or no UTF-8 text; the sentence begins by saying what cannot be read.
    """
    path = Path(typed)
    try:
        why = why_no_file(path) if typed else "the path is empty"
        if not why:
            return path.read_text(encoding="utf-8")
    except OSError as error:
        why = str(error.strerror)
    except ValueError:
        why = "it is not UTF-8 text"
    raise DataError(f"Cannot read {what} from {typed!r}: {why}.")


def ledger_path(typed: str | None) -> Path | None:
    """Return the path of a ledger that may not exist yet; None where none is named.

    Raises
    ------
    DataError
        If it cannot be that of a file.
    """
    if typed is None:
        return None
    path = Path(typed)
    why = why_no_file(path) if path.exists() else ""
    if why or not typed:
        raise DataError(f"Cannot keep a ledger at {typed!r}: {why if typed else 'the path is empty'}.")
    return path


def _why_not_written(typed: str, path: Path) -> str:
    if not typed:
        return "its path is empty"
    if path.exists():
        return why_no_file(path) or ("" if os.access(path, os.W_OK) else "the file there is write-protected")
    parent = _target(path).parent
    return "" if parent.is_dir() else f"there is no directory {parent}"


def _target(path: Path) -> Path:
    """Return the file itself where the path is a link."""
    return Path(os.path.realpath(path))
