"""``make experiment DATA="path@splits ..."``: right arrows of every score over many pairs, the page docs/accuracy.md.

A path is a directory or a file of pairs (a zip, or a table SampleID,A,B with its targets in the same directory). Every
split draws training and test rows, exchanges the columns of half of the pairs and, where a pair has more than 4,000
rows, draws that many. Probabilities are exact, so only splits are drawn, no noise. Writes out/accuracy.md.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed

from privcause_core.cli.common import load
from privcause_core.cli.paths import write_whole
from privcause_core.errors import DataError, PrivCauseError
from privcause_core.explore.analysis import measure, unrelated
from privcause_core.explore.block_planning import recommended_blocks
from privcause_core.explore.simulation import Interval
from privcause_core.pair import Direction, FloatArray, Pair
from privcause_core.protection.choice import coverage
from privcause_core.scores import all_scores
from privcause_core.settings import Calibration, NoiseModel, Protection, ReleaseKind, Settings
from privcause_core.sweep import PAPER_SCORES, SweepGrid, gather, judge_pair, shuffle_columns
from privcause_core.sweep.accuracy import always_first, weighted_share
from privcause_core.sweep.measured import MeasuredPair, measure_pair
from privcause_core.sweep.rows import SweepRow
from privcause_core.version import __version__
from tests.benchmarks.accuracy_text import ALARMS, HEAD, PEERS, WHAT_FAILS
from tests.benchmarks.more_families import every_pair
from tests.benchmarks.null_families import every_null_pair

SPLITS = 3  # of a set that names no number
MOST_ROWS = 4_000
EPSILONS = (0.1, 1.0, 10.0)
SHOWN = EPSILONS.index(1.0)
EACH_FAMILY, EACH_NULL = 8, 50  # pairs of a family and a number of rows
OUT = Path("out")
NAMES = tuple(score.name for score in all_scores())

Shares = dict[tuple[str, ...], FloatArray]  # of every rule: (pairs, columns) of probabilities


class Rule(NamedTuple):
    """Scores under one noise model and some calibrations."""

    noise: NoiseModel
    scores: tuple[str, ...]
    splits: int = 5  # at most
    calibrations: tuple[Calibration, ...] = (Calibration.REFINED,)


RULES = (
    Rule(NoiseModel.AUTO, ("likelihood",), 20),
    Rule(NoiseModel.ADDITIVE, NAMES, calibrations=tuple(Calibration)),
    Rule(NoiseModel.LOCATION_SCALE, tuple(name for name in NAMES if name != "iqr")),
)
BLOCK_RULES = (Rule(NoiseModel.AUTO, ("likelihood",), 3),)


def main(arguments: Sequence[str]) -> int:
    """Run the experiment on every set of pairs and on the project's families, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+", metavar="path@splits")
    parser.add_argument("--block-pairs", type=int, default=sys.maxsize, help="most pairs of a set measured by blocks")
    asked = parser.parse_args(arguments)
    try:
        measured = [one_set(one, asked.block_pairs) for one in asked.sets]
    except PrivCauseError as error:
        print(f"experiment: {error}", file=sys.stderr)
        return 2
    OUT.mkdir(exist_ok=True)
    head = HEAD.format(version=__version__, rows=MOST_ROWS)
    sections = [section for one in measured for section in one.sections]
    page = [head, overview(measured), *sections, *families(EACH_FAMILY), false_alarms(EACH_NULL), WHAT_FAILS]
    write_whole(OUT / "accuracy.md", "\n\n".join(page) + "\n")
    print(f"Written: {OUT}/accuracy.md")
    return 0


class MeasuredSet(NamedTuple):
    """One set: its sections, and the means of the default score, test rows and blocks, each shape (columns,)."""

    name: str
    sections: list[str]
    test_rows: FloatArray
    blocks: FloatArray


def overview(measured: Sequence[MeasuredSet]) -> str:
    """Return the section on the default score alone, and its means over the sets."""
    heads = ("no noise", *(f"ε {epsilon:g}" for epsilon in EPSILONS))
    columns = [f"{rows}: {head}" for rows in ("test rows", "blocks") for head in heads]
    lines = ["| set | " + " | ".join(columns) + " |", "| --- " * (1 + len(columns)) + "|"]
    rows = {one.name: np.concatenate([one.test_rows[:-1], one.blocks[:-1]]) for one in measured}
    rows["mean of the sets"] = np.mean(list(rows.values()), axis=0)
    lines += [f"| {name} | " + " | ".join(f"{100 * share:.1f}" for share in row) + " |" for name, row in rows.items()]
    return "## Overview: likelihood, the default\n\n" + "\n".join(lines)


def one_set(argument: str, block_pairs: int) -> MeasuredSet:
    """Return one set: what it is, test rows, every row by blocks."""
    path, _, number = argument.partition("@")
    splits, name = int(number or SPLITS), Path(path).stem
    pairs = [pair for pair in gather([load(path)])[0] if pair.truth not in (None, Direction.UNDECIDED)]
    rows = [pair.rows for pair in pairs]
    firsts = [found.rate for s in range(splits) if (found := always_first(shuffle_columns(pairs, s)))]
    if not firsts:
        raise DataError(f"Expected pairs whose cause is known; {name} has none.")
    sections = [
        f"## {name}\n\n{len(pairs)} pairs of {min(rows):,} to {max(rows):,} rows. Guessing that the first column is "
        f"the cause: right on {100 * fmean(firsts):.1f} %.{PEERS.get(name, '')}"
    ]
    shares, weights = over_splits(pairs, splits, RULES, Settings()), [pair.weight for pair in pairs]
    said = ", ".join(f"{min(splits, rule.splits)} of {rule.noise}" for rule in RULES)
    sections.append(f"**Test rows** (splits: {said}).\n\n" + table(shares))
    if len(set(weights)) > 1:
        sections.append("**Test rows, weighted as the set says.**\n\n" + table(shares, weights))
    test_rows = shares[NoiseModel.AUTO, "likelihood"].mean(axis=0)
    some = pairs[:: -(-len(pairs) // block_pairs)]
    shares = over_splits(some, splits, BLOCK_RULES, Settings(protect=Protection.EVERY_ROW))
    splits = min(splits, BLOCK_RULES[0].splits)
    sections.append(f"**Every row by blocks** ({len(some)} of the pairs, splits: {splits}).\n\n" + table(shares))
    return MeasuredSet(name, sections, test_rows, shares[NoiseModel.AUTO, "likelihood"].mean(axis=0))


def families(each: int) -> Iterator[str]:
    """Yield the sections of the project's own families, where alone rules are chosen."""
    made = list(every_pair(each, 12))
    pairs = [pair for _, pair in made]
    shares = over_splits(pairs, 1, RULES, Settings())
    yield (
        f"## The project's families\n\n{len(pairs)} synthetic pairs, one split; rules may be chosen here, so these "
        "shares are a little lucky.\n\n" + table(shares)
    )
    shown = shares[NoiseModel.AUTO, "likelihood"]
    kinds = {name: [own == name for own, _ in made] for name, _ in made}
    yield "**Likelihood, auto, by family.**\n\n" + table({(name,): shown[mask] for name, mask in kinds.items()})


def false_alarms(each: int) -> str:
    """Return the section on pairs without an arrow to tell."""
    made = list(every_null_pair(each, 12))
    told = Parallel(n_jobs=-1)(delayed(tells)(pair) for _, pair in made)
    lines = [ALARMS, "", "| family | likelihood | Kendall | columns look related |", "| --- " * 4 + "|"]
    for name in dict(made):
        share = 100 * np.mean([one for (own, _), one in zip(made, told, strict=True) if own == name], axis=0)
        lines.append(f"| {name} | " + " | ".join(f"{value:.0f}" for value in share) + " |")
    return "\n".join(lines)


def tells(pair: Pair) -> tuple[bool, bool, bool]:
    """Return whether the likelihood and Kendall tell an arrow, and whether the columns look related."""
    found = [measure(pair, Settings(score=score)) for score in ("likelihood", "kendall")]
    doubts = [one.scores[0].doubt for one in found]
    told = [bool(doubt and doubt.tells_arrow) for doubt in doubts]
    return told[0], told[1], not unrelated(found[0].columns_related_p)


def over_splits(pairs: Sequence[Pair], splits: int, rules: Iterable[Rule], settings: Settings) -> Shares:
    """Return, for every rule and pair, the means over splits (seeds 0 to splits - 1) of ``one_pair``."""
    found: Shares = {}
    for rule in rules:
        runs = []
        for split in range(min(splits, rule.splits)):
            at = settings.with_(noise_model=rule.noise, seed=split, release=ReleaseKind.DIRECTION)
            turned = [capped(pair, split) for pair in shuffle_columns(pairs, split)]
            runs.append(Parallel(n_jobs=-1)(delayed(one_pair)(pair, at, rule) for pair in turned))
            print(f"{at.protect}, {rule.noise}, split {split + 1}", file=sys.stderr, flush=True)
        means = np.mean(runs, axis=0)  # (pairs, calibrations x scores, columns)
        for k, (calibration, score) in enumerate(product(rule.calibrations, rule.scores)):
            if calibration is Calibration.REFINED:
                found[rule.noise, score] = means[:, k]
            elif score in PAPER_SCORES:
                found[rule.noise, f"noise as in the {calibration}", score] = means[:, k]
    return found


def one_pair(pair: Pair, settings: Settings, rule: Rule) -> list[list[float]]:
    """Return P(right) without noise and at each epsilon, then P(refused) at epsilon 1, by calibration and score.

    Blocks are as many as the number of rows and each epsilon recommend.
    """
    measured: dict[int, MeasuredPair] = {}
    rows: dict[tuple[Calibration, str], list[SweepRow]] = {key: [] for key in product(rule.calibrations, rule.scores)}
    for epsilon in EPSILONS:
        blocks = recommended_blocks(pair.rows, epsilon) if coverage(settings).votes else settings.blocks
        at = settings.with_(blocks=blocks)
        measured[blocks] = measured.get(blocks) or measure_pair(pair, at, rule.scores)
        grid = SweepGrid(rule.scores, (epsilon,), rule.calibrations, (at.release,))
        for row in judge_pair(measured[blocks], at, grid):
            rows[row.calibration, row.score].append(row)
    return [[_noise_free(one[SHOWN]), *(row.probability_right or 0.0 for row in one), one[SHOWN].probability_refused]
            for one in rows.values()]  # fmt: skip


def _noise_free(row: SweepRow) -> float:
    return 0.5 if row.direction is Direction.UNDECIDED else float(row.direction is row.truth)


def capped(pair: Pair, split: int) -> Pair:
    """Return the pair with at most 4,000 of its rows."""
    if pair.rows <= MOST_ROWS:
        return pair
    rows = np.sort(np.random.default_rng((split, 3)).choice(pair.rows, MOST_ROWS, replace=False))
    return replace(pair, x=pair.x[rows], y=pair.y[rows], rows_read=None)


def table(shares: Shares, weights: Sequence[float] | None = None) -> str:
    """Return a Markdown row a rule: mean shares in percent, intervals over pairs without noise and at epsilon 1."""
    heads = ("rule", "no noise", "95 %", *(f"ε {epsilon:g}" for epsilon in EPSILONS), "95 % at ε 1", "refused at ε 1")
    lines = ["| " + " | ".join(heads) + " |", "| --- " * len(heads) + "|"]
    for rule, each in shares.items():
        over = [weighted_share(column, weights or [1.0] * len(each)) for column in each.T]
        cells = [", ".join(rule), f"{100 * over[0].rate:.1f}", _interval(over[0])]
        cells += [f"{100 * one.rate:.1f}" for one in over[1:-1]]
        cells += [_interval(over[1 + SHOWN]), f"{100 * over[-1].rate:.1f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _interval(share: Interval) -> str:
    return f"{100 * share.low:.0f} to {100 * share.high:.0f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
