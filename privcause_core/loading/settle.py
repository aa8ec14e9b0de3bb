"""One grammar per column, chosen when all cells are known; the rest of the file helps where a column leaves it open."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from privcause_core.loading.builder import ColumnBuilder
from privcause_core.loading.evidence import Evidence
from privcause_core.loading.grammar import GRAMMARS, DecimalMark, Grammar, Grouping

Read = Callable[[Sequence[DecimalMark]], Sequence[ColumnBuilder]]


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A column read under its grammar.

    Parameters
    ----------
    builder : ColumnBuilder
    other : ColumnBuilder, optional
        The same under the other decimal mark, where both read every cell, differ, and nothing in the file decides.
    """

    builder: ColumnBuilder
    other: ColumnBuilder | None = None


def settled(read: Read, guess: Sequence[DecimalMark]) -> list[Settled]:
    """Read columns, under a guess first, again where the cells speak for the other decimal mark or for both.

    Parameters
    ----------
    read : callable
        Reads every column under the decimal marks given, one a column.
    guess : sequence of DecimalMark
        The likelier ones; a matter of speed.
    """
    first = read(guess)
    marks = decided([builder.evidence for builder in first], guess)
    again = [mark is None or mark is not builder.mark for mark, builder in zip(marks, first, strict=True)]
    if not any(again):
        return [Settled(builder) for builder in first]
    second = read([builder.mark.other if anew else builder.mark for builder, anew in zip(first, again, strict=True)])
    return [
        Settled(one, other) if mark is None else Settled(other if anew else one)
        for mark, anew, one, other in zip(marks, again, first, second, strict=True)
    ]


def decided(evidence: Sequence[Evidence], guess: Sequence[DecimalMark]) -> list[DecimalMark | None]:
    """Return each column's decimal mark; None where it stays open."""
    own = [_own(one, mark) for one, mark in zip(evidence, guess, strict=True)]
    marked = [(one, mark) for one, mark in zip(evidence, own, strict=True) if one.is_numeric and one.is_marked]
    proven = {mark for _, mark in marked if mark is not None}
    grouping = [one.groups_by for one, mark in marked if mark is None]
    usual = proven or {mark.other for mark in grouping if mark}
    return [mark or _with_file(one, proven, usual) for one, mark in zip(evidence, own, strict=True)]


def _own(evidence: Evidence, guess: DecimalMark) -> DecimalMark | None:
    """Return the mark under which the column's own cells can be read best; None if under both."""
    if not evidence.is_marked:
        return guess
    if evidence.is_open:
        return None
    return min((guess, guess.other), key=lambda mark: evidence.unread[evidence.best(mark)].count)


def _with_file(evidence: Evidence, proven: set[DecimalMark], usual: set[DecimalMark]) -> DecimalMark | None:
    """Let bare hundreds beside groups of three digits decide, then the file's one mark; never one against the other."""
    grouping = evidence.groups_by
    if grouping:
        return None if grouping in proven else grouping.other
    return next(iter(usual)) if len(usual) == 1 else None


def usual_grammar(columns: Sequence[Settled]) -> Grammar:
    """Return the grammar that reads most columns of numbers: its grouping is that of those that group at all."""
    builders = [one.builder for one in columns if one.builder.evidence.is_numeric and not one.other]
    used = [GRAMMARS[builder.evidence.best(builder.mark)] for builder in builders]
    marks = Counter(builder.mark for builder in builders if builder.evidence.is_marked)
    decimal = marks.most_common(1)[0][0] if marks else DecimalMark.POINT
    groupings = Counter(one.grouping for one in used if one.grouping.sign not in ("", decimal))
    return Grammar(decimal, groupings.most_common(1)[0][0] if groupings else Grouping.NONE)
