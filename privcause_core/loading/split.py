"""Rows that have too many fields because the separator stands inside a number, too."""

import re

from privcause_core.loading.cell import plain_characters
from privcause_core.loading.header import has_only_numbers
from privcause_core.loading.layout import GROUPING, Separator

_LONGEST = 10_000  # characters of a row that is looked at
_PATTERNS = {
    sign: re.compile(rf"(?<![0-9.])[1-9][0-9]{{0,2}}(?:{sign}[0-9]{{2,3}})*{sign}[0-9]{{3}}(?![0-9])")
    for sign in GROUPING
}


def suspicion(text: str, separator: Separator) -> int:
    """Judge a row with too many fields: 2 if it groups thousands by the separator, 1 if it holds numbers only, else 0.

    Parameters
    ----------
    text : str
        The whole row.
    """
    if separator not in GROUPING or len(text) > _LONGEST:
        return 0
    if _PATTERNS[separator].search(plain_characters(text.replace("\t", " "))):
        return 2
    return int(has_only_numbers(separator.fields(text)))
