"""What a column's cells say about the grammar that wrote them, gathered block by block."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from privcause_core.loading.cell import Kind, Plain
from privcause_core.loading.grammar import GRAMMARS, DecimalMark
from privcause_core.loading.numbers import BoolArray, IntegerArray
from privcause_core.loading.wording import MAX_LISTED

_MAX_EXAMPLES = 3
PATIENCE = 50_000


@dataclass(slots=True, eq=False)
class Rows:
    """How many rows there are of some kind, and the first of them."""

    count: int = 0
    first: list[int] = field(default_factory=list)

    def add(self, rows: IntegerArray) -> None:
        """Add row positions."""
        self.count += rows.size
        self.first.extend(rows[: MAX_LISTED - len(self.first)].tolist())

    def add_where(self, rows: IntegerArray, some: BoolArray) -> None:
        """Add those row positions where ``some`` is true."""
        if len(self.first) < MAX_LISTED:
            self.add(rows[some])
        else:
            self.count += int(np.count_nonzero(some))


@dataclass(slots=True, eq=False)
class Evidence:
    """What the cells of one column were, by kind.

    Parameters
    ----------
    unread : list of Rows
        For each of ``GRAMMARS`` the number-like cells that it cannot read.
    points, commas : bool
        Some plain cell holds one.
    bare_hundreds, bare_thousands : bool
        Some whole number without any mark has three digits; or more.
    percent, unitless : Rows
        Numbers with the sign for per cent, and those without.
    currencies : set of str
    truths, censored : Rows
        TRUE or FALSE; values known to a bound only.
    strange, words, dates : int
        Cells that look like numbers under no grammar at all, such as "12 kg"; those that look like none; and how many
        strange ones look like dates or times.
    patience : int
        So many odd shapes, or strange cells, are judged; if most cells are no numbers by then, the column is hopeless.
    shapes : int
        How many were.
    examples : list of str
        The first few distinct cells that are no numbers; for exploring only.
    """

    unread: list[Rows] = field(default_factory=lambda: [Rows() for _ in GRAMMARS])
    points: bool = False
    commas: bool = False
    bare_hundreds: bool = False
    bare_thousands: bool = False
    percent: Rows = field(default_factory=Rows)
    unitless: Rows = field(default_factory=Rows)
    currencies: set[str] = field(default_factory=set)
    truths: Rows = field(default_factory=Rows)
    censored: Rows = field(default_factory=Rows)
    strange: int = 0
    words: int = 0
    dates: int = 0
    patience: int = PATIENCE
    shapes: int = 0
    examples: list[str] = field(default_factory=list)

    @property
    def is_marked(self) -> bool:
        """Say whether some number holds a point or a comma, so that decimal marks matter."""
        return self.points or self.commas

    @property
    def is_numeric(self) -> bool:
        """Say whether most cells that hold something look like numbers."""
        return self.percent.count + self.unitless.count > self.words + self.censored.count + self.strange

    @property
    def is_hopeless(self) -> bool:
        """Say whether so much was judged, and most of it no numbers, that the other cells need no judging.

        They count as strange then, so that the column is refused, whatever they are.
        """
        odd = self.words * (self.shapes > self.patience) + self.strange
        return odd > 2 * (self.percent.count + self.unitless.count) and max(self.shapes, self.strange) > self.patience

    @property
    def is_open(self) -> bool:
        """Say whether both decimal marks read every number-like cell so far."""
        return all(map(self.reads_all, DecimalMark))

    def add_marks(self, *, points: bool, commas: bool) -> None:
        """Add that some number holds a point, or a comma."""
        self.points |= points
        self.commas |= commas

    def reads_all(self, decimal: DecimalMark) -> bool:
        """Say whether some grammar with this decimal mark reads every number-like cell."""
        return any(
            not rows.count for grammar, rows in zip(GRAMMARS, self.unread, strict=True) if grammar.decimal is decimal
        )

    def best(self, decimal: DecimalMark) -> int:
        """Return the position in ``GRAMMARS`` of the one with this decimal mark that leaves fewest cells unread."""
        places = [place for place, grammar in enumerate(GRAMMARS) if grammar.decimal is decimal]
        return min(places, key=lambda place: self.unread[place].count)

    @property
    def groups_by(self) -> DecimalMark | None:
        """Return the only mark in use if bare numbers show that it groups: there are hundreds and no thousands.

        Asked only of a column that either decimal mark reads: then every mark stands before exactly three digits.
        """
        if self.points == self.commas or not self.bare_hundreds or self.bare_thousands:
            return None
        return DecimalMark.POINT if self.points else DecimalMark.COMMA

    def add_odd(self, verdicts: Sequence[Plain], which: IntegerArray, rows: IntegerArray) -> None:
        """Add cells that had to be made plain.

        Parameters
        ----------
        verdicts : sequence of Plain
            On each of their shapes.
        which : array of shape (odd cells,)
            Position in ``verdicts`` of each cell's.
        rows : array of shape (odd cells,)
            Its row in the table.
        """
        self.shapes += len(verdicts)
        kinds = np.array([verdict.kind.value for verdict in verdicts])[which]
        self.truths.add(rows[kinds == Kind.TRUTH.value])
        self.censored.add(rows[kinds == Kind.CENSORED.value])
        self.words += int(np.count_nonzero(kinds == Kind.WORD.value))
        self.add_strange(rows[kinds == Kind.UNREAD.value])
        percent = np.array([verdict.unit == "%" for verdict in verdicts])[which]
        self.percent.add(rows[percent])
        self.unitless.add(rows[(kinds == Kind.NUMBER.value) & ~percent])
        self.currencies.update(verdict.unit for verdict in verdicts if verdict.unit not in ("", "%"))

    def add_dates(self, rows: IntegerArray) -> None:
        """Add cells that look like dates or times."""
        self.dates += rows.size
        self.add_strange(rows)

    def add_strange(self, rows: IntegerArray) -> None:
        """Add cells that look like numbers, or were not looked at any more, and are none."""
        self.strange += rows.size
        self.add_unread(range(len(GRAMMARS)), rows)

    def add_unread(self, places: Iterable[int], rows: IntegerArray) -> None:
        """Add rows that some grammars cannot read."""
        for place in places:
            self.unread[place].add(rows)

    def add_examples(self, cells: Iterable[str]) -> None:
        """Keep the first few distinct cells that are no numbers."""
        for cell in cells:
            if len(self.examples) == _MAX_EXAMPLES:
                return
            if cell not in self.examples:
                self.examples.append(cell)
