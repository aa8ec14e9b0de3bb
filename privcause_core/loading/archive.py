"""Zip archives, read in memory only: sizes judged before unpacking, names never used as paths."""

import io
import zipfile
from pathlib import PurePosixPath

from privcause_core.errors import DataError
from privcause_core.loading.guard import foreign_parser
from privcause_core.loading.limits import MAX_ENTRIES, MAX_UNPACKED_BYTES
from privcause_core.loading.wording import megabytes

_ENTRY_SIGNATURE = b"PK\x01\x02"


def opened(data: bytes, what: str) -> zipfile.ZipFile:
    """Open a zip file after judging the sizes that it declares.

    Raises
    ------
    DataError
        If it is damaged, or declares too many entries or more than ``MAX_UNPACKED_BYTES``.
    """
    if data.count(_ENTRY_SIGNATURE) > MAX_ENTRIES:  # before the directory is read into memory
        raise DataError(f"the {what} holds more than {MAX_ENTRIES:,} files; split it.")
    with foreign_parser(what):
        archive = zipfile.ZipFile(io.BytesIO(data))
    declared = sum(entry.file_size for entry in archive.infolist())
    if declared > MAX_UNPACKED_BYTES:
        raise DataError(
            f"the {what} unpacks to {megabytes(declared)}, more than the {megabytes(MAX_UNPACKED_BYTES)} allowed; "
            "split it into smaller ones."
        )
    return archive


def content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, what: str) -> bytes:
    """Unpack one entry in memory, and never more of it than it declares.

    Raises
    ------
    DataError
        If it is locked, damaged, or larger than declared.
    """
    if entry.flag_bits & 1:
        raise DataError("the file is locked with a password; unpack it first.")
    with foreign_parser(what), archive.open(entry) as stream:
        data = stream.read(entry.file_size + 1)
    if len(data) != entry.file_size:
        raise DataError("the file does not unpack to the size that the archive declares.")
    return data


def data_entries(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the entries that can hold data: no folders, system files, descriptions or readme files."""
    return [
        entry for entry in archive.infolist() if not entry.filename.endswith("/") and not is_clutter(entry.filename)
    ]


def is_clutter(path: str) -> bool:
    """Say whether a file is known to hold no data, by its name alone."""
    parts = PurePosixPath(path.replace("\\", "/")).parts
    name = parts[-1].lower() if parts else ""
    return (
        not name
        or "__MACOSX" in parts
        or name.startswith((".", "readme", "license"))
        or name.endswith("_des.txt")
        or name in ("thumbs.db", "desktop.ini")
    )
