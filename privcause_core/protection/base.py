"""One way to protect rows, as an object that is asked once: what is fitted, compared, noised, and what it is called."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from privcause_core.errors import ParameterError
from privcause_core.fits.anm import AnmFit, fit_anm
from privcause_core.fits.halves import Deal, split_sizes
from privcause_core.pair import Pair
from privcause_core.scores import LaplaceScore, Score, TwoScores, chosen_scores
from privcause_core.settings import FEW_TEST_ROWS, Calibration, ReleaseKind, Settings
from privcause_core.verdicts.mechanisms import Verdict

Variant = tuple[ReleaseKind, Calibration]


@dataclass(frozen=True, slots=True)
class Coverage(ABC):
    """Whose rows a release protects, and how, under given settings.

    The answers here are those for scores that are released themselves; where blocks vote, ``VotingBlocks`` has its own.
    """

    settings: Settings

    every_row: ClassVar[bool]  # training rows are protected too
    votes: ClassVar[bool] = False  # what is noised is a count of votes, not a score
    title: ClassVar[str]  # in a table: whom it protects
    statement: ClassVar[str]  # on a certificate

    @property
    def protected_row(self) -> str:
        """Return what one protected record is called."""
        return "row" if self.every_row else "test row"

    def scores(self) -> tuple[Score, ...]:
        """Return the chosen scores; "all" means all that this protection allows (a named one is checked)."""
        chosen = chosen_scores(self.settings.score)
        if len(chosen) > 1:
            return tuple(score for score in chosen if not self.objection(score))
        self.check(chosen)
        return chosen

    def check(self, scores: Iterable[Score]) -> None:
        """Refuse scores that cannot be released with this protection: a ``ParameterError`` with the reason."""
        for score in scores:
            if reason := self.objection(score):
                raise ParameterError(reason)

    def objection(self, score: Score) -> str:  # noqa: ARG002
        """Return why a score cannot be released with this protection; empty if it can."""
        return ""

    def check_complete(self) -> None:  # noqa: B027  # most ways need nothing typed
        """Refuse settings that lack what it needs, such as a public range: a ``ParameterError`` that names it."""

    def sizes(self, rows: int) -> tuple[int, int]:
        """Return (n_train, n_test) of a table with that many rows, or of its smallest block; as ``split_sizes``."""
        return split_sizes(rows, self.settings.test_share)

    def fit(self, pair: Pair, deal: Deal | None = None) -> AnmFit:
        """Return the fits that are scored (where blocks vote: those of the whole pair, to look at).

        A ``DataError`` says that a seeded split has too few rows, a ``ParameterError`` that a public range is missing.
        """
        scaled = any(score.takes_scaled(self.settings) for score in chosen_scores(self.settings.score))
        return fit_anm(pair, self.settings, deal, scaled=scaled)

    def compare(self, score: Score, pair: Pair, fitted: AnmFit, deal: Deal | None = None) -> TwoScores:  # noqa: ARG002
        """Return what the verdict compares, before noise: both scores, or the votes against either arrow."""
        return score.evaluate(score.shown(fitted, self.settings), self.settings)

    @abstractmethod
    def verdict(self, score: Score, n_train: int, n_test: int) -> Verdict:
        """Return the mechanism for a score; needs no data."""

    def planned_verdict(self, score: Score, m: int) -> Verdict:
        """Return the mechanism for m test rows of a table that does not exist yet, split by the test share."""
        share = self.settings.test_share
        return self.verdict(score, max(1, round(m * (1.0 - share) / share)), m)

    def variants(self, score: Score) -> tuple[Variant, ...]:
        """Return the release-calibration pairs that make a difference to a score."""
        kinds = tuple(ReleaseKind) if isinstance(score, LaplaceScore) else (ReleaseKind.TWO_SCORES,)
        return tuple((kind, calibration) for calibration in (Calibration.REFINED, Calibration.PAPER) for kind in kinds)

    def spends_delta(self, score: Score) -> bool:
        """Return whether a release of the score costs delta, as propose-test-release does."""
        return not isinstance(score, LaplaceScore)

    def uses(self, scores: Iterable[Score]) -> frozenset[str]:
        """Return the names of the settings that play a part in a release of the scores."""
        used = {"protect", "test_share", "epsilon"}
        for score in scores:
            used |= {"noise_model", *score.uses}
            used |= {"delta", "bin_width", "calibration"} if self.spends_delta(score) else {"release", "calibration"}
        return frozenset(used)

    def rows_text(self, rows: int, n_train: int, n_test: int) -> str:  # noqa: ARG002
        """Return how the rows are used."""
        return f"{n_train:,} train / {n_test:,} test (m)"

    def protected_rows(self, rows: int, m: int) -> int:
        """Return how many rows are protected."""
        return rows if self.every_row else m

    def few_rows(self, rows: int, m: int) -> str:  # noqa: ARG002
        """Return a sentence if there are too few rows to judge by, else ""; public facts only."""
        few = f"Only {m} test rows: with fewer than {FEW_TEST_ROWS} the scores say little."
        return few if m < FEW_TEST_ROWS else ""

    def drowned(self, score: Score, noise_scale: float, m: int) -> str:
        """Return a sentence if the noise is wider than all that can be measured, else ""; public facts only."""
        most, what = self._reach(score, m)
        return f"{score.title}: the noise scale {noise_scale:.3g} exceeds {what}." if noise_scale > most else ""

    def _reach(self, score: Score, m: int) -> tuple[float, str]:
        most = score.unit(self.settings) * score.largest(m) if isinstance(score, LaplaceScore) else float("inf")
        return most, f"the score's whole range of {most:.3g}"
