"""Files not read yet, and the order in which to read them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum, auto
from pathlib import PurePosixPath

from privcause_core.loading.wording import one_line


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that has not been read yet.

    Parameters
    ----------
    name : str
        For people; inside an archive with its folders. Never used as a path.
    read : callable
        Returns the bytes, or raises DataError.
    """

    name: str
    read: Callable[[], bytes] = field(repr=False)

    @property
    def base(self) -> str:
        """Return the name without folders, on one line."""
        return one_line(PurePosixPath(self.name.replace("\\", "/")).name or self.name)

    @property
    def stem(self) -> str:
        """Return the name without folders and ending."""
        return PurePosixPath(self.base).stem


class Origin(StrEnum):
    """Where files that belong together come from."""

    UPLOAD = auto()
    DIRECTORY = auto()
    ARCHIVE = auto()


def reading_order(entry: Entry, first: str) -> tuple[bool, list[tuple[int, str]]]:
    """Return a sort key: the file called ``first`` first, then by name with numbers by size."""
    parts = re.split(r"([0-9]+)", entry.name)
    digits = [part.lstrip("0") if index % 2 else part for index, part in enumerate(parts)]
    return entry.base.lower() != first, [(len(d) if i % 2 else 0, d) for i, d in enumerate(digits)]
