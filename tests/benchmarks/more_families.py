"""More families of synthetic pairs, the cause always first, on which the likelihood score's rules are chosen.

They follow recipes of the literature (sigmoids of Buehlmann, Peters and Ernest 2014; mechanisms with noise before or
after the curve, and random networks, of Goudet and others 2018; measurement noise of Mooij and others 2016) with
laws of cause and noise of this project's own, and add what real columns have: rounding, limits, heavy tails.
"""

from collections.abc import Callable, Iterator

import numpy as np

from privcause_core.pair import Direction, FloatArray, Pair
from tests.benchmarks.families import (
    ADDITIVE,
    NOT_ADDITIVE,
    Columns,
    Generator,
    any_law,
    noise_level,
    smooth,
    smooth_curve,
    standard,
)

ROWS = (300, 1_000, 3_000)
UNITS = 12  # of a random network


def sigmoid(rng: Generator, x: FloatArray) -> FloatArray:
    """Return a random curve that saturates both ways, somewhere in the middle of x."""
    steep = rng.uniform(0.5, 2.0) * rng.choice([-1, 1])
    inner = steep * (x + rng.uniform(-2.0, 2.0))
    return (rng.exponential(0.25) + 1.0) * inner / (1.0 + np.abs(inner))


def plain_law(rng: Generator, rows: int) -> FloatArray:
    """Return a Gaussian sample half of the time, else a sample of any law."""
    return rng.normal(size=rows) * rng.uniform(1.0, 1.5) if rng.random() < 0.5 else any_law(rng, rows)


def positive(curve: FloatArray) -> FloatArray:
    """Return a noise scale that follows a curve: positive, at least a fifth of its mean."""
    shifted = curve - curve.min()
    return shifted / shifted.mean() + 0.2


def sigmoid_additive(rng: Generator, rows: int) -> Columns:
    x = plain_law(rng, rows)
    return x, sigmoid(rng, x) + rng.uniform(0.2, 0.63) * standard(plain_law(rng, rows))


def location_scale(rng: Generator, rows: int) -> Columns:
    x = plain_law(rng, rows)
    scale = positive(smooth_curve(rng, x, rng.uniform(0.8, 2.0)))
    return x, smooth_curve(rng, x, rng.uniform(0.8, 2.0)) + noise_level(rng) * scale * standard(plain_law(rng, rows))


def sigmoid_location_scale(rng: Generator, rows: int) -> Columns:
    x = plain_law(rng, rows)
    return x, sigmoid(rng, x) + rng.uniform(0.2, 0.63) * positive(sigmoid(rng, x)) * standard(plain_law(rng, rows))


def product(rng: Generator, rows: int) -> Columns:
    """Return y = f(x) e for noise of either sign or of one."""
    x = plain_law(rng, rows)
    curve = sigmoid(rng, x) if rng.random() < 0.5 else smooth_curve(rng, x, rng.uniform(0.8, 2.0))
    noise = rng.uniform(0.0, 1.0, rows) if rng.random() < 0.5 else standard(plain_law(rng, rows))
    return x, curve * noise + 0.02 * rng.normal(size=rows)


def heavy_noise(rng: Generator, rows: int) -> Columns:
    x = any_law(rng, rows)
    noise = rng.standard_t(rng.uniform(2.0, 4.0), size=rows)
    return x, standard(smooth_curve(rng, x, rng.uniform(0.8, 2.0))) + 0.5 * noise_level(rng) * noise


def polynomial(rng: Generator, x: FloatArray) -> FloatArray:
    return np.polynomial.chebyshev.chebval(np.clip(x, -3.0, 3.0) / 3.0, rng.normal(size=5))


def noise_before_the_curve(rng: Generator, rows: int) -> Columns:
    x, e = plain_law(rng, rows), noise_level(rng) * standard(plain_law(rng, rows))
    inner = standard(x + e) if rng.random() < 0.5 else standard(x * (1.0 + e))
    curve = polynomial(rng, inner) if rng.random() < 0.5 else smooth_curve(rng, inner, rng.uniform(0.8, 2.0))
    return x, standard(curve) + 0.05 * rng.normal(size=rows)


def network(rng: Generator, rows: int) -> Columns:
    """Return y = a random network of x and noise."""
    x, e = plain_law(rng, rows), plain_law(rng, rows)
    hidden = np.tanh(np.outer(x, rng.normal(size=UNITS)) + 0.7 * np.outer(e, rng.normal(size=UNITS))
                     + rng.normal(size=UNITS))  # fmt: skip
    return x, standard(hidden @ rng.normal(size=UNITS))


def measured(rng: Generator, rows: int) -> Columns:
    """Return a curve of both, each column then measured with an error of its own."""
    x, e = any_law(rng, rows), any_law(rng, rows)
    along, across = rng.normal(size=UNITS) / rng.uniform(0.8, 2.0), rng.normal(size=UNITS) / rng.uniform(1.5, 4.0)
    out = np.cos(np.outer(x, along) + np.outer(e, across) + rng.uniform(0.0, 2.0 * np.pi, UNITS)).sum(axis=1)
    error = rng.uniform(0.0, 0.15, 2)
    return standard(x) + error[0] * rng.normal(size=rows), standard(out) + error[1] * rng.normal(size=rows)


def confounded(rng: Generator, rows: int) -> Columns:
    """Return x -> y with a hidden common cause that is weaker than x."""
    z = any_law(rng, rows)
    x = standard(any_law(rng, rows)) + 0.5 * standard(smooth_curve(rng, z, 1.5))
    y = standard(smooth_curve(rng, x, rng.uniform(0.8, 2.0))) + 0.4 * standard(smooth_curve(rng, z, 1.5))
    return x, y + noise_level(rng) * standard(any_law(rng, rows))


def growth(rng: Generator, rows: int) -> Columns:
    """Return a positive, skewed effect whose spread grows with its level, of a cause in whole years or levels."""
    x = np.round(rng.uniform(8.0, 80.0) * rng.beta(rng.uniform(0.8, 3.0), rng.uniform(0.8, 3.0), rows))
    level = 1.0 + rng.uniform(0.3, 3.0) * positive(sigmoid(rng, standard(x + 1e-3 * rng.normal(size=rows))))
    return x, level * np.exp(0.5 * noise_level(rng) * standard(plain_law(rng, rows)))


def rounded(rng: Generator, rows: int) -> Columns:
    """Return a pair of any other additive or location-scale family, one column or both rounded."""
    x, y = (smooth, sigmoid_additive, location_scale, growth)[rng.integers(4)](rng, rows)
    which = rng.integers(3)
    if which != 1:
        x = np.round(standard(x) * rng.uniform(2.0, 12.0))
    if which != 0:
        y = np.round(standard(y) * rng.uniform(2.0, 12.0))
    return x, y


def limited(rng: Generator, rows: int) -> Columns:
    """Return a positive pair: products of powers, as of lengths, weights and prices, with a floor below the effect."""
    x = np.exp(rng.uniform(0.3, 0.9) * standard(any_law(rng, rows)))
    y = x ** rng.uniform(0.4, 2.0) * np.exp(0.7 * noise_level(rng) * standard(any_law(rng, rows)))
    floor = rng.uniform(0.0, 0.5) * np.median(y)
    return x, floor + y


MORE: tuple[Callable[[Generator, int], Columns], ...] = (
    sigmoid_additive, location_scale, sigmoid_location_scale, product, heavy_noise, noise_before_the_curve, network,
    measured, confounded, growth, rounded, limited,
)  # fmt: skip


def every_pair(each: int, seed: int) -> Iterator[tuple[str, Pair]]:
    """Yield pairs of every family of both modules, that many of each family and each number of rows."""
    for number, family in enumerate((*ADDITIVE, *NOT_ADDITIVE, *MORE)):
        name = family.__name__.replace("_", " ")
        for rows in ROWS:
            for k in range(each):
                x, y = family(np.random.default_rng((seed, number, rows, k)), rows)
                yield name, Pair(f"{name} {rows} {k}", "cause", "effect", x, y, Direction.X_TO_Y)
