"""Release noise: OpenDP's Laplace measurement, safe in floating point, from the operating system's entropy.

It cannot be seeded. Only ``privcause_core.release`` may import this module.
"""

import math
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from privcause_core.errors import DataError, ParameterError
from privcause_core.noise.rounding import float_up
from privcause_core.pair import FloatArray

if TYPE_CHECKING:
    from opendp.mod import Measurement


class SecureNoise:
    """The noise source of a real release."""

    def add_laplace(self, values: FloatArray, sensitivity: float, epsilon: float) -> FloatArray:
        """Return each value plus its own Laplace draw of scale ``laplace_scale(sensitivity, epsilon)``.

        Parameters
        ----------
        values : array of shape (k,)
            Finite. Every statistic of this project is finite by construction (a zero IQR's log never gets here), so
            the check below is a guard for programming mistakes and no data set can trigger it.
        sensitivity : float
            The largest change of one value when one record is replaced.
        epsilon : float
            Privacy loss of one draw.

        Raises
        ------
        ParameterError
            If sensitivity or epsilon is not a positive finite number.
        DataError
            If a value is NaN or infinite; nothing was drawn (OpenDP would turn a NaN into a release near 0).
        """
        scale = laplace_scale(sensitivity, epsilon)
        if not np.isfinite(values).all():
            raise DataError("Expected finite statistics to add noise to, got NaN or infinity.")
        return np.array(_measurement(scale)(np.asarray(values, dtype=np.float64).tolist()), dtype=np.float64)


@lru_cache(maxsize=256)
def laplace_scale(sensitivity: float, epsilon: float) -> float:
    """Return the smallest double >= sensitivity / epsilon whose privacy loss, by OpenDP's map, is at most epsilon.

    Raises
    ------
    ParameterError
        If an argument, or the scale, is not a positive finite double.
    """
    for name, value in (("sensitivity", sensitivity), ("epsilon", epsilon)):
        if not (math.isfinite(value) and value > 0.0):
            raise ParameterError(f"Expected {name} to be a positive finite number, got {value!r}.")
    ratio = Fraction(sensitivity) / Fraction(epsilon)
    if not 2.0**-1000 < ratio < 2.0**1000:
        raise ParameterError(f"Expected a noise scale within a double's range, got sensitivity {sensitivity:g} and "
                             f"epsilon {epsilon:g}.")  # fmt: skip
    scale = float_up(ratio)
    while _measurement(scale).map(sensitivity) > epsilon:  # type: ignore[no-untyped-call]
        scale = math.nextafter(scale, math.inf)
    return scale


@lru_cache(maxsize=256)
def _measurement(scale: float) -> "Measurement":
    """Return OpenDP's Laplace measurement on vectors of finite doubles, by their l1 distance."""
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    return dp.m.make_laplace(domain, dp.l1_distance(T=float), scale=scale)
