"""Families of pairs without an arrow to tell: unrelated columns, a straight Gaussian line, a hidden common cause."""

from collections.abc import Callable, Iterator

import numpy as np

from privcause_core.pair import Pair
from tests.benchmarks.families import Columns, Generator, any_law

Law = Callable[[Generator, int], np.ndarray[tuple[int, ...], np.dtype[np.float64]]]
ROWS = (400, 2_000)

LAWS: dict[str, Law] = {
    "light-tailed": any_law,
    "t, 3 degrees": lambda rng, rows: rng.standard_t(3.0, rows),
    "rounded to half an sd": lambda rng, rows: np.round(2.0 * rng.normal(size=rows)),
    "zero-inflated": lambda rng, rows: np.where(rng.random(rows) < 0.4, 0.0, rng.gamma(2.0, size=rows)),
    "lognormal, sigma 2": lambda rng, rows: np.exp(2.0 * rng.normal(size=rows)),
    "Cauchy": lambda rng, rows: rng.standard_cauchy(rows),
}


def line(rng: Generator, rows: int) -> Columns:
    x = rng.normal(size=rows)
    return x, 0.7 * x + 0.7 * rng.normal(size=rows)


def rounded_line(rng: Generator, rows: int) -> Columns:
    x, y = line(rng, rows)
    return np.round(2.0 * x), y


def common_cause(rng: Generator, rows: int) -> Columns:
    hidden, one, other = rng.normal(size=(3, rows))
    return np.tanh(hidden) + 0.4 * one, np.tanh(hidden) + 0.4 * other


def common_lognormal_cause(rng: Generator, rows: int) -> Columns:
    x, y = common_cause(rng, rows)
    return np.exp(x), np.exp(y)


RELATED: tuple[Callable[[Generator, int], Columns], ...] = (line, rounded_line, common_cause, common_lognormal_cause)


def every_null_pair(each: int, seed: int) -> Iterator[tuple[str, Pair]]:
    """Yield pairs without an arrow, that many of each family and number of rows."""

    def unrelated(law: Law) -> Callable[[Generator, int], Columns]:
        return lambda rng, rows: (law(rng, rows), law(rng, rows))

    families = {f"unrelated, {name}": unrelated(law) for name, law in LAWS.items()}
    families |= {family.__name__.replace("_", " "): family for family in RELATED}
    for number, (name, family) in enumerate(families.items()):
        for rows in ROWS:
            for k in range(each):
                x, y = family(np.random.default_rng((seed, 7, number, rows, k)), rows)
                yield name, Pair(f"{name} {rows} {k}", "one", "other", x, y)
