"""The task of a sweep: measure one pair once, with every score; what fails is a result too."""

from collections.abc import Sequence
from dataclasses import dataclass

from threadpoolctl import threadpool_limits

from privcause_core.errors import PrivCauseError
from privcause_core.explore.analysis import ScoreMeasurement, measure
from privcause_core.pair import Direction, Pair
from privcause_core.settings import ALL_SCORES, Settings


@dataclass(frozen=True, slots=True)
class MeasuredPair:
    """True (non-private) values of one pair: a few numbers for each score, no rows.

    Attributes
    ----------
    pair : str
        Its name, unique within a sweep.
    truth, weight
        As in :class:`Pair`.
    n_train, n_test : int
        0 where the pair failed.
    scores : tuple of ScoreMeasurement
        In the order asked for; empty where the pair failed.
    reason : str
        One sentence why the pair failed; empty where it did not.
    columns_related_p : float, optional
        As in :class:`Measurement`.
    """

    pair: str
    truth: Direction | None
    weight: float
    n_train: int
    n_test: int
    scores: tuple[ScoreMeasurement, ...]
    reason: str = ""
    columns_related_p: float | None = None

    def of(self, name: str) -> ScoreMeasurement:
        """Return the measurement of one score."""
        return next(one for one in self.scores if one.score.name == name)


def measure_pair(pair: Pair, settings: Settings, scores: Sequence[str], *, doubts: bool = False) -> MeasuredPair:
    """Split, fit and score one pair; never raises, so that one pair cannot cost the others.

    Linear algebra runs on one thread: the tasks are the parallelism, and sums must not depend on a core count.
    """
    try:
        with threadpool_limits(limits=1):
            measured = measure(pair, settings.with_(score=scores[0] if len(scores) == 1 else ALL_SCORES), doubts=doubts)
    except PrivCauseError as error:
        return failed_pair(pair.name, str(error), pair.truth, pair.weight)
    except Exception as error:  # noqa: BLE001  # its text may quote values; the type cannot
        reason = f"It cannot be measured ({type(error).__name__})."
        return failed_pair(pair.name, reason, pair.truth, pair.weight)
    fit = measured.fit
    chosen = tuple(measured.of(name) for name in scores)
    return MeasuredPair(
        pair.name, pair.truth, pair.weight, fit.n_train, fit.n_test, chosen, "", measured.columns_related_p
    )


def failed_pair(name: str, reason: str, truth: Direction | None = None, weight: float = 1.0) -> MeasuredPair:
    """Return the result of a pair that could not be loaded or measured."""
    return MeasuredPair(name, truth, weight, 0, 0, (), reason)
