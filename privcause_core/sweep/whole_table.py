"""A whole table: every pair of its chosen columns, each with both doubts. Pairwise, and non-private.

Nothing is conditioned on: a third column that drives both of a pair gives an arrow as well, or hides one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations

import numpy as np

from privcause_core.errors import DataError, ParameterError
from privcause_core.explore.analysis import unrelated, untold
from privcause_core.explore.doubt import SamplingDoubt
from privcause_core.explore.price import measuring_seconds
from privcause_core.exports.analysis_json import head
from privcause_core.loading import Column, Table
from privcause_core.loading.measured import measured
from privcause_core.pair import Direction
from privcause_core.protection.choice import coverage
from privcause_core.samples.real import DIABETES_COLUMNS, diabetes_columns
from privcause_core.settings import ALL_SCORES, Settings
from privcause_core.sweep.grid import SweepGrid
from privcause_core.sweep.measured import MeasuredPair, failed_pair, measure_pair
from privcause_core.sweep.rows import SweepRow, judge_pair
from privcause_core.sweep.table import finite
from privcause_core.text.names import isolated
from privcause_core.verdicts.composition import PrivacyCost

WIDE_SAMPLE = "sample:diabetes"
COLUMNS_MAX = 20
COLUMNS_AT_FIRST = 8
FEW_LEVELS = 3  # with so few values a column tells no direction (mechanisms.md 12)
SURE = 0.95  # of private runs agree: noise alone leaves this arrow
CAVEAT = (
    "Pair by pair: nothing is conditioned on, so a hidden common cause, or a third column that drives both, can make "
    "an arrow or hide one."
)
Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TableArrow:
    """What one pair of columns says, x before y in the table.

    Attributes
    ----------
    x, y : int
        Positions of the columns.
    x_name, y_name : str
        Their labels.
    n_test : int
        0 where the pair could not be measured.
    direction : Direction
        The noise-free arrow.
    privacy : float, optional
        Share of private runs that agree with it; None where there is none.
    sampling : float, optional
        Phi(|z|), how likely it is the population's; None where the margin has no standard error.
    both : float, optional
        Share of private runs with the population's arrow.
    sampling_z, margin, columns_related_p, epsilon_for_95
        As in ``analyse``.
    unrelated : bool
        Whether nothing is found between the columns, so that no arrow means anything.
    reason : str
        Why there is no arrow to tell; empty where there is one.
    """

    x: int
    y: int
    x_name: str
    y_name: str
    n_test: int = 0
    direction: Direction = Direction.UNDECIDED
    margin: float | None = None
    privacy: float | None = None
    sampling: float | None = None
    sampling_z: float | None = None
    both: float | None = None
    columns_related_p: float | None = None
    epsilon_for_95: float | None = None
    unrelated: bool = False
    reason: str = ""

    @property
    def certainty(self) -> tuple[bool, bool, float]:
        """Return what arrows are sorted by: those told first, unrelated columns last, then both doubts together."""
        return (not self.reason, not self.unrelated, self.both or 0.0)

    @property
    def words(self) -> str:
        """Return the noise-free arrow in names as plain text: "age → bp", or "age, bp" where there is none."""
        return self.named(isolated)

    def named(self, write: Callable[[str], str]) -> str:
        """Return the noise-free arrow with names as ``write`` writes them."""
        x, y = write(self.x_name), write(self.y_name)
        return {Direction.X_TO_Y: f"{x} → {y}", Direction.Y_TO_X: f"{y} → {x}"}.get(self.direction, f"{x}, {y}")


def sample_table() -> Table:
    """Return the diabetes patients that scikit-learn ships, 442 rows and 11 columns."""
    columns = tuple(
        measured(Column(name, DIABETES_COLUMNS.get(name, name)), (values, None))
        for name, values in diabetes_columns().items()
    )
    rows = columns[0].numbers().size
    return Table("Diabetes patients", columns, rows, range(1, rows + 1), "row")


def first_columns(table: Table) -> list[int]:
    """Return the columns to begin with: the first few that measure something, in file order."""
    numeric = sorted(table.numeric_columns, key=lambda one: table.columns[one].measures_little)
    return sorted(numeric[:COLUMNS_AT_FIRST])


def cells(columns: Sequence[int]) -> list[Cell]:
    """Return every pair of columns once, the earlier one first.

    Raises
    ------
    ParameterError
        If there are fewer than two columns, one twice, or more than 20.
    """
    if not 2 <= len(set(columns)) == len(columns) <= COLUMNS_MAX:
        raise ParameterError(f"Expected 2 to {COLUMNS_MAX} different columns, got {len(columns)}.")
    return list(combinations(sorted(columns), 2))


def one_score(settings: Settings) -> Settings:
    """Return the settings with one score: the default where all are chosen."""
    return settings.with_(score=Settings().score) if settings.score == ALL_SCORES else settings


def table_seconds(table: Table, pairs: int, settings: Settings) -> float:
    """Return about how long measuring so many pairs of a table takes."""
    return pairs * measuring_seconds(table.rows_read, one_score(settings))


def measure_cell(table: Table, cell: Cell, settings: Settings) -> MeasuredPair:
    """Measure one pair of columns with its sampling doubt, on all its complete rows; never raises."""
    settings = one_score(settings)
    name = " and ".join(isolated(table.columns[one].label) for one in cell)
    try:
        pair = table.pair(*cell, name=name)
    except DataError as error:
        return failed_pair(name, str(error))
    return measure_pair(pair, settings, (settings.score,), doubts=True)


def judge_table(table: Table, found: Mapping[Cell, MeasuredPair], settings: Settings) -> list[TableArrow]:
    """Return what was measured under the settings, the surest arrow first."""
    few = {
        position: np.unique(table.columns[position].numbers()).size <= FEW_LEVELS
        for position in {position for cell in found for position in cell}
    }
    arrows = [_judged(table, cell, one, one_score(settings), few) for cell, one in found.items()]
    return sorted(arrows, key=lambda arrow: arrow.certainty, reverse=True)


def cost_of(table: Table, settings: Settings, k: int) -> PrivacyCost:
    """Return what releasing the arrows of k pairs of one table costs: basic composition, every pair at full epsilon."""
    settings = one_score(settings)
    way = coverage(settings)
    (score,) = way.scores()
    return way.verdict(score, *way.sizes(table.rows_read)).cost.times(k)


def table_dict(
    table: Table, columns: Sequence[int], arrows: Iterable[TableArrow], settings: Settings, k: int
) -> dict[str, object]:
    """Return the JSON object of ``table --json`` (non-private: it holds true values)."""
    return {
        **head(),
        "table": table.name,
        "rows_read": table.rows_read,
        "columns": [table.columns[one].label for one in sorted(columns)],
        "columns_without_numbers": [{"column": label, "reason": reason} for label, reason in others(table)],
        "settings": one_score(settings).to_dict(),
        "arrows": [{key: finite(value) for key, value in asdict(arrow).items()} for arrow in arrows],
        "release": {"arrows": k, **asdict(cost_of(table, settings, k)), "rule": "basic composition"},
        "warnings": [CAVEAT],
    }


def others(table: Table) -> Iterator[tuple[str, str]]:
    """Yield the label of every column that cannot be chosen, and why."""
    return ((one.label, one.reason or "no numbers") for one in table.columns if not one.numeric)


def _judged(table: Table, cell: Cell, one: MeasuredPair, settings: Settings, few: Mapping[int, bool]) -> TableArrow:
    x, y = cell
    blank = TableArrow(x, y, table.columns[x].label, table.columns[y].label, reason=one.reason)
    if one.reason:
        return blank
    grid = SweepGrid((settings.score,), (settings.epsilon,), (settings.calibration,), (settings.release,))
    (row,), true = judge_pair(one, settings, grid), one.of(settings.score)
    coarse = [f"{isolated(table.columns[at].label)} takes {FEW_LEVELS} values or fewer." for at in cell if few[at]]
    measured_so_far = replace(
        blank,
        n_test=one.n_test,
        margin=row.margin,
        columns_related_p=one.columns_related_p,
        unrelated=unrelated(one.columns_related_p),
        reason=" ".join(coarse) or untold(true, one.columns_related_p),
    )
    if row.direction is Direction.UNDECIDED:
        return replace(measured_so_far, reason=measured_so_far.reason or "the noise-free scores do not decide.")
    return _doubted(measured_so_far, row, true.doubt)


def _doubted(arrow: TableArrow, row: SweepRow, doubt: SamplingDoubt | None) -> TableArrow:
    flip, kept = row.probability_flip, 1.0 - row.probability_flip - row.probability_refused
    return replace(
        arrow,
        direction=row.direction,
        privacy=kept,
        sampling=doubt.probability_arrow if doubt else None,
        sampling_z=doubt.z if doubt else None,
        both=doubt.probability_with_noise(flip, kept) if doubt else None,
        epsilon_for_95=row.epsilon_for_95,
    )
