"""How a text table is laid out: separator, columns, header; judged from its first lines."""

import re
from collections import Counter
from dataclasses import dataclass

from privcause_core.errors import DataError
from privcause_core.loading.blocks import COMMENT, line_end
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.header import (
    has_measurement,
    header_note,
    is_header,
    is_one_number,
    likelier_mark,
    no_header_note,
    numeric_share,
)
from privcause_core.loading.limits import MAX_COLUMNS
from privcause_core.loading.separator import GROUPING, Separator
from privcause_core.loading.split import blanks_or_commas, check_row_names, split_numbers
from privcause_core.loading.wording import counted, rows_named

_SAMPLE_BYTES = 1 << 16
_MAX_LINE_BYTES = 1 << 20  # of a table of columns
_SAMPLE_LINES = 200
_MAX_JOINED = 50  # physical lines that one quoted header cell may span
_SEPARATOR_LINE = re.compile(r'^"?sep=(.)"?$', re.IGNORECASE)  # Excel's own first line


@dataclass(frozen=True, slots=True)
class Layout:
    """Where a text table's columns and rows are.

    Parameters
    ----------
    separator : Separator
    names : tuple of str
        One per column; empty where the file gives none.
    start, first_line : int
        Byte offset and line number (from 1) of the first data row.
    marks : tuple of DecimalMark
        For each column the decimal mark under which more of the first cells are numbers.
    header_line : int
        Where the names stand; 0 if nowhere.
    row_names : bool
        The first column has no name because R named the rows.
    notes : tuple of str
    """

    separator: Separator
    names: tuple[str, ...]
    start: int
    first_line: int
    marks: tuple[DecimalMark, ...] = ()
    header_line: int = 0
    row_names: bool = False
    notes: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return len(self.names)


@dataclass(frozen=True, slots=True)
class Line:
    """One row of text, with its place in the file."""

    text: str
    number: int  # in the file, from 1
    start: int  # byte offset
    end: int  # byte offset of the next line
    next_number: int


def find_layout(text: bytes) -> Layout:
    """Judge the layout of a UTF-8 text table.

    Raises
    ------
    DataError
        If it holds comments only, one column only, or too many columns.
    """
    lines = first_lines(text, _SAMPLE_LINES)
    declared = _SEPARATOR_LINE.match(lines[0].text)
    if declared:
        lines = lines[1:]
    if not lines:
        raise DataError("there are no data rows in the file.")
    if any(len(line.text) > _MAX_LINE_BYTES for line in lines):
        raise DataError(f"the first lines are too long for a table of at most {MAX_COLUMNS:,} columns.")
    separators = [one for one in Separator if not declared or one == declared[1]] or list(Separator)
    separator = max(separators, key=lambda one: _score(lines, one))
    if separator in GROUPING and not declared:
        separator = blanks_or_commas([line.text for line in lines]) or separator
    return _arranged(separator, lines)


def _arranged(separator: Separator, lines: list[Line]) -> Layout:
    rows = [separator.fields(line.text) for line in lines]
    width = _usual_width(rows)
    _check_width(rows, width, [line.text for line in lines[1:]])
    regular = [row for row in rows if len(row) == width]
    marks = tuple(likelier_mark([row[place] for row in regular]) for place in range(width))
    if _lacks_one_name(rows, width):
        names = _completed(rows[0], regular)
        if not names[0]:
            check_row_names(separator, rows, quoted=lines[1].text.lstrip().startswith('"'))
        return Layout(
            separator, names, lines[0].end, lines[0].next_number, marks, lines[0].number, row_names=not names[0]
        )
    index = next(index for index, row in enumerate(rows) if len(row) == width)
    first, notes = lines[index], _preamble_note(lines[:index])
    if is_header(regular[0], regular[1:]):
        notes += header_note("line", first.number, regular[0])
        return Layout(separator, tuple(regular[0]), first.end, first.next_number, marks, first.number, notes=notes)
    if separator in GROUPING and any(len(row) < width and not has_measurement(row) for row in rows[:index]):
        raise split_numbers(separator, len(rows[index - 1]), width)
    notes += no_header_note("line", first.number)
    return Layout(separator, ("",) * width, first.start, first.number, marks, notes=notes)


def _check_width(rows: list[list[str]], width: int, below: list[str]) -> None:
    # A lone name over several fields: one column of numbers with commas in them, or with row names.
    lone_name = len(rows[0]) == 1 and len(rows) > 1 and not has_measurement(rows[0]) and has_measurement(rows[1])
    if width < 2 or (lone_name and (width == 2 or is_one_number(below))):
        raise DataError("the file has one column and a pair needs two; put both side by side in one file.")
    if width > MAX_COLUMNS:
        raise DataError(f"the file has {counted(width, 'column')}, more than the {MAX_COLUMNS:,} that can be read.")


def _lacks_one_name(rows: list[list[str]], width: int) -> bool:
    return len(rows[0]) == width - 1 and not has_measurement(rows[0]) and has_measurement(rows[1])


def first_lines(text: bytes, limit: int) -> list[Line]:
    """Return the first lines that are neither blank nor comments; a quoted line end does not end a line.

    There are at least two, if the text has them, and no more than ``limit`` or so many bytes' worth.

    Raises
    ------
    DataError
        If there are none.
    """
    lines: list[Line] = []
    start, number = 0, 1
    while start < len(text) and len(lines) < limit and (start < _SAMPLE_BYTES or len(lines) < 2):
        end, spanned = _logical_end(text, start)
        raw = text[start:end]
        if raw.strip() and not COMMENT.match(raw):
            line = raw.decode("utf-8").strip("\n").replace("\n", " ")
            lines.append(Line(line, number, start, end, number + spanned))
        start, number = end, number + spanned
    if not lines:
        raise DataError("there are only comments in the file.")
    return lines


def _logical_end(text: bytes, start: int) -> tuple[int, int]:
    """Return where a row ends and how many lines it spans: one, unless a quoted cell holds line ends."""
    ends = []
    end = start
    for _ in range(_MAX_JOINED):
        end = line_end(text, end)
        ends.append(end)
        if text.count(b'"', start, end) % 2 == 0:
            return end, len(ends)
    return ends[0], 1


def _usual_width(rows: list[list[str]]) -> int:
    counts = Counter(len(row) for row in rows[1:] or rows)
    return max(counts, key=lambda width: (counts[width], width))


def _score(lines: list[Line], separator: Separator) -> tuple[float, int]:
    rows = [separator.fields(line.text) for line in lines]
    width = _usual_width(rows)
    if width < 2:
        return (0.0, 0)
    regular = sum(len(row) == width for row in rows) / len(rows)
    numeric = numeric_share([row for row in rows[1:] or rows if len(row) == width])
    # A little for regularity alone, so that a table of mere text still finds its columns.
    return regular * (0.05 + numeric), -list(Separator).index(separator)


def _completed(names: list[str], rows: list[list[str]]) -> tuple[str, ...]:
    """Name the extra column "": the last after trailing separators, else the first (R's row names)."""
    return (*names, "") if all(not row[-1] for row in rows) else ("", *names)


def _preamble_note(skipped: list[Line]) -> tuple[str, ...]:
    if not skipped:
        return ()
    where = rows_named("line", [line.number for line in skipped])
    return (f"Left out before the table, having another number of fields: {where}.",)
