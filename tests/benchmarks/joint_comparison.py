"""The ridge route against the blocks route; ``python -m tests.benchmarks.joint_comparison`` prints the tables of
docs/joint-protection.md.

Both protect every row at total epsilon 1. A cell is the probability that the private arrow is the known one: exact for
the noise, averaged over pairs. Ranges are typed from how the columns are made or measured, not from their values.
"""

import sys
from collections.abc import Iterator

import numpy as np

from privcause_core.explore.block_planning import recommended_blocks
from privcause_core.fits.anm import fit_anm
from privcause_core.pair import Direction, Pair
from privcause_core.protection import public_ranges
from privcause_core.protection.voting_blocks import block_verdict, count_votes
from privcause_core.samples import load_sample
from privcause_core.scores import get_score
from privcause_core.settings import ReleaseKind, Settings
from privcause_core.verdicts.laplace import DirectionLaplace
from privcause_core.verdicts.mechanisms import verdict_for
from privcause_core.verdicts.theory import correct, flip_direction

RANGES = {
    "synthetic-saturation": ("0..10", "-0.5..1.5"),
    "synthetic-random-curve": ("-4..4", "-20..20"),
    "synthetic-linear-non-gaussian": ("-1.5..1.5", "-1..1"),
    "synthetic-heavy-ties": ("0..10", "-0.5..1.5"),
    "synthetic-multiplicative": ("0..10", "0..3"),
    "diabetes-age-bp": ("18..90", "40..160"),
    "diabetes-age-bmi": ("18..90", "15..50"),
    "diabetes-bmi-progression": ("15..50", "0..400"),
    "gapminder-life-gdp": ("20..90", "0..100000"),
    "gapminder-life-latitude": ("20..90", "-60..75"),
    "tips-bill-tip": ("0..100", "0..20"),
    "tips-bill-size": ("0..100", "1..10"),
}
SEEDS = {200: 8, 1_000: 8, 5_000: 6, 20_000: 4, 100_000: 2, 1_000_000: 1}
HEAD = ("ridge, HSIC", "ridge, soft Kendall", "blocks, HSIC", "blocks", "test rows only, HSIC")


def settings_for(name: str, rows: int) -> Settings:
    range_x, range_y = RANGES[name]
    blocks = recommended_blocks(rows, 1.0)
    return Settings(release=ReleaseKind.DIRECTION, range_x=range_x, range_y=range_y, blocks=blocks)


def certainty(verdict: DirectionLaplace, scores: tuple[float, float], truth: Direction) -> float:
    """Return the probability that the noisy difference of two scores gives the known arrow."""
    margin = (scores[1] - scores[0]) * (1.0 if truth is Direction.X_TO_Y else -1.0)
    return float(correct(flip_direction, margin / verdict.noise_scale))


def by_ridge(pair: Pair, score_name: str, settings: Settings) -> float:
    settings = settings.with_(test_share=0.2)  # training rows move the scores more than test rows: have more of them
    score, fit = get_score(score_name), public_ranges.fit(pair, settings)
    verdict = public_ranges.ByPublicRanges(settings).verdict(score, fit.n_train, fit.n_test)
    scores = score.evaluate(fit.scored, settings)
    return certainty(verdict, (scores.xy, scores.yx), pair.truth)


def by_blocks(pair: Pair, settings: Settings) -> float:
    return certainty(block_verdict(settings), count_votes(pair, get_score("hsic"), settings).against, pair.truth)


def by_test_rows(pair: Pair, settings: Settings) -> float:
    score, fit = get_score("hsic"), fit_anm(pair, settings)
    scores = score.statistic(fit.scored.x_to_y, settings), score.statistic(fit.scored.y_to_x, settings)
    return certainty(verdict_for(score, fit.n_test, settings), scores, pair.truth)


def cells(pair: Pair, settings: Settings) -> list[float]:
    return [
        by_ridge(pair, "hsic", settings),
        by_ridge(pair, "soft-kendall", settings),
        by_blocks(pair, settings),
        float(settings.blocks),
        by_test_rows(pair, settings),
    ]


def synthetic(rows: int) -> Iterator[list[float]]:
    for name in RANGES:
        for seed in range(SEEDS[rows]) if name.startswith("synthetic") else ():
            yield cells(load_sample(name, rows=rows, seed=100 + seed), settings_for(name, rows))


def line(label: str, values: np.ndarray) -> str:
    shown = [f"{value:.0f}" if title == "blocks" else f"{value:.0%}" for title, value in zip(HEAD, values, strict=True)]
    return f"| {label} | " + " | ".join(shown) + " |"


def main(sizes: list[int]) -> None:
    print("| rows | " + " | ".join(HEAD) + " |\n|" + " --- |" * (len(HEAD) + 1))
    for rows in sizes:
        print(line(f"{rows:,}", np.mean(list(synthetic(rows)), axis=0)), flush=True)
    for name in RANGES:
        if not name.startswith("synthetic"):
            pair = load_sample(name)
            print(line(f"{name} ({pair.rows})", np.array(cells(pair, settings_for(name, pair.rows)))), flush=True)


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or list(SEEDS))
