"""A text table cut into blocks of whole lines, each cleaned for the parser; memory stays bounded."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privcause_core.errors import DataError
from privcause_core.loading.numbers import BoolArray, LineNumbers

_BLOCK_BYTES = 4 << 20
_NEWLINE, _QUOTE, _BLANK, _TAB = b'\n" \t'
# A spreadsheet's error value is data, not a comment.
COMMENT = re.compile(rb"[ \t]*#(?!N/A|NA\b|DIV/0|VALUE!|REF!|NUM!|NAME\?|NULL!)", re.IGNORECASE)
_SKIPPED = re.compile(rb"^[ \t]*(?:\n|\Z|" + COMMENT.pattern + rb"[^\n]*(?:\n|\Z))", re.IGNORECASE | re.MULTILINE)

ByteArray = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some lines of a table, without comments and blank lines.

    Parameters
    ----------
    data : bytes
        One row a line; with ``tabbed`` cleaning, one tab between fields.
    lines : range or array of shape (rows,)
        Line number in the file of each row.
    """

    data: bytes
    lines: LineNumbers


def blocks(text: bytes, start: int, first_line: int, *, blanks: bool) -> Iterator[Block]:
    """Yield the blocks of a text from a byte offset on.

    Parameters
    ----------
    text : bytes
        UTF-8; every line ends in a line feed.
    start, first_line : int
        Where to begin, as an offset and as a line number.
    blanks : bool
        Whether runs of blanks and tabs separate the fields; they become one tab.

    Raises
    ------
    DataError
        If a quotation mark is never closed.
    """
    while start < len(text):
        stop = _block_end(text, start, first_line)
        data = text[start:stop]
        physical = data.count(b"\n") + (not data.endswith(b"\n"))
        block = _cleaned(data, first_line, physical, blanks=blanks)
        if block.data:
            yield block
        start, first_line = stop, first_line + physical


def _block_end(text: bytes, start: int, first_line: int) -> int:
    """Return the end of the first line from which no quoted cell hangs over, after a block's length."""
    stop = _line_end(text, min(start + _BLOCK_BYTES, len(text)))
    quotes = text.count(b'"', start, stop)
    while quotes % 2 and stop < len(text):
        longer = _line_end(text, stop)
        quotes += text.count(b'"', stop, longer)
        stop = longer
    if quotes % 2:
        line = _first_unpaired(text, start, first_line)
        raise DataError(f"the quotation marks do not pair up from line {line} on; close or remove the odd one.")
    return stop


def _line_end(text: bytes, offset: int) -> int:
    end = text.find(b"\n", offset)
    return len(text) if end < 0 else end + 1


def _first_unpaired(text: bytes, start: int, first_line: int) -> int:
    lines = enumerate(text[start:].split(b"\n"), first_line)
    return next(number for number, line in lines if line.count(b'"') % 2)


def _cleaned(data: bytes, first_line: int, physical: int, *, blanks: bool) -> Block:
    lines: LineNumbers = range(first_line, first_line + physical)
    quoted = b'"' in data
    if blanks or quoted:
        data, lines = _normalised(data, lines, blanks=blanks, quoted=quoted)
    if _may_skip(data):
        data, lines = _without_skipped(data, lines)
    return Block(data, lines)


def _normalised(data: bytes, lines: LineNumbers, *, blanks: bool, quoted: bool) -> tuple[bytes, LineNumbers]:
    """Put each row on one line (quoted line ends become blanks), with ``blanks`` one tab between fields."""
    raw = np.frombuffer(data, np.uint8).copy()
    inside = np.zeros(raw.size, bool)
    kept: LineNumbers = lines
    if quoted:
        inside = np.cumsum(raw == _QUOTE, dtype=np.uint8) % 2 == 1
        ends = np.flatnonzero(raw == _NEWLINE)
        hanging = inside[ends]
        if hanging.any():
            raw[ends[hanging]] = _BLANK
            continued = np.zeros(len(lines), bool)
            continued[1 : hanging.size + 1] = hanging[: len(lines) - 1]
            kept = np.asarray(lines)[~continued]
    return (_tabbed(raw, inside) if blanks else raw).tobytes(), kept


def _tabbed(raw: ByteArray, inside: BoolArray) -> ByteArray:
    blank = ((raw == _BLANK) | (raw == _TAB)) & ~inside
    raw[blank] = _TAB
    single = ~(blank & np.roll(blank, 1))
    single[0] = not blank[0]
    raw, blank = raw[single], blank[single]
    newline: BoolArray = raw == _NEWLINE
    after = np.append(newline[1:], True)
    before = np.append(True, newline[:-1])[: newline.size]
    fields: ByteArray = raw[~(blank & (before | after))]
    return fields


def _may_skip(data: bytes) -> bool:
    return data[:1] in b" \t#\n" or any(mark in data for mark in (b"\n\n", b"\n#", b"\n ", b"\n\t"))


def _without_skipped(data: bytes, lines: LineNumbers) -> tuple[bytes, LineNumbers]:
    pieces, gone, offset, line = [], [], 0, 0
    for match in _SKIPPED.finditer(data):
        if match.end() == match.start():
            continue
        pieces.append(data[offset : match.start()])
        line += pieces[-1].count(b"\n")
        gone.append(line)
        offset, line = match.end(), line + 1
    pieces.append(data[offset:])
    return b"".join(pieces), np.delete(np.asarray(lines), gone) if gone else lines
