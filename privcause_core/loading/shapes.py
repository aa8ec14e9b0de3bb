"""Odd cells made plain, many at a time: cells that differ in their digits alone have one shape, which is judged once.

No verdict of ``plain_cell`` depends on which digits a cell holds, only on where they stand (but for a marker such as
"#DIV/0!"); and a number that it makes plain holds all of them, in their order.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from privcause_core.loading.cell import BARE, MISSING_MARKERS, Kind, Plain, plain_cell
from privcause_core.loading.numbers import BoolArray, IntegerArray, flags, indices_of

_ANY = ord("7")  # stands for every digit in a shape; a 0 in a number made plain may have been put there
_SHAPED = bytes(_ANY if chr(code).isdecimal() and code < 0x80 else code for code in range(256))
_MARKERS = pa.array([marker for marker in MISSING_MARKERS if any(map(str.isdigit, marker))], pa.string())
_ASCII = 0x80
_LONGER = (0x80, 0x800, 0x10000)  # from where on UTF-8 takes one byte more


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What ``plain_cell`` says of cells.

    Parameters
    ----------
    verdicts : list of Plain
        One a shape; their numbers are templates.
    which : array of shape (cells,)
        Position in ``verdicts`` of each cell.
    numbers : pyarrow string array of shape (cells,)
        Each cell's number made plain, null where it is none.
    """

    verdicts: list[Plain]
    which: IntegerArray
    numbers: Any


def judged(cells: Any, patience: int | None = None) -> Judged:  # noqa: ANN401  (pyarrow ships no types)
    """Judge cells, a pyarrow string array without nulls, as ``plain_cell`` does each.

    ``patience`` is how many shapes are judged; if few of them are numbers then, the others count as unreadable.
    """
    cells = _with_plain_digits(cells)
    shaped = _of_bytes(cells, _bytes(cells).tobytes().translate(_SHAPED))
    shapes = pc.if_else(pc.is_in(pc.utf8_lower(cells), _MARKERS), cells, shaped).dictionary_encode()
    verdicts = _verdicts(shapes.dictionary, len(shapes.dictionary) if patience is None else patience)
    templates = pa.array([verdict.number for verdict in verdicts], pa.string()).take(shapes.indices)
    return Judged(verdicts, indices_of(shapes.indices), _filled(templates, cells))


def _verdicts(shapes: Any, patience: int) -> list[Plain]:  # noqa: ANN401
    verdicts = [plain_cell(shape) for shape in shapes[:patience].to_pylist()]
    rest = shapes[patience:]
    if 3 * sum(one.number is not None for one in verdicts) < len(verdicts):
        return verdicts + [Plain(Kind.UNREAD)] * len(rest)
    return verdicts + [plain_cell(shape) for shape in rest.to_pylist()]


def plainer(columns: Sequence[Any], patience: int) -> list[Any]:
    """Return columns of cells (pyarrow string arrays) with numbers that have no unit made plain, all at once.

    For tables so wide that asking column by column, block by block, costs more than the cells themselves. ``patience``
    as in ``judged``; cells that were not judged stay as they are.
    """
    if not columns:
        return []
    cells = pc.utf8_trim_whitespace(pa.concat_arrays(columns))
    odd = flags(cells.is_valid()) & ~flags(pc.match_substring_regex(cells, BARE))
    if not odd.any():
        return list(columns)
    found = judged(cells.filter(pa.array(odd)), patience)
    plain = np.array([one.kind is Kind.NUMBER and not one.unit for one in found.verdicts])[found.which]
    odd[odd] = plain
    cells = pc.replace_with_mask(cells, pa.array(odd), found.numbers.filter(pa.array(plain)))
    rows = len(columns[0])
    parts = (cells.slice(place * rows, rows) for place in range(len(columns)))
    return [_of_bytes(part, _bytes(part).tobytes()) for part in parts]


def _filled(templates: Any, cells: Any) -> Any:  # noqa: ANN401
    """Put each cell's digits where its template has room for them."""
    known = flags(templates.is_valid())
    raw = _bytes(templates).copy()
    digits = _bytes(cells.filter(pa.array(known)))
    raw[raw == _ANY] = digits[(digits >= ord("0")) & (digits <= ord("9"))]
    return _of_bytes(templates, raw.tobytes())


def _with_plain_digits(cells: Any) -> Any:  # noqa: ANN401
    """Return the cells with digits of every script as their ASCII ones."""
    data = _bytes(cells)
    if not (data >= _ASCII).any():
        return cells
    codes = np.frombuffer(data.tobytes().decode("utf-8").encode("utf-32-le"), dtype="<u4")
    plain = _plain_codes(codes)[codes]
    before, after = (np.append(0, np.cumsum(_lengths(one))) for one in (codes, plain))
    starts = np.searchsorted(before, _offsets(cells))  # in characters
    offsets = pa.py_buffer(after[starts].astype(np.int32))
    encoded = plain.tobytes().decode("utf-32-le").encode("utf-8")
    return pa.StringArray.from_buffers(len(cells), offsets, pa.py_buffer(encoded))


def _plain_codes(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return what each character becomes, up to the last one in use."""
    counts: BoolArray = np.bincount(codes) > 0
    plain = np.arange(counts.size, dtype="<u4")
    for code in np.flatnonzero(counts[_ASCII:]) + _ASCII:
        value = unicodedata.decimal(chr(code), None)
        if value is not None:
            plain[code] = ord("0") + value
    return plain


def _lengths(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    lengths = np.ones(codes.size, np.uint8)
    for bound in _LONGER:
        lengths += codes >= bound
    return lengths


def _offsets(texts: Any) -> IntegerArray:  # noqa: ANN401
    """Return where each text begins among ``_bytes``, and where the last ends."""
    offsets = np.frombuffer(texts.buffers()[1], np.int32, len(texts) + 1, 4 * texts.offset)
    starts: IntegerArray = np.subtract(offsets, offsets[0], dtype=np.int64)
    return starts


def _bytes(texts: Any) -> npt.NDArray[np.uint8]:  # noqa: ANN401
    """Return the bytes of a pyarrow string array, one text after the other."""
    _, offsets, data = texts.buffers()
    if data is None or not len(texts):
        return np.empty(0, np.uint8)
    first, last = np.frombuffer(offsets, np.int32, len(texts) + 1, 4 * texts.offset)[[0, -1]]
    return np.frombuffer(data, np.uint8, last - first, first)


def _of_bytes(like: Any, data: bytes) -> Any:  # noqa: ANN401
    """Return texts of the same lengths, null where those are, with other bytes."""
    known = None
    if like.null_count:
        known = pa.py_buffer(np.packbits(flags(like.is_valid()), bitorder="little"))
    offsets = pa.py_buffer(_offsets(like).astype(np.int32))
    return pa.StringArray.from_buffers(len(like), offsets, pa.py_buffer(data), known)
