"""A sweep as CSV and as JSON values: every verdict a row, and every failed pair a row with its reason."""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields

from privcause_core.exports.analysis_json import head
from privcause_core.exports.spreadsheet import safe_cell
from privcause_core.pair import Direction
from privcause_core.scores import get_score
from privcause_core.settings import Settings
from privcause_core.sweep.accuracy import accuracy, always_first, ceilings, one_sided
from privcause_core.sweep.grid import SweepGrid
from privcause_core.sweep.measured import MeasuredPair
from privcause_core.sweep.rows import SweepRow, judge_pair

VARIED = frozenset({"score", "epsilon", "calibration", "release"})  # the grid says these
COLUMNS = (*(field.name for field in fields(SweepRow)), "reason")


def sweep_csv(measured: Iterable[MeasuredPair], settings: Settings, grid: SweepGrid) -> str:
    """Return the table of a sweep, one header line first; what does not exist is an empty cell."""
    return csv_text(COLUMNS, _entries(measured, settings, grid))


def csv_text(columns: Sequence[str], entries: Iterable[Mapping[str, object]]) -> str:
    """Return CSV of the columns; text is made safe for spreadsheets, None and infinities are empty cells."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_cell(entry.get(column)) for column in columns] for entry in entries)
    return out.getvalue()


def sweep_dict(measured: Sequence[MeasuredPair], settings: Settings, grid: SweepGrid) -> dict[str, object]:
    """Return the JSON object of ``sweep --json`` (non-private: it holds true scores)."""
    rows = [row for one in measured for row in judge_pair(one, settings, grid)]
    baseline, arrow = always_first(measured), one_sided(measured)
    return {
        **head(),
        "settings": {key: value for key, value in settings.to_dict().items() if key not in VARIED},
        "grid": {field.name: [*getattr(grid, field.name)] for field in fields(grid)},
        "warnings": sweep_warnings(measured),
        "rows": [{key: finite(value) for key, value in entry.items()} for entry in _entries(measured, settings, grid)],
        "accuracy": [asdict(point) for point in accuracy(rows)],
        "ceilings": [{**asdict(one), "no_better_than_a_coin": one.no_better_than_a_coin} for one in ceilings(measured)],
        "always_first": asdict(baseline) if baseline else None,
        "every_truth_is": arrow,
    }


def sweep_warnings(measured: Sequence[MeasuredPair]) -> list[str]:
    """Return one plain sentence for each thing that the accuracies over these pairs do not say by themselves."""
    found = []
    failed = sum(1 for one in measured if one.reason)
    if failed:
        found.append(f"{failed} of {len(measured)} pairs could not be scored; each says why.")
    arrow = one_sided(measured)
    if arrow is not None:
        constant = "100 %" if arrow is Direction.X_TO_Y else "0 %"
        found.append(
            f"Every known arrow is {arrow}: always guessing x->y scores {constant}, and the area under the ROC curve "
            "is undefined. Shuffle the columns by a seed before reading an accuracy."
        )
    elif always_first(measured) is None:
        found.append("No pair has a known arrow, so there is no accuracy to show.")
    coins = [get_score(one.score).title for one in ceilings(measured) if one.no_better_than_a_coin]
    if coins:
        found.append(
            f"No better than a coin on these pairs, even without privacy (95 % interval not above 1/2): "
            f"{', '.join(coins)}."
        )
    return found


def _entries(measured: Iterable[MeasuredPair], settings: Settings, grid: SweepGrid) -> Iterator[Mapping[str, object]]:
    for one in measured:
        if one.reason:
            yield {"pair": one.pair, "truth": one.truth, "weight": one.weight, "reason": one.reason}
        yield from (asdict(row) for row in judge_pair(one, settings, grid))


def finite(value: object) -> object:
    """Return a value, None for a number that is not finite: JSON has none."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _cell(value: object) -> object:
    return safe_cell(value) if isinstance(value, str) else finite(value)
