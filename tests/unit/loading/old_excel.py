"""The smallest old Excel workbook (.xls): one stream of BIFF8 records in a compound file."""

import struct
from collections.abc import Sequence

_SECTOR = 512
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_STREAM_SECTORS = 16  # a shorter stream would have to lie among the small ones


def xls(rows: Sequence[Sequence[object]]) -> bytes:
    """Write a workbook with one sheet called "data"; cells are numbers or short texts."""
    stream = _workbook(rows)
    size = max(-(-len(stream) // _SECTOR), _STREAM_SECTORS)
    stream = stream.ljust(size * _SECTOR, b"\0")
    # Sector 0 is the allocation table, sector 1 the directory, from sector 2 on the stream.
    chain = [_FAT, _END, *range(3, size + 2), _END]
    table = b"".join(struct.pack("<I", one) for one in chain).ljust(_SECTOR, b"\xff")
    directory = (
        _entry("Root Entry", 5, _END, 0, child=1) + _entry("Workbook", 2, 2, len(stream)) + 2 * _entry("", 0, 0, 0)
    )
    return _header() + table + directory + stream


def _header() -> bytes:
    start = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    counts = struct.pack("<IIIIIIIII", 0, 1, 1, 0, 0x1000, _END, 0, _END, 0)
    return start + counts + struct.pack("<I", 0) + struct.pack("<I", _FREE) * 108


def _entry(name: str, kind: int, start: int, size: int, child: int = _FREE) -> bytes:
    text = name.encode("utf-16-le")
    head = text.ljust(64, b"\0") + struct.pack("<HBB", len(text) + 2 if text else 0, kind, 1)
    return head + struct.pack("<III", _FREE, _FREE, child) + bytes(36) + struct.pack("<IQ", start, size)


def _record(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _workbook(rows: Sequence[Sequence[object]]) -> bytes:
    start = _record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    name = b"\4\0data"
    sheet_at = len(start) + 4 + 6 + len(name) + 4
    sheet = _record(0x85, struct.pack("<IH", sheet_at, 0) + name)
    cells = b"".join(_cell(row, place, value) for row, line in enumerate(rows) for place, value in enumerate(line))
    body = _record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0)) + cells + _record(0xA)
    return start + sheet + _record(0xA) + body


def _cell(row: int, place: int, value: object) -> bytes:
    where = struct.pack("<HHH", row, place, 0)
    if isinstance(value, str):
        return _record(0x204, where + struct.pack("<HB", len(value), 0) + value.encode("latin-1"))
    return _record(0x203, where + struct.pack("<d", value))
