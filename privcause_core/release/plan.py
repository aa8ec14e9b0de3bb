"""What someone decides to release, before any data are looked at."""

from dataclasses import dataclass, fields
from decimal import Decimal

from privcause_core.errors import ParameterError
from privcause_core.ledger import Amount, decimal_text, total
from privcause_core.protection.choice import coverage
from privcause_core.scores import get_score
from privcause_core.settings import Calibration, Protection, ReleaseKind, Route, Settings
from privcause_core.typed import parse_decimal

_DEFAULTS = Settings()
DEFAULT_DELTA = Decimal(repr(_DEFAULTS.delta))


@dataclass(frozen=True, slots=True)
class Plan:
    """A planned release: every knob as typed, validated without data.

    Parameters
    ----------
    scores : tuple of str
        One or several registered scores; each gets a verdict of its own at the full epsilon, and their costs add.
    epsilon, delta : Decimal
        Total promise of **one** verdict for one record. Delta is charged for propose-test-release only.
    release, calibration, protect, route : enumerations
    test_share, seed, bin_width, bandwidth, soft_width, range_x, range_y, ridge, blocks : see Settings

    Raises
    ------
    ParameterError
        If a value is outside its range, or the protection does not allow a score or lacks a public range.
    """

    scores: tuple[str, ...]
    epsilon: Decimal
    delta: Decimal = DEFAULT_DELTA
    release: ReleaseKind = _DEFAULTS.release
    calibration: Calibration = _DEFAULTS.calibration
    protect: Protection = _DEFAULTS.protect
    test_share: float = _DEFAULTS.test_share
    seed: int = _DEFAULTS.seed
    bin_width: float = _DEFAULTS.bin_width
    bandwidth: float = _DEFAULTS.bandwidth
    soft_width: float = _DEFAULTS.soft_width
    route: Route = _DEFAULTS.route
    range_x: str = _DEFAULTS.range_x
    range_y: str = _DEFAULTS.range_y
    ridge: float = _DEFAULTS.ridge
    blocks: int = _DEFAULTS.blocks

    def __post_init__(self) -> None:
        for name in ("epsilon", "delta"):
            if not isinstance(getattr(self, name), Decimal):
                raise ParameterError(f"Expected {name} as a decimal number, got {getattr(self, name)!r}.")
        settings = self.settings
        for name in ("release", "calibration", "protect", "route"):
            object.__setattr__(self, name, getattr(settings, name))
        if not self.scores or len(set(self.scores)) < len(self.scores):
            raise ParameterError(f"Expected one or several different scores, got {list(self.scores)}.")
        Amount(self.epsilon, self.delta)
        way = coverage(settings)
        way.check(get_score(name) for name in self.scores)
        way.check_complete()

    @property
    def settings(self) -> Settings:
        """Return the settings of the split, the fits and the scores (its epsilon and delta are rounded)."""
        shared = {name: getattr(self, name) for name in _SHARED}
        return Settings(epsilon=float(self.epsilon), delta=float(self.delta), **shared)

    def cost_of(self, score: str) -> Amount:
        """Return what one score's verdict costs one record, exactly as typed; delta 0 where it is not used."""
        spent = coverage(self.settings).spends_delta(get_score(score))
        return Amount(self.epsilon, self.delta if spent else Decimal(0))

    @property
    def cost(self) -> Amount:
        """Return the basic composition of all verdicts."""
        return total(self.cost_of(score) for score in self.scores)

    @property
    def not_used(self) -> tuple[str, ...]:
        """Return the names of what was typed but plays no part in this release."""
        used = coverage(self.settings).uses(map(get_score, self.scores))
        return tuple(name for name in ("delta", *_SHARED) if name not in used | {"protect", "test_share", "seed"})

    @classmethod
    def from_settings(cls, settings: Settings) -> "Plan":
        """Return the plan that typed settings amount to; epsilon and delta are their shortest decimals."""
        shared = {name: getattr(settings, name) for name in _SHARED}
        scores = tuple(score.name for score in coverage(settings).scores())
        return cls(scores, Decimal(repr(settings.epsilon)), Decimal(repr(settings.delta)), **shared)

    def to_dict(self) -> dict[str, object]:
        """Return plain JSON values; epsilon and delta as exact decimal text."""
        plain = {name: getattr(self, name) for name in _SHARED}
        return {
            "scores": list(self.scores), "epsilon": decimal_text(self.epsilon), "delta": decimal_text(self.delta),
            **{name: str(value) if isinstance(value, str) else value for name, value in plain.items()},
        }  # fmt: skip

    @classmethod
    def from_dict(cls, values: dict[str, object]) -> "Plan":
        """Read ``to_dict`` back.

        Raises
        ------
        ParameterError
            If a key is missing or unknown, or a value is outside its range.
        """
        known = {field.name for field in fields(cls)}
        if set(values) != known or not isinstance(values["scores"], list):
            raise ParameterError(f"Expected a plan with {', '.join(sorted(known))}.")
        typed = {name: parse_decimal(name, str(values[name])) for name in ("epsilon", "delta")}
        return cls(**{**values, **typed, "scores": tuple(values["scores"])})  # type: ignore[arg-type]


_SHARED = (
    "release", "calibration", "protect", "test_share", "seed", "bin_width", "bandwidth", "soft_width", "route",
    "range_x", "range_y", "ridge", "blocks",
)  # fmt: skip
