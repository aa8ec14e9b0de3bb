"""Directed rounding: a scale may only grow and an epsilon only shrink on its way from a fraction to a double."""

import math
from fractions import Fraction


def float_up(value: Fraction) -> float:
    """Return the smallest double >= value."""
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)


def float_down(value: Fraction) -> float:
    """Return the largest double <= value."""
    return -float_up(-value)
