"""Families of synthetic pairs, the cause always first, on which the rules of the method are chosen."""

from collections.abc import Callable, Iterator

import numpy as np

from privcause_core.pair import Direction, FloatArray, Pair

SIZES = (100, 200, 400, 400, 800, 2_000)  # rows: small ones first, as real pairs are
WAVES = 100

Generator = np.random.Generator
Columns = tuple[FloatArray, FloatArray]


def smooth_curve(rng: Generator, x: FloatArray, length: float) -> FloatArray:
    """Return a draw of a Gaussian process with a Gaussian kernel of that length, by random cosines."""
    frequency, phase = rng.normal(size=WAVES) / length, rng.uniform(0.0, 2.0 * np.pi, WAVES)
    out = np.zeros(x.size)
    for w, shift in zip(frequency, phase, strict=True):
        out += np.cos(w * x + shift)
    return out * np.sqrt(2.0 / WAVES)


def rising_curve(rng: Generator, x: FloatArray, length: float) -> FloatArray:
    """Return a random increasing curve: the integral of the exponential of a smooth one."""
    grid = np.linspace(x.min() - 0.1, x.max() + 0.1, 400)
    slope = np.exp(smooth_curve(rng, grid, length))
    return np.interp(x, grid, np.concatenate([[0.0], np.cumsum((slope[1:] + slope[:-1]) / 2.0)]))


def standard(values: FloatArray) -> FloatArray:
    return (values - values.mean()) / values.std()


def any_law(rng: Generator, rows: int) -> FloatArray:
    """Return a sample of a law drawn at random, of about unit variance."""
    match rng.integers(6):
        case 0:
            return rng.normal(size=rows)
        case 1:
            return rng.uniform(-1.7, 1.7, rows)
        case 2:
            return standard(rng.gamma(rng.uniform(0.8, 4.0), size=rows)) * rng.choice([-1, 1])
        case 3:
            return standard(mixture(rng, rows))
        case 4:
            return rng.laplace(size=rows) / 1.4
        case _:
            return standard(rising_curve(rng, rng.normal(size=rows), rng.uniform(0.7, 2.0)))


def mixture(rng: Generator, rows: int) -> FloatArray:
    parts = rng.integers(2, 5)
    centres, spreads = 1.5 * rng.normal(size=parts), rng.uniform(0.2, 1.0, parts)
    part = rng.integers(parts, size=rows)
    return rng.normal(centres[part], spreads[part])


def noise_level(rng: Generator) -> float:
    """Return a noise sd between 0.1 and 1 of the signal's."""
    return float(np.exp(rng.uniform(np.log(0.1), 0.0)))


def with_noise(rng: Generator, signal: FloatArray) -> FloatArray:
    return standard(signal) + noise_level(rng) * standard(any_law(rng, signal.size))


def smooth(rng: Generator, rows: int) -> Columns:
    x = any_law(rng, rows)
    return x, with_noise(rng, smooth_curve(rng, x, float(np.exp(rng.uniform(np.log(0.6), np.log(2.0))))))


def monotone(rng: Generator, rows: int) -> Columns:
    x = any_law(rng, rows)
    return x, with_noise(rng, rising_curve(rng, x, rng.uniform(0.5, 1.5)) * rng.choice([-1, 1]))


def heavy_tailed_cause(rng: Generator, rows: int) -> Columns:
    x = np.exp(rng.uniform(0.5, 1.3) * rng.normal(size=rows))
    curves = (np.log1p(x), x ** rng.uniform(0.3, 0.8), 1.0 - np.exp(-x * rng.uniform(0.5, 2.0)))
    return x, with_noise(rng, curves[rng.integers(3)] * rng.choice([-1, 1]))


def linear(rng: Generator, rows: int) -> Columns:
    """Return a straight line whose cause is visibly not Gaussian."""
    while True:
        x = standard(any_law(rng, rows))
        if abs((x**4).mean() - 3.0) > 0.4 or abs((x**3).mean()) > 0.4:
            return x, with_noise(rng, x)


def coarse(rng: Generator, rows: int) -> Columns:
    x, y = smooth(rng, rows)
    return np.round(standard(x) * rng.uniform(1.0, 10.0)), np.round(standard(y) * rng.uniform(2.0, 15.0))


def multiplicative(rng: Generator, rows: int) -> Columns:
    x = any_law(rng, rows)
    signal = np.exp(0.7 * standard(smooth_curve(rng, x, rng.uniform(0.8, 2.0))))
    return x, signal * np.exp(0.6 * noise_level(rng) * standard(any_law(rng, rows)))


def post_nonlinear(rng: Generator, rows: int) -> Columns:
    x, y = smooth(rng, rows)
    return x, rising_curve(rng, standard(y), rng.uniform(0.7, 2.0))


def any_noise(rng: Generator, rows: int) -> Columns:
    """Return y = F(x, e) for a random smooth F of both: no additive noise model either way."""
    x, e = any_law(rng, rows), any_law(rng, rows)
    along, across = rng.normal(size=WAVES) / rng.uniform(0.8, 2.0), rng.normal(size=WAVES) / rng.uniform(2.0, 5.0)
    out = np.zeros(rows)
    for a, b, shift in zip(along, across, rng.uniform(0.0, 2.0 * np.pi, WAVES), strict=True):
        out += np.cos(a * x + b * e + shift)
    return x, standard(out) + 0.05 * rng.normal(size=rows)


ADDITIVE: tuple[Callable[[Generator, int], Columns], ...] = (smooth, monotone, heavy_tailed_cause, linear, coarse)
NOT_ADDITIVE: tuple[Callable[[Generator, int], Columns], ...] = (multiplicative, post_nonlinear, any_noise)


def pairs(each: int, seed: int) -> Iterator[tuple[str, Pair]]:
    """Yield that many pairs of every family, with its name."""
    for number, family in enumerate((*ADDITIVE, *NOT_ADDITIVE)):
        name = family.__name__.replace("_", " ")
        for k in range(each):
            x, y = family(np.random.default_rng((seed, number, k)), SIZES[k % len(SIZES)])
            yield name, Pair(f"{name} {k}", "cause", "effect", x, y, Direction.X_TO_Y)
