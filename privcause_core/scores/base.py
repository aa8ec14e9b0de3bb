"""What a score is: two dependence statistics of one fit, their sensitivity, and the mechanism that releases them."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from privcause_core.errors import ParameterError
from privcause_core.fits.anm import AnmFit, fit_anm
from privcause_core.fits.halves import Deal, RowNumbers
from privcause_core.fits.scored import ScoredDirection, ScoredPair
from privcause_core.pair import Pair
from privcause_core.settings import Calibration, NoiseModel, Settings


@dataclass(frozen=True, slots=True)
class SensitivityOverview:
    """One cell of text for each kind of sensitivity of a score, for the Methods page."""

    test_global: str
    test_local: str
    training_global: str
    training_local: str


@dataclass(frozen=True, slots=True)
class TwoScores:
    """A score of both directions; the smaller wins."""

    xy: float  # s_XY, dependence that is left under x -> y
    yx: float  # s_YX, under y -> x
    standard_error: float | None = None  # of the margin, over other rows of the population, where the score knows it

    @property
    def margin(self) -> float:
        """Return s_YX - s_XY, positive for x -> y; 0 where both are equal, infinite or not."""
        return 0.0 if self.xy == self.yx else self.yx - self.xy


class Score(ABC):
    """A dependence score: smaller means more independent. One subclass instance named ``SCORE`` per file."""

    name: str
    title: str
    order: int  # position in tables
    definition: str  # Markdown with LaTeX: the statistic and its rule for ties
    overview: SensitivityOverview
    from_paper: ClassVar[bool]  # one of the four scores of Kusner et al.
    own_noise: ClassVar[NoiseModel] = NoiseModel.ADDITIVE  # whose residuals it takes where nothing else is chosen
    margin_reach: ClassVar[float] = 0.4  # of a margin axis that shows what real margins reach
    uses: ClassVar[tuple[str, ...]] = ()  # names of the settings that it reads
    least_telling_margin: ClassVar[float] = 0.0  # below it the margin is no evidence, whatever its standard error
    counts_incomplete: ClassVar[bool] = False  # they abstain: m counts them, and which they are stays private
    no_joint_release: ClassVar[str]  # why there is no bound for a moved training row; "" where there is one

    def __init__(self) -> None:
        missing = sorted(self._missing())
        if missing:
            raise ParameterError(f"The score {type(self).__name__} lacks {', '.join(missing)}.")

    def takes_scaled(self, settings: Settings) -> bool:
        """Return whether it is shown location-scale residuals rather than additive ones."""
        chosen = self.own_noise if settings.noise_model is NoiseModel.AUTO else settings.noise_model
        return chosen is NoiseModel.LOCATION_SCALE

    def shown(self, fitted: AnmFit, settings: Settings) -> ScoredPair:
        """Return the residuals that it takes."""
        return fitted.scaled if fitted.scaled and self.takes_scaled(settings) else fitted.scored

    def of_deal(self, pair: Pair, settings: Settings, deal: Deal) -> TwoScores:
        """Return the scores of one deal of a pair, with no more fits than they need."""
        fitted = fit_anm(pair, settings, deal, scaled=self.takes_scaled(settings))
        return self.evaluate(self.shown(fitted, settings), settings)

    @abstractmethod
    def evaluate(self, pair: ScoredPair, settings: Settings) -> TwoScores:
        """Return the scores of both directions on the test half."""

    def evaluate_parts(self, pair: ScoredPair, settings: Settings, parts: Iterable[RowNumbers]) -> list[TwoScores]:
        """Return the scores of each part of the test rows, under the same fits."""
        return [self.evaluate(pair.only(rows), settings) for rows in parts]

    def _missing(self) -> Iterator[str]:
        required = ("name", "title", "order", "definition", "overview", "from_paper", "no_joint_release")
        return (member for member in required if not hasattr(self, member))


class DirectionStatistic(ABC):
    """Mixin of the scores that look at one direction at a time."""

    @abstractmethod
    def statistic(self, direction: ScoredDirection, settings: Settings) -> float:
        """Return the score of one direction on the test half."""

    def evaluate(self, pair: ScoredPair, settings: Settings) -> TwoScores:
        """Return the statistic of both directions."""
        return TwoScores(self.statistic(pair.x_to_y, settings), self.statistic(pair.y_to_x, settings))


def formulas(refined: str, paper: str = "") -> dict[Calibration, str]:
    """Return a sensitivity in LaTeX by calibration: the refined one for both where the paper has no such score."""
    return {Calibration.REFINED: refined, Calibration.PAPER: paper or refined}


class LaplaceScore(Score):
    """A score with a global test-set sensitivity, released by the Laplace mechanism."""

    sensitivity_formula: ClassVar[dict[Calibration, str]]  # LaTeX
    rounding_slack: float = 0.0  # relative allowance for floating-point evaluation, added before a real release

    def unit(self, settings: Settings) -> float:  # noqa: ARG002
        """Return what ``largest`` and ``sensitivity`` are multiples of: 1, or a public setting such as a vote limit."""
        return 1.0

    def largest(self, m: int) -> float:  # noqa: ARG002
        """Return the top of the score's range, which starts at 0; m is the number of test records."""
        return 1.0

    @abstractmethod
    def sensitivity(self, m: int, calibration: Calibration) -> float:
        """Return the largest change of the score when one of m test records is replaced (mechanisms.md section 3)."""

    def training_sensitivity(self, m: int, shift: float, settings: Settings) -> float:  # noqa: ARG002
        """Return the largest change of the score when one training record is replaced and the test half stays.

        One training record moves any residual by at most ``shift``, in scaled units (``public_ridge.residual_shift``);
        m is the number of test records.

        Raises
        ------
        ParameterError
            If the score has no such bound below its range, as it must then say in ``no_joint_release``.
        """
        why = f"got {self.name}: {self.no_joint_release}"
        raise ParameterError(f"Expected a score with a bound for training rows, {why}")

    def _missing(self) -> Iterator[str]:
        yield from super()._missing()
        if not hasattr(self, "sensitivity_formula"):
            yield "sensitivity_formula"
        bounded = type(self).training_sensitivity is not LaplaceScore.training_sensitivity
        if getattr(self, "no_joint_release", None) == "" and not bounded:
            yield "training_sensitivity (or a reason in no_joint_release)"
