"""Who is protected, as one choice: the settings' ``protect`` and ``route``, turned once into what does the part."""

from privcause_core.protection.base import Coverage
from privcause_core.protection.public_ranges import ByPublicRanges
from privcause_core.protection.voting_blocks import ByVotingBlocks
from privcause_core.scores import Score
from privcause_core.settings import Protection, Route, Settings
from privcause_core.verdicts.mechanisms import Verdict, verdict_for


class OnlyTestRows(Coverage):
    """Noise for a replaced test row, as in the paper: training rows shape the fits and have no guarantee."""

    __slots__ = ()

    every_row = False
    title = "test rows only"
    statement = "test rows only; training rows have no guarantee"

    def verdict(self, score: Score, n_train: int, n_test: int) -> Verdict:  # noqa: ARG002
        """Return the mechanism with the score's test sensitivity."""
        return verdict_for(score, n_test, self.settings)


def coverage(settings: Settings) -> Coverage:
    """Return the way to protect rows that the settings choose."""
    if settings.protect is Protection.TEST_ROWS:
        return OnlyTestRows(settings)
    return ByPublicRanges(settings) if settings.route is Route.RIDGE else ByVotingBlocks(settings)
