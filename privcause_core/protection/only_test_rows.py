"""Protecting the scored rows only, as the paper does: training rows shape the fits and have no guarantee."""

from typing import ClassVar

from privcause_core.protection.base import Coverage
from privcause_core.scores import Score
from privcause_core.verdicts.mechanisms import Verdict, verdict_for


class OnlyTestRows(Coverage):
    """Noise for a replaced test row."""

    __slots__ = ()

    every_row: ClassVar[bool] = False
    title: ClassVar[str] = "test rows only"
    statement: ClassVar[str] = "test rows only; training rows have no guarantee"

    def verdict(self, score: Score, n_train: int, n_test: int) -> Verdict:  # noqa: ARG002
        """Return the mechanism with the score's test sensitivity."""
        return verdict_for(score, n_test, self.settings)
