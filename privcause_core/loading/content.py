"""What tells that a table comes from the very same file, however it is read."""

import hashlib


def content_digest(data: bytes, sheet: str = "") -> str:
    """Return SHA-256, in hexadecimal digits, of a file (unpacked, if it was packed) and of the sheet's name in it.

    It stays in memory: the ledger keeps a digest of it that is keyed by the ledger's secret.
    """
    return hashlib.sha256(hashlib.sha256(data).digest() + sheet.encode("utf-8", "replace")).hexdigest()
