"""What releases cost together: basic and advanced composition, and the better of the two."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from privcause_core.errors import ParameterError
from privcause_core.settings import Calibration

IQR_RELEASES = 4  # one verdict releases log IQR of x, of y and of both residuals
IQR_RELEASES_TOUCHED_BY_ONE_COLUMN = 3


@dataclass(frozen=True, slots=True)
class PrivacyCost:
    """An (epsilon, delta) guarantee under replacing one record."""

    epsilon: float
    delta: float = 0.0

    def __add__(self, other: "PrivacyCost") -> "PrivacyCost":
        """Compose two releases of the same data: epsilons and deltas add (Dwork and Roth, Theorem 3.16)."""
        return PrivacyCost(self.epsilon + other.epsilon, self.delta + other.delta)

    def times(self, k: int) -> "PrivacyCost":
        """Return the basic composition of k equal releases."""
        return PrivacyCost(k * self.epsilon, k * self.delta)


class CompositionRule(StrEnum):
    """Theorem used to add up releases."""

    BASIC = "basic"
    ADVANCED = "advanced"


@dataclass(frozen=True, slots=True)
class Composition:
    """A total and the rule that proves it."""

    rule: CompositionRule
    cost: PrivacyCost


def compose(costs: Iterable[PrivacyCost]) -> PrivacyCost:
    """Return the basic composition of any releases of one data set."""
    return sum(costs, PrivacyCost(0.0, 0.0))


def advanced_composition(cost: PrivacyCost, k: int, delta_slack: float) -> PrivacyCost:
    """Return the advanced composition of k equal (epsilon, delta) releases.

    With epsilon_0 = epsilon' / (2 sqrt(2 k log(1/delta'))) the k releases are (epsilon', k delta + delta')
    (Dwork and Roth, Corollary 3.21, valid for epsilon' < 1).

    Raises
    ------
    ParameterError
        If delta' is not in (0, 1), k < 1, or the resulting epsilon' is 1 or more (the corollary says nothing there).
    """
    if k < 1 or not 0.0 < delta_slack < 1.0:
        raise ParameterError(f"Expected k >= 1 and delta_slack in (0, 1), got {k} and {delta_slack:g}.")
    total = cost.epsilon * advanced_factor(k, delta_slack)
    if total >= 1.0:
        raise ParameterError(f"Expected advanced composition to stay below epsilon 1, got {total:g}.")
    return PrivacyCost(total, k * cost.delta + delta_slack)


def advanced_factor(k: int, delta_slack: float) -> float:
    """Return 2 sqrt(2 k log(1/delta')): basic composition's factor is k."""
    return 2.0 * math.sqrt(2.0 * k * math.log(1.0 / delta_slack))


def best_composition(cost: PrivacyCost, k: int, delta_slack: float) -> Composition:
    """Return the composition of k equal releases with the smaller epsilon; basic where advanced does not apply."""
    basic = Composition(CompositionRule.BASIC, cost.times(k))
    try:
        advanced = Composition(CompositionRule.ADVANCED, advanced_composition(cost, k, delta_slack))
    except ParameterError:
        return basic
    return min(basic, advanced, key=lambda composition: composition.cost.epsilon)


def one_test_release_cost(epsilon: float, delta: float, calibration: Calibration) -> PrivacyCost:
    """Return the cost of one propose-test-release: (2 epsilon, delta); the paper counts (3 epsilon, delta)."""
    return PrivacyCost((3 if calibration is Calibration.PAPER else 2) * epsilon, delta)


def iqr_record_cost(epsilon: float, delta: float, calibration: Calibration) -> PrivacyCost:
    """Return the IQR verdict's cost when a whole record is replaced: all four releases are touched."""
    return one_test_release_cost(epsilon, delta, calibration).times(IQR_RELEASES)


def iqr_attribute_cost(epsilon: float, delta: float, calibration: Calibration) -> PrivacyCost:
    """Return the IQR verdict's cost when x alone (or y alone) changes: three of the four releases are touched."""
    return one_test_release_cost(epsilon, delta, calibration).times(IQR_RELEASES_TOUCHED_BY_ONE_COLUMN)
