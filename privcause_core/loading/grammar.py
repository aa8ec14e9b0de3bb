"""The ways in which whole columns write their numbers: a decimal mark and what groups thousands."""

import re
from dataclasses import dataclass
from enum import StrEnum


class DecimalMark(StrEnum):
    """The character between a number's whole and fractional digits."""

    POINT = "."
    COMMA = ","

    @property
    def other(self) -> "DecimalMark":
        """Return the mark that may group thousands under this reading."""
        return DecimalMark.COMMA if self is DecimalMark.POINT else DecimalMark.POINT

    @property
    def word(self) -> str:
        """Return ``"point"`` or ``"comma"``, as people type it."""
        return self.name.lower()


class Grouping(StrEnum):
    """What stands between groups of three digits (of two, beyond the last three, in the Indian way)."""

    NONE = "none"
    BLANK = "blank"
    APOSTROPHE = "apostrophe"
    DOT = "dot"
    COMMA = "comma"
    INDIAN = "indian"

    @property
    def sign(self) -> str:
        """Return the character itself; empty for none."""
        return _SIGNS[self]

    @property
    def words(self) -> str:
        """Return what groups, for a sentence."""
        return {"indian": "commas, the Indian way"}.get(self, f"{self}s")


_SIGNS = {"none": "", "blank": " ", "apostrophe": "'", "dot": ".", "comma": ",", "indian": ","}


@dataclass(frozen=True, slots=True)
class Grammar:
    """One way to write numbers, after signs, scripts and units were made plain (``cell.plain_cell``).

    Parameters
    ----------
    decimal : DecimalMark
    grouping : Grouping
        Of another character than the decimal mark.
    """

    decimal: DecimalMark
    grouping: Grouping

    @property
    def pattern(self) -> str:
        """Return the regular expression (RE2 and ``re``) of one whole number.

        A group never starts with 0: "0,123" can only hold a decimal comma.
        """
        mark, sign = re.escape(self.decimal), re.escape(self.grouping.sign)
        forms = [rf"[0-9]+(?:{mark}[0-9]*)?", rf"{mark}[0-9]+"]
        if self.grouping is Grouping.INDIAN:
            forms.append(rf"[1-9][0-9]?(?:{sign}[0-9]{{2}})*{sign}[0-9]{{3}}(?:{mark}[0-9]*)?")
        elif sign:
            forms.append(rf"[1-9][0-9]{{0,2}}(?:{sign}[0-9]{{3}})+(?:{mark}[0-9]*)?")
        return rf"^[+-]?(?:{'|'.join(forms)})(?:[eE][+-]?[0-9]+)?$"


def _grammars() -> tuple[Grammar, ...]:
    point, comma = DecimalMark
    anywhere = (Grouping.NONE, Grouping.BLANK, Grouping.APOSTROPHE)
    return (
        *(Grammar(point, one) for one in (*anywhere, Grouping.COMMA, Grouping.INDIAN)),
        *(Grammar(comma, one) for one in (*anywhere, Grouping.DOT)),
    )


GRAMMARS = _grammars()  # of each decimal mark the plainest first
_COMPILED = tuple(re.compile(grammar.pattern) for grammar in GRAMMARS)


def readers(plain: str) -> frozenset[int]:
    """Return the positions in ``GRAMMARS`` of those that read a plain cell."""
    return frozenset(place for place, pattern in enumerate(_COMPILED) if pattern.match(plain))
