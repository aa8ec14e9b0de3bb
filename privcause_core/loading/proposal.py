"""A proposed reading, told from the layout of a file's first line alone, and what is changed in it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from privcause_core.errors import ParameterError
from privcause_core.loading.grammar import DecimalMark
from privcause_core.loading.gzipped import beginning
from privcause_core.loading.header import may_be_data
from privcause_core.loading.kind import Kind, kind_of
from privcause_core.loading.parquet import holds_texts
from privcause_core.loading.reading import SEPARATORS, Reading
from privcause_core.loading.separator import Separator
from privcause_core.text.typed import parse_decimal

_PROPOSED = ("tab", "semicolon", "pipe", "comma")  # the first that the first line holds, else blanks
_MARKED = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_LONGEST_LINE = 1 << 20  # bytes


def proposed(data: bytes) -> Reading:
    """Return a reading by the layout of the first line alone: its separator and how its letters are written.

    After semicolons a decimal comma is proposed: office programs write both where the comma is the decimal mark.

    Raises
    ------
    DataError
        If the file is empty or known not to be readable here.
    """
    head, encoding = _head(data)
    if not head:
        return Reading()
    line = _line(head, encoding, 0)
    found = next((name for name in _PROPOSED if SEPARATORS[name] in line), "blanks" if " " in line.strip() else "comma")
    decimal = DecimalMark.COMMA if found == "semicolon" else DecimalMark.POINT
    return Reading(separator=found, decimal=decimal, encoding=encoding)


def changed(data: bytes, former: Reading, **changes: object) -> Reading:
    """Return the reading with other declarations; without a header line the first line says how many columns there are.

    Raises
    ------
    ParameterError
        If the changed reading is none.
    """
    header = bool(changes.pop("header", former.header))
    laid_out: Any = changes
    found = replace(former, **laid_out)
    return replace(found, header=header, columns=None if header else max(2, len(first_fields(data, found))))


def in_words(data: bytes, reading: Reading) -> str:
    """Return what is declared, as far as it applies to such a file, for a sentence."""
    head, _ = _head(data)
    before = f"{reading.separator} between fields, " if head else "numbers as they are, texts with "
    named = "" if kind_of(data) in (Kind.PARQUET, Kind.FEATHER) else f", {'a' if reading.header else 'no'} header line"
    return f"{before}decimal {reading.decimal.word}, grouping {reading.grouping}{named}"


def leaves_open(data: bytes) -> bool:
    """Say whether a reading of such a file must be declared, or agreed to: how its texts write numbers.

    The first line tells the separator, and nothing of the cells may be looked at; columns of numbers, as in a Parquet
    file, leave nothing open.
    """
    kind = kind_of(data)
    return kind not in (Kind.PARQUET, Kind.FEATHER) or holds_texts(data, kind)


def first_fields(data: bytes, reading: Reading) -> list[str]:
    """Return the fields of the first line that is not skipped; empty for what is no text."""
    head, _ = _head(data)
    if not head:
        return []
    return list(Separator(SEPARATORS[reading.separator]).fields(_line(head, reading.encoding, reading.skip)))


def holds_a_number(fields: list[str]) -> bool:
    """Say whether a field reads or looks as a number in any way, so that the line may be data and not a header."""
    return any(map(may_be_data, fields))


def missing_marks(typed: Iterable[str]) -> dict[str, tuple[object, ...]]:
    """Return marks of missing values as ``changed`` takes them: words, and numbers such as -999."""
    words, numbers = list[str](), list[float]()
    for mark in typed:
        try:
            numbers.append(float(parse_decimal("mark", mark)))
        except ParameterError:
            words.append(mark)
    return {"missing": tuple(words), "sentinels": tuple(numbers)}


def _head(data: bytes) -> tuple[bytes, str]:
    """Return the beginning of a text and its encoding; nothing of what is no text."""
    if kind_of(data) is Kind.GZIP:
        data = beginning(data, _LONGEST_LINE)
    if not data or kind_of(data) is not Kind.TEXT:
        return b"", ""
    head = data[:_LONGEST_LINE]
    return head, _MARKED.get(data[:2]) or ("utf-8" if _is_utf8(head.split(b"\n", 1)[0]) else "cp1252")


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end == len(line) == _LONGEST_LINE  # a letter was cut in two
    return True


def _line(head: bytes, encoding: str, skip: int) -> str:
    return "".join(head.decode(encoding, "replace").removeprefix("\ufeff").splitlines()[skip : skip + 1])
