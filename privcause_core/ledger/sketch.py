"""Whether a column holds nearly the values of a known one: a warning about the same people in an altered file.

A column keeps its values' least keyed hashes (MinHash): of two columns that share most values, most of these are
shared too, whatever rows were dropped or doubled. Values are rounded first, so that a factor of 1.0000001 hides little.
A fast hash chooses, and what it chose is kept as keyed digests: without the secret they confirm no guess.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from privcause_core.ledger.secret import keyed_digest
from privcause_core.pair import FloatArray

SIZE, FEWEST = 64, 32  # hashes kept; distinct values from which sharing them says anything
ROUNDED_BITS = 34  # of the 52 of a double: what is left tells values apart by 4 parts in a million
Sketch = frozenset[str]
_Words = npt.NDArray[np.uint64]


def sketch(ordered: FloatArray, secret: bytes) -> Sketch:
    """Return the sketch of a column's sorted finite values; empty where they are too few to tell people by."""
    rounded = (ordered.astype("<f8").view(np.uint64) + np.uint64(1 << (ROUNDED_BITS - 1))) >> np.uint64(ROUNDED_BITS)
    values = rounded[np.diff(rounded, prepend=~rounded[:1]) != 0]
    if values.size < FEWEST:
        return frozenset()
    keys = np.frombuffer(bytes.fromhex(keyed_digest(secret, "sketch key", b"")), dtype="<u8")
    least = values[np.argsort(_mixed(values, keys), kind="stable")[:SIZE]]
    return frozenset(keyed_digest(secret, "sketch", int(value).to_bytes(8, "little"))[:32] for value in least)


def alike(one: Sketch, others: Iterable[Sketch]) -> bool:
    """Return whether a sketch shares most of its hashes with another."""
    return any(2 * len(one & other) > max(len(one), len(other)) for other in others)


def _mixed(values: _Words, keys: _Words) -> _Words:
    """Return a keyed hash of each value (two rounds of a multiply-xorshift mix)."""
    mixed = values.copy()
    with np.errstate(over="ignore"):
        for key in keys:
            mixed = (mixed ^ key) * np.uint64(0xBF58476D1CE4E5B9)
            mixed ^= mixed >> np.uint64(31)
    return mixed
