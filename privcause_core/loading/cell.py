"""One cell made plain: digits of any script, signs, currency and per cent, so that grammars judge bare numbers."""

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum, auto

_SPREADSHEET_ERRORS = ("#n/a", "#na", "#div/0!", "#value!", "#ref!", "#num!", "#name?", "#null!")
MISSING = ("", "na", "n/a", "nan", "null", "none", "nil", "-", "--", "?", ".", *_SPREADSHEET_ERRORS)
_DASHES = ("\u2013", "\u2014", "\u2212")
_NOT_FINITE = ("inf", "+inf", "-inf", "infinity", "+infinity", "-infinity", "+nan", "-nan")
MISSING_MARKERS = frozenset((*MISSING, *_DASHES, *_NOT_FINITE))  # compared in lower case, stripped
MISSING_SPELLINGS = sorted({case(text) for text in MISSING for case in (str, str.upper, str.title)} | {"NaN"})
TRUTHS = frozenset(("true", "false"))
MAX_NUMBER = 400  # characters; the longest number that people write has far fewer

# Every character of Unicode's category Sc, and codes and signs of letters that stand before or after amounts.
CURRENCY_SIGNS = (
    "$\u00a2-\u00a5\u058f\u060b\u07fe\u07ff\u09f2\u09f3\u09fb\u0af1\u0bf9\u0e3f\u17db\u20a0-\u20c1\ua838\ufdfc\ufe69"
    "\uff04\uffe0\uffe1\uffe5\uffe6"
)
_CODES = [
    "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "RMB", "INR", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "ISK", "PLN",
    "CZK", "HUF", "RON", "BGN", "RUB", "UAH", "TRY", "ILS", "ZAR", "BRL", "MXN", "ARS", "CLP", "COP", "PEN", "KRW",
    "TWD", "HKD", "SGD", "THB", "IDR", "MYR", "PHP", "VND", "AED", "SAR", "QAR", "EGP", "NGN", "KES", "PKR", "BDT",
    "LKR",
]  # fmt: skip
_LETTERED = ("US$", "A$", "C$", "CA$", "AU$", "NZ$", "HK$", "S$", "R$", "kr.", "kr", "Fr.", "Rs.", "Rs", "zł", "Kč")
_CURRENCY = "|".join([*map(re.escape, sorted(_LETTERED, key=len, reverse=True)), *_CODES, f"[{CURRENCY_SIGNS}]"])
_BODY = r"[.,]?[0-9](?:[0-9., ']*[0-9.,])?(?:[eE][+-]?[0-9]+)?"
BARE = rf"^[+-]?{_BODY}$"  # what needs no making plain; a grammar reads it or none does
_AMOUNT = re.compile(
    rf"(?P<open>\()? ?(?P<sign>[+-])? ?(?:(?P<before>{_CURRENCY}|%) ?(?P<sign2>[+-])? ?)?(?P<body>{_BODY})"
    rf"(?: ?(?P<after>{_CURRENCY}|%))?(?P<trail> ?-)? ?(?P<close>\))?"
)
_CENSORED = re.compile(r"(?:[<>]=?|=[<>]|[≤≥~≈])\s*(?P<limit>.+)")  # "<0.1", ">= 5": a value known to a bound only
DATE = (
    r"\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:[T ].*)?"
    r"|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})(?:[T ,].*)?"
    r"|\d{1,2}:\d{2}(?::\d{2}.*)?"
    r"|\d{1,2}[-. ][A-Za-z]{3}[-. ]\d{2,4}"
)
_DATE = re.compile(DATE)
WORD = r"^(?:[A-Za-z]{4}|\PN*$)"  # what begins with a word, or holds no digit of any script
_WORD = re.compile(r"[A-Za-z]{4}")
_NUMBER_CHARACTERS = frozenset("0123456789.,' +-()%/:_<>[]")
_NUMBER_KINDS = ("Sc", "Pd", "No", "Nl")  # currencies, dashes, fractions and raised digits, Roman numerals
_INVISIBLE = "\u200b\u200c\u200d\u200e\u200f\u061c\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_BLANKS = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t"
_PLAIN = str.maketrans(
    {
        **dict.fromkeys(_INVISIBLE, ""),
        **dict.fromkeys(_BLANKS, " "),
        **dict.fromkeys("\u2212\u2013\u2010\u2011\u2012\u2014\u2015\u02d7\u207b\uff0d\ufe63", "-"),
        **dict.fromkeys("\u2019\u2018\u02bc\uff07\u00b4\u066c", "'"),
        "\uff0e": ".", "\uff0c": ",", "\u060c": ",", "\uff05": "%", "\u066a": "%", "\uff0b": "+", "\uff08": "(",
        "\uff09": ")",
    }
)  # fmt: skip


class Kind(Enum):
    """What one cell holds."""

    NUMBER = auto()
    TRUTH = auto()  # TRUE or FALSE, plain "1" or "0"
    MISSING = auto()
    CENSORED = auto()
    UNREAD = auto()  # looks like a number, a date among them, and cannot be read as one
    WORD = auto()


@dataclass(frozen=True, slots=True)
class Plain:
    """A cell made plain.

    Parameters
    ----------
    kind : Kind
    number : str, optional
        The bare number: ASCII digits, point and comma, a blank or an apostrophe between groups, a leading sign.
    unit : str
        "%" or the currency as written; empty for none.
    """

    kind: Kind
    number: str | None = None
    unit: str = ""


def plain_cell(cell: str) -> Plain:
    """Judge one cell by itself.

    Parameters
    ----------
    cell : str
        Its text, of any length.
    """
    text = cell.strip()
    if is_missing(text):
        return Plain(Kind.MISSING)
    if text.lower() in TRUTHS:
        return Plain(Kind.TRUTH, "1" if text.lower() == "true" else "0")
    if len(text) > MAX_NUMBER:
        return Plain(Kind.WORD)
    text = plain_characters(text)
    if amount := _amount(text):
        return amount
    censored = _CENSORED.fullmatch(text)
    if censored and _amount(censored["limit"]):
        return Plain(Kind.CENSORED)
    return Plain(Kind.UNREAD if _looks_like_number(text) else Kind.WORD)


def is_missing(text: str) -> bool:
    """Say whether one stripped cell stands for a missing or infinite value."""
    return text.lower() in MISSING_MARKERS


def is_date(text: str) -> bool:
    """Say whether a cell looks like a date or a time."""
    return _DATE.fullmatch(text.strip()) is not None


def plain_characters(text: str) -> str:
    """Return a text with digits, signs, blanks and marks of any script as their ASCII ones."""
    if text.isascii():
        return text.replace("\t", " ")
    text = text.translate(_PLAIN)
    text = "".join(_digit(character) for character in text).strip()
    # The Arabic decimal mark never groups: a digit more keeps three decimals from looking like a group.
    return re.sub("\u066b([0-9]*)", r".\g<1>0", text)


def _digit(character: str) -> str:
    if character.isascii():
        return character
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)


def _amount(text: str) -> Plain | None:
    match = _AMOUNT.fullmatch(text)
    if not match or bool(match["open"]) != bool(match["close"]):
        return None
    signs = [sign for sign in (match["sign"], match["sign2"], match["open"], match["trail"]) if sign]
    if len(signs) > 1 or (match["before"] and match["after"]):
        return None
    if match["trail"] and match["body"][-1] in ".,":  # "12,-" is a price, not a negative number
        return None
    negative = bool(signs) and signs[0] != "+"
    return Plain(Kind.NUMBER, "-" * negative + match["body"], match["before"] or match["after"] or "")


def _looks_like_number(text: str) -> bool:
    if _WORD.match(text) or not any(unicodedata.category(one)[0] == "N" for one in text):
        return False
    known = sum(one in _NUMBER_CHARACTERS or unicodedata.category(one) in _NUMBER_KINDS for one in text)
    return is_date(text) or 2 * known > len(text) - (not text[0].isalpha())  # "5k" does, the name "x1" does not
