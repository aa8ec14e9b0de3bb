"""Files people bring, read into tables and pairs: one door for the pages and the command line."""

from collections.abc import Iterable
from pathlib import Path

from privcause_core.errors import DataError
from privcause_core.loading.bundle import Bundle
from privcause_core.loading.column import AmbiguousNumbersError, Column
from privcause_core.loading.declared import read_declared
from privcause_core.loading.disk import directory_entries, file_entry, why_no_file
from privcause_core.loading.entries import Entry, Origin
from privcause_core.loading.grammar import DecimalMark, Grouping
from privcause_core.loading.guard import named
from privcause_core.loading.limits import MAX_ENTRIES, MAX_UNPACKED_BYTES, MAX_UPLOAD_BYTES
from privcause_core.loading.loaded import Loaded, Rejected
from privcause_core.loading.reading import Reading
from privcause_core.loading.table import Table
from privcause_core.loading.wording import megabytes

__all__ = [
    "MAX_ENTRIES",
    "MAX_UNPACKED_BYTES",
    "MAX_UPLOAD_BYTES",
    "AmbiguousNumbersError",
    "Column",
    "DecimalMark",
    "Grouping",
    "Loaded",
    "Reading",
    "Rejected",
    "Table",
    "load_bytes",
    "load_files",
    "load_path",
    "why_no_file",
]


def load_bytes(data: bytes, name: str, *, decimal: DecimalMark | None = None, reading: Reading | None = None) -> Loaded:
    """Load one file of any size.

    Parameters
    ----------
    data : bytes
        Its content, which alone decides what it is.
    name : str
        For people.
    decimal : DecimalMark, optional
        What decides where a file's numbers can be read under both decimal marks and differ.
    reading : Reading, optional
        How to read the file, a single table, declared beforehand: nothing is inferred from its cells then, what cannot
        be read is missing, and no row is left out.

    Raises
    ------
    DataError
        If nothing in it can be used; one sentence that begins with the name.
    """
    return load_files([(name, data)], max_bytes=None, decimal=decimal, reading=reading)


def load_files(
    files: Iterable[tuple[str, bytes]],
    *,
    max_bytes: int | None = MAX_UPLOAD_BYTES,
    decimal: DecimalMark | None = None,
    reading: Reading | None = None,
) -> Loaded:
    """Load the files of one upload; tables of pairs, of targets and ``pairmeta.txt`` find each other.

    Parameters
    ----------
    files : iterable of (name, content)
    max_bytes : int, optional
        The largest size of one file; None for no limit.
    decimal, reading : optional
        As in ``load_bytes``; a reading is declared for one file.

    Raises
    ------
    DataError
        If nothing in any of them can be used; else a bad file is among ``rejected``.
    """
    entries = [Entry(name, lambda data=data: _within(data, max_bytes)) for name, data in files]  # type: ignore[misc]
    if reading:
        return _declared(entries, reading)
    return _loaded(entries, Origin.UPLOAD, decimal)


def load_path(path: Path, *, decimal: DecimalMark | None = None, reading: Reading | None = None) -> Loaded:
    """Load a file, or the files of a directory and its subdirectories, for the command line.

    ``decimal`` and ``reading`` as in ``load_bytes``; a reading is declared for one file.

    Raises
    ------
    DataError
        If the path is not there, is no file or directory, or nothing in it can be used.
    """
    if path.is_dir() and not reading:
        return _loaded(directory_entries(path), Origin.DIRECTORY, decimal)
    if why := why_no_file(path):
        raise DataError(f"{path}: {why}.")
    entries = [file_entry(path)]
    return _declared(entries, reading) if reading else _loaded(entries, Origin.UPLOAD, decimal)


def _declared(entries: list[Entry], reading: Reading) -> Loaded:
    if len(entries) != 1:
        raise DataError("a declared reading is for one file.")
    (entry,) = entries
    with named(entry.base):
        return Loaded((read_declared(entry.read(), entry.base, reading),))


def _within(data: bytes, limit: int | None) -> bytes:
    if limit is not None and len(data) > limit:
        raise DataError(
            f"the file has {megabytes(len(data))}, more than the {megabytes(limit)} that can be uploaded; "
            "use the command line for larger ones."
        )
    return data


def _loaded(entries: list[Entry], origin: Origin, decimal: DecimalMark | None) -> Loaded:
    if len(entries) > MAX_ENTRIES:
        raise DataError(f"there are {len(entries):,} files, more than the {MAX_ENTRIES:,} that load at once.")
    bundle = Bundle(decimal=decimal)
    bundle.add_all(entries, origin)
    return bundle.finish()
