"""Audits of likelihood releases on neighbours that reach the bound, of an emptied cell, and of voting blocks.

Every audit has a broken twin that it must catch. Declared false-alarm rate: 4e-9 an event, below 1e-6 for the file.
"""

from dataclasses import replace

import numpy as np
import pytest

from privcause_core.fits.anm import fit_anm
from privcause_core.ledger.dealing import DealtRows
from privcause_core.pair import Pair
from privcause_core.protection import voting_blocks
from privcause_core.protection.voting_blocks import block_verdict, count_votes
from privcause_core.scores import get_score
from privcause_core.scores.likelihood import Likelihood, bounded, votes
from privcause_core.settings import NoiseModel, ReleaseKind, Settings
from privcause_core.verdicts.mechanisms import verdict_for
from tests.audit.auditing import RUNS, BulkNoise, HalvedSensitivity, WeakNoise, breaks_promise

pytestmark = pytest.mark.audit

SCORE = get_score("likelihood")
ROWS = 200
ORDER = np.random.default_rng(1).permutation(ROWS)
each_release = pytest.mark.parametrize("release", ReleaseKind)
each_loss = pytest.mark.parametrize("epsilon", [0.5, 1.0])


def curve():
    rng = np.random.default_rng(0)
    x = rng.normal(size=ROWS)
    return x, np.tanh(2.0 * x) + 0.3 * rng.normal(size=ROWS)


def scores_of(x, y, used=None, score=SCORE):
    """Return the two scores of the rows used of a dealt table."""
    used = np.arange(ROWS) if used is None else used
    fit = fit_anm(Pair("p", "x", "y", x[used], y[used]), Settings(), DealtRows(ORDER, used))
    found = score.evaluate(fit.scored, Settings())
    return found.xy, found.yx


def turned_row(score=SCORE):
    """Return the scores before and after one test row turns from the strongest vote for x -> y to the one against."""
    x, y = curve()
    fit = fit_anm(Pair("p", "x", "y", x, y), Settings(), DealtRows(ORDER, np.arange(ROWS)))
    cast = votes(fit.scored.columns, NoiseModel.AUTO)
    one, other = fit.test[np.argmax(cast)], fit.test[np.argmin(cast)]
    moved_x, moved_y = x.copy(), y.copy()
    moved_x[one], moved_y[one] = x[other], y[other]
    return scores_of(x, y, score=score), scores_of(moved_x, moved_y, score=score)


def margin(scores):
    return scores[1] - scores[0]


def events(sides):
    """Return the events that the two sides' likelihood ratio singles out, fixed before any noise is drawn."""
    one, other = (np.array([*side, margin(side)]) for side in sides)
    chosen = []
    for share in (0.0, 0.5, 1.0):
        cuts = one + share * (other - one)
        chosen += [lambda out, cut=cuts[2]: out[:, -1] > cut, lambda out, cut=cuts[2]: out[:, -1] <= cut]
        chosen += [lambda out, cut=cuts: (out[:, 0] > cut[0]) & (out[:, 1] < cut[1]),
                   lambda out, cut=cuts: (out[:, 0] < cut[0]) & (out[:, 1] > cut[1])]  # fmt: skip
    return chosen


def caught(sides, release, epsilon, noise=BulkNoise, mechanism=None):
    mechanism = mechanism or verdict_for(SCORE, ROWS // 2, Settings(epsilon=epsilon, release=release))
    outputs = []
    for seed, side in enumerate(sides):
        source = noise(seed, 2 * RUNS + 1)
        released = (mechanism.release(side, source) for _ in range(RUNS))
        outputs.append(np.array([(one.values[0], one.values[-1], one.margin) for one in released]))
    return breaks_promise(*outputs, events(sides), epsilon)


def test_the_turned_row_reaches_the_bound_of_the_margin():
    before, after = turned_row()
    assert margin(before) - margin(after) == pytest.approx(2.0 * Settings().vote_limit / (ROWS // 2))


@each_release
@each_loss
def test_a_row_that_turns_its_vote_is_covered_and_with_four_fifths_of_the_noise_it_is_not(release, epsilon):
    sides = turned_row()
    assert not caught(sides, release, epsilon)
    assert caught(sides, release, epsilon, WeakNoise)


class Unlimited(Likelihood):
    """Broken: votes are limited at four times what the noise is scaled to."""

    def evaluate(self, pair, settings):
        return super().evaluate(pair, settings.with_(vote_limit=4.0 * settings.vote_limit))


class DensityOfTheTestHalf(Likelihood):
    """Broken: densities and fits come from the scored rows themselves."""

    def evaluate(self, pair, settings):
        columns = pair.columns
        return super().evaluate(replace(pair, columns=replace(columns, x=columns.x_test, y=columns.y_test)), settings)


@each_release
def test_votes_beyond_their_limit_are_caught(release):
    assert caught(turned_row(Unlimited()), release, 1.0)


@each_release
def test_a_density_of_the_scored_rows_is_caught(release):
    """One scored row far away changes every other row's vote."""
    x, y = curve()
    row, score = ORDER[-1], DensityOfTheTestHalf()
    moved_x, moved_y = x.copy(), y.copy()
    moved_x[row], moved_y[row] = 1e3, -1e3
    assert caught((scores_of(x, y, score=score), scores_of(moved_x, moved_y, score=score)), release, 1.0)
    assert not caught((scores_of(x, y), scores_of(moved_x, moved_y)), release, 1.0)


class WrongIfIncomplete(Likelihood):
    """Broken: an incomplete row counts as the strongest vote times five, where it should abstain."""

    def evaluate(self, pair, settings):
        found = super().evaluate(pair, settings)
        missing = pair.columns.n_test - pair.columns.places.size
        return replace(found, xy=found.xy + 5.0 * missing * settings.vote_limit / pair.columns.n_test)


@each_release
def test_an_emptied_cell_is_covered_and_a_penalty_for_it_is_caught(release):
    x, y = curve()
    fit = fit_anm(Pair("p", "x", "y", x, y), Settings(), DealtRows(ORDER, np.arange(ROWS)))
    cast = bounded(votes(fit.scored.columns, NoiseModel.AUTO), Settings().vote_limit)
    used = np.delete(np.arange(ROWS), fit.test[np.argmax(np.abs(cast))])
    assert not caught((scores_of(x, y), scores_of(x, y, used)), release, 1.0)
    twin = WrongIfIncomplete()
    assert caught((scores_of(x, y, score=twin), scores_of(x, y, used, twin)), release, 1.0)


def test_one_record_that_turns_its_blocks_vote_is_covered_and_half_of_the_noise_is_caught(monkeypatch):
    """Blocks of 20 rows of unrelated columns vote: their margins are small, so that one record turns some."""
    monkeypatch.setattr(voting_blocks, "CROSS_FITS", 1)
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(2, ROWS))
    settings, deal = Settings(blocks=10, protect="every-row"), DealtRows(ORDER, np.arange(ROWS))

    def neighbours():
        for row in range(ROWS):
            moved_x, moved_y = x.copy(), y.copy()
            moved_x[row], moved_y[row] = 3.0 * rng.normal(size=2)
            yield count_votes(Pair("p", "x", "y", moved_x, moved_y), SCORE, settings, deal)

    before = count_votes(Pair("p", "x", "y", x, y), SCORE, settings, deal)
    after = next(one for one in neighbours() if margin(one.against) - margin(before.against) in (-2, 2))
    verdict = block_verdict(settings.with_(epsilon=1.0))
    sides = before.against, after.against
    assert not caught(sides, ReleaseKind.DIRECTION, 1.0, mechanism=verdict)
    assert caught(sides, ReleaseKind.DIRECTION, 1.0, HalvedSensitivity, verdict)
