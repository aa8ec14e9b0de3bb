"""The least delta that two Laplace laws allow at an epsilon: what a mechanism really promises on two tables."""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LaplaceLaw:
    """The law of centre + Lap(scale)."""

    centre: float
    scale: float

    def log_density(self, z: float) -> float:
        """Return the logarithm of the density at z."""
        return -abs(z - self.centre) / self.scale - math.log(2.0 * self.scale)

    def mass(self, low: float, high: float) -> float:
        """Return the probability of [low, high]; far out it keeps its digits."""
        a, b = (low - self.centre) / self.scale, (high - self.centre) / self.scale
        if a >= 0.0:
            return 0.5 * (math.exp(-a) - math.exp(-b))
        if b <= 0.0:
            return 0.5 * (math.exp(b) - math.exp(a))
        return 1.0 - 0.5 * math.exp(a) - 0.5 * math.exp(-b)


def exact_delta(p: LaplaceLaw, q: LaplaceLaw, epsilon: float) -> float:
    """Return sup over events S of P(S) - e^epsilon Q(S), in closed form: the least delta that the two laws allow.

    The log-ratio of the densities is linear between the centres and outside them, so the best event is a union of at
    most a few intervals.
    """

    def excess(z: float) -> float:
        return p.log_density(z) - q.log_density(z) - epsilon

    corners = sorted({p.centre, q.centre})
    reach = p.scale + q.scale
    cuts = [-math.inf, *sorted({*corners, *_roots(excess, corners, reach)}), math.inf]
    total = 0.0
    for low, high in itertools.pairwise(cuts):
        if excess(_inside(low, high, reach)) > 0.0:
            total += p.mass(low, high) - math.exp(epsilon) * q.mass(low, high)
    return max(0.0, total)


def _inside(low: float, high: float, reach: float) -> float:
    if math.isinf(low):
        return high - reach
    return low + reach if math.isinf(high) else 0.5 * (low + high)


def _roots(excess: Callable[[float], float], corners: list[float], reach: float) -> list[float]:
    """Return where a function that is linear between the corners and beyond them crosses 0."""
    first, last = corners[0], corners[-1]
    pieces = [
        (first - reach, first, -math.inf, first),
        (first, last, first, last),
        (last, last + reach, last, math.inf),
    ]
    found = []
    for a, b, low, high in pieces:
        slope = (excess(b) - excess(a)) / (b - a) if b > a else 0.0
        root = a - excess(a) / slope if slope else math.nan
        if low < root < high:
            found.append(root)
    return found
