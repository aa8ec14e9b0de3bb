"""A file that came through the second door: to release from, not to look at.

It is read as declared, so nothing about its reading depends on its values, and no page shows anything of them.
"""

import uuid
from dataclasses import dataclass, field, replace
from typing import Any

from privcause_core.errors import DataError
from privcause_core.loading import Column, Reading, Table
from privcause_core.loading.guarded import load_guarded
from privcause_core.loading.measured import measured
from privcause_core.loading.proposal import changed, proposed


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


def unsealed(table: Table) -> Table:
    """Return a table read as declared for exploring: what its columns look like may be told then.

    Raises
    ------
    DataError
        If fewer than two columns hold numbers as declared.
    """
    columns = tuple(_looked_at(column) for column in table.columns)
    found = replace(table, columns=columns, notes=(*table.notes, "Read as declared on the Release page."))
    found.default_columns()
    return found


def _looked_at(column: Column) -> Column:
    values = column.required()
    if column.missing < values.size:
        return measured(column, (values, None))
    return replace(column, values=None, reason="holds no numbers, read as declared")


def declared(former: Sealed, **changes: object) -> Sealed:
    """Return the file read otherwise; chosen columns stay where the new reading has columns of these names.

    Raises
    ------
    ParameterError
        If the changed reading is none.
    """
    found = sealed(former.name, former.data, changed(former.data, former.reading, **changes))
    if former.table is None or found.table is None:
        return found
    labels = [column.label for column in found.table.columns]
    names = [None if place is None else former.table.columns[place].label for place in (former.x, former.y)]
    return found.with_columns(*(labels.index(name) if name in labels else None for name in names))
