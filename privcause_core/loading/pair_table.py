"""Tables of whole pairs, ``SampleID,A,B`` with blank-separated cells, and the targets tables beside them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum, auto

import pyarrow as pa
import pyarrow.compute as pc

from privcause_core.errors import DataError
from privcause_core.loading.blocks import blocks
from privcause_core.loading.builder import ColumnBuilder
from privcause_core.loading.columns import assemble
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.layout import Layout, first_lines
from privcause_core.loading.loaded import Rejected
from privcause_core.loading.rows import read_strings
from privcause_core.loading.separator import Separator
from privcause_core.loading.settle import Settled, settled
from privcause_core.loading.wording import MAX_NAME, counted
from privcause_core.pair import Direction, Pair

_ID, _A, _B, _TARGET = "sampleid", "a", "b", "target"
_BLANK = re.compile(r"\s", re.ASCII)
_PIECE = 1 << 20
_MAX_HEADER = 10_000  # characters; a longer first line names no SampleID, A and B
_DIRECTIONS = {
    form: direction
    for number, direction in (("1", Direction.X_TO_Y), ("-1", Direction.Y_TO_X), ("0", None))
    for form in (number, f"+{number}", f"{number}.0", f"{number},0", f"{number}.00")
}


class Role(StrEnum):
    """What a table keyed by SampleID holds."""

    PAIRS = auto()
    TARGETS = auto()


def find_pair_table(text: bytes) -> tuple[Role, Layout] | None:
    """Recognise a pairs or targets table by its header, or return None.

    Parameters
    ----------
    text : bytes
        UTF-8 with plain line feeds.
    """
    header, *below = first_lines(text, 2)
    if len(header.text) > _MAX_HEADER:
        return None
    for separator in Separator:
        names = [name.lower() for name in separator.fields(header.text)]
        if _ID not in names:
            continue
        role = _role(names)
        if role and below and len(separator.fields(below[0].text)) == len(names) + 1:
            names = ["", *names]  # R's row names have no header
        if role:
            return role, Layout(separator, tuple(names), header.end, header.next_number)
    return None


def _role(names: list[str]) -> Role | None:
    if _A in names and _B in names:
        return Role.PAIRS
    return Role.TARGETS if any(name.startswith(_TARGET) for name in names) else None


@dataclass(slots=True, eq=False)
class PairTable:
    """The pairs of one table, and the refused ones."""

    pairs: list[Pair] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)


def read_pair_table(text: bytes, layout: Layout, source: str, decimal: DecimalMark | None = None) -> PairTable:
    """Read a pairs table, each cell's values under one grammar; ``source`` names the file.

    Parameters
    ----------
    decimal : DecimalMark, optional
        What decides where the cells of the whole table leave it open.
    """
    result = PairTable()
    named = list(_named_cells(text, layout, result))
    cells = [cell for _, a, b in named for cell in (a, b)]
    columns = settled(
        lambda marks: [_built(cell, mark) for cell, mark in zip(cells, marks, strict=True)],
        [DecimalMark.POINT] * len(cells),
    )
    for (name, _, _), a, b in zip(named, columns[::2], columns[1::2], strict=True):
        try:
            result.pairs.append(_pair(name, source, a, b, decimal))
        except DataError as error:
            result.rejected.append(Rejected(name, str(error)))
    return result


def read_targets(text: bytes, layout: Layout) -> tuple[dict[str, Direction | None], list[str]]:
    """Return the arrow for each SampleID (1 is A to B, -1 is B to A, 0 neither), and the IDs with another target."""
    place = next(index for index, name in enumerate(layout.names) if name.startswith(_TARGET))
    targets: dict[str, Direction | None] = {}
    odd = []
    for line, fields in _rows(text, layout):
        if isinstance(fields, int):
            continue
        sample = _short_name(fields[layout.names.index(_ID)], line)
        if fields[place].strip() in _DIRECTIONS:
            targets[sample] = _DIRECTIONS[fields[place].strip()]
        else:
            odd.append(sample)
    return targets, odd


def _rows(text: bytes, layout: Layout) -> Iterator[tuple[int, tuple[str, ...] | int]]:
    for block in blocks(text, layout.start, layout.first_line, layout.separator):
        yield from read_strings(block, layout)


def _named_cells(text: bytes, layout: Layout, result: PairTable) -> Iterator[tuple[str, str, str]]:
    """Yield each row's name and its cells A and B; rows with another number of fields are refused."""
    for line, fields in _rows(text, layout):
        if isinstance(fields, int):
            reason = f"it has {counted(fields, 'field')} where the header has {layout.width}."
            result.rejected.append(Rejected(f"line {line}", reason))
            continue
        name, a, b = (fields[layout.names.index(column)] for column in (_ID, _A, _B))
        yield _short_name(name, line), a, b


def _short_name(cell: str, line: int) -> str:
    """Return a pair's name; a cell too long to be one is not quoted."""
    name = cell.strip()
    return name if 0 < len(name) <= MAX_NAME else f"line {line}"


def _pair(name: str, source: str, a: Settled, b: Settled, decimal: DecimalMark | None) -> Pair:
    rows, others = a.builder.size, b.builder.size
    if rows != others:
        raise DataError(f"it has {counted(rows, 'value')} in A and {others} in B; both need the same number.")
    table = assemble(source, ("A", "B"), (a, b), range(1, rows + 1), "value", ())
    return (table.with_decimal(decimal) if decimal else table).pair(0, 1, name=name)


def _built(cell: str, mark: DecimalMark) -> ColumnBuilder:
    builder = ColumnBuilder(len(cell) // 2 + 1, mark)
    for piece in _pieces(cell):
        builder.add_texts(pc.ascii_split_whitespace(pa.array([piece])).values)
    return builder


def _pieces(cell: str) -> Iterator[str]:
    """Cut a cell between values into strings of bounded length, so that memory follows the numbers alone."""
    start = 0
    while start < len(cell):
        blank = _BLANK.search(cell, start + _PIECE)
        stop = blank.start() if blank else len(cell)
        if piece := cell[start:stop].strip():
            yield piece
        start = stop
