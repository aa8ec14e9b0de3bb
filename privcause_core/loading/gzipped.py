"""Files packed with gzip, unpacked in memory and no further than an archive may be."""

import zlib

from privcause_core.errors import DataError
from privcause_core.loading.limits import MAX_UNPACKED_BYTES
from privcause_core.loading.wording import megabytes

_MAGIC = b"\x1f\x8b"
_GZIP = 16 + zlib.MAX_WBITS


def beginning(data: bytes, most: int) -> bytes:
    """Return at most that many bytes from the front of a gzip file's content; nothing of a damaged one."""
    try:
        return zlib.decompressobj(_GZIP).decompress(data, most)
    except zlib.error:
        return b""


def unpacked(data: bytes) -> bytes:
    """Unpack a gzip file, its members one after the other.

    Raises
    ------
    DataError
        If it is damaged or unpacks to more than ``MAX_UNPACKED_BYTES``.
    """
    parts: list[bytes] = []
    room = MAX_UNPACKED_BYTES
    while data.startswith(_MAGIC):
        unpacker = zlib.decompressobj(_GZIP)
        try:
            part = unpacker.decompress(data, room + 1)
        except zlib.error as error:
            raise DataError("the gzip file is damaged; pack or download it again.") from error
        room -= len(part)
        if room < 0:
            raise DataError(
                f"the gzip file unpacks to more than the {megabytes(MAX_UNPACKED_BYTES)} allowed; split it."
            )
        if not unpacker.eof:
            raise DataError("the gzip file is incomplete; pack or download it again.")
        parts.append(part)
        data = unpacker.unused_data
    whole = b"".join(parts)
    if whole.startswith(_MAGIC):
        raise DataError("the file is packed with gzip twice; unpack it first.")
    return whole
