"""Weka's ARFF files: the header says what the columns are called, the rest is a text table."""

import re

from privcause_core.errors import DataError
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.layout import Layout
from privcause_core.loading.limits import MAX_COLUMNS
from privcause_core.loading.separator import Separator
from privcause_core.loading.wording import counted

_START = re.compile(rb"(?:[ \t]*(?:%[^\n]*)?\n)*[ \t]*@relation\b", re.IGNORECASE)
_DATA = re.compile(rb"^[ \t]*@data[ \t]*\n", re.IGNORECASE | re.MULTILINE)
_ATTRIBUTE = re.compile(
    r"^[ \t]*@attribute[ \t]+(?:'((?:[^'\\\n]|\\.)*)'|\"([^\"\n]*)\"|([^\s{]+))", re.IGNORECASE | re.MULTILINE
)
_PEEK = 1 << 16


def arff_layout(text: bytes) -> Layout | None:
    """Return the layout of an ARFF file; None if the text is none.

    Raises
    ------
    DataError
        If it declares fewer than two attributes, too many, or holds its rows in the sparse form.
    """
    if not _START.match(text[:_PEEK]):
        return None
    data = _DATA.search(text)
    if not data:
        raise DataError("the ARFF file has no @data line; save it again, or save it as CSV.")
    head = text[: data.start()].decode("utf-8")
    names = tuple(next(filter(None, match.groups()), "") for match in _ATTRIBUTE.finditer(head))
    if not 2 <= len(names) <= MAX_COLUMNS:
        raise DataError(
            f"the ARFF file declares {counted(len(names), 'attribute')}; from 2 to {MAX_COLUMNS:,} can be read."
        )
    if text[data.end() :].lstrip().startswith(b"{"):
        raise DataError("the ARFF file holds sparse rows; save it as CSV.")
    line = head.count("\n") + 2
    return Layout(Separator.COMMA, names, data.end(), line, (DecimalMark.POINT,) * len(names))
