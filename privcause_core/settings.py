"""Every knob of an analysis, its default and its limits, in one place.

URL, YAML files, the command line and the pages all build the same :class:`Settings`.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from sys import float_info

from privcause_core.errors import ParameterError


class Calibration(StrEnum):
    """Which sensitivities scale the noise: this project's proofs, or the published ones."""

    REFINED = "refined"
    PAPER = "paper"


class ReleaseKind(StrEnum):
    """What a verdict publishes: both noisy scores, or only their noisy difference."""

    TWO_SCORES = "two-scores"
    DIRECTION = "direction"


class Protection(StrEnum):
    """Whose rows the promise covers: the scored (test) half, or every row."""

    TEST_ROWS = "test-rows"
    EVERY_ROW = "every-row"


class Route(StrEnum):
    """How every row is protected: a regression with public constants, or blocks of rows that vote."""

    RIDGE = "ridge"
    BLOCKS = "blocks"


EPSILON_MIN, EPSILON_MAX = 1e-6, 1e6
EPSILON_NOTED_ABOVE = 10.0
DELTA_MIN, DELTA_MAX = 1e-100, 0.5
TEST_SHARE_MIN, TEST_SHARE_MAX = 0.05, 0.95
DRAWS_MIN, DRAWS_MAX = 10, 1_000_000
BIN_WIDTH_MIN, BIN_WIDTH_MAX = 0.01, 10.0
BANDWIDTH_MIN, BANDWIDTH_MAX = 0.05, 20.0
RIDGE_MIN, RIDGE_MAX = 1e-4, 1.0
SOFT_WIDTH_MIN, SOFT_WIDTH_MAX = 0.01, 10.0
BLOCKS_MIN, BLOCKS_MAX = 2, 10_000
RANGE_MIN_WIDTH, RANGE_MAX_END = 1e-100, 1e100
RANGE_SEPARATOR = ".."
SEED_MAX = 2**32 - 1
LONGEST_NUMBER = 200  # characters; what is longer is no number that anyone typed
WHOLE_DIGITS = 18
LARGEST_EXPONENT = 400  # beyond every double; int() of 1e999999999 would not return

MIN_TEST_ROWS = 4
FEW_TEST_ROWS = 20
ALL_SCORES = "all"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one analysis.

    ``epsilon`` and ``delta`` are the **total** promise of one verdict for one record; mechanisms.md section 4.

    Parameters
    ----------
    score : str
        Name of a registered score, or ``"all"``. Kendall is the default: its bound 4/m is exact, so no noise is
        wasted on a loose proof, and on the default sample its arrow is right and rarely flips at epsilon 1.
    epsilon : float in [1e-6, 1e6]
    delta : float in [1e-100, 0.5]
        Used by propose-test-release only; Laplace releases cost delta 0.
    release, calibration, protect : enumerations
    test_share : float in [0.05, 0.95]
        Share of the rows that is scored; the others train the two regressions.
    seed : int in [0, 2**32 - 1]
        Fixes the split of the rows.
    draw_seed : int in [0, 2**32 - 1]
        Fixes the simulated draws; never a real release.
    draws : int in [10, 1_000_000]
        Simulated private runs.
    bin_width : float in [0.01, 10]
        Width w of the log-IQR bins (public, chosen before looking).
    bandwidth : float in [0.05, 20]
        HSIC's Gaussian bandwidth in scaled units (public); the regression's too where every row is protected.
    soft_width : float in [0.01, 10]
        Width h of soft Kendall's ramp in scaled units (public).
    route : enumeration
        How every row is protected; unused while only test rows are.
    range_x, range_y : str
        Public range of each column as ``"low..high"``, typed from knowledge, never read off the data; the ridge route
        needs both.
    ridge : float in [1e-4, 1]
        The public lambda of the ridge route.
    blocks : int in [2, 10_000]
        Number of voting blocks of the blocks route.

    Raises
    ------
    ParameterError
        If a value is outside its range.
    """

    score: str = "kendall"
    epsilon: float = 1.0
    delta: float = 1e-6
    release: ReleaseKind = ReleaseKind.TWO_SCORES
    calibration: Calibration = Calibration.REFINED
    protect: Protection = Protection.TEST_ROWS
    test_share: float = 0.5
    seed: int = 0
    draw_seed: int = 0
    draws: int = 1_000
    bin_width: float = 1.0
    bandwidth: float = 1.0
    soft_width: float = 1.0
    route: Route = Route.BLOCKS
    range_x: str = ""
    range_y: str = ""
    ridge: float = 0.01
    blocks: int = 10

    def __post_init__(self) -> None:
        _coerce(self, "release", ReleaseKind)
        _coerce(self, "calibration", Calibration)
        _coerce(self, "protect", Protection)
        _coerce(self, "route", Route)
        check_range("epsilon", self.epsilon, EPSILON_MIN, EPSILON_MAX)
        check_range("delta", self.delta, DELTA_MIN, DELTA_MAX)
        check_range("test_share", self.test_share, TEST_SHARE_MIN, TEST_SHARE_MAX)
        check_range("bin_width", self.bin_width, BIN_WIDTH_MIN, BIN_WIDTH_MAX)
        check_range("bandwidth", self.bandwidth, BANDWIDTH_MIN, BANDWIDTH_MAX)
        check_range("soft_width", self.soft_width, SOFT_WIDTH_MIN, SOFT_WIDTH_MAX)
        check_range("ridge", self.ridge, RIDGE_MIN, RIDGE_MAX)
        _check_integer("blocks", self.blocks, BLOCKS_MIN, BLOCKS_MAX)
        for name in ("range_x", "range_y"):
            if getattr(self, name):
                parse_range(name, getattr(self, name))
        _check_integer("seed", self.seed, 0, SEED_MAX)
        _check_integer("draw_seed", self.draw_seed, 0, SEED_MAX)
        _check_integer("draws", self.draws, DRAWS_MIN, DRAWS_MAX)

    def with_(self, **changes: object) -> "Settings":
        """Return a copy with some values changed (and checked again)."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def to_dict(self) -> dict[str, str | float | int]:
        """Return plain values, ready for JSON, YAML or a URL."""
        return {key: str(value) if isinstance(value, StrEnum) else value for key, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> "Settings":
        """Build settings from plain values (numbers may be text); absent keys take their default.

        Raises
        ------
        ParameterError
            If a key is unknown or a value is outside its range.
        """
        known = {field.name: field.default for field in fields(cls)}
        parsed = {}
        for key, value in values.items():
            if key not in known:
                raise ParameterError(f"Unknown setting {key!r}; expected one of {', '.join(known)}.")
            parsed[key] = _parse(key, value, known[key])
        return cls(**parsed)  # type: ignore[arg-type]  # checked in __post_init__


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
        raise ParameterError(f"Expected {name} as two numbers such as 0..100, got {_told(text)}.")
    low, high = (float(parse_decimal(name, end)) for end in ends)
    if not (-RANGE_MAX_END <= low < high <= RANGE_MAX_END and high - low >= RANGE_MIN_WIDTH):
        raise ParameterError(
            f"Expected {name} to run from a lower to a higher number of size at most {RANGE_MAX_END:g}, "
            f"got {_told(text)}."
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
        raise ParameterError(f"Expected {name} to be a finite number, got {_told(value)}.")
    if not low <= value <= high:
        raise ParameterError(f"Expected {name} between {low:g} and {high:g}, got {_told(value)}.")


def _check_integer(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ParameterError(f"Expected {name} to be a whole number, got {_told(value)}.")
    check_range(name, value, low, high)


def _told(value: object) -> str:
    """Return a refused value as it was given, shortened beyond what anyone would type: 5, 1e-320, 'five'."""
    if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:  # its digits alone would take long
        return f"a whole number of {value.bit_length():,} bits"
    if value is not None and not isinstance(value, str | int | float):
        return f"a {type(value).__name__}"
    text = repr(value)
    return f"{text[:LONGEST_NUMBER]}…" if len(text) > LONGEST_NUMBER else text.removesuffix(".0")


def _coerce(settings: Settings, name: str, kind: type[StrEnum]) -> None:
    value = getattr(settings, name)
    try:
        object.__setattr__(settings, name, kind(value))
    except ValueError:
        choices = ", ".join(kind)
        raise ParameterError(f"Expected {name} to be one of {choices}, got {_told(value)}.") from None


def _parse(name: str, value: object, default: object) -> object:
    if not isinstance(value, str) or isinstance(default, str):
        return value
    return parse_whole(name, value) if isinstance(default, int) else float(parse_decimal(name, value))
