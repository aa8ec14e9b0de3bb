"""Epsilon and delta as typed: exact decimals, added without rounding."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Context, Decimal, Inexact, InvalidOperation, Overflow

from privcause_core.errors import ParameterError

SMALLEST_EXPONENT, LARGEST_EXPONENT = -150, 20
# Wide enough for any sum of accepted decimals; should one not fit, the operation fails rather than round.
_EXACT = Context(prec=200, traps=[Inexact, InvalidOperation, Overflow])


@dataclass(frozen=True, slots=True)
class Amount:
    """A cost or a budget: (epsilon, delta) as exact decimals, both >= 0.

    Raises
    ------
    ParameterError
        If a value is negative, not finite, not a Decimal (0.1 as a double is not what was typed), or has digits
        beyond the 150th decimal place.
    """

    epsilon: Decimal
    delta: Decimal

    def __post_init__(self) -> None:
        for name, value in (("epsilon", self.epsilon), ("delta", self.delta)):
            if not isinstance(value, Decimal) or not value.is_finite() or value < 0:
                raise ParameterError(f"Expected {name} as a finite decimal number >= 0, got {value!r}.")
            if int(value.as_tuple().exponent) < SMALLEST_EXPONENT or value.adjusted() > LARGEST_EXPONENT:
                raise ParameterError(f"Expected {name} with at most 150 decimal places and below 1e20, got {value}.")

    def __str__(self) -> str:
        return f"(epsilon {decimal_text(self.epsilon)}, delta {decimal_text(self.delta)})"

    def __add__(self, other: "Amount") -> "Amount":
        """Compose two releases: epsilons and deltas add (basic composition), without rounding."""
        return Amount(_EXACT.add(self.epsilon, other.epsilon), _EXACT.add(self.delta, other.delta))

    def less(self, other: "Amount") -> "Amount":
        """Return what is left after spending ``other``, 0 where it is more."""
        zero = Decimal(0)
        return Amount(
            max(zero, _EXACT.subtract(self.epsilon, other.epsilon)), max(zero, _EXACT.subtract(self.delta, other.delta))
        )

    def fits(self, limit: "Amount") -> bool:
        """Return whether neither epsilon nor delta exceeds the limit."""
        return self.epsilon <= limit.epsilon and self.delta <= limit.delta


NOTHING = Amount(Decimal(0), Decimal(0))


def total(amounts: Iterable[Amount]) -> Amount:
    """Return the basic composition of several costs."""
    return sum(amounts, NOTHING)


def decimal_text(value: Decimal) -> str:
    """Return the shortest exact text: ``0.1``, ``10``, ``1e-06``."""
    if value == 0:
        return "0"
    plain = value.normalize(_EXACT)
    if plain.adjusted() >= -4:
        return f"{plain:f}"
    mantissa, exponent = f"{plain:e}".split("e")
    return f"{mantissa}e{int(exponent):+03d}"
