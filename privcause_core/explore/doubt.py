"""Sampling doubt: would other people from the same population give another arrow? Mechanisms.md section 15.

Apart from privacy doubt (would another draw of the noise?), which ``theory`` answers. Non-private, all of it.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr
from scipy.stats import rankdata

from privcause_core.fits.scored import ScoredPair
from privcause_core.pair import FloatArray, NumberArray
from privcause_core.scores import Score
from privcause_core.settings import Settings

GROUPS = 20
JACKKNIFE_ROWS = 2_000  # of more scored rows a random part is used, and its error scaled by the root of the sizes
TELLING_ERRORS = 3.0  # a margin within so many standard errors of 0 tells no arrow
RELATED_ROWS = 1_000
PERMUTATIONS = 999
COSINES = 8
UNRELATED_ABOVE = 0.05
_STREAM, _RELATED_STREAM = 4, 5  # the split, the draws, subsamples and blocks use others of the same seed


@dataclass(frozen=True, slots=True)
class SamplingDoubt:
    """What other samples from the same population would do to a noise-free margin.

    Attributes
    ----------
    standard_error : float
        Of the margin, > 0.
    z : float
        Margin over its standard error.
    tells_arrow : bool
        Whether the margin is at least three standard errors, and the score's own least margin, from 0.
    """

    standard_error: float
    z: float
    tells_arrow: bool

    @property
    def probability_arrow(self) -> float:
        """Return Phi(|z|): how likely the noise-free arrow is the population's, by the normal law of the margin."""
        return float(ndtr(abs(self.z)))

    def probability_with_noise(self, flip: float, kept: float) -> float:
        """Return P(private arrow = the population's arrow): both doubts, independent given the margin.

        Parameters
        ----------
        flip, kept : float
            Probabilities that the private arrow differs from the noise-free one, and that it is the same; a run that
            refuses does neither.
        """
        stays = self.probability_arrow
        return stays * kept + (1.0 - stays) * flip


def sampling_doubt(score: Score, margin: float, standard_error: float | None) -> SamplingDoubt | None:
    """Return the doubt about a margin; None where it has no finite standard error."""
    if standard_error is None or not math.isfinite(margin) or not 0.0 < standard_error < math.inf:
        return None
    z = margin / standard_error
    telling = abs(z) >= TELLING_ERRORS and abs(margin) >= score.least_telling_margin
    return SamplingDoubt(standard_error, z, telling)


def jackknife_error(score: Score, scored: ScoredPair, settings: Settings) -> float | None:
    """Return the standard error of the margin by deleting each of 20 groups of test rows, the fits held fixed.

    se^2 = (19/20) sum (theta_(j) - mean)^2. None where it is 0 or not a number: nothing varies, or an IQR is 0.
    """
    rng = np.random.default_rng((settings.seed, _STREAM))
    order = rng.permutation(scored.m)[:JACKKNIFE_ROWS]
    groups = min(GROUPS, order.size // 2)
    place = np.arange(order.size) % max(1, groups)
    left = (order[place != group] for group in range(groups))
    margins = np.array([one.margin for one in score.evaluate_parts(scored, settings, left)])
    if groups < 2 or not np.isfinite(margins).all():
        return None
    variance = (groups - 1) / groups * float(np.square(margins - margins.mean()).sum())
    error = math.sqrt(variance * order.size / scored.m)
    return error if error > 0.0 else None


def columns_related_p(x: NumberArray, y: NumberArray, seed: int) -> float | None:
    """Return the p value of a permutation test of dependence of two columns; small means related.

    HSIC of mid-ranks with a cosine kernel (eight frequencies k, weights 1/k^2), on at most 1,000 seeded rows and 999
    permutations, so at least 0.001. None where a column is constant: then nothing can be tested.
    """
    rng = np.random.default_rng((seed, _RELATED_STREAM))
    rows = rng.permutation(x.size)[:RELATED_ROWS]
    a, b = _cosines(x[rows]), _cosines(y[rows])
    if not (a.any() and b.any()):
        return None
    seen = float(np.square(a.T @ b).sum())
    beyond = sum(float(np.square(a.T @ b[rng.permutation(rows.size)]).sum()) >= seen for _ in range(PERMUTATIONS))
    return (1 + beyond) / (1 + PERMUTATIONS)


def _cosines(values: NumberArray) -> FloatArray:
    """Return centred, weighted cosines of mid-ranks, shape (rows, 8); zeros for a constant column."""
    if values.min() == values.max():
        return np.zeros((values.size, COSINES))
    ranks = (rankdata(values) - 0.5) / values.size
    frequencies = np.arange(1, COSINES + 1)
    cosines = np.cos(np.pi * np.outer(ranks, frequencies)) / frequencies
    return np.asarray(cosines - cosines.mean(axis=0), dtype=np.float64)
