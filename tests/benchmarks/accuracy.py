"""``make accuracy DATA="path ..."``: right arrows of every score on sets of pairs whose cause is known, as Markdown.

Direction only, columns of half of the pairs exchanged, at most 4,000 rows a pair; probabilities are exact, so only
splits are drawn. Intervals are Wilson's over pairs: splits of the same pairs are no new pairs. Writes to ./out/.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from privcause_core.cli.common import load
from privcause_core.cli.paths import write_whole
from privcause_core.explore.analysis import measure
from privcause_core.explore.block_planning import recommended_blocks
from privcause_core.explore.simulation import wilson
from privcause_core.pair import Pair
from privcause_core.protection.choice import coverage
from privcause_core.settings import NoiseModel, Protection, ReleaseKind, Settings
from privcause_core.sweep import gather, shuffle_columns
from tests.benchmarks.experiment import capped

EPSILONS = (0.1, 1.0, 10.0)
RULES = (
    ("likelihood", NoiseModel.AUTO), ("likelihood", NoiseModel.ADDITIVE), ("root-hsic", NoiseModel.AUTO),
    ("root-hsic", NoiseModel.ADDITIVE), ("hsic", NoiseModel.ADDITIVE), ("kendall", NoiseModel.ADDITIVE),
)  # fmt: skip
BLOCK_RULES = (("likelihood", NoiseModel.AUTO), ("hsic", NoiseModel.ADDITIVE))


def right(pair: Pair, settings: Settings) -> list[float]:
    """Return P(right arrow) without noise and at every epsilon; blocks take as many as each epsilon recommends."""
    found = []
    with threadpool_limits(limits=1):
        for epsilon in EPSILONS:
            at = settings.with_(epsilon=epsilon, blocks=recommended_blocks(pair.rows, epsilon))
            if not found or coverage(at).votes:
                measured = measure(pair, at, doubts=False)
                (true,) = measured.scores
            sign = 1.0 if true.direction is pair.truth else -1.0
            if not found or (coverage(at).votes and epsilon == 1.0):
                found[:1] = [0.5 if true.margin == 0.0 else float(sign > 0.0)]
            verdict = coverage(at).verdict(true.score, measured.fit.n_train, measured.fit.n_test)
            found.append(verdict.shares(sign * abs(true.margin)).right)
    return found


def table(
    pairs: Sequence[Pair], splits: int, rules: Sequence[tuple[str, NoiseModel]], protect: Protection
) -> list[str]:
    """Return a Markdown row a rule."""
    lines = []
    for score, noise in rules:
        tasks = [
            (capped(pair, split), Settings(score=score, noise_model=noise, seed=split, protect=protect,
                                           release=ReleaseKind.DIRECTION))
            for split in range(splits) for pair in shuffle_columns(pairs, split)
        ]  # fmt: skip
        shares = Parallel(n_jobs=-1)(delayed(right)(*task) for task in tasks)
        means = [fmean(column) for column in zip(*shares, strict=True)]
        interval = wilson(means[0], len(pairs))
        cells = " | ".join(f"{100 * mean:.1f}" for mean in means)
        lines.append(f"| {score}, {noise} | {cells} | {100 * interval.low:.0f} to {100 * interval.high:.0f} |")
        print(lines[-1], flush=True)
    return lines


def main(paths: Sequence[str], splits: int, every: int) -> None:
    """Measure every set of pairs, on test rows and by blocks (every so many pairs)."""
    page = []
    for path in paths:
        pairs = [pair for pair in gather([load(path)])[0] if pair.truth]
        for protect, rules, some in (
            (Protection.TEST_ROWS, RULES, pairs), (Protection.EVERY_ROW, BLOCK_RULES, pairs[::every]),
        ):  # fmt: skip
            head = f"**{Path(path).stem}**, {protect}: {len(some)} pairs, {splits} splits"
            columns = "| score, noise model | no noise | ε 0.1 | ε 1 | ε 10 | no noise, 95 % over pairs |"
            print(head, flush=True)
            page += ["", head, "", columns, "| --- " * 6 + "|", *table(some, splits, rules, protect)]
    Path("out").mkdir(exist_ok=True)
    write_whole(Path("out") / "accuracy.md", "\n".join(page) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:], int(os.environ.get("SPLITS", "1")), int(os.environ.get("EVERY", "5")))
