"""Statistical audits: does a mechanism's output on neighbouring data sets keep its (epsilon, delta) promise?

An audit runs the mechanism many times on both sides and looks at events fixed beforehand. The promise is broken if
some event's probability on one side, at least, exceeds exp(epsilon) times that on the other side, at most, plus delta.
Both one-sided Clopper-Pearson bounds fail with probability at most ``ALPHA``, so an audit of a sound mechanism raises
a false alarm with probability at most 4 ALPHA for each event (two bounds, two orders of the sides).
"""

import math

import numpy as np
from scipy.stats import beta

from privcause_core.explore.simulation import unit_laplace

RUNS = 100_000
ALPHA = 1e-9


def at_least(hits, runs):
    """Return the lower Clopper-Pearson bound of a probability seen ``hits`` times in ``runs``."""
    return float(beta.ppf(ALPHA, hits, runs - hits + 1)) if hits else 0.0


def at_most(hits, runs):
    """Return the upper Clopper-Pearson bound."""
    return float(beta.isf(ALPHA, hits + 1, runs - hits)) if hits < runs else 1.0


def breaks_promise(outputs, neighbours, events, epsilon, delta=0.0):
    """Say whether some event tells the two sides apart too well.

    Parameters
    ----------
    outputs, neighbours : arrays of shape (runs, k)
        What was released on either side; NaN stands for a refusal.
    events : list of functions
        From such an array to a boolean array of shape (runs,).
    """
    runs = len(outputs)
    counts = [(np.count_nonzero(event(outputs)), np.count_nonzero(event(neighbours))) for event in events]
    return any(
        at_least(one, runs) > math.exp(epsilon) * at_most(other, runs) + delta
        for hits in counts
        for one, other in (hits, hits[::-1])
    )


def proved_loss(outputs, neighbours, events):
    """Return the largest privacy loss that the events prove at the same bounds, delta aside."""
    runs = len(outputs)
    counts = [(np.count_nonzero(event(outputs)), np.count_nonzero(event(neighbours))) for event in events]
    sides = [pair for hits in counts for pair in (hits, hits[::-1]) if pair[0]]
    return max(math.log(at_least(one, runs) / at_most(other, runs)) for one, other in sides)


class BulkNoise:
    """Seeded Laplace noise like ``SeededNoise``, drawn in bulk because an audit asks for millions of draws."""

    factor = 1.0

    def __init__(self, seed, size):
        self._units, self._next = self.factor * unit_laplace(np.random.default_rng(seed), size), 0

    def add_laplace(self, values, sensitivity, epsilon):
        start, self._next = self._next, self._next + values.size
        return values + sensitivity / epsilon * self._units[start : self._next]


class WeakNoise(BulkNoise):
    """Broken: 0.8 times the noise."""

    factor = 0.8


class HalvedSensitivity(BulkNoise):
    """Broken: calibrated to half the sensitivity."""

    factor = 0.5


class ReusedDraw(BulkNoise):
    """Broken: all values of one call share a draw, and a call for a single value repeats the last one."""

    def add_laplace(self, values, sensitivity, epsilon):
        self._next += values.size > 1
        return values + sensitivity / epsilon * self._units[self._next]
