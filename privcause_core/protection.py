"""Who is protected, as one choice: what is fitted, scored and noised for test rows only, by ridge, or by blocks."""

from collections.abc import Iterable
from enum import StrEnum

from privcause_core import joint
from privcause_core.anm import AnmFit, fit_anm
from privcause_core.blocks import block_verdict, count_votes
from privcause_core.errors import ParameterError
from privcause_core.mechanisms import Verdict
from privcause_core.mechanisms import verdict_for as test_rows_verdict_for
from privcause_core.pair import Pair
from privcause_core.scores import Score, chosen_scores
from privcause_core.settings import ALL_SCORES, Protection, Route, Settings


class Covered(StrEnum):
    """The three ways to protect, from the settings' ``protect`` and ``route``."""

    TEST_ROWS = "test-rows"
    BY_RIDGE = "ridge"
    BY_BLOCKS = "blocks"

    @property
    def every_row(self) -> bool:
        """Return whether training rows are protected too."""
        return self is not Covered.TEST_ROWS


def covered(settings: Settings) -> Covered:
    """Return which of the three ways the settings choose."""
    if settings.protect is Protection.TEST_ROWS:
        return Covered.TEST_ROWS
    return Covered.BY_RIDGE if settings.route is Route.RIDGE else Covered.BY_BLOCKS


def scores_for(settings: Settings) -> tuple[Score, ...]:
    """Return the chosen scores; "all" means all that the protection allows.

    Raises
    ------
    ParameterError
        If the named score cannot be released with that protection, with the reason.
    """
    chosen = chosen_scores(settings.score)
    if settings.score == ALL_SCORES and covered(settings) is Covered.BY_RIDGE:
        return joint.releasable()
    check_scores(chosen, settings)
    return chosen


def check_scores(scores: Iterable[Score], settings: Settings) -> None:
    """Refuse scores that cannot be released with the chosen protection.

    Raises
    ------
    ParameterError
        With the reason.
    """
    if covered(settings) is Covered.BY_RIDGE:
        for score in scores:
            if score.no_joint_release:
                raise ParameterError(score.no_joint_release)


def fit(pair: Pair, settings: Settings) -> AnmFit:
    """Return the fits that are scored; for blocks, those of the whole pair, to look at.

    Raises
    ------
    DataError
        If the pair has too few rows for the split.
    ParameterError
        If the ridge route lacks a public range.
    """
    return joint.fit(pair, settings) if covered(settings) is Covered.BY_RIDGE else fit_anm(pair, settings)


def true_scores(score: Score, pair: Pair, fitted: AnmFit, settings: Settings) -> tuple[float, float]:
    """Return what the verdict compares, before noise: (s_XY, s_YX), or the blocks' votes against either arrow."""
    if covered(settings) is Covered.BY_BLOCKS:
        return count_votes(pair, score, settings).against
    return score.evaluate(fitted.x_to_y, settings), score.evaluate(fitted.y_to_x, settings)


def verdict_for(score: Score, n_train: int, n_test: int, settings: Settings) -> Verdict:
    """Return the mechanism for a score under the chosen protection; needs no data."""
    chosen = covered(settings)
    if chosen is Covered.BY_BLOCKS:
        return block_verdict(settings)
    if chosen is Covered.BY_RIDGE:
        return joint.verdict_for(score, n_train, n_test, settings)
    return test_rows_verdict_for(score, n_test, settings)


def planned_verdict(score: Score, m: int, settings: Settings) -> Verdict:
    """Return the mechanism for m test rows of a table that does not exist yet, split by the settings' test share."""
    n_train = max(1, round(m * (1.0 - settings.test_share) / settings.test_share))
    return verdict_for(score, n_train, m, settings)
