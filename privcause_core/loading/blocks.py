"""A text table cut into blocks of whole lines, each cleaned for the parser; memory stays bounded."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from privcause_core.errors import DataError
from privcause_core.loading.numbers import BoolArray, LineNumbers

BLOCK_BYTES = 2 << 20
_COUNTED_BYTES = 1 << 18  # stays in the processor's cache
_NEWLINE, _QUOTE, _BLANK, _TAB, _HASH = b'\n" \t#'
_SKIPPED_STARTS = b" \t#\n"
# A spreadsheet's error value is data, not a comment.
COMMENT = re.compile(rb"[ \t]*#(?!N/A|NA\b|DIV/0|VALUE!|REF!|NUM!|NAME\?|NULL!)", re.IGNORECASE)
_ERROR_INITIALS = list(b"NDVRndvr")

ByteArray = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Some lines of a table, without comments and blank lines.

    Parameters
    ----------
    data : bytes
        One row a line; one tab between fields that blanks separate.
    lines : range or array of shape (rows,)
        Line number in the file of each row.
    """

    data: bytes
    lines: LineNumbers


def blocks(text: bytes, start: int, first_line: int, separator: str, size: int = BLOCK_BYTES) -> Iterator[Block]:
    """Yield the blocks of a text from a byte offset on.

    Parameters
    ----------
    text : bytes
        UTF-8; every line ends in a line feed.
    start, first_line : int
        Where to begin, as an offset and as a line number.
    separator : str
        Between fields; a blank stands for any run of blanks and tabs, which becomes one tab.
    size : int
        Bytes of a block, but for the rest of its last line.

    Raises
    ------
    DataError
        If a quotation mark is never closed.
    """
    quoted = text.find(b'"', start) >= 0
    while start < len(text):
        stop = line_end(text, min(start + size, len(text)))
        if quoted:
            stop = _closed_end(text, start, stop, first_line)
        data = text[start:stop]
        if not data.endswith(b"\n"):
            data += b"\n"
        physical = count_lines(data)
        block = _cleaned(data, first_line, physical, separator)
        if block.data:
            yield block
        start, first_line = stop, first_line + physical


def count_lines(text: bytes, start: int = 0) -> int:
    """Return the number of lines from a byte offset on, far faster than ``bytes.count``."""
    ends = 0
    for offset in range(start, len(text), _COUNTED_BYTES):
        size = min(_COUNTED_BYTES, len(text) - offset)
        ends += int(np.count_nonzero(np.frombuffer(text, np.uint8, size, offset) == _NEWLINE))
    return ends + (start < len(text) and not text.endswith(b"\n"))


def _closed_end(text: bytes, start: int, stop: int, first_line: int) -> int:
    """Return the end of the first line, from ``stop`` on, from which no quoted cell hangs over."""
    quotes = text.count(b'"', start, stop)
    while quotes % 2 and (closing := text.find(b'"', stop)) >= 0:
        longer = line_end(text, closing)
        quotes += text.count(b'"', stop, longer)
        stop = longer
    if quotes % 2:
        line = _first_unpaired(text, start, first_line)
        raise DataError(f"the quotation marks do not pair up from line {line} on; close or remove the odd one.")
    return stop


def line_end(text: bytes, offset: int) -> int:
    """Return the offset after the line feed that ends the line at an offset."""
    end = text.find(b"\n", offset)
    return len(text) if end < 0 else end + 1


def _first_unpaired(text: bytes, start: int, first_line: int) -> int:
    while True:
        end = line_end(text, start)
        if text.count(b'"', start, end) % 2:
            return first_line
        start, first_line = end, first_line + 1


def _cleaned(data: bytes, first_line: int, physical: int, separator: str) -> Block:
    lines: LineNumbers = range(first_line, first_line + physical)
    quoted, blanks = b'"' in data, separator == " "
    if blanks or quoted:
        data, lines = _normalised(data, lines, blanks=blanks, quoted=quoted)
    if _may_skip(data):
        data, lines = _without_skipped(data, lines, tabs_are_fields=separator == "\t")
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
            continued[1:] = hanging[:-1]
            kept = np.asarray(lines, dtype=np.int32)[~continued]
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
    """Say quickly whether some line may be blank or a comment: it begins with a blank, a tab, # or its own end."""
    raw = np.frombuffer(data, np.uint8)
    low = (raw[:-1] == _NEWLINE) & (raw[1:] <= _HASH)
    return data[:1] in _SKIPPED_STARTS or (low.any() and bool(np.isin(raw[1:][low], list(_SKIPPED_STARTS)).any()))


def _without_skipped(data: bytes, lines: LineNumbers, *, tabs_are_fields: bool) -> tuple[bytes, LineNumbers]:
    raw = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(raw == _NEWLINE)
    starts = np.append(0, ends[:-1] + 1)
    first = starts  # the first byte of each line that is no blank
    if np.isin(raw[starts], [_BLANK, _TAB]).any():
        solid = np.flatnonzero((raw != _BLANK) & (tabs_are_fields | (raw != _TAB)))
        first = solid[np.searchsorted(solid, starts)]
    kept = raw[first] != _NEWLINE
    hashes = np.flatnonzero(raw[first] == _HASH)
    kept[hashes] = False
    for line in hashes[np.isin(raw[first[hashes] + 1], _ERROR_INITIALS)]:
        kept[line] = not COMMENT.match(data, int(starts[line]))
    return raw[np.repeat(kept, ends + 1 - starts)].tobytes(), np.asarray(lines, dtype=np.int32)[kept]
