"""Generators of pairs whose arrow is known because the program draws the effect from the cause."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from privcause_core.pair import Direction, FloatArray, Pair
from privcause_core.samples.sample import Sample

ROWS_MIN, ROWS_MAX = 20, 1_000_000
NOISE_MIN, NOISE_MAX = 0.01, 5.0
DEFAULT_ROWS = 2_000
DEFAULT_NOISE = 0.25

CURVE_WAVES = 64  # cosines in a random curve; enough that its values are near normal

Columns = tuple[FloatArray, FloatArray]
Generator = np.random.Generator


@dataclass(frozen=True, slots=True)
class SyntheticSample:
    """A generator of (x, y) columns from (rows, noise level, generator), and the arrow it builds in."""

    about: Sample
    draw: Callable[[int, float, Generator], Columns]
    truth: Direction | None

    def load(self, rows: int, noise: float, rng: Generator) -> Pair:
        """Draw the pair; the noise level is a share of the noise-free effect's standard deviation."""
        x, y = self.draw(rows, noise, rng)
        return Pair(self.about.title, "x", "y", x, y, self.truth, source=self.about.source)


def saturation(rows: int, noise: float, rng: Generator) -> Columns:
    """Return a gamma cause and 1 - exp(-5x/3) plus Gaussian noise."""
    cause = rng.gamma(1.5, size=rows)
    return cause, _noisy(_saturating(cause), noise, rng.normal(size=rows))


def random_curve(rows: int, noise: float, rng: Generator) -> Columns:
    """Return a two-humped cause and a random smooth curve of it plus Gaussian noise.

    The curve is a sum of random cosines, near a Gaussian process with a Gaussian kernel of bandwidth 1
    (Rahimi and Recht, 2007).
    """
    frequency, phase = rng.normal(size=CURVE_WAVES), rng.uniform(0.0, 2.0 * np.pi, CURVE_WAVES)
    cause = rng.normal(np.where(rng.random(rows) < 0.5, -1.0, 1.0), 0.6)
    signal = np.zeros(rows)
    for w, shift in zip(frequency, phase, strict=True):
        signal += np.cos(w * cause + shift)
    return cause, _noisy(signal, noise, rng.normal(size=rows))


def linear_non_gaussian(rows: int, noise: float, rng: Generator) -> Columns:
    """Return effect and cause of a straight line with uniform cause and uniform noise."""
    cause = rng.uniform(-1.0, 1.0, rows)
    return _noisy(cause, noise, rng.uniform(-np.sqrt(3.0), np.sqrt(3.0), rows)), cause


def multiplicative(rows: int, noise: float, rng: Generator) -> Columns:
    """Return a gamma cause and 1 - exp(-5x/3) times a log-normal factor."""
    cause = rng.gamma(1.5, size=rows)
    return cause, _saturating(cause) * np.exp(noise * rng.normal(size=rows))


def near_tie(rows: int, noise: float, rng: Generator) -> Columns:
    """Return effect and cause of an almost straight line with Gaussian cause and noise."""
    cause = rng.normal(size=rows)
    return _noisy(cause + 0.05 * cause**2, noise, rng.normal(size=rows)), cause


def heavy_ties(rows: int, noise: float, rng: Generator) -> Columns:
    """Return the saturation sample rounded to few values: the cause to halves, the effect to tenths."""
    cause, effect = saturation(rows, noise, rng)
    return np.round(2.0 * cause) / 2.0, np.round(effect, 1)


def linear_gaussian(rows: int, noise: float, rng: Generator) -> Columns:
    """Return a straight line with Gaussian cause and noise: both directions fit equally well."""
    cause = rng.normal(size=rows)
    return cause, _noisy(cause, noise, rng.normal(size=rows))


def _saturating(cause: FloatArray) -> FloatArray:
    return np.asarray(-np.expm1(-cause / 0.6))


def unrelated(rows: int, noise: float, rng: Generator) -> Columns:  # noqa: ARG001 - every generator takes the level
    """Return a gamma column and an independent Gaussian one."""
    return rng.gamma(1.5, size=rows), rng.normal(size=rows)


def _noisy(signal: FloatArray, noise: float, unit_noise: FloatArray) -> FloatArray:
    """Add unit-variance noise at the given share of the signal's standard deviation."""
    return np.asarray(signal + noise * signal.std() * unit_noise)


def _about(name: str, title: str, description: str, truth_reason: str) -> Sample:
    source = "Drawn by this program from the seed shown."
    return Sample(f"sample:synthetic-{name}", title, description, source, truth_reason, synthetic=True)


SYNTHETIC_SAMPLES = (
    SyntheticSample(
        _about(
            "saturation",
            "Synthetic: saturating curve",
            "The effect rises with the cause and levels off, with additive Gaussian noise; Spearman, Kendall "
            "and HSIC tell the arrow, IQR is unsure.",
            "y is drawn from x: additive noise on a curve that has no additive-noise form the other way round.",
        ),
        saturation,
        Direction.X_TO_Y,
    ),
    SyntheticSample(
        _about(
            "random-curve",
            "Synthetic: random smooth curve",
            "Additive Gaussian noise on a smooth curve drawn at random; some seeds are easy and some are hopeless.",
            "y is drawn from x by an additive noise model.",
        ),
        random_curve,
        Direction.X_TO_Y,
    ),
    SyntheticSample(
        _about(
            "linear-non-gaussian",
            "Synthetic: straight line, uniform noise",
            "A straight line whose cause and noise are uniform: only the corners of the cloud tell the arrow.",
            "x is drawn from y; a line is identifiable when cause or noise is not Gaussian.",
        ),
        linear_non_gaussian,
        Direction.Y_TO_X,
    ),
    SyntheticSample(
        _about(
            "multiplicative",
            "Synthetic: multiplicative noise",
            "The noise grows with the effect, so neither direction is an additive noise model: the method's assumption "
            "does not hold, and its arrow may be wrong.",
            "y is drawn from x, with noise that multiplies.",
        ),
        multiplicative,
        Direction.X_TO_Y,
    ),
    SyntheticSample(
        _about(
            "near-tie",
            "Synthetic: near tie",
            "Almost a straight line with Gaussian noise: the two scores are so close that any noise flips the arrow.",
            "x is drawn from y, with a slight bend.",
        ),
        near_tie,
        Direction.Y_TO_X,
    ),
    SyntheticSample(
        _about(
            "heavy-ties",
            "Synthetic: heavy ties",
            "The saturating curve rounded to few values, as in questionnaires: many rows are tied.",
            "y is drawn from x before both are rounded.",
        ),
        heavy_ties,
        Direction.X_TO_Y,
    ),
    SyntheticSample(
        _about(
            "linear-gaussian",
            "Synthetic: straight line, Gaussian noise",
            "The textbook case that cannot be told: both directions fit equally well, so any arrow is a coin flip.",
            "None: y is drawn from x, but a linear Gaussian pair has the same distribution the other way round.",
        ),
        linear_gaussian,
        None,
    ),
    SyntheticSample(
        _about(
            "unrelated",
            "Synthetic: unrelated columns",
            "Neither column has anything to do with the other, yet a private run always prints an arrow.",
            "None: both columns are drawn independently.",
        ),
        unrelated,
        None,
    ),
)
