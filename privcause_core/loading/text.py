"""Text tables: comma, semicolon, tab or blanks between fields, one decimal mark per file."""

from dataclasses import dataclass, field

import numpy as np

from privcause_core.errors import DataError
from privcause_core.loading.blocks import blocks, count_lines
from privcause_core.loading.builder import ColumnBuilder
from privcause_core.loading.columns import assemble
from privcause_core.loading.layout import Layout, Separator, find_layout
from privcause_core.loading.numbers import DecimalMark, LineNumbers
from privcause_core.loading.rows import mostly_ragged, read_cells
from privcause_core.loading.table import Table
from privcause_core.loading.wording import MAX_LISTED, counted, listed

_SEPARATOR_NAMES = {Separator.TAB: "tabs", Separator.SEMICOLON: "semicolons", Separator.BLANKS: "blanks"}


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
    layout = find_layout(text)
    reading = _best_reading(text, layout)
    if not reading.rows:
        raise DataError("there are no data rows below the header.")
    notes = (*notes, *_format_note(layout, reading.mark), *layout.notes, *reading.ragged_note(layout.width))
    return assemble(name, layout.names, reading.builders, reading.line_numbers(), "line", notes)


@dataclass(slots=True, eq=False)
class _Reading:
    """A whole file read under one decimal mark."""

    mark: DecimalMark
    builders: list[ColumnBuilder]
    lines: list[LineNumbers] = field(default_factory=list)
    ragged: list[str] = field(default_factory=list)  # the first ones, worded
    ragged_count: int = 0

    @property
    def rows(self) -> int:
        return self.builders[0].size

    @property
    def numbers(self) -> int:
        return sum(builder.numbers for builder in self.builders)

    @property
    def grouped(self) -> int:
        return sum(builder.grouped for builder in self.builders)

    def line_numbers(self) -> LineNumbers:
        """Return the line number of every row."""
        first, last = int(self.lines[0][0]), int(self.lines[-1][-1])
        if last - first + 1 == self.rows:
            return range(first, last + 1)
        return np.concatenate([np.asarray(lines, dtype=np.int32) for lines in self.lines])

    def ragged_note(self, width: int) -> tuple[str, ...]:
        """Name the lines that have another number of fields."""
        if not self.ragged_count:
            return ()
        return (f"Left out for not having {width} fields: {listed(self.ragged, self.ragged_count)}.",)


def _best_reading(text: bytes, layout: Layout) -> _Reading:
    """Read with the likelier decimal mark; if some cell does not fit, with the other too: keep the better."""
    comma_separated = layout.separator is Separator.COMMA
    has_commas = text.find(b",", layout.start) >= 0 and (not comma_separated or text.find(b'"', layout.start) >= 0)
    if not has_commas:
        return _read(text, layout, DecimalMark.POINT)
    usual = DecimalMark.POINT if comma_separated else DecimalMark.COMMA
    reading = _read(text, layout, layout.mark or usual)
    if not any(builder.text for builder in reading.builders):
        return reading
    other = _read(text, layout, reading.mark.other)
    if other.numbers == reading.numbers:
        return min(reading, other, key=lambda one: (comma_separated and one.mark is not usual, one.grouped))
    return max(reading, other, key=lambda one: one.numbers)


def _read(text: bytes, layout: Layout, mark: DecimalMark) -> _Reading:
    capacity = _capacity(text, layout)
    reading = _Reading(mark, [ColumnBuilder(capacity) for _ in range(layout.width)])
    as_text: frozenset[int] = frozenset()
    for block in blocks(text, layout.start, layout.first_line, layout.separator):
        columns, ragged, as_text = read_cells(block, layout, mark, as_text)
        if reading.rows + len(block.lines) > capacity:
            raise mostly_ragged(layout.width)
        for builder, cells in zip(reading.builders, columns, strict=True):
            builder.add(cells)
        reading.lines.append(block.lines)
        reading.ragged_count += len(ragged)
        for position, fields in ragged[: MAX_LISTED - len(reading.ragged)]:
            reading.ragged.append(f"line {block.lines[position]} ({counted(fields, 'field')})")
    return reading


def _capacity(text: bytes, layout: Layout) -> int:
    """Bound the rows by the lines and by twice what their separators leave room for: memory follows file size."""
    return min(count_lines(text, layout.start), 2 * ((len(text) - layout.start) // layout.width) + 2)


def _format_note(layout: Layout, mark: DecimalMark) -> tuple[str, ...]:
    said = []
    if layout.separator is not Separator.COMMA:
        said.append(f"{_SEPARATOR_NAMES[layout.separator]} separate the fields")
    if mark is DecimalMark.COMMA:
        said.append("the comma is the decimal mark of the whole file")
    if not said:
        return ()
    sentence = " and ".join(said)
    return (f"{sentence[0].upper()}{sentence[1:]}.",)
