"""``python -m tests.benchmarks.ceiling_tuebingen PATH``: how many arrows are right, and what splitting costs.

PATH is a directory or file of pairs with known truths. Every split shuffles the columns, takes at most 4,000 rows, and
scores the pairs under several test shares and with cross-fitting: both halves scored by the fits of the other, scores
averaged. Nothing here chooses anything.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev

from privcause_core.explore.analysis import true_direction
from privcause_core.explore.undecided import undecided_reasons
from privcause_core.fits.anm import AnmFit, fit_anm
from privcause_core.fits.halves import SeededDeal
from privcause_core.loading import load_path
from privcause_core.pair import Direction, Pair
from privcause_core.scores import get_score
from privcause_core.settings import Settings
from privcause_core.sweep import PAPER_SCORES, shuffle_columns
from privcause_core.sweep.accuracy import weighted_share
from tests.benchmarks.experiment import capped

TEST_SHARES = (0.5, 0.7, 0.8)
HSIC_BANDWIDTHS = (0.5, 1.0)
CROSS_FITTING = "cross-fitting"

Shares = dict[tuple[str, str], float]  # (way of splitting, score) -> right arrows, 0 to 1


def right_arrows(pair: Pair, fits: Sequence[AnmFit]) -> dict[str, float]:
    """Return 1, 1/2 (undecided) or 0 for every score, from the mean of the fits' scores."""
    found = {}
    for score in map(get_score, PAPER_SCORES):
        for bandwidth in HSIC_BANDWIDTHS if score.name == "hsic" else (1.0,):
            settings = Settings(bandwidth=bandwidth)
            xy = fmean(score.statistic(fit.scored.x_to_y, settings) for fit in fits)
            yx = fmean(score.statistic(fit.scored.y_to_x, settings) for fit in fits)
            decided = true_direction(0.0 if xy == yx else yx - xy, xy, yx)
            arrow = Direction.UNDECIDED if any(undecided_reasons(pair, fit) for fit in fits) else decided
            name = f"{score.title}, bandwidth {bandwidth:g}" if score.name == "hsic" else score.title
            found[name] = 0.5 if arrow is Direction.UNDECIDED else float(arrow is pair.truth)
    return found


def one_split(pairs: Sequence[Pair], split: int) -> Shares:
    """Return the share of right arrows of one split seed, for every way and score."""
    found = defaultdict(list)
    for pair in (capped(one, split) for one in shuffle_columns(pairs, split)):
        fits = {
            f"test share {share:g}": [fit_anm(pair, Settings(seed=split, test_share=share))] for share in TEST_SHARES
        }
        deals = (SeededDeal(split, exchanged) for exchanged in (False, True))
        fits[CROSS_FITTING] = [fit_anm(pair, Settings(seed=split), deal) for deal in deals]
        for way, ones in fits.items():
            for score, value in right_arrows(pair, ones).items():
                found[way, score].append(value)
    return {key: fmean(values) for key, values in found.items()}


def main(path: Path, splits: int) -> None:
    """Print the table of shares with their spread over splits and the interval over pairs."""
    pairs = [pair for pair in load_path(path).pairs if pair.truth]
    runs = []
    for split in range(splits):
        print(f"\rsplit {split + 1} of {splits}", end="", file=sys.stderr, flush=True)
        runs.append(one_split(pairs, split))
    print(f"\n{len(pairs)} pairs, {splits} splits\n")
    print("| | score | right | sd over splits | least to most | 95 % over pairs |")
    print("| --- | --- | --- | --- | --- | --- |")
    for way, score in runs[0]:
        rates = [100 * run[way, score] for run in runs]
        over = weighted_share([fmean(rates) / 100] * len(pairs), [1.0] * len(pairs))
        print(f"| {way} | {score} | {fmean(rates):.1f} % | {stdev(rates):.1f} | {min(rates):.1f} to {max(rates):.1f} "
              f"| {100 * over.low:.0f} to {100 * over.high:.0f} |")  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--splits", type=int, default=20)
    main(**vars(parser.parse_args()))
