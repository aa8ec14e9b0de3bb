"""``inspect FILE``: what a file holds, before any analysis."""

import argparse
import math
from dataclasses import asdict
from typing import Any

import numpy as np

from privcause_core.cli.common import add_pair_arguments, choose_pair, load, say, say_json
from privcause_core.errors import DataError
from privcause_core.fits.scaling import iqr
from privcause_core.loading import Loaded, Table
from privcause_core.loading.wording import counted
from privcause_core.pair import NumberArray, Pair
from privcause_core.scores.kendall import tau_a
from privcause_core.scores.spearman import rho_a
from privcause_core.text.names import isolated


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add_pair_arguments(parser)
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print the tables, pairs and columns of a file; with a pair chosen also its raw rank correlations."""
    loaded = load(args.file, args.decimal)
    report: dict[str, Any] = {
        "schema_version": 1,
        "file": args.file,
        "notes": list(loaded.notes),
        "tables": [_table_dict(table) for table in loaded.tables],
        "pairs": [_pair_dict(pair) for pair in loaded.pairs],
        "rejected": [asdict(rejected) for rejected in loaded.rejected],
        "chosen": _chosen(loaded, args),
    }
    if args.json:
        say_json(report)
    else:
        say(*_lines(report))
    return 0


def _table_dict(table: Table) -> dict[str, object]:
    columns = []
    for position, column in enumerate(table.columns, start=1):
        entry: dict[str, object] = {"position": position, "name": column.name, "label": column.label}
        entry |= {"numeric": column.numeric, "missing": column.missing, "reason": column.reason}
        entry |= {"decimal_open": column.readings is not None}
        entry |= {"looks_like_identifier": column.looks_like_identifier}
        if column.values is not None:
            entry |= summary(column.numbers())
        columns.append(entry)
    return {"name": table.name, "rows_read": table.rows_read, "notes": list(table.notes), "columns": columns}


def _pair_dict(pair: Pair) -> dict[str, object]:
    return {
        "name": pair.name,
        "rows_read": pair.rows_read,
        "rows_used": pair.rows,
        "truth": str(pair.truth) if pair.truth else None,
        "weight": pair.weight,
        "notes": list(pair.notes),
        "columns": [{"name": n, **summary(v)} for n, v in ((pair.x_name, pair.x), (pair.y_name, pair.y))],
    }


def summary(values: NumberArray) -> dict[str, float | int | None]:
    """Return the fingerprint of a column, of its finite values: count, sum (rounded once), distinct, min and max."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (None, None)
    counts = {"count": int(finite.size), "sum": _finite(_exact_sum(finite)), "distinct": int(np.unique(finite).size)}
    return {**counts, "min": low, "max": high}


def _exact_sum(values: NumberArray) -> float:
    """Return the sum, rounded once; infinite where it exceeds every double."""
    if values.dtype == np.int64:
        return float(sum(values.tolist()))
    try:
        return math.fsum(values.tolist())
    except OverflowError:  # a partial sum too large; a smaller unit keeps the total if that is not
        return math.fsum(np.ldexp(values, -64).tolist()) * 2.0**64


def _finite(value: float | int) -> float | int | None:
    """Return a number, or None where JSON has no word for it (the sum of values near 1e308, say)."""
    return value if math.isfinite(value) else None


def _chosen(loaded: Loaded, args: argparse.Namespace) -> dict[str, object] | None:
    """Return the raw dependence of the chosen columns, or why none is chosen yet."""
    asked = args.pair is not None or args.x is not None or args.y is not None
    try:
        pair = choose_pair(loaded, args).pair
    except DataError as error:
        if asked:
            raise
        return {"why_none": str(error)}
    enough = pair.rows >= 2
    return {
        **_pair_dict(pair),
        "x": pair.x_name,
        "y": pair.y_name,
        "rho_a": rho_a(pair.x, pair.y) if enough else None,
        "tau_a": tau_a(pair.x, pair.y) if enough else None,
        "iqr_x": _finite(iqr(pair.x)),
        "iqr_y": _finite(iqr(pair.y)),
    }


def _lines(report: dict[str, Any]) -> list[str]:
    lines: list[str] = list(report["notes"])
    for table in report["tables"]:
        lines += [f"Table {isolated(table['name'])}: {counted(table['rows_read'], 'row')} read", *table["notes"]]
        lines += [_column_line(column) for column in table["columns"]]
    for pair in report["pairs"]:
        truth = f", truth {pair['truth']}" if pair["truth"] else ""
        lines.append(f"Pair {isolated(pair['name'])}: {pair['rows_used']} of {pair['rows_read']} rows{truth}")
        lines += [_column_line({**column, "label": column["name"]}) for column in pair["columns"]]
    lines += [f"Not loaded: {isolated(rejected['name'])}: {rejected['reason']}" for rejected in report["rejected"]]
    chosen = report["chosen"]
    if isinstance(chosen, dict) and "x" in chosen and chosen["rho_a"] is not None:
        lines.append(
            f"{isolated(chosen['x'])} and {isolated(chosen['y'])}: {chosen['rows_used']} complete rows, "
            f"rho-a {chosen['rho_a']:.10g}, tau-a {chosen['tau_a']:.10g} (true, not private)"
        )
        lines += [note for note in chosen["notes"] if note not in lines]
    return lines


def _column_line(column: dict[str, Any]) -> str:
    label = isolated(str(column["label"]))
    if "count" not in column:
        if column.get("decimal_open"):
            return f"  {label}: numbers with a decimal point or with a decimal comma; choose with --decimal"
        return f"  {label} {column['reason']}"
    low, high = column["min"], column["max"]
    return f"  {label}: {counted(int(column['count']), 'value')}, {column['distinct']} distinct, {low} to {high}"
