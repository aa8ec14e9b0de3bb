"""Who is protected, as one choice: the settings' ``protect`` and ``route``, turned once into what does the part."""

from privcause_core.protection.base import Coverage
from privcause_core.protection.only_test_rows import OnlyTestRows
from privcause_core.protection.public_ranges import ByPublicRanges
from privcause_core.protection.voting_blocks import ByVotingBlocks
from privcause_core.settings import Protection, Route, Settings


def coverage(settings: Settings) -> Coverage:
    """Return the way to protect rows that the settings choose."""
    if settings.protect is Protection.TEST_ROWS:
        return OnlyTestRows(settings)
    return ByPublicRanges(settings) if settings.route is Route.RIDGE else ByVotingBlocks(settings)
