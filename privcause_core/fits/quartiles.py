"""Quartiles as order statistics, without interpolation."""

import numpy as np

from privcause_core.pair import NumberArray


def quartile_indices(m: int) -> tuple[int, int]:
    """Return the zero-based order-statistic indices ceil(m/4) - 1 and ceil(3m/4) - 1."""
    return -(-m // 4) - 1, -(-3 * m // 4) - 1


def iqr(values: NumberArray) -> float:
    """Return X_(ceil(3m/4)) - X_(ceil(m/4)): order statistics, no interpolation."""
    low, high = quartile_indices(values.size)
    ordered = np.partition(values, (low, high))
    return float(ordered[high].item() - ordered[low].item())  # Python numbers: integers of any size stay exact
