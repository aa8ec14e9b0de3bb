"""Seeded NumPy noise for exploration and tests. Not private: whoever knows the seed can subtract it."""

import numpy as np

from privcause_core.pair import FloatArray


class SimulatedNoise:
    """A noise source driven by a seeded generator; never reachable from the release path."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng

    def add_laplace(self, values: FloatArray, sensitivity: float, epsilon: float) -> FloatArray:
        """Return values + Lap(sensitivity / epsilon), one draw a value."""
        return values + sensitivity / epsilon * unit_laplace(self._rng, *np.shape(values))


def unit_laplace(rng: np.random.Generator, *shape: int) -> FloatArray:
    """Return standard Laplace draws (density exp(-|z|)/2) of the given shape."""
    return rng.laplace(size=shape)
