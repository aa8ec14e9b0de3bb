"""Who is protected, as one choice: what is fitted, scored and noised for test rows only, by ridge, or by blocks."""

from collections.abc import Iterable
from enum import StrEnum

from privcause_core.errors import ParameterError
from privcause_core.fits.anm import AnmFit, fit_anm
from privcause_core.fits.halves import Deal
from privcause_core.pair import Pair
from privcause_core.protection import public_ranges
from privcause_core.protection.voting_blocks import ROWS_TO_JUDGE, block_verdict, count_votes
from privcause_core.scores import LaplaceScore, Score, TwoScores, chosen_scores
from privcause_core.settings import ALL_SCORES, FEW_TEST_ROWS, Protection, Route, Settings
from privcause_core.verdicts.mechanisms import Verdict
from privcause_core.verdicts.mechanisms import verdict_for as test_rows_verdict_for


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
        return public_ranges.releasable()
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


def fit(pair: Pair, settings: Settings, deal: Deal | None = None) -> AnmFit:
    """Return the fits that are scored; for blocks, those of the whole pair, to look at.

    Raises
    ------
    DataError
        If the pair has too few rows for the split.
    ParameterError
        If the ridge route lacks a public range.
    """
    by_ridge = covered(settings) is Covered.BY_RIDGE
    return public_ranges.fit(pair, settings, deal) if by_ridge else fit_anm(pair, settings, deal)


def true_scores(score: Score, pair: Pair, fitted: AnmFit, settings: Settings, deal: Deal | None = None) -> TwoScores:
    """Return what the verdict compares, before noise: both scores, or the blocks' votes against either arrow."""
    if covered(settings) is Covered.BY_BLOCKS:
        return TwoScores(*count_votes(pair, score, settings, deal).against)
    return score.evaluate(fitted.scored, settings)


def verdict_for(score: Score, n_train: int, n_test: int, settings: Settings) -> Verdict:
    """Return the mechanism for a score under the chosen protection; needs no data."""
    chosen = covered(settings)
    if chosen is Covered.BY_BLOCKS:
        return block_verdict(settings)
    if chosen is Covered.BY_RIDGE:
        return public_ranges.verdict_for(score, n_train, n_test, settings)
    return test_rows_verdict_for(score, n_test, settings)


def few_rows(rows: int, m: int, settings: Settings) -> str:
    """Return a sentence if m test rows, or the rows of a block, are too few to judge by, else ""; public facts only."""
    if covered(settings) is Covered.BY_BLOCKS:
        each, few, what, says = rows // settings.blocks, ROWS_TO_JUDGE, "rows a block", "a block's own arrow says"
    else:
        each, few, what, says = m, FEW_TEST_ROWS, "test rows", "the scores say"
    return f"Only {each} {what}: with fewer than {few} {says} little." if each < few else ""


def drowned(score: Score, noise_scale: float, m: int, settings: Settings) -> str:
    """Return a sentence if the noise is wider than all that a Laplace verdict can measure, else ""; public facts only.

    Parameters
    ----------
    m : int
        Test rows; not used where blocks vote.
    """
    if covered(settings) is Covered.BY_BLOCKS:
        most, what = float(settings.blocks), f"all {settings.blocks:,} votes"
    elif isinstance(score, LaplaceScore):
        most = score.largest(m)
        what = f"the score's whole range of {most:.3g}"
    else:
        return ""
    return f"{score.title}: the noise scale {noise_scale:.3g} exceeds {what}." if noise_scale > most else ""


def planned_verdict(score: Score, m: int, settings: Settings) -> Verdict:
    """Return the mechanism for m test rows of a table that does not exist yet, split by the settings' test share."""
    n_train = max(1, round(m * (1.0 - settings.test_share) / settings.test_share))
    return verdict_for(score, n_train, m, settings)
