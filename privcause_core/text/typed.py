"""Numbers as people type them: judged by length, then size, then type, and refused in one sentence."""

from decimal import Decimal, InvalidOperation
from sys import float_info

from privcause_core.errors import ParameterError

RANGE_MIN_WIDTH, RANGE_MAX_END = 1e-100, 1e100
RANGE_SEPARATOR = ".."
LONGEST_NUMBER = 200  # characters; what is longer is no number that anyone typed
WHOLE_DIGITS = 18
LARGEST_EXPONENT = 400  # beyond every double; int() of 1e999999999 would not return


def parse_decimal(name: str, text: str) -> Decimal:
    """Read a number as people type it (``1e-6``, ``0.5``, ``0,5``) without rounding it.

    It may come from an address that anyone can send: its length is judged before its digits, its size before its type.

    Raises
    ------
    ParameterError
        If the text is not one finite number, or has more than 200 characters, or an exponent beyond 400.
    """
    number = _finite(name, text)
    if number and abs(number.adjusted()) > LARGEST_EXPONENT:
        raise ParameterError(f"Expected {name} to be 0 or of a size from 1e-400 to 1e400, got {text!r}.")
    return number


def parse_whole(name: str, text: str) -> int:
    """Read a whole number as people type it (``12``, ``1e3``).

    Raises
    ------
    ParameterError
        If the text is not one, or is 1e18 or more.
    """
    number = _finite(name, text)
    if number.adjusted() >= WHOLE_DIGITS or number != number.to_integral_value():
        raise ParameterError(f"Expected {name} to be a whole number below 1e18, got {text!r}.")
    return int(number)


def _finite(name: str, text: str) -> Decimal:
    if len(text) > LONGEST_NUMBER:
        raise ParameterError(f"Expected {name} in at most {LONGEST_NUMBER} characters, got {len(text):,}.")
    cleaned = text.strip()
    if cleaned.count(",") == 1 and "." not in cleaned:
        cleaned = cleaned.replace(",", ".")
    try:
        number = Decimal(cleaned)
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite() or "_" in cleaned:
        raise ParameterError(f"Expected {name} to be a number such as 0.5 or 1e-6, got {text!r}.")
    return number


def parse_range(name: str, text: object) -> tuple[float, float]:
    """Read a public range such as ``0..100``.

    Raises
    ------
    ParameterError
        If the text is not two numbers, the lower first, of a size that scaling can handle.
    """
    ends = text.split(RANGE_SEPARATOR) if isinstance(text, str) else []
    if len(ends) != 2 or ends[1].startswith("."):  # 0...10 is a slip of the finger, not 0 to 0.10
        raise ParameterError(f"Expected {name} as two numbers such as 0..100, got {told(text)}.")
    low, high = (float(parse_decimal(name, end)) for end in ends)
    if not (-RANGE_MAX_END <= low < high <= RANGE_MAX_END and high - low >= RANGE_MIN_WIDTH):
        raise ParameterError(
            f"Expected {name} to run from a lower to a higher number of size at most {RANGE_MAX_END:g}, "
            f"got {told(text)}."
        )
    return low, high


def check_range(name: str, value: object, low: float, high: float) -> None:
    """Refuse a number outside [low, high].

    Raises
    ------
    ParameterError
        Naming the parameter, its value and the rule.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= float_info.max:
        raise ParameterError(f"Expected {name} to be a finite number, got {told(value)}.")
    if not low <= value <= high:
        raise ParameterError(f"Expected {name} between {low:g} and {high:g}, got {told(value)}.")


def check_whole(name: str, value: object, low: float, high: float) -> None:
    """Refuse what is no whole number in [low, high].

    Raises
    ------
    ParameterError
        Naming the parameter, its value and the rule.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise ParameterError(f"Expected {name} to be a whole number, got {told(value)}.")
    check_range(name, value, low, high)


def told(value: object) -> str:
    """Return a refused value as it was given, shortened beyond what anyone would type: 5, 1e-320, 'five'."""
    if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:  # its digits alone would take long
        return f"a whole number of {value.bit_length():,} bits"
    if not isinstance(value, str | int | float | None):
        return f"a {type(value).__name__}"  # showing all of a long list would take long
    text = repr(value)
    return f"{text[:LONGEST_NUMBER]}…" if len(text) > LONGEST_NUMBER else text.removesuffix(".0")
