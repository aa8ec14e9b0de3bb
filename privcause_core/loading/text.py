"""Text tables: comma, semicolon, tab, pipe or blanks between fields, one grammar of numbers per column."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from privcause_core.errors import DataError
from privcause_core.loading.arff import arff_layout
from privcause_core.loading.blocks import BLOCK_BYTES, blocks, count_lines
from privcause_core.loading.builder import ColumnBuilder
from privcause_core.loading.columns import assemble
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.layout import Layout, find_layout
from privcause_core.loading.numbers import LineNumbers
from privcause_core.loading.reading import MAX_SKIPPED, Reading
from privcause_core.loading.rows import mostly_ragged, read_cells
from privcause_core.loading.separator import Separator
from privcause_core.loading.settle import Settled, settled
from privcause_core.loading.shapes import plainer
from privcause_core.loading.table import Table
from privcause_core.loading.wording import MAX_LISTED, counted, listed, rows_named

_SEPARATOR_NAMES = {
    Separator.TAB: "tabs", Separator.SEMICOLON: "semicolons", Separator.BLANKS: "blanks", Separator.PIPE: "bars",
}  # fmt: skip

_SURE = 2  # of the suspicion that the separator stands inside numbers
_WIDE = 100  # columns: reading takes fewer and larger steps then
_SHAPES, _LEAST_PATIENCE = 50_000, 50  # distinct shapes of odd cells that are judged in a file, and in a column
_MANY = 3  # rows that hold one number too many are no mistake of typing any more


def read_text(text: bytes, name: str, notes: tuple[str, ...] = ()) -> Table:
    """Read a text table.

    Parameters
    ----------
    text : bytes
        UTF-8 with plain line feeds.
    name : str
        Of the file.
    notes : tuple of str
        About its encoding.

    Raises
    ------
    DataError
        If there is no table of at least two columns and one row; the sentence names lines where it helps.
    """
    layout = arff_layout(text) or find_layout(text)
    lines = _Lines()

    def read(marks: Sequence[DecimalMark]) -> Sequence[ColumnBuilder]:
        nonlocal lines
        lines = _Lines()
        return _read(text, layout, marks, lines)

    columns = settled(read, layout.marks)
    lines.check_split(layout)
    if not columns[0].builder.size:
        raise DataError("there are no data rows below the header.")
    notes = (*notes, *_format_note(layout, columns), *layout.notes, *lines.ragged_note(layout.width))
    return assemble(name, layout.names, columns, lines.numbers(), "line", notes, _reading(layout))


def _reading(layout: Layout) -> Reading | None:
    """Return where the table stands in its file, to be read again without looking at its cells; None if too far."""
    if layout.first_line > MAX_SKIPPED:
        return None
    header = layout.header_line > 0 and layout.first_line == layout.header_line + 1
    width = layout.width
    return Reading(
        separator=layout.separator.name.lower(),
        header=header,
        skip=layout.header_line - 1 if header else layout.first_line - 1,
        columns=width if not header or layout.names[-1] == "" else None,
        names=() if header or not any(layout.names) else layout.names,
        row_names=layout.row_names and header,
    )


@dataclass(slots=True, eq=False)
class _Lines:
    """The line numbers of the rows, and those with another number of fields."""

    blocks: list[LineNumbers] = field(default_factory=list)
    ragged: list[str] = field(default_factory=list)  # the first ones, worded
    ragged_count: int = 0
    suspect: list[tuple[int, int]] = field(default_factory=list)  # lines with too many fields and the suspicion

    def check_split(self, layout: Layout) -> None:
        """Refuse a file in which the separator stands inside numbers too, rather than leave such rows out."""
        split = [line for line, suspicion in self.suspect if suspicion == _SURE]
        if not split and len(self.suspect) >= _MANY:
            split = [line for line, _ in self.suspect]
        if split:
            what = "commas" if layout.separator is Separator.COMMA else "blanks"
            raise DataError(
                f"{rows_named('line', split)} {'has' if len(split) == 1 else 'have'} more than {layout.width} "
                f"fields, so {what} may stand inside numbers; separate the fields with semicolons, or put such numbers "
                "in quotation marks."
            )

    def numbers(self) -> LineNumbers:
        """Return the line number of every row."""
        first, last = int(self.blocks[0][0]), int(self.blocks[-1][-1])
        if last - first + 1 == sum(map(len, self.blocks)):
            return range(first, last + 1)
        return np.concatenate([np.asarray(lines, dtype=np.int32) for lines in self.blocks])

    def ragged_note(self, width: int) -> tuple[str, ...]:
        """Name the lines that have another number of fields."""
        if not self.ragged_count:
            return ()
        return (f"Left out for not having {width} fields: {listed(self.ragged, self.ragged_count)}.",)


def _read(text: bytes, layout: Layout, marks: Sequence[DecimalMark], seen: _Lines) -> list[ColumnBuilder]:
    capacity = _capacity(text, layout)
    patience = max(_LEAST_PATIENCE, _SHAPES // layout.width)
    builders = [ColumnBuilder(capacity, mark, patience) for mark in marks]
    wide = layout.width > _WIDE
    for block in blocks(text, layout.start, layout.first_line, layout.separator, BLOCK_BYTES << wide):
        columns, at, ragged = read_cells(block, layout)
        if builders[0].size + len(block.lines) > capacity:
            raise mostly_ragged(layout.width)
        if wide:
            columns = _plainer(columns, builders)
        for builder, texts in zip(builders, columns, strict=True):
            builder.add_texts(texts, len(block.lines), at)
        seen.blocks.append(block.lines)
        seen.ragged_count += len(ragged)
        seen.suspect.extend((int(block.lines[position]), suspicion) for position, _, suspicion in ragged if suspicion)
        for position, fields, _ in ragged[: MAX_LISTED - len(seen.ragged)]:
            seen.ragged.append(f"line {block.lines[position]} ({counted(fields, 'field')})")
    return builders


def _plainer(columns: list[Any], builders: Sequence[ColumnBuilder]) -> list[Any]:
    """Return a block's cells with numbers made plain, but for the columns that will hold none."""
    places = [place for place, one in enumerate(builders) if not one.evidence.is_hopeless]
    plain = dict(zip(places, plainer([columns[place] for place in places], _SHAPES), strict=True))
    return [plain.get(place, column) for place, column in enumerate(columns)]


def _capacity(text: bytes, layout: Layout) -> int:
    """Bound the rows by the lines and by twice what their separators leave room for: memory follows file size."""
    return min(count_lines(text, layout.start), 2 * ((len(text) - layout.start) // layout.width) + 2)


def _format_note(layout: Layout, columns: Sequence[Settled]) -> tuple[str, ...]:
    said = []
    if layout.separator is not Separator.COMMA:
        said.append(f"{_SEPARATOR_NAMES[layout.separator]} separate the fields")
    if any(_has_decimal_commas(one) for one in columns):
        said.append("the comma is the decimal mark")
    if not said:
        return ()
    sentence = " and ".join(said)
    return (f"{sentence[0].upper()}{sentence[1:]}.",)


def _has_decimal_commas(column: Settled) -> bool:
    read = column.builder
    return read.mark is DecimalMark.COMMA and read.numbers > 0 and read.evidence.commas and not column.other
