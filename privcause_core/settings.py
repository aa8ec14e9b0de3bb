"""Every knob of an analysis, declared once: default, limits, label and help.

Address, YAML files, the command line and the pages all build the same :class:`Settings` and read the same knobs.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any

from privcause_core.errors import ParameterError
from privcause_core.text.typed import check_range, check_whole, parse_decimal, parse_range, parse_whole, told


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


class NoiseModel(StrEnum):
    """How the effect's noise may depend on the cause: as the score prefers, not at all, or in its scale."""

    AUTO = "auto"
    ADDITIVE = "additive"
    LOCATION_SCALE = "location-scale"


EPSILON_MIN, EPSILON_MAX = 1e-6, 1e6
DELTA_MIN, DELTA_MAX = 1e-100, 0.5
BLOCKS_MIN, BLOCKS_MAX = 2, 10_000
SEED_MAX = 2**32 - 1
MIN_TEST_ROWS = 4
FEW_TEST_ROWS = 20
ROWS_PER_PERSON_MAX = 1_000_000
ALL_SCORES = "all"


@dataclass(frozen=True, slots=True)
class Knob:
    """What people are told of a setting, on pages and the command line, and what they may type."""

    label: str
    help: str
    low: float | None = None  # limits of a number, both allowed
    high: float | None = None


def _knob(default: Any, label: str, help_text: str, low: float | None = None, high: float | None = None) -> Any:  # noqa: ANN401
    return field(default=default, metadata={"knob": Knob(label, help_text, low, high)})


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one analysis; ``knobs()`` says what each means and where its limits are.

    ``epsilon`` and ``delta`` are the **total** promise of one verdict for one record; mechanisms.md section 4.

    Raises
    ------
    ParameterError
        If a value is outside its range.
    """

    score: str = _knob("likelihood", "Score", "how dependence is measured, or all; the smaller score wins")
    epsilon: float = _knob(1.0, "ε, total for one verdict", "total epsilon of one verdict", EPSILON_MIN, EPSILON_MAX)
    delta: float = _knob(
        1e-6, "δ, total for one verdict", "total delta (propose-test-release only)", DELTA_MIN, DELTA_MAX
    )
    release: ReleaseKind = _knob(ReleaseKind.TWO_SCORES, "What is published", "both noisy scores or their difference")
    calibration: Calibration = _knob(
        Calibration.REFINED, "Calibration", "noise by this project's proofs, or as in the published paper"
    )
    protect: Protection = _knob(Protection.TEST_ROWS, "Who is protected", "the scored half of the rows, or every row")
    test_share: float = _knob(0.5, "Test share of the rows", "share of the rows that is scored", 0.05, 0.95)
    seed: int = _knob(0, "Seed of the split", "seed of the split while exploring", 0, SEED_MAX)
    draw_seed: int = _knob(0, "Seed of the draws", "seed of the simulated draws", 0, SEED_MAX)
    draws: int = _knob(1_000, "Simulated draws", "simulated private runs", 10, 1_000_000)
    bin_width: float = _knob(1.0, "Bin width w (IQR)", "width of the log-IQR bins, chosen before looking", 0.01, 10.0)
    bandwidth: float = _knob(
        1.0, "Kernel bandwidth", "public bandwidth of HSIC and of the public regression, scaled units", 0.05, 20.0
    )
    soft_width: float = _knob(1.0, "Soft width h", "public width of soft Kendall's ramp, in scaled units", 0.01, 10.0)
    noise_model: NoiseModel = _knob(
        NoiseModel.AUTO, "Noise model", "noise of the effect: the score's own choice, additive, or location-scale"
    )
    vote_limit: float = _knob(
        0.5,
        "Vote limit c (likelihood)",
        "most that one row's vote counts, in nats (+1: 2.7 times likelier), chosen before looking",
        0.05,
        8.0,
    )
    route: Route = _knob(Route.BLOCKS, "How every row is protected", "by a regression with public ranges, or by blocks")
    range_x: str = _knob("", "Public range of X", "such as 0..100, typed from knowledge, never read off the data")
    range_y: str = _knob("", "Public range of Y", "such as 0..100, typed from knowledge, never read off the data")
    ridge: float = _knob(0.01, "Public λ", "public penalty of the regression that protects every row", 1e-4, 1.0)
    blocks: int = _knob(10, "Blocks that vote", "blocks of rows that vote to protect every row", BLOCKS_MIN, BLOCKS_MAX)

    def __post_init__(self) -> None:
        for name, default in _defaults().items():
            _check(self, name, default)

    def with_(self, **changes: object) -> "Settings":
        """Return a copy with some values changed (and checked again)."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def ends(self, name: str) -> tuple[float, float]:
        """Return both ends of a public range.

        Raises
        ------
        ParameterError
            If it was not typed.
        """
        if typed := getattr(self, name):
            return parse_range(name, typed)
        raise ParameterError(
            f"Expected {name} such as 0..100 to protect every row by regression: "
            "type it from what is known about the column, not from the data."
        )

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
        known = _defaults()
        parsed = {}
        for key, value in values.items():
            if key not in known:
                raise ParameterError(f"Unknown setting {key!r}; expected one of {', '.join(known)}.")
            parsed[key] = _parse(key, value, known[key])
        return cls(**parsed)  # type: ignore[arg-type]  # checked in __post_init__


@cache
def knobs() -> Mapping[str, Knob]:
    """Return what people are told of every setting, by its name, in the order of declaration."""
    return MappingProxyType({one.name: one.metadata["knob"] for one in fields(Settings)})


@cache
def _defaults() -> Mapping[str, object]:
    return MappingProxyType({one.name: one.default for one in fields(Settings)})


def _check(settings: Settings, name: str, default: object) -> None:
    value, limits = getattr(settings, name), knobs()[name]
    if isinstance(default, StrEnum):
        try:
            object.__setattr__(settings, name, type(default)(value))
        except ValueError:
            choices = ", ".join(type(default))
            raise ParameterError(f"Expected {name} to be one of {choices}, got {told(value)}.") from None
    elif limits.low is not None and limits.high is not None:
        check = check_whole if isinstance(default, int) else check_range
        check(name, value, limits.low, limits.high)
    elif name.startswith("range_") and value:
        parse_range(name, value)


def _parse(name: str, value: object, default: object) -> object:
    if not isinstance(value, str) or isinstance(default, str):
        return value
    return parse_whole(name, value) if isinstance(default, int) else float(parse_decimal(name, value))
