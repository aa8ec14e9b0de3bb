"""Where a column lies and how wide it is: quartiles as order statistics, and the affine maps they give."""

from dataclasses import dataclass

import numpy as np

from privcause_core.pair import FloatArray, NumberArray

IQR_PER_SD = 1.349  # IQR of a standard normal
SCALED_LIMIT = 1e100  # public clip that keeps scaled values finite whatever the file's units


@dataclass(frozen=True, slots=True)
class Scaling:
    """Affine map of one axis, (value - centre) / scale, clipped to [-limit, limit]."""

    centre: float | int = 0.0
    scale: float = 1.0
    limit: float = SCALED_LIMIT

    def apply(self, values: NumberArray) -> FloatArray:
        """Return scaled float64 values, finite whatever the input's range; integers are centred exactly first."""
        with np.errstate(over="ignore"):
            scaled = _shifted(values, self.centre)
            scaled /= self.scale
            return np.clip(scaled, -self.limit, self.limit, out=scaled)

    def clip(self, values: FloatArray) -> FloatArray:
        """Return the values themselves, clipped to what the axis covers."""
        reach = self.limit * self.scale
        return np.clip(values, self.centre - reach, self.centre + reach)


def training_scaling(values: NumberArray) -> Scaling:
    """Return centre = median and scale = IQR / 1.349 of training values (their sd, then 1, where that is 0)."""
    (low, high), middle = quartile_indices(values.size), (values.size - 1) // 2
    ordered = np.partition(values, (low, middle, high))
    centre = ordered[middle].item()
    with np.errstate(over="ignore", invalid="ignore"):
        robust = float(ordered[high].item() - ordered[low].item()) / IQR_PER_SD
        scale = robust if 0.0 < robust < np.inf else float(np.std(_shifted(values, centre)))
    return Scaling(centre, scale if 0.0 < scale < np.inf else 1.0)


def quartile_indices(m: int) -> tuple[int, int]:
    """Return the zero-based order-statistic indices ceil(m/4) - 1 and ceil(3m/4) - 1."""
    return -(-m // 4) - 1, -(-3 * m // 4) - 1


def iqr(values: NumberArray) -> float:
    """Return X_(ceil(3m/4)) - X_(ceil(m/4)): order statistics, no interpolation."""
    low, high = quartile_indices(values.size)
    ordered = np.partition(values, (low, high))
    return float(ordered[high].item() - ordered[low].item())  # Python numbers: integers of any size stay exact


def _shifted(values: NumberArray, centre: float | int) -> FloatArray:
    """Return values - centre, rounded once; integers beyond 2^53 are subtracted exactly first."""
    if not np.issubdtype(values.dtype, np.integer):
        return np.asarray(values - centre, dtype=np.float64)
    whole = int(centre)
    if int(values.min()) - whole > -(2**62) and int(values.max()) - whole < 2**62:
        return (values - whole).astype(np.float64)
    return np.array([int(value) - whole for value in values], dtype=np.float64)
