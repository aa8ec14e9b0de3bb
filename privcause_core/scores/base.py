"""What a score is: a dependence statistic of one direction, its sensitivity, and the mechanism that releases it."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from privcause_core.errors import ParameterError
from privcause_core.fits.scored import ScoredDirection
from privcause_core.settings import Calibration, Settings


class Mechanism(StrEnum):
    """How a score can be released."""

    LAPLACE = "laplace"
    PROPOSE_TEST_RELEASE = "propose-test-release"


@dataclass(frozen=True, slots=True)
class SensitivityOverview:
    """One cell of text for each kind of sensitivity of a score, for the Methods page."""

    test_global: str
    test_local: str
    training_global: str
    training_local: str


class Score(ABC):
    """A dependence score: smaller means more independent. One subclass instance named ``SCORE`` per file."""

    name: str
    title: str
    order: int  # position in tables
    mechanism: Mechanism
    definition: str  # Markdown with LaTeX: the statistic and its rule for ties
    overview: SensitivityOverview
    no_joint_release: ClassVar[str] = ""  # why no release of this score protects training rows too; empty if one does

    @abstractmethod
    def evaluate(self, direction: ScoredDirection, settings: Settings) -> float:
        """Return the score of one direction on the test half."""


class LaplaceScore(Score):
    """A score with a global test-set sensitivity, released by the Laplace mechanism."""

    mechanism = Mechanism.LAPLACE
    sensitivity_formula: ClassVar[dict[Calibration, str]]  # LaTeX
    rounding_slack: float = 0.0  # relative allowance for floating-point evaluation, added before a real release

    def largest(self, m: int) -> float:  # noqa: ARG002
        """Return the top of the score's range, which starts at 0; m is the number of test records."""
        return 1.0

    @abstractmethod
    def sensitivity(self, m: int, calibration: Calibration) -> float:
        """Return the largest change of the score when one of m test records is replaced (mechanisms.md section 3)."""

    def training_sensitivity(self, m: int, shift: float, settings: Settings) -> float:  # noqa: ARG002
        """Return the largest change of the score when one training record is replaced and the test half stays.

        Parameters
        ----------
        m : int
            Test records.
        shift : float
            Most that one training record moves any residual, in scaled units (``training.residual_shift``).

        Raises
        ------
        ParameterError
            If the score has no such bound below its range.
        """
        raise ParameterError(self.no_joint_release)
