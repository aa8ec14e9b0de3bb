"""Files in which the separator stands inside numbers, too: refused, never read as more columns or fewer rows."""

import re

from privcause_core.errors import DataError
from privcause_core.loading.cell import plain_cell, plain_characters
from privcause_core.loading.header import has_measurement, has_only_numbers, numeric_share
from privcause_core.loading.separator import GROUPING, Separator
from privcause_core.loading.wording import counted

_LONGEST = 10_000  # characters of a row that is looked at
_GROUP_START = re.compile(r"[+-]?[1-9][0-9]{0,2}")
_GROUP_END = re.compile(r"[0-9]{3}(?:[.,][0-9]*)?")
_BLANK_INSIDE = re.compile(r"[0-9] +[0-9]")
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


def blanks_or_commas(lines: list[str]) -> Separator | None:
    """Return which of the two separates lines that hold both, if one of them alone makes numbers of all the fields.

    Raises
    ------
    DataError
        If both do: "1 234,5 678" is two numbers between commas and three between blanks.
    """
    if not any("," in line and _BLANK_INSIDE.search(plain_characters(line)) for line in lines):
        return None
    whole = [one for one in GROUPING if _makes_numbers(lines, one)]
    if len(whole) > 1:
        raise DataError("commas or blanks may separate the fields; separate them with semicolons.")
    return whole[0] if whole else None


def _makes_numbers(lines: list[str], separator: Separator) -> bool:
    first, *below = [separator.fields(line) for line in lines]
    rows = [first, *below] if has_measurement(first) else below
    widths = {len(first), *map(len, below)}
    return len(widths) == 1 and widths.pop() > 1 and bool(rows) and numeric_share(rows) == 1.0


def check_row_names(separator: Separator, rows: list[list[str]], *, quoted: bool) -> None:
    """Refuse numbers that the separator itself stands in: row names are distinct, and whole if they are numbers.

    Parameters
    ----------
    rows : list of list of str
        The fields of the first lines; that of the names has one less than the others.
    quoted : bool
        Quotation marks stand around the first row name.

    Raises
    ------
    DataError
        If the first fields are no row names.
    """
    if separator not in GROUPING:
        return
    width = len(rows[0]) + 1
    regular = [row for row in rows[1:] if len(row) == width]
    names = [row[0] for row in regular]
    numbered = has_measurement(names) and not quoted
    split = all(_GROUP_START.fullmatch(row[0]) and _GROUP_END.fullmatch(row[1]) for row in regular)
    odd = separator is Separator.COMMA or split or len(regular) < len(rows) - 1 or not all(map(str.isdecimal, names))
    currency = any(plain_cell(f"{name}5").unit for name in names)
    if (numbered and odd) or currency or len(set(names)) < len(names):
        raise split_numbers(separator, width - 1, width)


def split_numbers(separator: Separator, names: int, fields: int) -> DataError:
    """Return the error for a first line that has fewer fields than the rows, which may hold parts of numbers."""
    what = "commas" if separator is Separator.COMMA else "blanks"
    return DataError(
        f"the first line has {counted(names, 'field')} and the rows have {fields}; remove it if it is a title, and if "
        f"{what} stand inside numbers, put those in quotation marks or separate the fields with semicolons."
    )
