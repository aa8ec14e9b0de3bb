"""Densities of one column by Gaussian kernels with linear binning: O(n + m + grid), total, bounded below.

Values are standardised by median and spread. Kernels live on the values themselves or on their inverse hyperbolic
sines, which widens them in the tails; of both spaces and five bandwidths the one with the best leave-one-out likelihood
is taken. A few per cent of a wide Cauchy density keep every logarithm finite.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from privcause_core.fits.scaling import IQR_PER_SD, iqr
from privcause_core.pair import FloatArray

FACTORS = (0.2, 0.35, 0.6, 1.0, 1.5)  # of the rule-of-thumb bandwidth
CAUCHY_SHARE, CAUCHY_WIDTH = 0.02, 3.0  # the latter in standard deviations
GRID = 4_096
REACH = 40.0  # spreads from the median: values beyond share the outermost nodes of the grid of plain values
FARTHEST = 1_000.0  # spreads from the median: beyond, there is the Cauchy part only
SINH_REACH = float(np.arcsinh(FARTHEST))
NODES = np.linspace(-SINH_REACH, SINH_REACH, GRID)  # of every finished density, in inverse hyperbolic sines
FREQUENCIES = 2.0 * np.pi * np.fft.rfftfreq(2 * GRID)  # of a step
VALUES_AT_NODES, SLOPE_AT_NODES = np.sinh(NODES), np.cosh(NODES)
CONSTANT_BELOW = 1e-100  # a smaller spread counts as none
LEAST_STEPS = 2.0  # of the grid in a bandwidth
LEAST_SHARE = 0.01  # of the standard deviation in a bandwidth
CHECKED_ROWS = 20_000  # at most about twice as many take part in leave-one-out likelihoods
CHUNK = 65_536

Places = tuple[npt.NDArray[np.int64], FloatArray]
Candidate = tuple[Callable[[], FloatArray], FloatArray]  # a density at some nodes, and left out at the checked values


@dataclass(frozen=True, slots=True, eq=False)
class Density:
    """A density of one column."""

    centre: float  # median of the fitted values
    spread: float  # their robust standard deviation
    width: float  # of the Cauchy part, in spreads
    table: FloatArray  # (GRID,): the kernel part per spread, at sinh(NODES), already multiplied by its share

    def log(self, values: FloatArray) -> FloatArray:
        """Return the log density at values, shape (m,); each depends on its own value only."""
        out = np.empty(values.size)
        with np.errstate(all="ignore"):  # whatever is not finite becomes a logarithm that is not finite
            for start in range(0, values.size, CHUNK):
                u = (values[start : start + CHUNK] - self.centre) / self.spread
                kernel = _between(self.table, _places(np.arcsinh(u), -SINH_REACH, NODES[1] - NODES[0]))
                kernel[np.abs(u) > FARTHEST] = 0.0
                out[start : start + CHUNK] = np.log(kernel + CAUCHY_SHARE * cauchy(u, self.width))
        out -= math.log(self.spread)
        return out


def checked(rows: int) -> slice:
    """Return which training rows take part in leave-one-out likelihoods: all, or evenly spaced ones."""
    return slice(None, None, max(1, rows // CHECKED_ROWS))


def fit_density(values: FloatArray) -> tuple[Density, FloatArray]:
    """Return a density of training values, and the leave-one-out log density of those that are ``checked``.

    Values are of shape (n,), finite; n may be 0, and all values may be equal.
    """
    centre, (spread, deviation) = float(np.median(values)) if values.size else 0.0, _spreads(values)
    u = (values - centre) / spread
    width = CAUCHY_WIDTH * deviation / spread
    bounded_below = CAUCHY_SHARE * cauchy(u[checked(u.size)], width)
    best: tuple[float, Callable[[], FloatArray], FloatArray] = -math.inf, lambda: np.zeros(GRID), np.log(bounded_below)
    for kernel, left_out in _candidates(u) if u.size > 1 else ():
        logs = np.log((1.0 - CAUCHY_SHARE) * left_out + bounded_below)
        best = max(best, (float(logs.mean()), kernel, logs), key=lambda one: one[0])
    return Density(centre, spread, width, (1.0 - CAUCHY_SHARE) * best[1]()), best[2] - math.log(spread)


def cauchy(u: FloatArray, width: float) -> FloatArray:
    """Return the Cauchy density of that width around 0."""
    return np.asarray(1.0 / (math.pi * width * (1.0 + (u / width) ** 2)))


def bandwidths(values: FloatArray, step: float) -> FloatArray:
    """Return the candidates, shape (5,): factors of 0.9 min(sd, IQR/1.349) n^(-1/5), not below the narrowest allowed.

    That is two steps of the grid or a hundredth of the sd, whichever is wider.
    """
    spread, deviation = _spreads(values)
    rule = 0.9 * min(spread, deviation) * values.size**-0.2
    least = max(LEAST_STEPS * step, LEAST_SHARE * deviation)
    return np.asarray(np.maximum(rule * np.array(FACTORS), least), dtype=np.float64)


def _spreads(values: FloatArray) -> tuple[float, float]:
    """Return min(sd, IQR/1.349), or the sd where the IQR is 0, and the sd; 1 where all values are equal."""
    if not values.size:
        return 1.0, 1.0
    deviation, quartiles = float(np.std(values)), iqr(values) / IQR_PER_SD
    if deviation < CONSTANT_BELOW:
        deviation = 1.0
    return min(quartiles if quartiles > CONSTANT_BELOW else deviation, deviation), deviation


def _candidates(u: FloatArray) -> Iterator[Candidate]:
    """Yield, for both spaces and every bandwidth, the density at sinh(NODES) and left out at the checked values."""
    some = u[checked(u.size)]
    w = np.clip(np.arcsinh(u), -SINH_REACH, SINH_REACH)
    for sums, left_out in _kernels(w, -SINH_REACH, NODES[1] - NODES[0]):
        yield partial(np.divide, sums, SLOPE_AT_NODES * u.size), left_out / np.sqrt(1.0 + some * some)
    low, high = max(float(u.min()), -REACH), min(float(u.max()), REACH)
    margin = 0.1 * (high - low) + 5.0 * FACTORS[-1] * u.size**-0.2  # beyond the ends, five of the widest bandwidths
    step = (high - low + 2.0 * margin) / (GRID - 1)
    for sums, left_out in _kernels(np.clip(u, -REACH, REACH), low - margin, step):
        yield partial(_at_nodes, sums / u.size, low - margin, step), left_out


def _at_nodes(table: FloatArray, start: float, step: float) -> FloatArray:
    """Return a table over plain values at sinh(NODES); 0 where it does not reach."""
    half = step * (GRID - 1) / 2.0
    covered = np.abs(VALUES_AT_NODES - (start + half)) <= half
    return np.where(covered, _between(table, _places(VALUES_AT_NODES, start, step)), 0.0)


def _kernels(values: FloatArray, start: float, step: float) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield, for every bandwidth, the sum of kernels at the grid's nodes and the density left out at checked values."""
    k, share = _places(values, start, step)
    counts = np.bincount(k, 1.0 - share, GRID) + np.bincount(k + 1, share, GRID)
    some = k[checked(k.size)], share[checked(k.size)]
    together, apart = (1.0 - some[1]) ** 2 + some[1] ** 2, 2.0 * some[1] * (1.0 - some[1])
    spectrum, squared = np.fft.rfft(counts, 2 * GRID), (FREQUENCIES / step) ** 2
    for bandwidth in bandwidths(values, step):
        smoothed = np.fft.irfft(spectrum * np.exp(-0.5 * bandwidth**2 * squared))[:GRID] / step
        sums = np.maximum(smoothed, 0.0)
        peak = 1.0 / (bandwidth * math.sqrt(2.0 * math.pi))
        own = peak * (together + apart * math.exp(-0.5 * (step / bandwidth) ** 2))  # a value's part in its own density
        yield sums, np.maximum(_between(sums, some) - own, 0.0) / (values.size - 1)


def _places(values: FloatArray, start: float, step: float) -> Places:
    """Return each value's cell of the grid and its share of the way to the next node; the ends take what is beyond."""
    at = np.nan_to_num(np.clip((values - start) / step, 0.0, GRID - 1.0 - 1e-9), copy=False)
    cell = at.astype(np.int64)
    return cell, at - cell


def _between(table: FloatArray, places: Places) -> FloatArray:
    """Return the table between its nodes, linearly."""
    cell, share = places
    return table[cell] * (1.0 - share) + table[cell + 1] * share
