"""One block of a column's cells read as numbers, many at a time, while the evidence about its grammar is gathered."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privcause_core.loading.cell import BARE, DATE, MISSING_MARKERS, TRUTHS, WORD, Kind
from privcause_core.loading.evidence import Evidence
from privcause_core.loading.grammar import GRAMMARS, DecimalMark, Grouping
from privcause_core.loading.numbers import BoolArray, Cells, IntegerArray, doubles, flags, number_cells
from privcause_core.loading.shapes import judged

_PROBE = 64
_DROPPED = 10_000  # a grammar that cannot read so many cells of a column is not asked about the others
_GROUP_SIGNS = " '"
_MARKERS = pa.array(sorted(MISSING_MARKERS | TRUTHS), pa.string())
_PLACES = {mark: [place for place, one in enumerate(GRAMMARS) if one.decimal is mark] for mark in DecimalMark}


def read_chunk(texts: Any, mark: DecimalMark, evidence: Evidence, rows: IntegerArray) -> Cells:  # noqa: ANN401
    """Read cells under one decimal mark, and judge them under every grammar.

    Parameters
    ----------
    texts : pyarrow string array of shape (cells,)
        Null, "NA", "nan", "inf" and the like are missing.
    mark : DecimalMark
        Numbers are read leniently: whatever groups them, as long as it is not this mark.
    evidence : Evidence
        Of the column; added to.
    rows : array of shape (cells,)
        Row in the table of each cell.
    """
    if evidence.is_hopeless:
        evidence.add_strange(rows[flags(texts.is_valid())])
        return Cells(np.full(len(texts), np.nan))
    cells = _plain_cells(texts, mark, evidence, rows)
    if cells:
        return cells
    trimmed = pc.utf8_trim_whitespace(texts)
    return _plain_cells(trimmed, mark, evidence, rows) or number_cells(_digits(trimmed, mark, evidence, rows))


def digits_of(texts: Any, mark: DecimalMark, evidence: Evidence, rows: IntegerArray) -> Any:  # noqa: ANN401
    """Return what ``read_chunk`` reads as bare digits with a decimal point (pyarrow strings), null where missing."""
    return _digits(pc.utf8_trim_whitespace(texts), mark, evidence, rows)


def _plain_cells(texts: Any, mark: DecimalMark, evidence: Evidence, rows: IntegerArray) -> Cells | None:  # noqa: ANN401
    """Read cells that all are ungrouped numbers or null, the usual and quick case; None if some are not."""
    if mark is DecimalMark.COMMA and _holds(texts, DecimalMark.POINT):
        return None
    try:
        number_cells(_with_point(texts[:_PROBE], mark))  # a whole column of words would fail slowly
        cells = number_cells(_with_point(texts, mark))
    except pa.ArrowInvalid:
        return None
    present = np.isfinite(cells.values)
    evidence.unitless.add_where(rows, present)
    asked = _asked(evidence, mark.other)
    if not asked:  # that this mark is decimal is proven often enough
        return cells
    marked = flags(pc.match_substring(texts, mark)) & present
    _add_bare(evidence, cells.values[~marked & present])
    if marked.any():
        evidence.add_marks(points=mark is DecimalMark.POINT, commas=mark is DecimalMark.COMMA)
        for place in asked:
            reads = _reads(texts, place) if GRAMMARS[place].grouping.sign == mark else False
            evidence.add_unread([place], rows[marked & ~np.asarray(reads)])
    return cells


def _digits(trimmed: Any, mark: DecimalMark, evidence: Evidence, rows: IntegerArray) -> Any:  # noqa: ANN401
    bare = _bare_numbers(trimmed, evidence, rows)
    known = flags(pc.is_valid(bare))
    if not known.any():
        return bare
    _judge(bare, known, _asked(evidence, mark.other), evidence, rows)
    readable = _judge(bare, known, _asked(evidence, mark) or [evidence.best(mark)], evidence, rows)
    if evidence.is_open or not evidence.is_marked or (mark is DecimalMark.COMMA and not evidence.commas):
        _add_marks_and_bare(bare, readable, evidence)
    unreadable = pc.filter(bare, pa.array(known & ~readable))
    evidence.add_examples(unreadable[:_PROBE].to_pylist())
    return ungrouped(pc.if_else(pa.array(readable), bare, pa.scalar(None, pa.string())), mark)


def _judge(
    bare: Any,  # noqa: ANN401
    known: BoolArray,
    places: list[int],
    evidence: Evidence,
    rows: IntegerArray,
) -> BoolArray:
    """Ask grammars with one decimal mark which cells they read; return where any does."""
    readable = np.zeros(len(known), bool)
    for place in places:
        reads = _reads(bare, place)
        readable |= reads
        if GRAMMARS[place].grouping is Grouping.NONE and (reads | ~known).all():
            break  # the others read what the one without grouping reads
        evidence.add_unread([place], rows[known & ~reads])
    return readable


def _asked(evidence: Evidence, mark: DecimalMark) -> list[int]:
    """Return the grammars with this decimal mark that do not fail too often already."""
    return [place for place in _PLACES[mark] if evidence.unread[place].count < _DROPPED]


def _add_marks_and_bare(bare: Any, readable: BoolArray, evidence: Evidence) -> None:  # noqa: ANN401
    point, comma = (flags(pc.match_substring(bare, one)) for one in DecimalMark)
    evidence.add_marks(points=bool(point.any()), commas=bool(comma.any()))
    plain = readable & ~point & ~comma & ~flags(pc.match_substring_regex(bare, f"[{_GROUP_SIGNS}]"))
    _add_bare(evidence, doubles(pc.cast(pc.filter(bare, pa.array(plain)), pa.float64())))


def _reads(plain: Any, place: int) -> BoolArray:  # noqa: ANN401
    return flags(pc.match_substring_regex(plain, GRAMMARS[place].pattern))


def _bare_numbers(trimmed: Any, evidence: Evidence, rows: IntegerArray) -> Any:  # noqa: ANN401
    """Return the cells made plain, null where they are no numbers."""
    bare = flags(pc.match_substring_regex(trimmed, BARE))
    odd = flags(pc.is_valid(trimmed)) & ~bare
    evidence.unitless.add_where(rows, bare)
    if odd.any():
        trimmed, odd = _without_words(trimmed, odd, evidence, rows)
    if not odd.any():
        return trimmed
    cells = pc.filter(trimmed, pa.array(odd))
    found = judged(cells, evidence.patience)
    evidence.add_odd(found.verdicts, found.which, rows[odd])
    none = np.array([verdict.kind in (Kind.WORD, Kind.UNREAD) for verdict in found.verdicts])[found.which]
    evidence.add_examples(pc.filter(cells, pa.array(none))[:_PROBE].to_pylist())
    return pc.replace_with_mask(trimmed, pa.array(odd), found.numbers)


def _without_words(
    trimmed: Any,  # noqa: ANN401
    odd: BoolArray,
    evidence: Evidence,
    rows: IntegerArray,
) -> tuple[Any, BoolArray]:
    """Judge words and dates, which can fill whole columns, many at a time; return the cells with null for them."""
    words = odd & flags(pc.match_substring_regex(trimmed, WORD))
    words[words] = ~flags(pc.is_in(pc.utf8_lower(pc.filter(trimmed, pa.array(words))), _MARKERS))
    dates = odd & ~words
    dates[dates] = flags(pc.match_substring_regex(pc.filter(trimmed, pa.array(dates)), f"^(?:{DATE})$"))
    for some in (words, dates):
        evidence.add_examples(pc.filter(trimmed, pa.array(some))[:_PROBE].to_pylist())
    evidence.words += int(np.count_nonzero(words))
    evidence.add_dates(rows[dates])
    judged = words | dates
    return (pc.if_else(pa.array(judged), None, trimmed) if judged.any() else trimmed), odd & ~judged


def ungrouped(digits: Any, mark: DecimalMark) -> Any:  # noqa: ANN401
    """Take the thousands grouping out of numbers and give them a decimal point."""
    for sign in (mark.other, *_GROUP_SIGNS):
        if pc.any(pc.match_substring(digits, sign)).as_py():
            digits = pc.replace_substring(digits, sign, "")
    return _with_point(digits, mark)


def _with_point(digits: Any, mark: DecimalMark) -> Any:  # noqa: ANN401
    """Return digits with a decimal point; byte by byte, which is many times faster than replacing substrings."""
    validity, offsets, data = digits.buffers()
    if mark is DecimalMark.POINT or data is None:
        return digits
    raw = np.frombuffer(data, np.uint8).copy()
    raw[raw == ord(DecimalMark.COMMA)] = ord(DecimalMark.POINT)
    return pa.StringArray.from_buffers(len(digits), offsets, pa.py_buffer(raw), validity, -1, digits.offset)


def _holds(texts: Any, mark: DecimalMark) -> bool:  # noqa: ANN401
    data = texts.buffers()[2]
    return data is not None and bool((np.frombuffer(data, np.uint8) == ord(mark)).any())


def _add_bare(evidence: Evidence, whole: "np.ndarray[Any, np.dtype[np.float64]]") -> None:
    if whole.size and not (evidence.bare_thousands and evidence.bare_hundreds):
        size = np.abs(whole)
        evidence.bare_thousands |= bool((size > 999).any())
        evidence.bare_hundreds |= bool(((size >= 100) & (size <= 999)).any())
