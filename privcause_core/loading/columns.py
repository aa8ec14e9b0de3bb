"""Finished columns: labels that tell them apart, and what looks suspicious in them."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from privcause_core.loading.builder import ColumnBuilder
from privcause_core.loading.column import Column
from privcause_core.loading.grammar import GRAMMARS, Grouping
from privcause_core.loading.measured import is_whole, measured
from privcause_core.loading.numbers import LineNumbers
from privcause_core.loading.reading import Reading
from privcause_core.loading.reasons import Place, other_cells, reason
from privcause_core.loading.settle import Settled, usual_grammar
from privcause_core.loading.table import Table
from privcause_core.loading.wording import counted, listed, one_line, title_of

_ROW_NAMES = re.compile(r"|unnamed: 0|row[ _.]?names?", re.IGNORECASE)
_TOTAL = re.compile(r"\W*(grand )?(total|totals|sum|summe|gesamt|insgesamt|totale|somme|suma)\W*", re.IGNORECASE)


def assemble(
    name: str,
    names: Sequence[str],
    read: Sequence[Settled],
    line_numbers: LineNumbers,
    line_word: str,
    notes: tuple[str, ...],
    reading: Reading | None = None,
) -> Table:
    """Put settled columns together as a table; nameless columns at the end that are empty are dropped.

    To ``reading``, which says where things stand, the decimal mark and the grouping of the columns are added.
    """
    names, read = list(names), list(read)
    while len(read) > 1 and not names[-1] and _is_empty(read[-1].builder):
        names.pop()
        read.pop()
    labels = distinct_labels(names)
    place = Place(line_numbers, line_word, nameless=not any(names))
    columns = tuple(
        _column(given or label, label, one, place) for given, label, one in zip(names, labels, read, strict=True)
    )
    if any(names):
        columns = (_without_row_names(names[0], columns[0]), *columns[1:])
    rows = read[0].builder.size
    notes = (*notes, *_name_notes(names), *_content_notes(columns, read), *_total_note(read, place, rows))
    if reading:
        grammar = usual_grammar(read)
        reading = replace(reading, decimal=grammar.decimal, grouping=grammar.grouping)
    return Table(name, columns, rows, line_numbers, line_word, notes, reading)


def distinct_labels(names: Sequence[str]) -> tuple[str, ...]:
    """Return one label a column: its name, with its position where the name is blank or not the only one."""
    labels = [one_line(name) or f"column {position}" for position, name in enumerate(names, 1)]
    while repeated := {label for label, times in Counter(labels).items() if times > 1}:
        labels = [
            f"{label} (column {position})" if label in repeated else label for position, label in enumerate(labels, 1)
        ]
    return tuple(labels)


def _is_empty(builder: ColumnBuilder) -> bool:
    return not (builder.numbers or builder.unvalued or builder.typed or other_cells(builder))


def _column(name: str, label: str, read: Settled, place: Place) -> Column:
    builder = read.builder
    why = reason(builder, place)
    plain = Column(
        name,
        label,
        missing=builder.size - builder.numbers,
        unvalued=builder.unvalued,
        reason=why,
        examples=tuple(builder.evidence.examples),
    )
    if why:
        return replace(plain, missing=builder.size)
    if read.other:
        return replace(plain, readings={one.mark: one.finish() for one in (builder, read.other)})
    return measured(plain, builder.finish(), truth=builder.numbers == builder.evidence.truths.count)


def _without_row_names(header: str, first: Column) -> Column:
    """Refuse a first column that R or pandas wrote to name the rows: a blank or telling name, whole and distinct."""
    if first.values is None or not _ROW_NAMES.fullmatch(header) or first.missing:
        return first
    if not is_whole(first.values) or np.unique(first.values).size < first.values.size:
        return first
    why = "holds the row names that R or pandas wrote; give it another name in the header to use it all the same"
    return replace(first, values=None, absent=None, looks_like_identifier=False, reason=why)


def _name_notes(names: Sequence[str]) -> list[str]:
    notes = []
    for name, times in Counter(names).items():
        if name and times > 1:
            where = listed(position for position, other in enumerate(names, 1) if other == name)
            notes.append(f"The name {name} stands over columns {where}; they are told apart by position.")
    blank = [position for position, name in enumerate(names, 1) if not name]
    if blank and len(blank) < len(names):
        notes.append(f"{counted(len(blank), 'column')} without a name: {listed(blank)}; told by position.")
    return notes


def _content_notes(columns: Sequence[Column], read: Sequence[Settled]) -> list[str]:
    notes = []
    for column, settled in zip(columns, read, strict=True):
        builder = settled.builder
        seen = builder.evidence
        if not column.numeric:
            continue
        if seen.words:
            notes.append(f"{title_of(column.label)} has {counted(seen.words, 'cell')} without numbers, now missing.")
        if seen.censored.count:
            known = counted(seen.censored.count, "value")
            notes.append(
                f"{title_of(column.label)} has {known} known to a bound only (such as below a limit), now missing."
            )
        grouping = GRAMMARS[seen.best(builder.mark)].grouping
        if grouping is not Grouping.NONE and not settled.other:
            notes.append(f"{title_of(column.label)} groups thousands with {grouping.words}.")
        if seen.percent.count:
            notes.append(f"{title_of(column.label)} is in per cent.")
        if seen.currencies:
            notes.append(f"{title_of(column.label)} has its currency signs taken off.")
        if column.two_valued_truth:
            notes.append(f"{title_of(column.label)} is TRUE and FALSE, read as 1 and 0.")
        if builder.lossy:
            notes.append(
                f"{title_of(column.label)} holds whole numbers beyond 2^53 that cannot be told apart exactly; "
                "neighbouring ones may count as equal."
            )
    return notes


def _total_note(read: Sequence[Settled], place: Place, rows: int) -> list[str]:
    """Point at a last row that begins with "Total" or the like: it sums the others and measures nothing itself."""
    if rows > 2 and any(_TOTAL.fullmatch(one.builder.last_word) for one in read):
        return [f"The last row ({place.named([rows - 1])}) looks like a row of totals; remove it if it is one."]
    return []
