"""Finished columns: labels that tell them apart, and what looks suspicious in them."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from privcause_core.loading.builder import ColumnBuilder
from privcause_core.loading.column import Column
from privcause_core.loading.numbers import LineNumbers
from privcause_core.loading.table import Table
from privcause_core.loading.wording import counted, listed, one_line
from privcause_core.pair import NumberArray

# Numbers that files use for "missing"; flagged only where they lie far outside the column's other values.
SENTINELS = tuple(sign * (10**digits - 1) for digits in range(2, 7) for sign in (-1, 1))
_IDENTIFIER_NAME = re.compile(r"(.*[ _.-])?(id|index|uid|key)", re.IGNORECASE)
_SLICE = 1 << 18  # rows looked at together, so that temporary arrays stay small


def assemble(
    name: str,
    names: Sequence[str],
    builders: Sequence[ColumnBuilder],
    line_numbers: LineNumbers,
    line_word: str,
    notes: tuple[str, ...],
) -> Table:
    """Put built columns together as a table; nameless columns at the end that are empty are dropped."""
    names, builders = list(names), list(builders)
    while len(builders) > 1 and not (names[-1] or builders[-1].numbers or builders[-1].text or builders[-1].unvalued):
        names.pop()
        builders.pop()
    labels = distinct_labels(names)
    columns = tuple(
        _column(given or label, label, builder) for given, label, builder in zip(names, labels, builders, strict=True)
    )
    notes = (*notes, *_name_notes(names), *_content_notes(columns, builders))
    return Table(name, columns, builders[0].size, line_numbers, line_word, notes)


def distinct_labels(names: Sequence[str]) -> tuple[str, ...]:
    """Return one label a column: its name, with its position where the name is blank or not the only one."""
    labels = [one_line(name) or f"column {position}" for position, name in enumerate(names, 1)]
    while repeated := {label for label, times in Counter(labels).items() if times > 1}:
        labels = [
            f"{label} (column {position})" if label in repeated else label for position, label in enumerate(labels, 1)
        ]
    return tuple(labels)


def _column(name: str, label: str, builder: ColumnBuilder) -> Column:
    if builder.numbers <= builder.text:
        return Column(name, label, missing=builder.size, unvalued=builder.unvalued)
    values, absent = builder.finish()
    sentinels, sentinel_rows = _suspicious_sentinels(values)
    return Column(
        name,
        label,
        values,
        absent,
        missing=builder.size - builder.numbers,
        unvalued=builder.unvalued,
        looks_like_identifier=_looks_like_identifier(name, values, builder),
        sentinels=sentinels,
        sentinel_rows=sentinel_rows,
    )


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


def _content_notes(columns: Sequence[Column], builders: Sequence[ColumnBuilder]) -> list[str]:
    notes = []
    for column, builder in zip(columns, builders, strict=True):
        if column.numeric and builder.text:
            notes.append(f"Column {column.label} has {counted(builder.text, 'cell')} without numbers, now missing.")
        if column.numeric and builder.lossy:
            notes.append(
                f"Column {column.label} holds whole numbers beyond 2^53 that cannot be told apart exactly; "
                "neighbouring ones may count as equal."
            )
    return notes


def _slices(rows: int) -> list[slice]:
    return [slice(start, start + _SLICE) for start in range(0, rows, _SLICE)]


def _looks_like_identifier(name: str, values: NumberArray, builder: ColumnBuilder) -> bool:
    """Say whether a column counts rows: whole numbers, none missing, ever rising or named like an id."""
    if builder.numbers < builder.size or builder.size < 3:
        return False
    rising = all((values[1:][part] > values[:-1][part]).all() for part in _slices(values.size))
    if not rising and not _IDENTIFIER_NAME.fullmatch(name):
        return False
    whole = all((np.trunc(values[part]) == values[part]).all() for part in _slices(values.size))
    return whole and (rising or np.unique(values).size == values.size)


def _suspicious_sentinels(values: NumberArray) -> tuple[tuple[int, ...], int]:
    """Return the sentinels farther from a column's other values than those are wide, and how many rows."""
    low, high, found = np.inf, -np.inf, Counter[int]()
    for part in _slices(values.size):
        block = values[part].astype(np.float64, copy=False)
        block = block[np.isfinite(block)]
        if (np.abs(block) >= min(map(abs, SENTINELS))).any():
            known = np.isin(block, SENTINELS)
            found.update(block[known].astype(int).tolist())
            block = block[~known]
        if block.size:
            low, high = min(low, float(block.min())), max(high, float(block.max()))
    width = high - low
    far = {value: rows for value, rows in found.items() if value < low - width or value > high + width}
    return (tuple(sorted(far)), sum(far.values())) if np.isfinite(width) else ((), 0)
