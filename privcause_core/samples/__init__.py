"""Sample pairs with a known direction: real ones that the dependencies ship, and synthetic ones made from a seed."""

import numpy as np

from privcause_core.errors import ParameterError
from privcause_core.pair import Pair
from privcause_core.samples.real import REAL_SAMPLES, RealSample
from privcause_core.samples.sample import Sample
from privcause_core.samples.synthetic import (
    DEFAULT_NOISE,
    DEFAULT_ROWS,
    NOISE_MAX,
    NOISE_MIN,
    ROWS_MAX,
    ROWS_MIN,
    SYNTHETIC_SAMPLES,
    SyntheticSample,
)
from privcause_core.settings import SEED_MAX
from privcause_core.text.typed import check_range

DEFAULT_SAMPLE = "sample:synthetic-saturation"  # of the lessons
FIRST_SAMPLE = "sample:synthetic-random-curve"  # of the first page: HSIC flips there as in the paper
PREFIX = "sample:"

_BY_SLUG: dict[str, SyntheticSample | RealSample] = {one.about.slug: one for one in (*SYNTHETIC_SAMPLES, *REAL_SAMPLES)}

__all__ = [
    "DEFAULT_NOISE",
    "DEFAULT_ROWS",
    "DEFAULT_SAMPLE",
    "FIRST_SAMPLE",
    "NOISE_MAX",
    "NOISE_MIN",
    "PREFIX",
    "ROWS_MAX",
    "ROWS_MIN",
    "Sample",
    "load_sample",
    "samples",
]


def samples() -> tuple[Sample, ...]:
    """Return every sample, the default first, without loading any."""
    return tuple(one.about for one in _BY_SLUG.values())


def load_sample(slug: str, *, rows: int | None = None, noise: float | None = None, seed: int | None = None) -> Pair:
    """Return the pair of a sample.

    Parameters
    ----------
    slug : str
        With or without the leading ``sample:``.
    rows : int in [20, 1_000_000], optional
        Synthetic samples only, as the next two; default 2,000.
    noise : float in [0.01, 5], optional
        Spread of the noise as a share of the spread of the noise-free effect; default 0.25.
    seed : int in [0, 2**32 - 1], optional
        Fixes every row; default 0.

    Raises
    ------
    ParameterError
        If there is no such sample, a value is outside its range, or one is given for a real sample.
    """
    found = _BY_SLUG.get(slug if slug.startswith(PREFIX) else PREFIX + slug)
    if found is None:
        raise ParameterError(f"Expected one of the samples {', '.join(_BY_SLUG)}, got {slug!r}.")
    if isinstance(found, RealSample):
        _refuse_choices(slug, rows=rows, noise=noise, seed=seed)
        return found.load()
    rows = DEFAULT_ROWS if rows is None else rows
    noise = DEFAULT_NOISE if noise is None else noise
    seed = 0 if seed is None else seed
    _check_whole("rows", rows, ROWS_MIN, ROWS_MAX)
    _check_whole("seed", seed, 0, SEED_MAX)
    check_range("noise", noise, NOISE_MIN, NOISE_MAX)
    return found.load(rows, noise, np.random.default_rng(seed))


def _refuse_choices(slug: str, **choices: float | None) -> None:
    for name, value in choices.items():
        if value is not None:
            raise ParameterError(f"Expected no {name} for {slug}, got {value!r}: only synthetic samples take one.")


def _check_whole(name: str, value: object, low: int, high: int) -> None:
    if not isinstance(value, int):
        raise ParameterError(f"Expected {name} to be a whole number, got {value!r}.")
    check_range(name, value, low, high)
