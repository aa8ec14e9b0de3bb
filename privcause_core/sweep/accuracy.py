"""How often arrows are right over many pairs: private accuracy against epsilon, its ceiling and its baseline.

Weighted where pairs carry weights. Intervals are over pairs (Wilson) at their effective number (sum w)^2 / sum w^2.
All of it is non-private.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from privcause_core.explore.simulation import Interval, wilson
from privcause_core.pair import Direction, Pair
from privcause_core.settings import Calibration, ReleaseKind
from privcause_core.sweep.measured import MeasuredPair
from privcause_core.sweep.rows import SweepRow

COIN = 0.5
_PairLike = TypeVar("_PairLike", Pair, MeasuredPair)


@dataclass(frozen=True, slots=True)
class AccuracyPoint:
    """Accuracy of one score's private arrows at one epsilon.

    Attributes
    ----------
    accuracy : Interval
        Weighted mean of ``probability_right``: share of all runs, refusals among them.
    refused : float
        Weighted mean of ``probability_refused``.
    pairs : int
        How many pairs with a known arrow it covers.
    """

    score: str
    calibration: Calibration
    release: ReleaseKind
    epsilon: float
    accuracy: Interval
    refused: float
    pairs: int


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Accuracy of one score's noise-free arrows: noise can only pull each of them towards a coin toss.

    Attributes
    ----------
    accuracy : Interval
        Undecided pairs count half.
    auc : float, optional
        Area under the ROC curve of the true margin; None where every known arrow is the same way.
    """

    score: str
    accuracy: Interval
    auc: float | None

    @property
    def no_better_than_a_coin(self) -> bool:
        """Return whether the interval does not lie above 1/2."""
        return self.accuracy.low <= COIN


def accuracy(rows: Iterable[SweepRow]) -> tuple[AccuracyPoint, ...]:
    """Return one point for each score, calibration, release and epsilon, in the order of the rows.

    Pairs without a known arrow or weight are left out.
    """
    groups: dict[tuple[str, Calibration, ReleaseKind, float], list[tuple[float, SweepRow]]] = {}
    for row in rows:
        if row.probability_right is not None and row.weight > 0.0:
            setting = (row.score, row.calibration, row.release, row.epsilon)
            groups.setdefault(setting, []).append((row.probability_right, row))
    return tuple(_point(*setting, group) for setting, group in groups.items())


def ceilings(measured: Iterable[MeasuredPair]) -> tuple[Ceiling, ...]:
    """Return the non-private accuracy of every score measured; empty where no pair has a known arrow."""
    known = _known(one for one in measured if not one.reason)
    if not known:
        return ()
    weights = [one.weight for one in known]
    found = []
    for score in (one.score.name for one in known[0].scores):
        scored = [one.of(score) for one in known]
        right = [
            COIN if true.direction is Direction.UNDECIDED else float(true.direction is one.truth)
            for true, one in zip(scored, known, strict=True)
        ]
        auc = _auc([one.truth is Direction.X_TO_Y for one in known], [true.margin for true in scored], weights)
        found.append(Ceiling(score, weighted_share(right, weights), auc))
    return tuple(found)


def _point(
    score: str,
    calibration: Calibration,
    release: ReleaseKind,
    epsilon: float,
    group: list[tuple[float, SweepRow]],
) -> AccuracyPoint:
    weights = [row.weight for _, row in group]
    right = weighted_share([right for right, _ in group], weights)
    refused = float(np.average([row.probability_refused for _, row in group], weights=weights))
    return AccuracyPoint(score, calibration, release, epsilon, right, refused, len(group))


def always_first(pairs: Iterable[_PairLike]) -> Interval | None:
    """Return the accuracy of guessing that the first column is always the cause; None where no arrow is known."""
    known = _known(pairs)
    if not known:
        return None
    return weighted_share([float(one.truth is Direction.X_TO_Y) for one in known], [one.weight for one in known])


def one_sided(pairs: Iterable[_PairLike]) -> Direction | None:
    """Return the arrow of every known pair if they all have the same one."""
    arrows = {one.truth for one in _known(pairs)}
    return arrows.pop() if len(arrows) == 1 else None


def shuffle_columns(pairs: Sequence[Pair], seed: int) -> list[Pair]:
    """Exchange the columns (and turn the truth) of a random half of the pairs, so that their order tells nothing."""
    turned = set(np.random.default_rng((seed, 2)).permutation(len(pairs))[: len(pairs) // 2].tolist())
    return [pair.swapped() if position in turned else pair for position, pair in enumerate(pairs)]


def weighted_share(values: Sequence[float], weights: Sequence[float]) -> Interval:
    """Return the weighted mean of values in [0, 1] with its Wilson interval at the effective number of values."""
    w = np.asarray(weights)
    effective = float(w.sum() ** 2 / (w**2).sum())
    return wilson(float(np.average(values, weights=w)), effective)


def _known(pairs: Iterable[_PairLike]) -> list[_PairLike]:
    """Return the pairs whose arrow is known and counts."""
    return [one for one in pairs if one.truth not in (None, Direction.UNDECIDED) and one.weight > 0.0]


def _auc(points_to_y: Sequence[bool], margins: Sequence[float], weights: Sequence[float]) -> float | None:
    if len(set(points_to_y)) < 2:
        return None
    from scipy.stats import rankdata
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(points_to_y, rankdata(margins), sample_weight=weights))  # ranks: a margin may be inf
