"""Public row counts of a release: of the table, of its complete rows where they are public, and of both halves."""

from dataclasses import dataclass, replace

from privcause_core.errors import DataError
from privcause_core.fits.halves import MIN_TRAINING_ROWS, Deal
from privcause_core.ledger import Cohort
from privcause_core.protection.choice import coverage
from privcause_core.release.plan import Plan
from privcause_core.scores import Score
from privcause_core.settings import MIN_TEST_ROWS


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows a release works on.

    Attributes
    ----------
    rows : int
        Of the table, complete or not.
    complete : int
        With a value in both columns; equal to ``rows`` where their number is private.
    halves : (int, int), optional
        Complete rows that the deal put into the training and the test half; None before it is known.
    """

    rows: int
    complete: int
    halves: tuple[int, int] | None = None

    @property
    def about(self) -> bool:
        """Return whether the halves are only expected so far."""
        return self.complete < self.rows and self.halves is None

    def sizes(self, score: Score | None, plan: Plan) -> tuple[int, int]:
        """Return how many rows train and how many are scored (in the smallest block, where blocks vote).

        Parameters
        ----------
        score : Score, optional
            One that counts incomplete rows has the sizes of the table; the others those of the complete rows.
        plan : Plan

        Raises
        ------
        DataError
            If they are too few.
        """
        way = coverage(plan.settings)
        n_train, n_test = way.sizes(self.rows)
        if way.votes or self.complete == self.rows or (score is not None and score.counts_incomplete):
            return n_train, n_test
        halves = self.halves or (round(n_train * self.complete / self.rows), round(n_test * self.complete / self.rows))
        if halves[0] < MIN_TRAINING_ROWS or halves[1] < MIN_TEST_ROWS:
            raise DataError(
                f"Expected at least {MIN_TEST_ROWS} complete test rows and {MIN_TRAINING_ROWS} complete training rows "
                f"of {self.rows:,} rows; bring more complete rows or change the test share."
            )
        return halves

    def dealt(self, deal: Deal, plan: Plan) -> "Counts":
        """Return the counts with the halves that a deal makes."""
        if self.complete == self.rows or coverage(plan.settings).votes:
            return self
        halves = deal.halves(self.complete, plan.settings.test_share)
        return replace(self, halves=(int(halves.train.size), int(halves.test.size)))


def hides_completeness(plan: Plan) -> bool:
    """Return whether which rows are complete stays private: in a block, and for scores that count incomplete rows."""
    return coverage(plan.settings).votes or all(score.counts_incomplete for score in plan.chosen)


def counts_of(cohort: Cohort, plan: Plan) -> Counts:
    """Return the public counts of a table before it is dealt."""
    return Counts(cohort.rows, cohort.rows if hides_completeness(plan) else int(cohort.used.size))
