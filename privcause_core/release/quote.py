"""What a plan will do to a table of so many rows: mechanisms, noise scales and warnings, from public facts alone."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from privcause_core.ledger import Amount, decimal_text
from privcause_core.noise.rounding import float_down, float_up
from privcause_core.noise.secure import laplace_scale
from privcause_core.protection.choice import coverage
from privcause_core.release.counts import Counts
from privcause_core.release.plan import Plan
from privcause_core.scores import LaplaceScore, get_score
from privcause_core.text.words import delta_note, epsilon_note, guesses_right
from privcause_core.verdicts.composition import IQR_RELEASES
from privcause_core.verdicts.laplace import DirectionLaplace, LaplaceVerdict
from privcause_core.verdicts.mechanisms import Verdict
from privcause_core.verdicts.propose_test_release import IqrVerdict

# Two scores of size at most 1, and their difference, each rounded to a double: together below 2 * 2^-52.
SCORE_ROUNDING = Fraction(1, 2**52)
# The few roundings with which a sensitivity formula itself is evaluated.
FORMULA_ROUNDING = Fraction(1, 2**50)
# Share of epsilon and delta kept back for the roundings of bin edges (2^-43 on w >= 0.01), threshold and noise scale.
TEST_RELEASE_ROUNDING = Fraction(1, 10**10)
BY_PLACES = (
    "This table's test rows were fixed by their place in the file: the promise holds between files kept in the same "
    "order only. In a sorted file one changed value moves many rows to other places. Blocks, which protect every row, "
    "are dealt in secret and hold whatever the order."
)


@dataclass(frozen=True, slots=True)
class Draws:
    """Equal noise draws of one verdict.

    Attributes
    ----------
    statistic : str
        What is noised.
    count : int
        Most draws of this kind.
    sensitivity : float
        Largest change of one statistic under replacing one record, roundings included.
    epsilon : float
        Privacy loss of one draw.
    scale : float
        Laplace scale actually used.
    """

    statistic: str
    count: int
    sensitivity: float
    epsilon: float
    scale: float


@dataclass(frozen=True, slots=True)
class Terms:
    """One score's verdict: its mechanism, cost and draws; the last kind of draws gives the released values."""

    score: str
    verdict: Verdict
    cost: Amount
    draws: tuple[Draws, ...]

    @property
    def noise_scale(self) -> float:
        """Return the Laplace scale of every released value."""
        return self.draws[-1].scale

    def largest_distance(self, m: int) -> int:
        """Return the largest distance that the least stable of the four log-IQRs can have, whatever the data; m: rows.

        0 for scores released without a test.
        """
        parts = self.verdict.parts if isinstance(self.verdict, IqrVerdict) else ()
        return min((part.largest_distance(m) for part in parts), default=0)

    def distance_needed(self, probability: float) -> int | None:
        """Return the least distance to instability at which all four log-IQRs are released so likely, or None.

        All four need that distance in at least one of the two grids; None for scores released without a test.
        """
        if not isinstance(self.verdict, IqrVerdict):
            return None
        single = self.verdict.single
        each = probability ** (1.0 / IQR_RELEASES)
        return math.ceil(single.threshold - math.log(2.0 * (1.0 - each)) / single.epsilon)


@dataclass(frozen=True, slots=True)
class Quote:
    """A plan priced for a table; shown before anything is spent.

    Attributes
    ----------
    plan : Plan
    counts : Counts
    n_train, n_test : int
        Public sizes of the two halves (of a block, where blocks vote); expected ones while ``counts.about``.
    terms : tuple of Terms
        In the order of ``plan.scores``.
    warnings : tuple of str
        One plain sentence each; none depends on a value of the data.
    """

    plan: Plan
    counts: Counts
    n_train: int
    n_test: int
    terms: tuple[Terms, ...]
    warnings: tuple[str, ...]

    @property
    def cost(self) -> Amount:
        """Return the total charged."""
        return self.plan.cost


def quote(plan: Plan, counts: Counts | int, *, places: bool = False) -> Quote:
    """Price a plan for a table.

    Parameters
    ----------
    plan : Plan
    counts : Counts or int
        Public row counts; a number stands for a table whose rows are all complete.
    places : bool
        The table's test rows were fixed by their place in the file (``Split.seed``).

    Raises
    ------
    DataError
        If the rows are too few for the split, or for as many blocks.
    """
    counts = Counts(counts, counts) if isinstance(counts, int) else counts
    terms = tuple(_terms(plan, name, *counts.sizes(get_score(name), plan)) for name in plan.scores)
    n_train, n_test = min((counts.sizes(score, plan) for score in plan.chosen), key=sum)
    found = _warnings(plan, counts.rows, n_test, terms)
    return Quote(plan, counts, n_train, n_test, terms, (*([BY_PLACES] if places else []), *found))


def release_sensitivity(score: LaplaceScore, proved: float) -> float:
    """Return a double above a score's proved sensitivity that also covers rounding.

    The score's own slack covers how it is evaluated (rank scores come from exact integers: none); then every score
    is rounded to a double once, and so is their difference.
    """
    evaluated = Fraction(proved) * (1 + FORMULA_ROUNDING)
    return float_up(evaluated * (1 + Fraction(score.rounding_slack)) + SCORE_ROUNDING)


def _terms(plan: Plan, name: str, n_train: int, n_test: int) -> Terms:
    score, way = get_score(name), coverage(plan.settings)
    proved = way.verdict(score, n_train, n_test)
    if isinstance(proved, IqrVerdict):
        verdict, draws = _test_release(plan, proved)
    elif isinstance(score, LaplaceScore) and not way.votes:
        verdict, draws = _laplace(plan, proved, release_sensitivity(score, proved.sensitivity))
    else:
        verdict, draws = _laplace(plan, proved, proved.sensitivity)  # vote counts are exact
    return Terms(name, verdict, plan.cost_of(name), draws)


def _laplace(plan: Plan, proved: LaplaceVerdict, sensitivity: float) -> tuple[Verdict, tuple[Draws, ...]]:
    verdict = replace(proved, sensitivity=sensitivity, epsilon=float_down(Fraction(plan.epsilon)))
    if isinstance(verdict, DirectionLaplace):
        return verdict, (_draws("margin", 1, 2.0 * sensitivity, verdict.epsilon_per_draw),)
    return verdict, (_draws("score", 2, sensitivity, verdict.epsilon_per_draw),)


def _test_release(plan: Plan, proved: IqrVerdict) -> tuple[Verdict, tuple[Draws, ...]]:
    kept = 1 - TEST_RELEASE_ROUNDING
    epsilon, delta = float_down(Fraction(plan.epsilon) * kept), float_down(Fraction(plan.delta) * kept)
    verdict = replace(proved, epsilon=epsilon, delta=delta)
    return verdict, (
        _draws("distance to instability", 2 * IQR_RELEASES, 1.0, verdict.epsilon_per_draw),
        _draws("log-IQR", IQR_RELEASES, plan.settings.bin_width, verdict.epsilon_per_draw),
    )


def _draws(statistic: str, count: int, sensitivity: float, epsilon: float) -> Draws:
    return Draws(statistic, count, sensitivity, epsilon, laplace_scale(sensitivity, epsilon))


def _warnings(plan: Plan, rows: int, m: int, terms: tuple[Terms, ...]) -> list[str]:
    found, way = [], coverage(plan.settings)
    if not way.every_row:
        found.append(
            f"Only the {m:,} test rows are protected: the training rows shape the fitted curves and have no guarantee."
        )
    found += _several_rows(plan)
    found += _large_totals(plan, way.protected_rows(rows, m))
    found.append(way.few_rows(rows, m))
    found += [way.drowned(get_score(term.score), term.noise_scale, m) or _unlikely(term, m) for term in terms]
    return [warning for warning in found if warning]


def _several_rows(plan: Plan) -> list[str]:
    if plan.rows_per_person == 1:
        return []
    k, person = plan.rows_per_person, plan.person
    found = [
        f"For a person with {k:,} rows the promise is epsilon {decimal_text(person.epsilon)}, delta "
        f"{decimal_text(person.delta)}: {k:,} times that of a row. Of 100 coin-flip bets on a person the best attacker "
        f"gets {guesses_right(float(person.epsilon), float(person.delta))}."
    ]
    if not coverage(plan.settings).every_row:
        found.append(
            f"A person with {k:,} rows has hardly ever all of them among the test rows, and the others have no "
            "guarantee: protect every row."
        )
    return found


def _large_totals(plan: Plan, protected: int) -> list[str]:
    return [epsilon_note(plan.cost.epsilon), delta_note(plan.cost.delta, protected)]


def _unlikely(terms: Terms, m: int) -> str:
    needed, possible = terms.distance_needed(0.5), terms.largest_distance(m)
    if needed is None or needed <= possible:
        return ""
    return (
        f"{get_score(terms.score).title}: a release is unlikely whatever the data: they would have to be {needed:,} "
        f"rows from instability, and no more than {possible:,} are possible. The budget is spent all the same."
    )
