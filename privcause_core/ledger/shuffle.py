"""A uniform permutation from a secret key: the same key gives the same deal, and nobody without it can tell it."""

import hashlib

import numpy as np

from privcause_core.fits.halves import RowNumbers

KEY_BYTES = 32
_PURPOSE = b"privcause deal"


def secret_permutation(key: bytes, rows: int) -> RowNumbers:
    """Return the row at each dealt place, shape (rows,).

    Every row draws 64 bits of the SHAKE-256 stream of the key, and rows are dealt in the order of their draws. Equal
    draws, about once in 2^65 / rows^2 deals, are drawn again; given that none are equal every order is as likely.

    Raises
    ------
    ValueError
        If the key is not 256 bits: a shorter one could be searched for.
    """
    if len(key) != KEY_BYTES:
        raise ValueError(f"Expected a key of {KEY_BYTES} bytes, got {len(key)}.")
    attempt = 0
    while True:
        draws = _draws(key, attempt, rows)
        order = np.argsort(draws)
        ordered = draws[order]
        if not (ordered[1:] == ordered[:-1]).any():
            return order.astype(np.int64, copy=False)
        attempt += 1


def _draws(key: bytes, attempt: int, rows: int) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    stream = hashlib.shake_256(_PURPOSE + key + attempt.to_bytes(8, "little")).digest(8 * rows)
    return np.frombuffer(stream, dtype="<u8").astype(np.uint64, copy=False)
