"""Creating a file whole or not at all, and never over an existing one, whatever other processes do."""

import contextlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def created_once(path: Path) -> Iterator[Path]:
    """Yield an empty draft, readable by its owner only, that becomes ``path`` at the end unless that exists by then.

    Raises
    ------
    OSError
        If the folder cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield draft
        with contextlib.suppress(FileExistsError):  # another process was first: its file is the one
            os.link(draft, path)
    finally:
        draft.unlink()
