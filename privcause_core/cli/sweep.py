"""``sweep FILE...``: every pair under every setting, in parallel."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from privcause_core.cli.common import (
    add_decimal_argument,
    add_settings_arguments,
    decimal_mark,
    epsilons_from,
    load,
    say,
    say_json,
    settings_from,
)
from privcause_core.cli.paths import output_path, write_whole
from privcause_core.errors import DataError, ParameterError
from privcause_core.explore.simulation import Interval
from privcause_core.loading import Loaded, load_files, why_no_file
from privcause_core.loading.wording import counted
from privcause_core.pair import Pair
from privcause_core.protection.choice import coverage
from privcause_core.samples import PREFIX
from privcause_core.settings import ALL_SCORES, SEED_MAX, Calibration, ReleaseKind, Settings, knobs
from privcause_core.sweep import (
    ALL_CORES,
    DEFAULT_EPSILONS,
    MeasuredPair,
    SweepGrid,
    accuracy,
    always_first,
    ceilings,
    failed_pair,
    gather,
    judge_pair,
    run_sweep,
    shuffle_columns,
    sweep_csv,
    sweep_dict,
    sweep_warnings,
)
from privcause_core.text.names import isolated
from privcause_core.text.typed import check_range, parse_whole

_Choice = TypeVar("_Choice", bound=StrEnum)

JOBS_MAX = 1024


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="files, directories or sample:NAME")
    lists = {
        "score": "scores, separated by commas, or all (default)",
        "epsilons": "totals of one verdict, separated by commas",
        "calibration": "refined, paper or both separated by a comma",
        "release": "two-scores, direction or both separated by a comma",
    }
    for name, about in lists.items():
        parser.add_argument(f"--{name}", dest=f"grid_{name}", metavar="LIST", help=about)
    of_the_grid = {"score", "epsilon", "calibration", "release"}
    simulated = {"draws", "draw_seed"}
    add_settings_arguments(parser, *(name for name in knobs() if name not in of_the_grid | simulated))
    workers = parser.add_mutually_exclusive_group()
    workers.add_argument("--jobs", metavar="N", help="worker processes (default: one a core)")
    workers.add_argument("--dask", metavar="ADDRESS", help="a Dask scheduler, tcp://host:port; rows travel to it")
    add_decimal_argument(parser)
    parser.add_argument("--shuffle", metavar="SEED", help="exchange the columns of a random half of the pairs")
    parser.add_argument("--out", metavar="CSV", help="write the table of all verdicts")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Measure and judge all pairs; print a summary or JSON, and write the table."""
    settings = settings_from(args)
    grid = _grid(args, settings)
    jobs = ALL_CORES if args.jobs is None else _whole("jobs", args.jobs, ALL_CORES, JOBS_MAX)
    out = None if args.out is None else output_path(args.out)
    pairs, rejected = gather(_loads(args.files, args.decimal))
    if not pairs:
        raise DataError(f"There is no pair to sweep; {rejected[0].name}: {rejected[0].reason}")
    if args.shuffle is not None:
        pairs = shuffle_columns(pairs, _whole("shuffle", args.shuffle, 0, SEED_MAX))
    found = {one.pair: one for one in _reported(run_sweep(pairs, settings, grid, jobs=jobs, dask=args.dask), pairs)}
    measured = [found[pair.name] for pair in pairs] + [failed_pair(one.name, one.reason) for one in rejected]
    try:
        if out is not None:
            write_whole(out, sweep_csv(measured, settings, grid))
    finally:  # hours of work are shown even if the disk has filled up meanwhile
        if args.json:
            say_json(sweep_dict(measured, settings, grid))
        else:
            say(*_lines(measured, settings, grid))
    return 0


def _grid(args: argparse.Namespace, settings: Settings) -> SweepGrid:
    names = (args.grid_score or ALL_SCORES).split(",")
    return SweepGrid(
        scores=tuple(score.name for name in names for score in coverage(settings.with_(score=name.strip())).scores()),
        epsilons=epsilons_from(args.grid_epsilons) if args.grid_epsilons else DEFAULT_EPSILONS,
        calibrations=_choices(Calibration, "calibration", args.grid_calibration, settings.calibration),
        releases=_choices(ReleaseKind, "release", args.grid_release, settings.release),
    )


def _choices(kind: type[_Choice], name: str, text: str | None, default: _Choice) -> tuple[_Choice, ...]:
    if text is None:
        return (default,)
    try:
        return tuple(kind(part.strip()) for part in text.split(","))
    except ValueError:
        raise ParameterError(f"Expected {name} to be among {', '.join(kind)}, got {text!r}.") from None


def _whole(name: str, text: str, low: int, high: int) -> int:
    number = parse_whole(name, text)
    check_range(name, number, low, high)
    return number


def _loads(files: Sequence[str], decimal: str | None) -> Iterator[Loaded]:
    """Load samples and directories one by one, the other files together: pairs may have their targets beside them."""
    together = [name for name in files if name and not name.startswith(PREFIX) and not Path(name).is_dir()]
    yield from (load(name, decimal) for name in files if name not in together)
    if len(together) == 1:
        yield load(together[0], decimal)
    elif together:
        contents = [(Path(name).name, _content(Path(name))) for name in together]
        yield load_files(contents, max_bytes=None, decimal=decimal_mark(decimal))


def _content(path: Path) -> bytes:
    if why := why_no_file(path):
        raise DataError(f"{path}: {why}.")
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: the file cannot be read ({error.strerror}).") from None


def _reported(results: Iterator[MeasuredPair], pairs: Sequence[Pair]) -> Iterator[MeasuredPair]:
    """Pass results on, counting them on a terminal."""
    for number, one in enumerate(results, start=1):
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{number} of {len(pairs)} pairs" + ("\n" if number == len(pairs) else ""))
            sys.stderr.flush()
        yield one


def _lines(measured: Sequence[MeasuredPair], settings: Settings, grid: SweepGrid) -> list[str]:
    rows = [row for one in measured for row in judge_pair(one, settings, grid)]
    baseline = always_first(measured)
    return [
        f"{counted(sum(not one.reason for one in measured), 'pair')} scored; accuracies are shares of all runs.",
        "They are computed from true scores: seen by you, not a private release.",
        *(f"Note: {warning}" for warning in sweep_warnings(measured)),
        *(f"Not scored: {isolated(one.pair)}: {one.reason}" for one in measured if one.reason),
        *([f"{'always first':>12}: {baseline.rate:.1%}"] if baseline else []),
        *(f"{one.score:>12}: {_share(one.accuracy)} without privacy{_auc(one.auc)}" for one in ceilings(measured)),
        *(
            f"{point.score:>12}: {_share(point.accuracy)} at epsilon {point.epsilon:g}, {point.calibration}, "
            f"{point.release}" + (f", {point.refused:.1%} refused" if point.refused else "")
            for point in accuracy(rows)
        ),
    ]


def _share(interval: Interval) -> str:
    return f"{interval.rate:.1%} ({interval.low:.1%} to {interval.high:.1%})"


def _auc(auc: float | None) -> str:
    return ", AUC undefined" if auc is None else f", AUC {auc:.3f}"
