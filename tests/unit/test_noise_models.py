"""Additive or location-scale residuals: who takes which, and what the second changes."""

import numpy as np
import pytest

from privcause_core.errors import ParameterError
from privcause_core.explore.analysis import analyse
from privcause_core.fits.anm import fit_anm
from privcause_core.pair import Direction, Pair
from privcause_core.protection.choice import coverage
from privcause_core.scores import all_scores, get_score
from privcause_core.settings import NoiseModel, Settings

SCALED = Settings(noise_model=NoiseModel.LOCATION_SCALE)


def fan(rows, seed=0):
    """Return a pair whose noise grows with the cause."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0.0, 3.0, rows)
    return Pair("fan", "x", "y", x, np.sin(2.0 * x) + (0.1 + 0.4 * x) * rng.normal(size=rows))


def test_location_scale_residuals_no_longer_spread_with_the_cause():
    fitted = fit_anm(fan(4_000), SCALED, scaled=True)
    cause, plain, scaled = (
        fitted.scored.x_to_y.cause, fitted.scored.x_to_y.residual, fitted.scaled.x_to_y.residual,
    )  # fmt: skip
    ratios = [np.std(r[cause > 2.0]) / np.std(r[cause < 1.0]) for r in (plain, scaled)]
    assert ratios[0] > 2.5
    assert ratios[1] == pytest.approx(1.0, abs=0.25)


def test_scaled_residuals_are_made_only_where_they_are_asked_for():
    assert fit_anm(fan(100), Settings()).scaled is None
    assert coverage(Settings(score="kendall")).fit(fan(100)).scaled is None
    assert coverage(SCALED.with_(score="kendall")).fit(fan(100)).scaled is not None


def test_the_choice_reaches_every_score_but_the_iqr():
    fitted = fit_anm(fan(400), SCALED, scaled=True)
    for score in all_scores():
        plain, scaled = (score.evaluate(score.shown(fitted, one), one) for one in (
            Settings(noise_model=NoiseModel.ADDITIVE), SCALED,
        ))  # fmt: skip
        assert (plain == scaled) == (score.name == "iqr"), score.name


def test_exchanged_columns_exchange_scaled_residuals_exactly():
    pair = fan(300)
    one, other = fit_anm(pair, SCALED, scaled=True), fit_anm(pair.swapped(), SCALED, scaled=True)
    assert np.array_equal(one.scaled.x_to_y.residual, other.scaled.y_to_x.residual)
    assert np.array_equal(one.scaled.y_to_x.residual, other.scaled.x_to_y.residual)


def test_a_scored_row_moves_no_other_rows_scaled_residual():
    pair = fan(200)
    before = fit_anm(pair, SCALED, scaled=True)
    x = pair.x.copy()
    x[before.test[0]] += 5.0
    after = fit_anm(Pair("p", "x", "y", x, pair.y), SCALED, scaled=True)
    assert np.array_equal(before.scaled.x_to_y.residual[1:], after.scaled.x_to_y.residual[1:])


def test_hsic_finds_the_arrow_of_growing_noise_with_scaled_residuals():
    settings = SCALED.with_(score="hsic", bandwidth=0.5, draws=10)
    arrows = [analyse(fan(1_000, seed), settings).headline.true.direction for seed in range(5)]
    assert arrows.count(Direction.X_TO_Y) >= 4


def test_public_ranges_refuse_scaled_residuals_because_no_bound_is_proved():
    settings = SCALED.with_(score="hsic", protect="every-row", route="ridge", range_x="0..3", range_y="-3..3")
    with pytest.raises(ParameterError, match="noise_model additive"):
        analyse(fan(100), settings)


def test_constant_data_have_finite_scaled_residuals():
    fitted = fit_anm(Pair("p", "x", "y", np.ones(40), np.arange(40.0)), SCALED, scaled=True)
    assert np.isfinite(fitted.scaled.x_to_y.residual).all()
    assert np.isfinite(fitted.scaled.y_to_x.residual).all()


def test_a_block_that_fails_or_is_too_small_votes_for_neither_arrow(monkeypatch):
    from privcause_core.ledger.dealing import DealtRows
    from privcause_core.protection.voting_blocks import count_votes

    hsic, settings = get_score("hsic"), Settings(blocks=4)
    order = np.random.default_rng(0).permutation(400)
    used = np.sort(order[:310])  # 90 incomplete rows, all dealt to the last block: ten are left in it
    deal = DealtRows(np.concatenate([order[:300], order[310:], order[300:310]]), used)
    votes = count_votes(fan(310), hsic, settings, deal)
    assert votes.blocks == 4
    monkeypatch.setattr(type(hsic), "statistic", lambda *_: 1 / 0)
    assert count_votes(fan(310), hsic, settings, deal).against == (0.0, 0.0)
