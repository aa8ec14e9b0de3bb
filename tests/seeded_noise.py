"""A noise source of seeded draws, for tests of what mechanisms do with noise."""

import numpy as np

from privcause_core.explore.simulation import unit_laplace


class SeededNoise:
    """Adds Laplace noise driven by a generator."""

    def __init__(self, rng):
        self._rng = rng

    def add_laplace(self, values, sensitivity, epsilon):
        """Return values + Lap(sensitivity / epsilon), one draw a value."""
        return values + sensitivity / epsilon * unit_laplace(self._rng, *np.shape(values))
