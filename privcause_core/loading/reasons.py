"""Why a column cannot be X or Y: by kind, with line numbers where cells are at fault, never with a cell."""

from collections.abc import Sequence
from dataclasses import dataclass

from privcause_core.loading.builder import ColumnBuilder
from privcause_core.loading.evidence import Rows
from privcause_core.loading.numbers import LineNumbers
from privcause_core.loading.wording import rows_named


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """What a table's rows are called: "line 7" of a text file, "row 7" of a sheet."""

    numbers: LineNumbers
    word: str
    nameless: bool = False  # no row names the columns, and the first may have been meant to

    def named(self, rows: Sequence[int], total: int | None = None) -> str:
        """Name rows by their positions; ``total`` is how many there are when only the first are passed."""
        return rows_named(self.word, [self.numbers[row] for row in rows], total)


def other_cells(builder: ColumnBuilder) -> int:
    """Return how many cells hold something that is no number under the column's decimal mark."""
    seen = builder.evidence
    return seen.words + seen.censored.count + _unread(builder).count


def reason(builder: ColumnBuilder, place: Place) -> str:
    """Return the end of a sentence that begins with the column's label; empty if it holds numbers."""
    if builder.typed:
        return f"does not hold numbers but {builder.typed}"
    if not builder.numbers and not other_cells(builder):
        return "has no values" if not builder.unvalued else "does not hold numbers"
    if builder.numbers <= other_cells(builder):
        return f"does not hold numbers but {_other_kind(builder)}"
    return _fault(builder, place)


def _unread(builder: ColumnBuilder) -> Rows:
    return builder.evidence.unread[builder.evidence.best(builder.mark)]


def _other_kind(builder: ColumnBuilder) -> str:
    seen, unread = builder.evidence, _unread(builder).count
    if 2 * seen.dates > other_cells(builder):
        return "dates or times"
    if seen.censored.count > max(seen.words, unread):
        return "values known to a bound only, such as below a limit"
    return "text" if seen.words >= unread else "text with digits, such as numbers with units"


def _fault(builder: ColumnBuilder, place: Place) -> str:
    """Say what is wrong with some cells of a column that is otherwise numbers."""
    seen, unread = builder.evidence, _unread(builder)
    if unread.count:
        where = place.named(unread.first, unread.count)
        what = "looks like a number and does" if unread.count == 1 else "look like numbers and do"
        return (
            f"cannot be read: {where} {what} not fit the form of the column's other numbers "
            "(decimal mark, grouping, sign or unit); correct or empty those cells"
            f"{', or put words there if that row names the columns' if place.nameless and unread.first[0] == 0 else ''}"
        )
    if seen.percent.count and seen.unitless.count:
        few = min(seen.percent, seen.unitless, key=lambda rows: rows.count)
        return f"mixes per cent with plain numbers ({place.named(few.first, few.count)}); write one or the other"
    if len(seen.currencies) > 1:
        return "mixes currencies; convert them to one"
    if seen.truths.count and seen.truths.count < builder.numbers:
        return f"mixes TRUE or FALSE with numbers ({place.named(seen.truths.first, seen.truths.count)})"
    return ""
