"""Theorems 3 and 5 as curves: the probability of the right arrow over margin, epsilon, test rows or voting blocks.

No data needed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from privcause_core.pair import FloatArray
from privcause_core.protection.choice import coverage
from privcause_core.scores import Score
from privcause_core.settings import Settings
from privcause_core.verdicts.theory import correct


@dataclass(frozen=True, slots=True)
class Operating:
    """A point of the curves: signed margin (in votes, by blocks), number of test rows, settings (for epsilon)."""

    margin: float
    m: int
    settings: Settings


def certainty(score: Score, at: Operating) -> float:
    """Return P(correct) at one point; for the IQR given that all four log-IQRs are released.

    A negative margin means that the true scores order the directions wrongly.
    """
    verdict = coverage(at.settings).planned_verdict(score, at.m)
    return float(correct(verdict.flip, at.margin / verdict.noise_scale))


def along_margin(score: Score, at: Operating, margins: Sequence[float]) -> FloatArray:
    """Return P(correct) over margins."""
    return np.array([certainty(score, Operating(margin, at.m, at.settings)) for margin in margins])


def along_epsilon(score: Score, at: Operating, epsilons: Sequence[float]) -> FloatArray:
    """Return P(correct) over total epsilons."""
    return np.array([certainty(score, Operating(at.margin, at.m, at.settings.with_(epsilon=e))) for e in epsilons])


def along_rows(score: Score, at: Operating, sizes: Sequence[int]) -> FloatArray:
    """Return P(correct) over numbers of test rows."""
    return np.array([certainty(score, Operating(at.margin, m, at.settings)) for m in sizes])


def along_blocks(score: Score, at: Operating, counts: Sequence[int]) -> FloatArray:
    """Return P(correct) over numbers of blocks of the same size that vote in the same shares."""
    share = at.margin / at.settings.blocks
    return np.array([certainty(score, Operating(share * count, at.m, at.settings)) for count in counts])
