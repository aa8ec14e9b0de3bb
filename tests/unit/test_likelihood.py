"""Likelihood votes: bounded, exact, total, each row's own; planted faults; what rounding does without dithering."""

from dataclasses import replace

import numpy as np
import pytest

from privcause_core.explore.analysis import analyse
from privcause_core.fits import dither
from privcause_core.fits.anm import fit_anm
from privcause_core.fits.halves import SeededDeal
from privcause_core.ledger.dealing import DealtRows
from privcause_core.pair import Direction, Pair
from privcause_core.scores import get_score
from privcause_core.scores.likelihood import STEPS, Likelihood, bounded, votes
from privcause_core.settings import NoiseModel, Settings
from privcause_core.verdicts.mechanisms import verdict_for

SCORE = get_score("likelihood")
SETTINGS = Settings(score="likelihood", draws=10)


def pair_of(x, y):
    return Pair("p", "x", "y", x, y)


def curve(rows, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=rows)
    return x, np.tanh(2.0 * x) + 0.3 * rng.normal(size=rows)


def scored(x, y, settings=SETTINGS):
    return fit_anm(pair_of(x, y), settings).scored


def test_one_replaced_row_attains_twice_the_limit_over_m_and_never_more():
    """A row that was as unlikely as can be under y -> x becomes as unlikely under x -> y: 2c/m, exactly."""
    x, y = curve(400)
    fit = fit_anm(pair_of(x, y), SETTINGS)
    cast = votes(fit.scored.columns, NoiseModel.AUTO)
    m, limit = fit.n_test, SETTINGS.vote_limit
    for_xy, for_yx = fit.test[np.argmax(cast)], fit.test[np.argmin(cast)]
    assert cast.max() > limit
    assert cast.min() < -limit
    moved_x, moved_y = x.copy(), y.copy()
    moved_x[for_xy], moved_y[for_xy] = x[for_yx], y[for_yx]
    before, after = SCORE.evaluate(fit.scored, SETTINGS), SCORE.evaluate(scored(moved_x, moved_y), SETTINGS)
    assert before.margin - after.margin == pytest.approx(2.0 * limit / m, rel=1e-12)
    for one, other in ((before.xy, after.xy), (before.yx, after.yx)):
        assert abs(one - other) <= limit / m * (1 + 1e-12)


def test_parts_of_the_test_rows_score_as_if_they_had_been_dealt_alone():
    pair = scored(*np.round(curve(300), 1))  # rounded, so that both columns are dithered
    parts = [np.random.default_rng(k).choice(150, size, replace=False) for k, size in enumerate((1, 20, 150))]
    alone = [SCORE.evaluate(pair.only(rows), SETTINGS) for rows in parts]
    assert SCORE.evaluate_parts(pair, SETTINGS, parts) == alone


def test_a_row_moves_no_other_rows_vote():
    x, y = curve(300)
    fit = fit_anm(pair_of(x, y), SETTINGS)
    before = votes(fit.scored.columns, NoiseModel.AUTO)
    x[fit.test[7]] = 50.0
    after = votes(fit_anm(pair_of(x, y), SETTINGS).scored.columns, NoiseModel.AUTO)
    assert np.flatnonzero(before != after).tolist() == [7]


def test_the_verdict_uses_the_limit_over_m():
    assert verdict_for(SCORE, 100, SETTINGS).sensitivity == 0.005
    assert verdict_for(SCORE, 100, SETTINGS.with_(vote_limit=2.0)).sensitivity == 0.02


def test_exchanged_columns_exchange_the_scores_exactly_rounded_or_not():
    for digits in (1, 8):
        x, y = (values.round(digits) for values in curve(250))
        one, other = SCORE.evaluate(scored(x, y), SETTINGS), SCORE.evaluate(scored(y, x), SETTINGS)
        assert (one.xy, one.yx, one.standard_error) == (other.yx, other.xy, other.standard_error)


def test_votes_are_whole_steps_and_what_is_no_number_abstains_before_the_limit():
    cast = bounded(np.array([np.nan, np.inf, -np.inf, 9.0, -9.0, 0.25, 1e-12]), 0.5)
    assert cast.tolist() == [0, 0, 0, STEPS, -STEPS, STEPS // 2, 0]


def test_an_incomplete_row_abstains_and_is_counted():
    x, y = curve(200)
    order = np.random.default_rng(1).permutation(200)
    everyone = fit_anm(pair_of(x, y), SETTINGS, DealtRows(order, np.arange(200)))
    gone = order[-1]  # dealt to the test half
    used = np.delete(np.arange(200), gone)
    one_less = fit_anm(pair_of(x[used], y[used]), SETTINGS, DealtRows(order, used))
    assert (one_less.n_test, one_less.test.size) == (100, 99)
    whole, part = SCORE.evaluate(everyone.scored, SETTINGS), SCORE.evaluate(one_less.scored, SETTINGS)
    own = bounded(votes(everyone.scored.columns, NoiseModel.AUTO), 0.5)[-1] / STEPS * 0.5
    assert whole.margin - part.margin == pytest.approx(own / 100, abs=1e-15)


def test_an_emptied_cell_of_a_rounded_column_moves_no_other_rows_vote():
    """A dither draw belongs to a dealt place, not to a position among the complete rows."""
    x, y = (values.round(1) for values in curve(200))
    order = np.random.default_rng(1).permutation(200)
    gone = order[120]
    used = np.delete(np.arange(200), gone)
    before = fit_anm(pair_of(x, y), SETTINGS, DealtRows(order, np.arange(200))).scored.columns
    after = fit_anm(pair_of(x[used], y[used]), SETTINGS, DealtRows(order, used)).scored.columns
    kept = before.places != 20
    assert np.array_equal(votes(before, NoiseModel.AUTO)[kept], votes(after, NoiseModel.AUTO))


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (np.ones(40), np.arange(40.0)),
        (np.ones(40), np.ones(40)),
        (np.r_[np.zeros(39), 1e300], np.arange(40.0)),
        (np.arange(40.0), np.arange(40.0)),
        (1e300 * np.random.default_rng(0).standard_cauchy(40), np.arange(40.0) % 2),
        (2**60 + np.arange(40), 1e-300 * np.arange(40.0)),
    ],
)  # fmt: skip
def test_every_table_has_finite_scores_within_the_limit(x, y):
    found = SCORE.evaluate(scored(x, y), SETTINGS)
    assert 0.0 <= found.xy <= SETTINGS.vote_limit
    assert 0.0 <= found.yx <= SETTINGS.vote_limit
    assert found.standard_error > 0.0


def test_without_training_or_test_rows_nobody_votes():
    pair = pair_of(*curve(20))
    for order in (np.arange(20), np.arange(20)[::-1]):
        for used in ([0], [0, 1, 2], [19], [17, 18, 19]):
            few = pair_of(pair.x[used], pair.y[used])
            deal = DealtRows(order, np.array(used))
            fit_rows = deal.halves(len(used), 0.5)
            columns = replace(
                scored(*curve(20)).columns, x=few.x[fit_rows.train], y=few.y[fit_rows.train],
                x_test=few.x[fit_rows.test], y_test=few.y[fit_rows.test], places=fit_rows.places,
                n_test=fit_rows.n_test,
            )  # fmt: skip
            assert not votes(columns, NoiseModel.AUTO).any()


def test_public_ranges_offer_no_columns_so_nobody_votes():
    found = SCORE.evaluate(replace(scored(*curve(40)), columns=None), SETTINGS)
    assert (found.xy, found.yx) == (0.0, 0.0)


class LimitedAfterTheMean(Likelihood):
    """A planted fault: votes are averaged before they are limited."""

    def evaluate(self, pair, settings):
        found = super().evaluate(pair, settings)
        mean = float(np.mean(votes(pair.columns, settings.noise_model)))
        return replace(found, xy=max(-mean, 0.0), yx=max(mean, 0.0))


class DensityOfTheTestHalf(Likelihood):
    """A planted fault: densities and fits from the scored rows themselves."""

    def evaluate(self, pair, settings):
        columns = pair.columns
        return super().evaluate(replace(pair, columns=replace(columns, x=columns.x_test, y=columns.y_test)), settings)


@pytest.mark.parametrize("fault", [LimitedAfterTheMean, DensityOfTheTestHalf])
def test_a_planted_fault_moves_the_scores_further_than_the_bound(fault):
    x, y = curve(60)
    fit, score, largest = fit_anm(pair_of(x, y), SETTINGS), fault(), 0.0
    before = score.evaluate(fit.scored, SETTINGS)
    for row in fit.test:
        moved_x, moved_y = x.copy(), y.copy()
        moved_x[row], moved_y[row] = 1e3, -1e3
        after = score.evaluate(scored(moved_x, moved_y), SETTINGS)
        largest = max(largest, abs(before.xy - after.xy), abs(before.yx - after.yx))
    assert largest > 1.5 * SETTINGS.vote_limit / fit.n_test


def arrows(make, runs=12):
    return [analyse(pair_of(*make(np.random.default_rng(seed))), SETTINGS).headline.true for seed in range(runs)]


def rounded_effect(rng):
    x = rng.normal(size=1_000)
    y = np.tanh(2.0 * x) + 0.2 * rng.normal(size=1_000)
    step = 0.5 * y.std()
    return x, np.round(y / step) * step


def rounded_line(rng):
    x = rng.normal(size=1_000)
    return np.round(2.0 * x) / 2.0, x + rng.normal(size=1_000)


def test_a_rounded_effect_keeps_its_arrow_and_without_dithering_loses_it(monkeypatch):
    right = sum(one.direction is Direction.X_TO_Y for one in arrows(rounded_effect))
    monkeypatch.setattr(dither, "rounding_step", lambda _: 0.0)
    assert right >= 10
    assert sum(one.direction is Direction.X_TO_Y for one in arrows(rounded_effect)) <= 3


def test_a_rounded_gaussian_line_tells_no_arrow_and_without_dithering_always_the_same(monkeypatch):
    told = sum(one.doubt.tells_arrow for one in arrows(rounded_line))
    monkeypatch.setattr(dither, "rounding_step", lambda _: 0.0)
    assert told <= 2
    assert sum(one.direction is Direction.X_TO_Y for one in arrows(rounded_line)) >= 11


@pytest.mark.parametrize("model", list(NoiseModel))
def test_a_growing_noise_is_found_by_location_scale_and_missed_by_additive_noise(model):
    def fan(rng):
        x = rng.uniform(0.0, 3.0, 1_000)
        return x, x + (0.05 + 0.4 * x) * rng.normal(size=1_000)

    settings = SETTINGS.with_(noise_model=model)
    right = sum(
        analyse(pair_of(*fan(np.random.default_rng(seed))), settings).headline.true.direction is Direction.X_TO_Y
        for seed in range(8)
    )
    assert right <= 4 if model is NoiseModel.ADDITIVE else right >= 7


def test_null_pairs_seldom_tell_an_arrow_and_their_margins_are_as_doubtful_as_said():
    rng, scores = np.random.default_rng(3), []
    for k in range(40):
        x = rng.normal(size=400)
        y = rng.normal(size=400) if k % 2 else 0.8 * x + 0.6 * rng.normal(size=400)
        scores.append(analyse(pair_of(x, y), SETTINGS).headline.true.doubt)
    assert sum(doubt.tells_arrow for doubt in scores) <= 2  # mechanisms.md section 15: 0 to 5 %
    assert np.std([doubt.z for doubt in scores]) < 1.8


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("model", NoiseModel)
def test_the_score_of_a_deal_is_that_of_a_whole_fit_without_its_regressions(model, exchanged):
    pair, deal, settings = pair_of(*curve(90)), SeededDeal(2, exchanged), Settings(noise_model=model, seed=2)
    assert SCORE.of_deal(pair, settings, deal) == SCORE.evaluate(fit_anm(pair, settings, deal).scored, settings)
