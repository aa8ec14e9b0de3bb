"""Theorems 3 and 5 as curves, and inverted: the probability of the right arrow, and the least epsilon that reaches it.

Curves run over margin, epsilon, test rows or voting blocks. No data needed.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from privcause_core.pair import FloatArray
from privcause_core.protection.choice import coverage
from privcause_core.scores import Score
from privcause_core.settings import EPSILON_MAX, EPSILON_MIN, ReleaseKind, Settings
from privcause_core.verdicts.mechanisms import Verdict
from privcause_core.verdicts.propose_test_release import IqrVerdict
from privcause_core.verdicts.theory import correct, margin_in_scales


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


def epsilon_to_keep(verdict: Verdict, margin: float, distances: npt.ArrayLike, wanted: float) -> float | None:
    """Return the least total epsilon at which a verdict gives the arrow of a margin with a probability, or None."""
    if not isinstance(verdict, IqrVerdict):
        return least_epsilon(margin, verdict.sensitivity, wanted, verdict.kind)

    def kept(epsilon: float) -> float:
        return replace(verdict, epsilon=epsilon).shares(abs(margin), distances).right

    return least_epsilon_by_bisection(kept, wanted)


def least_epsilon(margin: float, sensitivity: float, certainty: float, release: ReleaseKind) -> float | None:
    """Return the least total epsilon at which the private arrow agrees with that probability; None at margin 0."""
    t = margin_in_scales(1.0 - certainty, release)
    return 2.0 * t * sensitivity / abs(margin) if margin else None


def least_epsilon_by_bisection(certainty_at: Callable[[float], float], certainty: float) -> float | None:
    """Return the least total epsilon in the accepted range with certainty_at(epsilon) >= certainty, or None.

    ``certainty_at`` must not decrease; used where no closed form exists (the IQR verdict).
    """
    low, high = math.log(EPSILON_MIN), math.log(EPSILON_MAX)
    if certainty_at(EPSILON_MAX) < certainty:
        return None
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if certainty_at(math.exp(middle)) >= certainty else (middle, high)
    return math.exp(high)
