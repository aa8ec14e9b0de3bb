"""What a sweep varies."""

from dataclasses import dataclass

from privcause_core.errors import ParameterError
from privcause_core.scores import all_scores, get_score
from privcause_core.settings import EPSILON_MAX, EPSILON_MIN, Calibration, ReleaseKind
from privcause_core.text.typed import check_range

DEFAULT_EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
PAPER_SCORES = tuple(score.name for score in all_scores() if score.from_paper)


@dataclass(frozen=True, slots=True)
class SweepGrid:
    """Every combination of these is judged for every pair.

    Parameters
    ----------
    scores : tuple of str
        Names of registered scores.
    epsilons : tuple of float in [1e-6, 1e6]
        Totals of one verdict.
    calibrations, releases : tuples of enumerations
        IQR has one mechanism, so releases change nothing for it.

    Raises
    ------
    ParameterError
        If a value is unknown, out of range or given twice, or there is none.
    """

    scores: tuple[str, ...] = PAPER_SCORES
    epsilons: tuple[float, ...] = DEFAULT_EPSILONS
    calibrations: tuple[Calibration, ...] = (Calibration.REFINED,)
    releases: tuple[ReleaseKind, ...] = (ReleaseKind.TWO_SCORES,)

    def __post_init__(self) -> None:
        for name in ("scores", "epsilons", "calibrations", "releases"):
            values = getattr(self, name)
            if not values or len(set(values)) < len(values):
                raise ParameterError(f"Expected {name} to be one or more different values, got {values!r}.")
        for score in self.scores:
            get_score(score)
        for epsilon in self.epsilons:
            check_range("epsilon", epsilon, EPSILON_MIN, EPSILON_MAX)
