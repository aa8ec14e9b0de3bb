"""What someone decides to release, before any data are looked at."""

from dataclasses import dataclass, field
from decimal import ROUND_CEILING, Context, Decimal, localcontext

from privcause_core.errors import ParameterError
from privcause_core.ledger import Amount, decimal_text, total
from privcause_core.protection.choice import coverage
from privcause_core.scores import Score, get_score
from privcause_core.settings import ALL_SCORES, ROWS_PER_PERSON_MAX, Settings, knobs
from privcause_core.text.typed import check_whole, parse_decimal

DEFAULT_DELTA = Decimal(repr(Settings().delta))
# What a plan takes over from the settings as it is; the rest is typed exactly, or for exploring only.
TAKEN_OVER = tuple(one for one in knobs() if one not in ("score", "epsilon", "delta", "seed", "draw_seed", "draws"))


@dataclass(frozen=True, slots=True)
class Plan:
    """A planned release: every knob as typed, validated without data.

    Parameters
    ----------
    scores : tuple of str
        One or several registered scores; each gets a verdict of its own at the full epsilon, and their costs add.
    epsilon, delta : Decimal
        Total promise of **one** verdict for one record. Delta is charged for propose-test-release only.
    settings : Settings
        How to fit, score and protect. Its score, epsilon and delta become those above (the latter two rounded); what
        serves exploring only, such as seeds, becomes the default.
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
    settings: Settings = field(default_factory=Settings)
    rows_per_person: int = 1

    def __post_init__(self) -> None:
        for name in ("epsilon", "delta"):
            if not isinstance(getattr(self, name), Decimal):
                raise ParameterError(f"Expected {name} as a decimal number, got {getattr(self, name)!r}.")
        check_whole("rows per person", self.rows_per_person, 1, ROWS_PER_PERSON_MAX)
        score = self.scores[0] if len(self.scores) == 1 else ALL_SCORES
        taken_over = {name: getattr(self.settings, name) for name in TAKEN_OVER}
        settings = Settings(score=score, epsilon=float(self.epsilon), delta=float(self.delta), **taken_over)
        object.__setattr__(self, "settings", settings)
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
        return tuple(name for name in ("delta", *TAKEN_OVER) if name not in used | {"protect", "test_share"})

    @classmethod
    def from_settings(cls, settings: Settings) -> "Plan":
        """Return the plan that typed settings amount to; epsilon and delta are their shortest decimals."""
        scores = tuple(score.name for score in coverage(settings).scores())
        return cls(scores, Decimal(repr(settings.epsilon)), Decimal(repr(settings.delta)), settings)

    def to_dict(self) -> dict[str, object]:
        """Return plain JSON values; epsilon and delta as exact decimal text."""
        return {
            "scores": list(self.scores), "epsilon": decimal_text(self.epsilon), "delta": decimal_text(self.delta),
            **{name: value for name, value in self.settings.to_dict().items() if name in TAKEN_OVER},
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
        known = {"scores", "epsilon", "delta", *TAKEN_OVER, "rows_per_person"}
        if set(values) != known or not isinstance(values["scores"], list):
            raise ParameterError(f"Expected a plan with {', '.join(sorted(known))}.")
        epsilon, delta = (parse_decimal(name, str(values[name])) for name in ("epsilon", "delta"))
        settings = Settings(**{name: values[name] for name in TAKEN_OVER})  # type: ignore[arg-type]
        return cls(tuple(values["scores"]), epsilon, delta, settings, values["rows_per_person"])  # type: ignore[arg-type]


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
