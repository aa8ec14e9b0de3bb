"""Neighbours made to move a score as far as they can: replaced scored rows, moved residuals, emptied cells.

Two routes to a scored pair: vectors put into it directly (any residuals that a fit could leave), and tables that are
fitted, of which one scored row is replaced while every training row stays.
"""

from collections.abc import Iterator

import numpy as np

from privcause_core.fits.anm import fit_anm
from privcause_core.fits.scored import ScoredDirection, ScoredPair
from privcause_core.pair import Pair
from privcause_core.settings import Settings

FAR = 5.0  # the public clip of scaled values


def direction_of(x, r):
    """Return a direction whose scaled cause and residual lie in the range that the public clip allows."""
    clipped = [np.clip(values.astype(float), -1e100, 1e100) for values in (x, r)]
    return ScoredDirection(x, clipped[0], clipped[1], clipped[1])


def scored(x, r):
    """Return a scored pair with the same vectors in both directions, one of them mirrored."""
    return ScoredPair(direction_of(x, r), direction_of(r, -x))


def samples(rng, m):
    """Yield cause and residual vectors of shape (m,): smooth, tied, constant, clustered, ordered and wild."""
    x = np.arange(m) / m
    third = np.where(np.arange(m) < max(1, m // 3), -FAR, FAR)
    spots = rng.uniform(-FAR, FAR, (2, 3))[:, rng.integers(0, 3, m)]
    yield rng.normal(size=m), rng.normal(size=m)
    yield rng.normal(size=m).round(), rng.integers(0, 2, m).astype(float)
    yield np.zeros(m), rng.normal(size=m)
    yield np.zeros(m), np.full(m, 7.0)
    yield spots[0], spots[1]
    yield third, third
    yield 10.0 * x, 10.0 * x
    yield x, -x
    yield 1e300 * rng.standard_cauchy(m), -1e300 * rng.normal(size=m)
    yield 2**60 + rng.integers(0, 9, m), x
    yield from _clusters(rng, m)


def _clusters(rng, m):
    """Two far clusters of every telling size, with a spread that is nearly nothing; the family of mechanisms.md 11."""
    balanced = int((m - np.sqrt(m)) / 2.0)  # as many pairs within as across: a median distance is about to jump
    for size in {max(1, balanced - 1), max(1, balanced), balanced + 1, max(1, m // 3), m // 2}:
        side = np.where(np.arange(m) < size, -FAR, FAR)
        yield side + 1e-6 * rng.normal(size=m), side + 1e-6 * rng.normal(size=m)
        yield side, np.where(np.arange(m) % 2, -FAR, FAR)
    # Rows mostly at (P, P'), a few at (Q, R), more at (S, P') and at (P, T), with all points far apart.
    points, few, more = np.array([-5.0, -1.7, 1.7, 5.0]), max(1, m // 60), max(1, m // 8)
    x, r = np.full(m, points[0]), np.full(m, points[0])
    x[:few], r[:few] = points[1], points[1]
    x[few : few + more] = points[2]
    r[few + more : few + 2 * more] = points[3]
    yield x, r


def replaced(rng, x, r):
    """Return the vectors with one record replaced: by other records' values, or by ones beyond all of them."""
    k = rng.integers(x.size)
    moved_x, moved_r = x.copy(), r.copy()
    if rng.random() < 0.3:  # one of the ends, where an order changes most
        k = rng.choice([np.argmin(x), np.argmax(x), np.argmin(r), np.argmax(r)])
    moved_x[k] = rng.choice([x[rng.integers(x.size)], x.min() - 1, x.max() + 1, 0])
    moved_r[k] = rng.choice([r[rng.integers(r.size)], r.min() - 1, r.max() + 1, 1e300, -1e300, r[k]])
    return moved_x, moved_r


def vector_neighbours(rng, m, each=8) -> Iterator[tuple[ScoredPair, ScoredPair]]:
    """Yield scored pairs that differ in one scored row, the vectors chosen freely."""
    for x, r in samples(rng, m):
        before = scored(x, r)
        for _ in range(each):
            yield before, scored(*replaced(rng, x, r))


def table_neighbours(rng, m, each=6) -> Iterator[tuple[ScoredPair, ScoredPair]]:
    """Yield fitted tables of 2 m rows that differ in one scored row; the training rows, hence the fits, stay."""
    settings = Settings()
    for x, y in _tables(rng, 2 * m):
        before = fit_anm(Pair("p", "x", "y", x, y), settings)
        spots = [(x[before.train].mean(), y[before.train].mean()), (1e6, -1e6), (-1e6, 1e6), (1e300, 1e300)]
        for _ in range(each):
            row, (to_x, to_y) = rng.choice(before.test), spots[rng.integers(len(spots))]
            moved_x, moved_y = x.copy(), y.copy()
            moved_x[row] = rng.choice([to_x, rng.choice(x)])
            moved_y[row] = rng.choice([to_y, rng.choice(y)])
            after = fit_anm(Pair("p", "x", "y", moved_x, moved_y), settings)
            yield before.scored, after.scored


def _tables(rng, rows):
    x = rng.normal(size=rows)
    half = np.where(np.arange(rows) % 2, 1.0, -1.0)
    yield x, np.tanh(2.0 * x) + 0.3 * rng.normal(size=rows)
    yield x, x * x + half  # residuals half up, half down
    yield x, rng.standard_cauchy(rows)
    yield half + 1e-6 * rng.normal(size=rows), half * FAR
    yield x.round(), rng.integers(0, 3, rows).astype(float)
    yield x, np.zeros(rows)


def moved_residuals(rng, m, shift) -> Iterator[tuple[ScoredDirection, ScoredDirection]]:
    """Yield directions whose residuals all move by at most ``shift``, as one training row can make them.

    Half up and half down, by the side of the cause, by the side of the residual, or at random; residuals in two
    groups one bandwidth apart, where a Gaussian kernel is steepest, and everywhere.
    """
    half = np.where(np.arange(m) % 2, 1.0, -1.0)
    for gap in (0.5, 1.0, 2.0, 4.0):
        for x, r in (
            (half, half * gap / 2.0),
            (half * 4.0, rng.normal(size=m)),
            (rng.normal(size=m), half * gap / 2.0),
        ):
            for signs in (half, np.sign(r) + (r == 0.0), np.sign(x) + (x == 0.0), rng.choice([-1.0, 1.0], m)):
                yield direction_of(x, r), direction_of(x, r + shift * signs)
                yield direction_of(x, 1e-3 * r), direction_of(x, 1e-3 * r + shift * signs)
