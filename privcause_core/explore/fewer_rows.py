"""How the flip rate falls with the number of test rows: random subsets of one pair's test half.

Both fits stay as they are; only the scored rows are thinned. Non-private: everything is computed from true scores.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from privcause_core.explore.simulation import Interval, IqrDraws, LaplaceDraws, wilson
from privcause_core.fits.anm import AnmFit
from privcause_core.pair import Direction, FloatArray
from privcause_core.protection.choice import coverage
from privcause_core.scores import Score
from privcause_core.scores.iqr import log_iqr
from privcause_core.settings import MIN_TEST_ROWS, Settings
from privcause_core.verdicts.propose_test_release import IqrVerdict
from privcause_core.verdicts.theory import correct

SUBSAMPLES = 100
LARGEST_SUBSAMPLE = 20_000
STREAM = 2  # the split and the simulated draws use other streams of the same seed

IntArray = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


@dataclass(frozen=True, slots=True, eq=False)
class Subsamples:
    """True scores of random subsets, all of m rows, under fits of n_train rows.

    Attributes
    ----------
    margins : array of shape (subsamples,)
    log_iqrs : array of shape (subsamples, 4)
    distances : integer array of shape (subsamples, 4, 2)
        Both only for the IQR score; empty otherwise.
    """

    n_train: int
    m: int
    margins: FloatArray
    log_iqrs: FloatArray
    distances: IntArray


@dataclass(frozen=True, slots=True)
class RateOverM:
    """Share of runs whose arrow is the opposite of the full test half's, at one number of test rows.

    ``expected`` averages the exact probability over the subsets; ``seen`` is one simulated run a subset, with its
    Wilson interval; ``without_noise`` is the share of subsets whose own noise-free arrow differs (a tie counts half):
    sampling, not privacy.
    """

    m: int
    expected: float
    seen: Interval
    without_noise: float


def subset_sizes(m: int, most: int = 7) -> tuple[int, ...]:
    """Return up to ``most`` sizes from about m/64 to m/2 and at most 20,000, evenly spaced on a log scale."""
    high = min(m // 2, LARGEST_SUBSAMPLE)
    low = min(max(MIN_TEST_ROWS, high // 32), high)
    return tuple(sorted({round(size) for size in np.geomspace(low, high, most)})) if high >= MIN_TEST_ROWS else ()


def subsamples_by_size(
    fit: AnmFit, score: Score, settings: Settings, sizes: Sequence[int], subsamples: int = SUBSAMPLES
) -> Iterator[Subsamples]:
    """Yield the subsets' true scores, the smallest size first, so that whoever stops early keeps what came.

    Every size has a stream of its own: stopping and going on gives the same subsets.
    """
    for m in sizes:
        rng = np.random.default_rng((settings.seed, STREAM, m))
        rows = [rng.choice(fit.n_test, m, replace=False) for _ in range(subsamples)]
        yield _scored(fit, score, settings, m, rows)


def flip_rates_over_m(
    scored: Sequence[Subsamples], score: Score, direction: Direction, settings: Settings
) -> tuple[RateOverM, ...]:
    """Return the rates against the full test half's arrow; cheap, so a moving epsilon can call it."""
    sign = 1.0 if direction is Direction.X_TO_Y else -1.0
    return tuple(_rate(one, score, sign, settings) for one in scored)


def _scored(fit: AnmFit, score: Score, settings: Settings, m: int, rows: Sequence[IntArray]) -> Subsamples:
    shown = score.shown(fit, settings)
    margins = np.array([one.margin for one in score.evaluate_parts(shown, settings, rows)])
    verdict = coverage(settings).verdict(score, fit.n_train, m)
    if not verdict.refuses:
        return Subsamples(fit.n_train, m, margins, np.empty((0, 4)), np.empty((0, 4, 2), dtype=np.int64))
    columns = [shown.only(chosen).iqr_columns for chosen in rows]
    logs = np.array([[log_iqr(values) for values in four] for four in columns])
    far = np.array([verdict.distances(four) for four in columns])
    return Subsamples(fit.n_train, m, margins, logs, far)


def _rate(one: Subsamples, score: Score, sign: float, settings: Settings) -> RateOverM:
    verdict, runs = coverage(settings).verdict(score, one.n_train, one.m), one.margins.size
    signed = sign * one.margins
    if isinstance(verdict, IqrVerdict):
        private, _ = IqrDraws.seeded(settings.draw_seed, runs).margins(one.log_iqrs, one.distances, verdict)
        each = [verdict.shares(g, far).wrong for g, far in zip(signed, one.distances, strict=True)]
    else:
        noise = LaplaceDraws.seeded(settings.draw_seed, runs, verdict.kind).noise
        private = one.margins + verdict.noise_scale * noise
        each = (1.0 - correct(verdict.flip, signed / verdict.noise_scale)).tolist()
    seen = float(np.mean(sign * private < 0.0))
    return RateOverM(one.m, float(np.mean(each)), wilson(seen, runs), float(np.mean(0.5 * (1.0 - np.sign(signed)))))
