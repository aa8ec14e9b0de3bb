"""Dithering of rounded columns: uniform noise of the width of one rounding step, so that rounding decides nothing.

Duplicates make a density estimate take its smallest bandwidth, and the coarser column would look like the cause
(mechanisms.md section 12). The width comes from training rows; a draw belongs to a dealt place, so a replaced record
moves no other row's draw. The proofs hold for any fixed draws: they need not be secret.
"""

import numpy as np

from privcause_core.pair import FloatArray

MOSTLY_DISTINCT = 0.9  # a column with a larger share of distinct values counts as not rounded
STREAM = 4  # the halves, the regressions, the simulated draws and the blocks use other streams of the same seed


def rounding_step(values: FloatArray) -> float:
    """Return the median gap of neighbouring distinct values; 0 for a constant or a mostly distinct column."""
    distinct = np.unique(values)
    if distinct.size < 2 or distinct.size > MOSTLY_DISTINCT * values.size:
        return 0.0
    return float(np.median(np.diff(distinct)))


def draw_names(first: FloatArray, second: FloatArray) -> tuple[int, int]:
    """Return the names of both columns' draws, from their training values: exchanged columns exchange their draws.

    The column that is smaller where they first differ takes draw 0, the other 1; equal columns share draw 0.
    """
    differing = np.flatnonzero(first != second)
    if not differing.size:
        return 0, 0
    k = differing[0]
    return (0, 1) if first[k] < second[k] else (1, 0)


def draws(seed: int, name: int, n_train: int, n_test: int) -> tuple[FloatArray, FloatArray]:
    """Return a column's draws from U(-1/2, 1/2) for every training row and for every dealt test place.

    The draw of a place does not depend on how many places there are.
    """
    train, test = (np.random.default_rng((seed, STREAM, name, half)) for half in range(2))
    return train.uniform(-0.5, 0.5, n_train), test.uniform(-0.5, 0.5, n_test)
