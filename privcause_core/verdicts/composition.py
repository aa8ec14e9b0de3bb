"""What releases cost together: epsilons and deltas add, which for the few releases of a verdict nothing beats."""

from collections.abc import Iterable
from dataclasses import dataclass

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


def compose(costs: Iterable[PrivacyCost]) -> PrivacyCost:
    """Return the basic composition of any releases of one data set."""
    return sum(costs, PrivacyCost(0.0, 0.0))


def one_test_release_cost(epsilon: float, delta: float, calibration: Calibration) -> PrivacyCost:
    """Return the cost of one propose-test-release: (2 epsilon, delta); the paper counts (3 epsilon, delta)."""
    return PrivacyCost((3 if calibration is Calibration.PAPER else 2) * epsilon, delta)


def iqr_record_cost(epsilon: float, delta: float, calibration: Calibration) -> PrivacyCost:
    """Return the IQR verdict's cost when a whole record is replaced: all four releases are touched."""
    return one_test_release_cost(epsilon, delta, calibration).times(IQR_RELEASES)


def iqr_attribute_cost(epsilon: float, delta: float, calibration: Calibration) -> PrivacyCost:
    """Return the IQR verdict's cost when x alone (or y alone) changes: three of the four releases are touched."""
    return one_test_release_cost(epsilon, delta, calibration).times(IQR_RELEASES_TOUCHED_BY_ONE_COLUMN)
