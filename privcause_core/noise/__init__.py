"""Where noise comes from. Mechanisms are handed a source and cannot tell a simulation from a release."""

from typing import Protocol

from privcause_core.pair import FloatArray


class NoiseSource(Protocol):
    """Adds Laplace noise to statistics of known sensitivity."""

    def add_laplace(self, values: FloatArray, sensitivity: float, epsilon: float) -> FloatArray:
        """Return each value plus its own Laplace draw of scale at least sensitivity / epsilon, shape of ``values``."""
        ...
