"""The main job in one call: ``analyse(pair, settings) -> Analysis``.

``measure`` does what needs the data (split, fits, scores), ``judge`` what a moving epsilon changes. All of it is the
non-private view, for exploration.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from privcause_core.explore.correctness import epsilon_to_keep
from privcause_core.explore.doubt import (
    TELLING_ERRORS,
    UNRELATED_ABOVE,
    SamplingDoubt,
    columns_related_p,
    jackknife_error,
    sampling_doubt,
)
from privcause_core.explore.simulation import Interval, simulated_shares, wilson
from privcause_core.explore.undecided import undecided_reasons
from privcause_core.fits.anm import AnmFit
from privcause_core.fits.halves import Deal
from privcause_core.pair import Direction, Pair
from privcause_core.protection.base import Coverage
from privcause_core.protection.choice import coverage
from privcause_core.scores import Score, TwoScores
from privcause_core.scores.iqr import log_iqr
from privcause_core.settings import ALL_SCORES, Settings
from privcause_core.text.words import delta_note, epsilon_note
from privcause_core.verdicts.mechanisms import Verdict
from privcause_core.verdicts.theory import Shares

CERTAINTIES = (0.90, 0.95, 0.99)
ROUNDING_SHARE = 1e-9  # a margin below this share of the larger score is arithmetic, not evidence


@dataclass(frozen=True, slots=True)
class ScoreMeasurement:
    """True (non-private) values of one score.

    ``margin`` is s_YX - s_XY, positive for x -> y. ``doubt`` is the sampling doubt, None where it was not asked for or
    does not exist. ``log_iqrs`` and ``distances`` (four log-IQRs in the order of
    ``IqrVerdict.outputs``, and their A_1, A_2) exist for the IQR score only.
    """

    score: Score
    score_xy: float
    score_yx: float
    margin: float
    direction: Direction
    doubt: SamplingDoubt | None = None
    log_iqrs: tuple[float, ...] = ()
    distances: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Measurement:
    """Everything that needs the data: the fits, every score's true values, and whether the columns are related.

    ``undecided`` says why the true verdict is undecided whatever the scores; empty when they decide.
    """

    pair: Pair
    fit: AnmFit
    scores: tuple[ScoreMeasurement, ...]
    undecided: tuple[str, ...] = ()
    columns_related_p: float | None = None

    def of(self, name: str) -> ScoreMeasurement:
        """Return the measurement of one score."""
        return next(s for s in self.scores if s.score.name == name)


@dataclass(frozen=True, slots=True)
class ScoreAnalysis:
    """One score under the settings: true values, the private mechanism, and how often its arrow differs.

    ``probability_flip`` and ``empirical`` are shares of all runs whose private arrow differs from the true one (a
    refusal is not a flip). ``empirical`` is None while the true verdict is undecided. ``least_epsilon`` pairs each
    certainty with the least total epsilon that reaches it, or None.
    """

    true: ScoreMeasurement
    verdict: Verdict
    probability_flip: float
    probability_arrow_kept: float
    empirical: Interval | None
    least_epsilon: tuple[tuple[float, float | None], ...]
    shares: Shares | None = None
    simulated_shares: Shares | None = None

    @property
    def name(self) -> str:
        """Return the score's name."""
        return self.true.score.name

    @property
    def tells_arrow(self) -> bool | None:
        """Return whether the margin stands out from sampling; None where its doubt is not known."""
        if self.true.direction is Direction.UNDECIDED:
            return False
        return self.true.doubt.tells_arrow if self.true.doubt else None

    @property
    def probability_population_agrees(self) -> float | None:
        """Return P(private arrow = the population's arrow): both doubts together; None where either is not known."""
        if self.true.doubt is None or self.true.direction is Direction.UNDECIDED:
            return None
        return self.true.doubt.probability_with_noise(self.probability_flip, self.probability_arrow_kept)


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """One pair under one set of settings."""

    measurement: Measurement
    settings: Settings
    scores: tuple[ScoreAnalysis, ...]
    warnings: tuple[str, ...]

    def of(self, name: str) -> ScoreAnalysis:
        """Return the analysis of one score."""
        return next(s for s in self.scores if s.name == name)

    @property
    def telling(self) -> str:
        """Return whether the headline's arrow stands out from sampling, in a few words."""
        true = self.headline.true
        if true.direction is Direction.UNDECIDED:
            return "no arrow"
        if reason := untold(true, self.measurement.columns_related_p):
            return f"no: {reason}"
        return "yes, as far as sampling goes" if true.doubt else "not known"

    @property
    def headline(self) -> ScoreAnalysis:
        """Return the analysis of the chosen score; for "all" the default one, or the first that there is."""
        chosen = Settings().score if self.settings.score == ALL_SCORES else self.settings.score
        return next((score for score in self.scores if score.name == chosen), self.scores[0])


def analyse(pair: Pair, settings: Settings) -> Analysis:
    """Measure the pair and judge it under the settings.

    Raises
    ------
    DataError
        If the pair has too few rows for the split.
    ParameterError
        If the score does not exist.
    """
    return judge(measure(pair, settings), settings)


def measure(pair: Pair, settings: Settings, *, doubts: bool = True, deal: Deal | None = None) -> Measurement:
    """Split, fit both ways and score with every chosen score, as the chosen protection does it.

    Parameters
    ----------
    pair : Pair
    settings : Settings
    doubts : bool
        Whether to work out the sampling doubts too (about twenty times the cost of the scores).
    deal : Deal, optional
        How the rows are dealt; by default by the settings' seed.
    """
    way = coverage(settings)
    chosen, fitted = way.scores(), way.fit(pair, deal)
    scores = tuple(_measure_score(score, pair, fitted, way, doubts, deal) for score in chosen)
    if undecided := undecided_reasons(pair, fitted):
        scores = tuple(replace(one, direction=Direction.UNDECIDED) for one in scores)
    related = columns_related_p(pair.x, pair.y, settings.seed) if doubts else None
    return Measurement(pair, fitted, scores, undecided, related)


def judge(measurement: Measurement, settings: Settings) -> Analysis:
    """Return what the settings' epsilon, delta, release and calibration make of measured scores."""
    judged = tuple(_judge_score(true, measurement.fit, settings) for true in measurement.scores)
    return Analysis(measurement, settings, judged, tuple(_warnings(measurement, settings, judged)))


def true_direction(margin: float, *scores: float) -> Direction:
    """Return the non-private arrow; undecided where the margin is a tie or arithmetic rounding."""
    if margin == 0.0 or abs(margin) <= ROUNDING_SHARE * max(map(abs, scores)) < math.inf:
        return Direction.UNDECIDED
    return Direction.X_TO_Y if margin > 0.0 else Direction.Y_TO_X


def untold(true: ScoreMeasurement, related_p: float | None) -> str:
    """Return why a score tells no arrow of the population; empty where it does."""
    if unrelated(related_p):
        return f"the columns look unrelated (p = {related_p:.2g})."
    if true.doubt is None or true.doubt.tells_arrow:
        return ""
    if abs(true.doubt.z) >= TELLING_ERRORS:
        return f"the margin is below the {true.score.least_telling_margin:g} that this score needs to tell."
    z = abs(true.doubt.z)
    return f"other rows could turn it; the margin is {z:.1f} standard errors from 0; it takes {TELLING_ERRORS:g}."


def unrelated(related_p: float | None) -> bool:
    """Return whether the test of dependence finds nothing between two columns."""
    return related_p is not None and related_p > UNRELATED_ABOVE


def _measure_score(
    score: Score, pair: Pair, fitted: AnmFit, way: Coverage, doubts: bool, deal: Deal | None
) -> ScoreMeasurement:
    scores = way.compare(score, pair, fitted, deal)
    score_xy, score_yx, margin = scores.xy, scores.yx, scores.margin
    direction = true_direction(margin, score_xy, score_yx)
    doubt = sampling_doubt(score, margin, _standard_error(score, scores, fitted, way)) if doubts else None
    verdict = way.verdict(score, fitted.n_train, fitted.n_test)
    columns = fitted.scored.iqr_columns if verdict.refuses else ()
    log_iqrs = tuple(map(log_iqr, columns))
    return ScoreMeasurement(score, score_xy, score_yx, margin, direction, doubt, log_iqrs, verdict.distances(columns))


def _standard_error(score: Score, scores: TwoScores, fitted: AnmFit, way: Coverage) -> float | None:
    if scores.standard_error is not None:
        return scores.standard_error
    return jackknife_error(score, score.shown(fitted, way.settings), way.settings)


def _judge_score(true: ScoreMeasurement, fitted: AnmFit, settings: Settings) -> ScoreAnalysis:
    verdict = coverage(settings).verdict(true.score, fitted.n_train, fitted.n_test)
    exact = verdict.shares(abs(true.margin), true.distances)
    shown = exact if verdict.refuses else None
    if true.direction is Direction.UNDECIDED:
        return ScoreAnalysis(true, verdict, 0.5, 0.5, None, tuple((c, None) for c in CERTAINTIES), shown)
    seen = simulated_shares(verdict, true.margin, true.log_iqrs, true.distances, settings.draw_seed, settings.draws)
    needed = tuple((c, epsilon_to_keep(verdict, true.margin, true.distances, c)) for c in CERTAINTIES)
    empirical, simulated = wilson(seen.wrong, settings.draws), seen if verdict.refuses else None
    return ScoreAnalysis(true, verdict, exact.wrong, exact.right, empirical, needed, shown, simulated)


def _warnings(measurement: Measurement, settings: Settings, scores: tuple[ScoreAnalysis, ...]) -> Iterator[str]:
    m, rows = measurement.fit.n_test, measurement.pair.rows
    yield from measurement.pair.notes
    yield from measurement.undecided
    chosen = [score for score in scores if settings.score in (ALL_SCORES, score.name)]
    way = coverage(settings)
    spent = max((score.verdict.cost.delta for score in chosen), default=0.0)
    found = [way.few_rows(rows, m), delta_note(spent, way.protected_rows(rows, m)), epsilon_note(settings.epsilon)]
    found += [way.drowned(score.true.score, score.verdict.noise_scale, m) for score in chosen]
    yield from filter(None, found)
