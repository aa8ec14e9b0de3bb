"""``make experiment DATA=path``: the paper's experiment, accuracy against epsilon for four scores over many pairs.

The path is a directory or a file of pairs (a zip, or a table SampleID,A,B with its targets in the same directory).
Every split draws training and test rows, shuffles the columns of half of the pairs and, where a pair has more than
4,000 rows, draws that many. Probabilities are exact, so only splits are drawn, no noise. Writes to ./out/.
"""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, stdev

import numpy as np

from privcause_core.cli.common import load
from privcause_core.cli.paths import write_whole
from privcause_core.errors import PrivCauseError
from privcause_core.explore.simulation import Interval
from privcause_core.figures.accuracy import EPSILON_HIGH, EPSILON_LOW, calibrations_chart
from privcause_core.pair import Pair
from privcause_core.report.document import Kind, Section, chart, columns, document, paragraph
from privcause_core.scores import get_score
from privcause_core.settings import Calibration, Settings
from privcause_core.sweep import (
    PAPER_SCORES,
    AccuracyPoint,
    Ceiling,
    MeasuredPair,
    SweepGrid,
    SweepRow,
    accuracy,
    always_first,
    ceilings,
    csv_text,
    gather,
    judge_pair,
    run_sweep,
    shuffle_columns,
)
from privcause_core.sweep.accuracy import weighted_share
from privcause_core.version import __version__

SPLITS = 20
MOST_ROWS = 4_000
OUT = Path("out")
GRID = SweepGrid(
    PAPER_SCORES, tuple(float(f"{e:.3g}") for e in np.geomspace(EPSILON_LOW, EPSILON_HIGH, 16)), tuple(Calibration)
)


@dataclass(frozen=True, slots=True)
class Result:
    """The experiment, averaged over its splits; intervals are over pairs, spreads over splits."""

    pairs: int
    baseline: Interval
    ceilings: tuple[Ceiling, ...]
    spreads: tuple[tuple[float, float, float], ...]  # of each ceiling: sd, least and greatest
    points: tuple[AccuracyPoint, ...]
    failed: tuple[str, ...]


def main(path: str) -> int:
    """Run the experiment, print its summary and write its table and figures."""
    try:
        pairs, rejected = gather([load(path)])
        result = experiment([pair for pair in pairs if pair.truth])
    except PrivCauseError as error:
        print(f"experiment: {error}", file=sys.stderr)
        return 2
    OUT.mkdir(exist_ok=True)
    write_whole(OUT / "experiment.csv", table(result))
    write_whole(OUT / "experiment.html", page(result))
    print("\n".join(["", *summary(result), *(f"Not scored: {one.name}: {one.reason}" for one in rejected)]))
    print(f"Written: {OUT}/experiment.csv, {OUT}/experiment.html")
    return 0


def experiment(pairs: Sequence[Pair], splits: int = SPLITS) -> Result:
    """Return accuracies over the splits, seeds 0 to splits - 1."""
    runs = []
    for split in range(splits):
        print(f"\rsplit {split + 1} of {splits}", end="", file=sys.stderr, flush=True)
        runs.append(one_split(pairs, split))
    known = [one for run in runs for one in run if not one.reason]
    found = [{one.score: one for one in ceilings(run)} for run in runs]
    rates = [[one[score].accuracy.rate for one in found] for score in GRID.scores]
    weights = [pair.weight for pair in pairs]
    return Result(
        len(pairs),
        mean_interval([always_first(run).rate for run in runs], weights),
        tuple(
            Ceiling(score, mean_interval(rate, weights), mean_auc(one[score].auc for one in found))
            for score, rate in zip(GRID.scores, rates, strict=True)
        ),
        tuple((stdev(rate) if splits > 1 else 0.0, min(rate), max(rate)) for rate in rates),
        accuracy(mean_rows(known)),
        tuple(sorted({f"{one.pair}: {one.reason}" for run in runs for one in run if one.reason})),
    )


def one_split(pairs: Sequence[Pair], split: int) -> list[MeasuredPair]:
    """Measure every pair under one split seed, which also shuffles the columns and draws the rows."""
    turned = [capped(pair, split) for pair in shuffle_columns(pairs, split)]
    return list(run_sweep(turned, Settings(seed=split), GRID))


def capped(pair: Pair, split: int) -> Pair:
    """Return the pair with at most 4,000 of its rows."""
    if pair.rows <= MOST_ROWS:
        return pair
    rows = np.sort(np.random.default_rng((split, 3)).choice(pair.rows, MOST_ROWS, replace=False))
    return replace(pair, x=pair.x[rows], y=pair.y[rows], rows_read=None)


def mean_rows(measured: Iterable[MeasuredPair]) -> list[SweepRow]:
    """Return one row for each pair and setting, its shares averaged over the splits."""
    groups: dict[tuple[object, ...], list[SweepRow]] = {}
    for one in measured:
        for row in judge_pair(one, Settings(), GRID):
            groups.setdefault((row.score, row.calibration, row.epsilon, row.pair), []).append(row)
    return [
        replace(
            group[0],
            probability_right=fmean(row.probability_right for row in group),
            probability_refused=fmean(row.probability_refused for row in group),
        )
        for group in groups.values()
    ]


def mean_interval(rates: Sequence[float], weights: Sequence[float]) -> Interval:
    """Return the mean rate with the interval of so many pairs: splits of the same pairs are no new pairs."""
    return weighted_share([fmean(rates)] * len(weights), weights)


def mean_auc(areas: Iterable[float | None]) -> float | None:
    """Return the mean area, None where it is undefined."""
    known = [area for area in areas if area is not None]
    return fmean(known) if known else None


def table(result: Result) -> str:
    """Return the curves as CSV; the row without an epsilon is the non-private ceiling."""
    names = ("score", "calibration", "epsilon", "rate", "low", "high", "refused", "pairs", "split_sd")
    curves = [asdict(point) | asdict(point.accuracy) for point in result.points]
    limits = [
        {"score": one.score, "pairs": result.pairs, "split_sd": spread[0]} | asdict(one.accuracy)
        for one, spread in zip(result.ceilings, result.spreads, strict=True)
    ]
    return csv_text(names, limits + curves)


def page(result: Result) -> str:
    """Return the figures as one self-contained HTML page."""
    sections = [
        Section(
            get_score(one.score).title,
            [chart(calibrations_chart(f"{get_score(one.score).title}: right arrows over {result.pairs} pairs",
                                      [p for p in result.points if p.score == one.score], one, result.baseline))],
        )
        for one in result.ceilings
    ]  # fmt: skip
    header = ("score", "right without privacy", "95 % over pairs", "over splits", "ROC area", "so")
    overview = Section("Without privacy", [columns(header, ceiling_cells(result)), *map(paragraph, result.failed)])
    title = f"Accuracy against epsilon over {result.pairs} pairs, {SPLITS} splits (version {__version__})"
    return document(Kind.TEACHING, title, [overview, *sections])


def ceiling_cells(result: Result) -> list[list[str]]:
    """Return the table of the non-private ceilings."""
    return [
        [
            get_score(one.score).title,
            f"{one.accuracy.rate:.1%}",
            f"{one.accuracy.low:.1%} to {one.accuracy.high:.1%}",
            f"{least:.1%} to {greatest:.1%}, sd {sd:.1%}",
            "undefined" if one.auc is None else f"{one.auc:.2f}",
            "no better than a coin" if one.no_better_than_a_coin else "better than a coin",
        ]
        for one, (sd, least, greatest) in zip(result.ceilings, result.spreads, strict=True)
    ]


def summary(result: Result) -> list[str]:
    """Return what to print: ceilings, then accuracies at a few epsilons."""
    lines = [f"{result.pairs} pairs, {SPLITS} splits, at most {MOST_ROWS:,} rows each, version {__version__}"]
    lines += [" | ".join(cells) for cells in ceiling_cells(result)]
    lines += [
        f"{p.score} {p.calibration} epsilon {p.epsilon:g}: {p.accuracy.rate:.1%}, refused {p.refused:.1%}"
        for p in result.points
    ]
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
