"""``python -m tests.benchmarks.joint_tuebingen PATH``: what protecting every row costs on many real pairs.

PATH is a directory or file of pairs with known truths. Every split shuffles the columns and takes at most 4,000 rows;
HSIC's arrow (bandwidth 0.5) is released for test rows only, and for every row by blocks that vote. Exact probabilities.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev

from privcause_core.loading import load_path
from privcause_core.pair import Pair
from privcause_core.settings import Protection, ReleaseKind, Settings
from privcause_core.sweep import SweepGrid, accuracy, ceilings, judge_pair, run_sweep, shuffle_columns
from tests.benchmarks.experiment import capped

GRID = SweepGrid(("hsic",), (0.1, 0.3, 1.0, 3.0, 10.0), releases=(ReleaseKind.DIRECTION,))
TEST_ROWS = Settings(bandwidth=0.5)
WAYS = {"test rows only": TEST_ROWS} | {
    f"every row: {blocks} blocks": TEST_ROWS.with_(protect=Protection.EVERY_ROW, blocks=blocks)
    for blocks in (2, 4, 6, 10)
}

SPLITS = 20


def shares(pairs: Sequence[Pair], way: Settings, split: int) -> list[float]:
    """Return the share of right arrows without noise and at every epsilon, in percent."""
    settings = way.with_(seed=split)
    turned = [capped(pair, split) for pair in shuffle_columns(pairs, split)]
    measured = list(run_sweep(turned, settings, GRID))
    points = accuracy(row for one in measured for row in judge_pair(one, settings, GRID))
    return [100 * one.rate for one in (ceilings(measured)[0].accuracy, *(point.accuracy for point in points))]


def main(path: Path) -> None:
    """Print the table: mean and sd over splits."""
    pairs = [pair for pair in load_path(path).pairs if pair.truth]
    head = ["without noise", *(f"epsilon {epsilon:g}" for epsilon in GRID.epsilons)]
    print(f"{len(pairs)} pairs, {SPLITS} splits\n\n| | " + " | ".join(head) + " |\n|" + " --- |" * (len(head) + 1))
    for name, way in WAYS.items():
        columns = zip(*(shares(pairs, way, split) for split in range(SPLITS)), strict=True)
        print(f"| {name} | " + " | ".join(f"{fmean(one):.1f} ± {stdev(one):.1f}" for one in columns) + " |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
