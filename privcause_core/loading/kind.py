"""What a file is, told from its bytes and never from its name."""

import re
from enum import StrEnum, auto

from privcause_core.errors import DataError
from privcause_core.loading.archive import opened

_SAVE = "save the table as CSV from"
_PICTURE = "this is a picture, a binary file and not a table; export the numbers behind it as CSV."
_UNREADABLE = (
    (b"7z\xbc\xaf", "the file is a 7z archive; pack it as a zip."),
    (b"Rar!", "the file is a RAR archive; pack it as a zip."),
    (b"BZh91AY&SY", "the file is packed with bzip2; unpack it first."),
    (b"\xfd7zXZ", "the file is packed with xz; unpack it first."),
    (b"\x28\xb5\x2f\xfd", "the file is packed with zstd; unpack it first."),
    (b"%PDF", "the file is a PDF document, not a table; save the table as CSV."),
    (b"\x89PNG", _PICTURE),
    (b"\xff\xd8\xff", _PICTURE),
    (b"GIF89a", _PICTURE),
    (b"RDX2\n", f"the file is an R data file; {_SAVE} R, with write.csv."),
    (b"RDX3\n", f"the file is an R data file; {_SAVE} R, with write.csv."),
    (b"X\n\0\0\0", f"the file is an R data file (.rds); {_SAVE} R, with write.csv."),
    (b"$FL2@(#)", f"the file is an SPSS file (.sav); {_SAVE} SPSS."),
    (b"$FL3@(#)", f"the file is an SPSS file (.zsav); {_SAVE} SPSS."),
    (b"<stata_dta>", f"the file is a Stata file (.dta); {_SAVE} Stata, with export delimited."),
    (b"\x89HDF", "the file is an HDF5 file; save the table as CSV or Parquet."),
    (b"SQLite format 3\0", "the file is an SQLite database; export the table as CSV."),
    (b"FEA1", "the file is a Feather file of version 1; save it as version 2, or as Parquet."),
)
_MIMETYPE_PEEK = 200
_OLD_STATA = re.compile(rb"[\x69\x6c\x6e-\x75][\x01\x02]\x01\x00")  # releases 105 to 117


class Kind(StrEnum):
    """The forms that can be read."""

    TEXT = auto()
    EXCEL = auto()
    OLD_EXCEL = auto()  # .xls
    BINARY_EXCEL = auto()  # .xlsb
    OPEN_DOCUMENT = auto()
    PARQUET = auto()
    FEATHER = auto()
    GZIP = auto()
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
    if _OLD_STATA.match(data):
        raise DataError(f"the file is a Stata file (.dta); {_SAVE} Stata, with export delimited.")
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zipped_kind(data)
    return Kind.TEXT


_SIGNATURES = (
    (b"PAR1", Kind.PARQUET),
    (b"ARROW1", Kind.FEATHER),
    (b"\x1f\x8b", Kind.GZIP),
    (b"\xd0\xcf\x11\xe0", Kind.OLD_EXCEL),
)


def is_plain_text(data: bytes) -> bool:
    """Say whether a file is read as text, or refused by its first bytes; no parser of another form ever sees it."""
    return not data.startswith((b"PK", *(signature for signature, _ in _SIGNATURES)))


def _zipped_kind(data: bytes) -> Kind:
    if b"application/vnd.oasis.opendocument" in data[:_MIMETYPE_PEEK]:
        return Kind.OPEN_DOCUMENT
    with opened(data, "file") as archive:
        names = archive.namelist()
    if "xl/workbook.bin" in names:
        return Kind.BINARY_EXCEL
    return Kind.EXCEL if "xl/workbook.xml" in names else Kind.ARCHIVE
