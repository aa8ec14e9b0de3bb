"""One block of a column's cells read as numbers, many at a time, while the evidence about its grammar is gathered."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from privcause_core.loading.cell import BARE, plain_cell
from privcause_core.loading.evidence import Evidence
from privcause_core.loading.grammar import GRAMMARS, DecimalMark
from privcause_core.loading.numbers import BoolArray, Cells, IntegerArray, doubles, flags, indices_of, number_cells

_PROBE = 64
_DROPPED = 10_000  # a grammar that cannot read so many cells of a column is not asked about the others
_GROUP_SIGNS = " '"
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
    if mark is DecimalMark.COMMA and pc.any(pc.match_substring(texts, ".")).as_py():
        return None
    try:
        number_cells(_with_point(texts[:_PROBE], mark))  # a whole column of words would fail slowly
        cells = number_cells(_with_point(texts, mark))
    except pa.ArrowInvalid:
        return None
    marked = flags(pc.match_substring(texts, mark))
    present = np.isfinite(cells.values)
    evidence.unitless.add(rows[present])
    _add_bare(evidence, cells.values[~marked & present])
    if not marked.any():
        return cells
    _add_mark(evidence, mark)
    marked &= present
    for place in _PLACES[mark.other]:
        if evidence.unread[place].count < _DROPPED:  # else that this mark is decimal is proven often enough
            reads = _reads(texts, place) if GRAMMARS[place].grouping.sign == mark else False
            evidence.add_unread([place], rows[marked & ~np.asarray(reads)])
    return cells


def _digits(trimmed: Any, mark: DecimalMark, evidence: Evidence, rows: IntegerArray) -> Any:  # noqa: ANN401
    bare = _bare_numbers(trimmed, evidence, rows)
    known = flags(pc.is_valid(bare))
    readable = np.zeros(len(bare), bool)
    for place, grammar in enumerate(GRAMMARS):
        if grammar.decimal is not mark and evidence.unread[place].count >= _DROPPED:
            continue
        reads = _reads(bare, place)
        evidence.add_unread([place], rows[known & ~reads])
        if grammar.decimal is mark:
            readable |= reads
    point, comma = (flags(pc.match_substring(bare, one)) for one in DecimalMark)
    evidence.points |= bool(point.any())
    evidence.commas |= bool(comma.any())
    unreadable = pc.filter(bare, pa.array(known & ~readable))
    evidence.add_examples(unreadable[:_PROBE].to_pylist())
    grouped = flags(pc.match_substring_regex(bare, f"[{_GROUP_SIGNS}]"))
    _add_bare(
        evidence, doubles(pc.cast(pc.filter(bare, pa.array(readable & ~point & ~comma & ~grouped)), pa.float64()))
    )
    return ungrouped(pc.if_else(pa.array(readable), bare, pa.scalar(None, pa.string())), mark)


def _reads(plain: Any, place: int) -> BoolArray:  # noqa: ANN401
    return flags(pc.match_substring_regex(plain, GRAMMARS[place].pattern))


def _bare_numbers(trimmed: Any, evidence: Evidence, rows: IntegerArray) -> Any:  # noqa: ANN401
    """Return the cells made plain, null where they are no numbers."""
    bare = flags(pc.match_substring_regex(trimmed, BARE))
    odd = flags(pc.is_valid(trimmed)) & ~bare
    evidence.unitless.add(rows[bare])
    if not odd.any():
        return trimmed
    distinct = pc.filter(trimmed, pa.array(odd)).dictionary_encode()
    cells = distinct.dictionary.to_pylist()
    verdicts = [plain_cell(cell) for cell in cells]
    evidence.add_odd(cells, verdicts, indices_of(distinct.indices), rows[odd])
    plain = pa.array([verdict.number for verdict in verdicts], pa.string()).take(distinct.indices)
    return pc.replace_with_mask(trimmed, pa.array(odd), plain)


def ungrouped(digits: Any, mark: DecimalMark) -> Any:  # noqa: ANN401
    """Take the thousands grouping out of numbers and give them a decimal point."""
    for sign in (mark.other, *_GROUP_SIGNS):
        if pc.any(pc.match_substring(digits, sign)).as_py():
            digits = pc.replace_substring(digits, sign, "")
    return _with_point(digits, mark)


def _with_point(digits: Any, mark: DecimalMark) -> Any:  # noqa: ANN401
    return pc.replace_substring(digits, ",", ".") if mark is DecimalMark.COMMA else digits


def _add_mark(evidence: Evidence, mark: DecimalMark) -> None:
    if mark is DecimalMark.POINT:
        evidence.points = True
    else:
        evidence.commas = True


def _add_bare(evidence: Evidence, whole: "np.ndarray[Any, np.dtype[np.float64]]") -> None:
    if whole.size and not (evidence.bare_thousands and evidence.bare_hundreds):
        size = np.abs(whole)
        evidence.bare_thousands |= bool((size > 999).any())
        evidence.bare_hundreds |= bool(((size >= 100) & (size <= 999)).any())
