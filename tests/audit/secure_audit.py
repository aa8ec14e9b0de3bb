"""Auditing real release noise: how much privacy loss do counted events prove, at a declared false-alarm rate?"""

import math
from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from scipy.stats import beta

RUNS = 100_000  # a side
FALSE_ALARM = 1e-9  # one-sided, each bound
EPSILONS = (0.5, 1.0, 2.0)


@dataclass(frozen=True)
class Finding:
    """Counts of one event under two neighbours, and the loss they prove."""

    count: int
    count_neighbour: int
    delta: float = 0.0

    @property
    def proved_epsilon(self):
        """Return log((lower bound of P - delta) / upper bound of P'), by Clopper and Pearson."""
        low = beta.ppf(FALSE_ALARM, self.count, RUNS - self.count + 1)
        high = beta.ppf(1.0 - FALSE_ALARM, self.count_neighbour + 1, RUNS - self.count_neighbour)
        return math.log((low - self.delta) / high)


class Blocks:
    """The secure source, called for many runs at once: every run gets a row of a block that no other run gets."""

    ROWS = 10_000

    def __init__(self, source, share_of_noise=1.0):
        self._source, self._share = source, share_of_noise
        self._rows = defaultdict(list)

    def add_laplace(self, values, sensitivity, epsilon):
        rows = self._rows[tuple(values), sensitivity, epsilon]
        if not rows:
            block = self._source.add_laplace(np.tile(values, self.ROWS), self._share * sensitivity, epsilon)
            rows.extend(block.reshape(self.ROWS, len(values)))
        return rows.pop()
