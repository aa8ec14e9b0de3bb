"""What someone decides to release, before any data are looked at."""

from dataclasses import dataclass, fields
from decimal import ROUND_CEILING, Context, Decimal, localcontext

from privcause_core.errors import ParameterError
from privcause_core.ledger import Amount, decimal_text, total
from privcause_core.protection.choice import coverage
from privcause_core.scores import Score, get_score
from privcause_core.settings import ALL_SCORES, Calibration, NoiseModel, Protection, ReleaseKind, Route, Settings
from privcause_core.typed import check_whole, parse_decimal

_DEFAULTS = Settings()
ROWS_PER_PERSON_MAX = 1_000_000
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
    release, calibration, protect, route, noise_model : enumerations
    test_share, bin_width, bandwidth, soft_width, vote_limit, range_x, range_y, ridge, blocks : see Settings
    rows_per_person : int in [1, 1_000_000]
        The most rows that one person has: the promise for a person is that of so many replaced rows.

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
    bin_width: float = _DEFAULTS.bin_width
    bandwidth: float = _DEFAULTS.bandwidth
    soft_width: float = _DEFAULTS.soft_width
    noise_model: NoiseModel = _DEFAULTS.noise_model
    vote_limit: float = _DEFAULTS.vote_limit
    route: Route = _DEFAULTS.route
    range_x: str = _DEFAULTS.range_x
    range_y: str = _DEFAULTS.range_y
    ridge: float = _DEFAULTS.ridge
    blocks: int = _DEFAULTS.blocks
    rows_per_person: int = 1

    def __post_init__(self) -> None:
        for name in ("epsilon", "delta"):
            if not isinstance(getattr(self, name), Decimal):
                raise ParameterError(f"Expected {name} as a decimal number, got {getattr(self, name)!r}.")
        check_whole("rows per person", self.rows_per_person, 1, ROWS_PER_PERSON_MAX)
        settings = self.settings
        for name in ("release", "calibration", "protect", "route", "noise_model"):
            object.__setattr__(self, name, getattr(settings, name))
        if not self.scores or len(set(self.scores)) < len(self.scores):
            raise ParameterError(f"Expected one or several different scores, got {list(self.scores)}.")
        Amount(self.epsilon, self.delta)
        way = coverage(settings)
        way.check(self.chosen)
        way.check_complete()

    @property
    def chosen(self) -> tuple[Score, ...]:
        """Return the scores."""
        return tuple(get_score(name) for name in self.scores)

    @property
    def person(self) -> Amount:
        """Return the promise for a person with ``rows_per_person`` rows: (k epsilon, k e^((k-1) epsilon) delta)."""
        return for_a_person(self.cost, self.rows_per_person)

    @property
    def settings(self) -> Settings:
        """Return the settings of the fits and the scores (epsilon and delta are rounded, the seed is the default)."""
        shared = {name: getattr(self, name) for name in _SHARED}
        score = self.scores[0] if len(self.scores) == 1 else ALL_SCORES
        return Settings(score=score, epsilon=float(self.epsilon), delta=float(self.delta), **shared)

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
        used = coverage(self.settings).uses(self.chosen)
        return tuple(name for name in ("delta", *_SHARED) if name not in used | {"protect", "test_share"})

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
            "rows_per_person": self.rows_per_person,
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
    "release", "calibration", "protect", "test_share", "bin_width", "bandwidth", "soft_width", "noise_model",
    "vote_limit", "route", "range_x", "range_y", "ridge", "blocks",
)  # fmt: skip


def for_a_person(cost: Amount, rows: int) -> Amount:
    """Return what a cost for one replaced row amounts to for that many: (k epsilon, k e^((k-1) epsilon) delta).

    Delta is rounded up, and is 1 where it would be more: then nothing is promised.
    """
    epsilon = cost.epsilon * rows
    if cost.delta == 0 or rows == 1:
        return Amount(epsilon, cost.delta)
    with localcontext(Context(prec=30, rounding=ROUND_CEILING)) as context:
        growth = min(cost.epsilon * (rows - 1), Decimal(1_000)).exp()
        delta = min(Decimal(1), rows * growth * cost.delta)
        return Amount(epsilon, context.create_decimal(f"{delta:.6e}"))
