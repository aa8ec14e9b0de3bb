"""What an (epsilon, delta) promise means for one person, in statements that hold for every attacker and any m.

A *guess* is a fair one: the attacker knows everything but whether a person's row is the real one or was replaced,
both equally likely, and sees one release.
"""

import math

import numpy as np
import numpy.typing as npt

from privcause_core.pair import FloatArray


def best_guess(epsilon: float, delta: float = 0.0) -> float:
    """Return the best attacker's share of right guesses, (e^epsilon + delta) / (1 + e^epsilon), in [1/2, 1]."""
    tail = math.exp(-epsilon)  # of e^epsilon both could overflow
    return min(1.0, (1.0 + delta * tail) / (1.0 + tail))


def odds_factor(epsilon: float) -> float:
    """Return e^epsilon, the most by which a release can multiply an attacker's odds (delta aside)."""
    return math.exp(epsilon) if epsilon < 700.0 else math.inf


def posterior(prior: float, epsilon: float) -> float:
    """Return the most that a suspicion of probability ``prior`` can become (delta aside)."""
    return prior / (prior + (1.0 - prior) * math.exp(-epsilon))


def attacker_power(false_alarms: npt.ArrayLike, epsilon: float, delta: float = 0.0) -> FloatArray:
    """Return the best true-positive rate at each false-positive rate.

    min(1, e^epsilon FPR + delta, 1 - e^-epsilon (1 - delta - FPR)): the trade-off region of (epsilon, delta)-DP
    (Kairouz, Oh and Viswanath, 2015).
    """
    alarms = np.asarray(false_alarms, dtype=np.float64)
    with np.errstate(invalid="ignore"):  # 0 * inf
        steep = np.where(alarms > 0.0, alarms * odds_factor(epsilon), 0.0) + delta
    flat = 1.0 - math.exp(-epsilon) * (1.0 - delta - alarms)
    return np.minimum(1.0, np.minimum(steep, flat))
