"""A file that came through the second door: to release from, not to look at.

It is read as declared, so nothing about its reading depends on its values, and no page shows anything of them.
"""

import uuid
from dataclasses import dataclass, field, replace
from typing import Any

from privcause_core.errors import DataError
from privcause_core.loading import Reading, Table
from privcause_core.loading.guarded import load_guarded
from privcause_core.loading.kind import Kind, kind_of
from privcause_core.loading.reading import SEPARATORS
from privcause_core.loading.separator import Separator

_PROPOSED = ("tab", "semicolon", "pipe", "comma")  # the first that the first line holds, else blanks
_MARKED = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_LONGEST_LINE = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Sealed:
    """The file, how it is read, and the columns that were chosen.

    Attributes
    ----------
    name : str
    data : bytes
        Kept in memory, to read it otherwise when another reading is declared.
    reading : Reading
    table : Table, optional
        None where the file as a whole cannot be read so; ``trouble`` says why.
    trouble : str
    x, y : int, optional
        Positions of the chosen columns; none is proposed.
    token : str
        Tells this reading of this file from every other of the session.
    """

    name: str
    data: bytes = field(repr=False)
    reading: Reading
    table: Table | None = field(default=None, repr=False)
    trouble: str = ""
    x: int | None = None
    y: int | None = None
    token: str = field(default_factory=lambda: uuid.uuid4().hex)

    def with_columns(self, x: object, y: object) -> "Sealed":
        """Return the file with other columns chosen."""
        places: dict[str, Any] = {"x": x, "y": y}
        return replace(self, **places)


def sealed(name: str, data: bytes, reading: Reading | None = None) -> Sealed:
    """Return a file read as declared; without a declaration, as its first line proposes."""
    chosen = reading or proposed(data)
    try:
        (table,) = load_guarded([(name, data)], reading=chosen).tables
    except DataError as error:
        return Sealed(name, data, chosen, trouble=str(error))
    return Sealed(name, data, chosen, table)


def declared(former: Sealed, **changes: object) -> Sealed:
    """Return the file read otherwise; the columns have to be chosen again.

    Raises
    ------
    ParameterError
        If the changed reading is none.
    """
    header = bool(changes.pop("header", former.reading.header))
    laid_out: Any = changes
    changed = replace(former.reading, **laid_out)
    columns = None if header else _fields(former.data, changed)
    return sealed(former.name, former.data, replace(changed, header=header, columns=columns))


def proposed(data: bytes) -> Reading:
    """Return a reading by the layout of the first line alone: its separator and its byte order mark."""
    encoding = _MARKED.get(data[:2], "utf-8")
    if kind_of(data) is not Kind.TEXT:
        return Reading()
    line = _first_line(data, encoding, 0)
    found = next((name for name in _PROPOSED if SEPARATORS[name] in line), "blanks" if " " in line.strip() else "comma")
    return Reading(separator=found, encoding=encoding)


def _fields(data: bytes, reading: Reading) -> int:
    """Return how many fields the first line has that is not skipped."""
    line = _first_line(data, reading.encoding, reading.skip)
    return max(2, len(Separator(SEPARATORS[reading.separator]).fields(line)))


def _first_line(data: bytes, encoding: str, skip: int) -> str:
    text = data[:_LONGEST_LINE].decode(encoding, "replace").removeprefix("\ufeff")
    return "".join(text.splitlines()[skip : skip + 1])
