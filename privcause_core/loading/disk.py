"""What lies at a path, before it is opened: a pipe would be waited for, a device may never end."""

import stat
from pathlib import Path

from privcause_core.errors import DataError
from privcause_core.loading.archive import is_clutter
from privcause_core.loading.entries import Entry


def why_no_file(path: Path) -> str:
    """Return why a path is not a file that can be read, for a sentence about it; empty if it is one."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "there is no such file or directory"
    except OSError as error:
        return f"it cannot be looked at ({error.strerror})"
    if stat.S_ISREG(mode):
        return ""
    if stat.S_ISDIR(mode):
        return "it is a directory, not a file"
    kind = "pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else "device"
    return f"it is a {kind}, not a file"


def file_entry(path: Path) -> Entry:
    """Return a file, not read yet."""

    def read() -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            raise DataError(f"the file cannot be read ({error.strerror}).") from error

    return Entry(path.name, read)


def directory_entries(path: Path) -> list[Entry]:
    """Return the files of a directory and its subdirectories that can hold data.

    Raises
    ------
    DataError
        If there are none.
    """
    inside = sorted(one for one in path.rglob("*") if one.is_file())
    entries = [file_entry(one) for one in inside if not is_clutter(str(one.relative_to(path)))]
    if not entries:
        raise DataError(f"{path}: the directory holds no files with data.")
    return entries
