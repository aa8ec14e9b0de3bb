"""What a file is, told from its bytes and never from its name."""

from enum import StrEnum, auto

from privcause_core.errors import DataError
from privcause_core.loading.archive import opened

_UNREADABLE = (
    (b"\xd0\xcf\x11\xe0", "the file is an old Excel workbook (.xls) or another old Office file; save it as .xlsx."),
    (b"\x1f\x8b", "the file is packed with gzip; unpack it first."),
    (b"7z\xbc\xaf", "the file is a 7z archive; pack it as a zip."),
    (b"Rar!", "the file is a RAR archive; pack it as a zip."),
    (b"%PDF", "the file is a PDF document, not a table; save the table as CSV."),
)
_MIMETYPE_PEEK = 200


class Kind(StrEnum):
    """The forms that can be read."""

    TEXT = auto()
    EXCEL = auto()
    PARQUET = auto()
    ARCHIVE = auto()


def kind_of(data: bytes) -> Kind:
    """Tell the kind of a file.

    Raises
    ------
    DataError
        If it is empty or known not to be readable here.
    """
    if not data:
        raise DataError("the file is empty.")
    for signature, reason in _UNREADABLE:
        if data.startswith(signature):
            raise DataError(reason)
    if data.startswith(b"PAR1"):
        return Kind.PARQUET
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zipped_kind(data)
    return Kind.TEXT


def _zipped_kind(data: bytes) -> Kind:
    if b"application/vnd.oasis.opendocument" in data[:_MIMETYPE_PEEK]:
        raise DataError("the file is an OpenDocument file; save it as .xlsx or CSV.")
    with opened(data, "file") as archive:
        names = archive.namelist()
    if "xl/workbook.bin" in names:
        raise DataError("the file is a binary Excel workbook (.xlsb); save it as .xlsx.")
    return Kind.EXCEL if "xl/workbook.xml" in names else Kind.ARCHIVE
