"""Bytes of a text file to UTF-8 with one kind of line end, or one sentence why it is not a text table."""

import codecs

import numpy as np

from privcause_core.errors import DataError

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PEEK = 4096
_SLICE = 1 << 18  # stays in the processor's cache
_RETURN, _FEED = b"\r\n"
_WEB_PAGE = (b"<!doctype html", b"<html", b"<head", b"<body", b"<script", b"<!--")


def to_utf8(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Return the text as UTF-8 with plain line feeds and no byte order mark, and a note if it was not UTF-8.

    Raises
    ------
    DataError
        If the bytes are no text, a web page, or empty.
    """
    text, encoding = _decoded(data)
    if b"\0" in text:
        raise DataError("this is a binary file, not a table that PrivCause can read; save the table as CSV or .xlsx.")
    if b"\r" in text:
        text = _with_line_feeds(text)
    start = text[:_PEEK].lstrip().lower()
    if not start and not text.strip():
        raise DataError("the file is empty.")
    if start.startswith(_WEB_PAGE):
        raise DataError("the file looks like a web page, not a table; download the data itself and load that.")
    if start.startswith(b"<?xml"):
        raise DataError("the file looks like an XML document, not a table; save the table as CSV.")
    return text, () if encoding == "UTF-8" else (f"The text was read as {encoding}.",)


def _with_line_feeds(text: bytes) -> bytes:
    if _only_windows_ends(text):
        return text.translate(None, b"\r")  # many times faster than replacing pairs of bytes
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _only_windows_ends(text: bytes) -> bool:
    """Say whether a line feed follows every carriage return, looking at a slice at a time."""
    returns = followed = 0
    for start in range(0, len(text), _SLICE):
        raw = np.frombuffer(text, np.uint8, min(_SLICE + 1, len(text) - start), start)
        is_return = raw[:_SLICE] == _RETURN
        returns += int(np.count_nonzero(is_return))
        followed += int(np.count_nonzero(is_return[: raw.size - 1] & (raw[1:] == _FEED)))
    return returns == followed


def codec_of(data: bytes) -> str:
    """Return the codec that a text's byte order mark or its bytes tell."""
    for mark, codec in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return codec
    if unmarked := _unmarked_utf16(data[:_PEEK]):
        return unmarked
    if data.isascii():
        return "utf-8"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"


def _decoded(data: bytes) -> tuple[bytes, str]:
    codec = codec_of(data)
    marks = [mark for mark, marked in _BYTE_ORDER_MARKS if marked == codec and data.startswith(mark)]
    data = data[len(marks[0]) :] if marks else data
    if codec == "utf-8":
        return _recoded(data, codec) if marks else data, "UTF-8"
    if codec == "cp1252":
        return _recoded(data, codec), "Windows-1252, because it is not UTF-8"
    return _recoded(data, codec), codec.upper().removesuffix("-LE").removesuffix("-BE")


def _recoded(data: bytes, codec: str) -> bytes:
    try:
        return data.decode(codec).encode("utf-8")
    except UnicodeError:
        raise DataError(
            "the text is in no encoding known here (UTF-8, UTF-16, Windows-1252); save it as CSV UTF-8."
        ) from None


def _unmarked_utf16(start: bytes) -> str | None:
    # Latin text in UTF-16 has a zero in every second byte; which one tells the byte order.
    even, odd = start[0::2].count(0), start[1::2].count(0)
    if max(even, odd) < 0.4 * len(start) / 2:
        return None
    if even and odd:
        return None
    return "utf-16-be" if even else "utf-16-le"
