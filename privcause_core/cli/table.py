"""``table FILE``: every pair of a table's columns, each with both doubts, and what releasing some would cost."""

import argparse
from collections.abc import Iterator

from privcause_core.cli.common import (
    add_decimal_argument,
    add_settings_arguments,
    choose_source,
    load,
    say,
    say_json,
    settings_from,
)
from privcause_core.errors import DataError
from privcause_core.loading import Table
from privcause_core.settings import Settings, knobs
from privcause_core.sweep.whole_table import (
    CAVEAT,
    WIDE_SAMPLE,
    TableArrow,
    cells,
    cost_of,
    first_columns,
    judge_table,
    measure_cell,
    one_score,
    others,
    sample_table,
    table_dict,
)
from privcause_core.text.names import isolated
from privcause_core.text.typed import check_range, parse_whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("file", metavar="FILE", help=f"a file with a table, or {WIDE_SAMPLE}")
    parser.add_argument("--pair", metavar="NAME", help="which table of the file")
    parser.add_argument("--columns", metavar="COL", nargs="+", help="columns by name or number from 1 (default: eight)")
    parser.add_argument("--releases", metavar="K", default="1", help="how many arrows a release would publish")
    add_settings_arguments(parser, *(name for name in knobs() if name not in {"draws", "draw_seed"}))
    add_decimal_argument(parser)
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Measure and judge every pair of the chosen columns; print a list or JSON."""
    settings, table = one_score(settings_from(args)), _table(args)
    columns = [table.column_index(key) for key in args.columns] if args.columns else first_columns(table)
    wanted = cells(columns)
    releases = parse_whole("releases", args.releases)
    check_range("releases", releases, 1, len(wanted))
    cost_of(table, settings, 1)  # refuses before anything is measured
    arrows = judge_table(table, {cell: measure_cell(table, cell, settings) for cell in wanted}, settings)
    if args.json:
        say_json(table_dict(table, columns, arrows, settings, releases))
    else:
        say(*_lines(table, arrows, settings, releases))
    return 0


def _table(args: argparse.Namespace) -> Table:
    if args.file == WIDE_SAMPLE:
        return sample_table()
    found = choose_source(load(args.file, args.decimal), args.pair)
    if not isinstance(found, Table):
        raise DataError(f"{isolated(found.name)} is one pair; a whole table needs a file with columns to choose from.")
    return found


def _lines(table: Table, arrows: list[TableArrow], settings: Settings, releases: int) -> Iterator[str]:
    told, cost = sum(not arrow.reason for arrow in arrows), cost_of(table, settings, releases)
    yield f"{isolated(table.name)}: {told} of {len(arrows)} pairs of columns tell an arrow by {settings.score}."
    yield CAVEAT
    yield "Computed from true scores: seen by you, not a private release."
    yield from (f"Cannot be chosen: {isolated(label)} {reason}." for label, reason in others(table))
    for arrow in arrows:
        doubts = [arrow.both, arrow.privacy, arrow.sampling]
        shares = "  ".join("     -" if one is None else f"{one:6.1%}" for one in doubts)
        yield f"{shares}  {arrow.words}" + (f"  (no arrow to tell: {arrow.reason})" if arrow.reason else "")
    yield "Columns: both doubts together, privacy (noise keeps the arrow), sampling (other people would agree)."
    spent = f"epsilon {cost.epsilon:g}" + (f" and delta {cost.delta:g}" if cost.delta else "")
    yield f"Releasing {releases} at epsilon {settings.epsilon:g} each spends {spent} (they add)."
