"""What measuring a pair will cost in time, judged before it begins by public facts alone."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from privcause_core.fits.halves import Deal, Halves, RowNumbers
from privcause_core.protection.choice import coverage
from privcause_core.protection.voting_blocks import cross_fits
from privcause_core.settings import Settings

# Measured on one core; rough, but right to a factor of two between 2,000 and 1,000,000 rows.
SECONDS_AT_LEAST = 0.15
SECONDS_A_ROW = 2e-6  # of both fits; each score takes about as long again
SECONDS_A_BLOCK = 0.04  # two fits each way


def measuring_seconds(rows: int, settings: Settings) -> float:
    """Return about how long ``measure`` takes for a pair of so many rows.

    Raises
    ------
    ParameterError, DataError
        If the settings do not suit so many rows, as ``measure`` would.
    """
    way = coverage(settings)
    way.sizes(rows)
    scores = len(way.scores())
    times = cross_fits(rows // settings.blocks, settings.blocks) if way.votes else 1
    blocks = SECONDS_A_BLOCK * scores * settings.blocks if way.votes else 0.0
    return SECONDS_AT_LEAST + (SECONDS_A_ROW * rows * (1 + scores) + blocks) * times


@dataclass(frozen=True, slots=True)
class WatchedDeal:
    """A deal that tells of every block before it is handed out; whoever is told may end the work by an exception."""

    deal: Deal
    tell: Callable[[], None]

    def halves(self, rows: int, test_share: float) -> Halves:
        """Return the halves of the watched deal."""
        return self.deal.halves(rows, test_share)

    def blocks(self, rows: int, number: int) -> Iterator[RowNumbers]:
        """Yield the blocks of the watched deal."""
        for block in self.deal.blocks(rows, number):
            self.tell()
            yield block
