"""Sampling doubt: standard errors of margins, their use together with noise, and whether columns are related at all."""

import math

import numpy as np
import pytest
from scipy.special import ndtr

from privcause_core.explore.analysis import analyse
from privcause_core.explore.doubt import (
    JACKKNIFE_ROWS,
    SamplingDoubt,
    columns_related_p,
    jackknife_error,
    sampling_doubt,
)
from privcause_core.exports.analysis_json import analysis_dict
from privcause_core.fits.anm import fit_anm
from privcause_core.pair import Direction, Pair
from privcause_core.samples import load_sample
from privcause_core.scores import get_score
from privcause_core.settings import Settings

KENDALL = get_score("kendall")


def pair_of(x, y):
    return Pair("p", "x", "y", x, y)


def test_the_jackknife_finds_the_spread_of_margins_over_other_samples():
    """The fits are the same for all samples; only the scored rows differ."""
    rng = np.random.default_rng(0)
    settings = Settings(test_share=0.5)
    x = rng.normal(size=12_000)
    scored = fit_anm(pair_of(x, np.tanh(2 * x) + 0.3 * rng.normal(size=x.size)), settings).scored
    parts = np.array_split(rng.permutation(scored.m), 20)
    for score in (KENDALL, get_score("hsic")):
        spread = np.std([score.evaluate(scored.only(rows), settings).margin for rows in parts], ddof=1)
        errors = [jackknife_error(score, scored.only(rows), settings) for rows in parts]
        assert float(np.median(errors)) == pytest.approx(spread, rel=0.5)


def test_more_rows_than_the_jackknife_uses_shrink_its_error_by_the_root_of_the_sizes():
    rng = np.random.default_rng(1)
    x = rng.normal(size=32 * JACKKNIFE_ROWS)
    scored = fit_anm(pair_of(x, x**3 + rng.normal(size=x.size)), Settings()).scored
    few = scored.only(np.arange(JACKKNIFE_ROWS))
    ratio = jackknife_error(KENDALL, few, Settings()) / jackknife_error(KENDALL, scored, Settings())
    assert ratio == pytest.approx(math.sqrt(scored.m / few.m), rel=0.6)


@pytest.mark.parametrize("score", ["kendall", "spearman"])
def test_null_pairs_seldom_tell_an_arrow(score):
    told, rng = 0, np.random.default_rng(2)
    for seed in range(40):
        x = rng.normal(size=400)
        y = rng.normal(size=400) if seed % 2 else 0.8 * x + 0.6 * rng.normal(size=400)
        told += bool(analyse(pair_of(x, y), Settings(score=score, draws=10)).headline.tells_arrow)
    assert told <= 6  # mechanisms.md section 15 measured 0 to 15 % of null pairs


def test_a_cubic_curve_tells_its_arrow():
    rng = np.random.default_rng(5)
    x = rng.uniform(-1, 1, 1_000)
    curve = pair_of(x, x**3 + 0.2 * x + 0.1 * rng.uniform(-1, 1, 1_000))
    headline = analyse(curve, Settings(score="hsic", bandwidth=0.5, draws=10)).headline
    assert (headline.tells_arrow, headline.true.direction) == (True, Direction.X_TO_Y)


def test_both_doubts_together_are_one_convolution():
    """Simulated: a normal margin around the population's, then Laplace noise; independent given the margin."""
    doubt = SamplingDoubt(0.02, 1.5, False)
    assert doubt.probability_arrow == pytest.approx(float(ndtr(1.5)))
    assert doubt.probability_with_noise(0.0, 1.0) == doubt.probability_arrow
    assert doubt.probability_with_noise(0.5, 0.5) == pytest.approx(0.5)
    kept, flip = doubt.probability_arrow, 0.2
    assert doubt.probability_with_noise(flip, 0.8) == pytest.approx(kept * 0.8 + (1 - kept) * 0.2)
    assert doubt.probability_with_noise(0.0, 0.0) == 0.0  # every run refuses


def test_a_margin_tells_only_beyond_three_standard_errors_and_its_own_least_margin():
    class Careful:
        least_telling_margin = 0.01

    assert not sampling_doubt(KENDALL, 0.029, 0.01).tells_arrow
    assert sampling_doubt(KENDALL, -0.031, 0.01).tells_arrow
    assert not sampling_doubt(Careful(), 0.009, 0.001).tells_arrow
    assert sampling_doubt(Careful(), 0.011, 0.001).tells_arrow


@pytest.mark.parametrize(("margin", "error"), [(math.inf, 1.0), (0.1, None), (0.1, 0.0), (0.1, math.nan)])
def test_a_doubt_that_does_not_exist_is_none(margin, error):
    assert sampling_doubt(KENDALL, margin, error) is None


def test_constant_and_tiny_data_have_no_standard_error_but_no_failure_either():
    analysis = analyse(pair_of(np.ones(40), np.arange(40.0)), Settings(score="all", draws=10))
    assert {score.tells_arrow for score in analysis.scores} == {False}
    assert analysis.measurement.columns_related_p is None
    assert analyse(pair_of(np.arange(8.0), np.arange(8.0) ** 2), Settings(draws=10)).headline.tells_arrow in (
        None, False, True,
    )  # fmt: skip


def test_unrelated_columns_have_uniform_p_values_and_related_ones_small_ones():
    rng = np.random.default_rng(3)
    null = [columns_related_p(rng.normal(size=150), rng.standard_cauchy(150), seed) for seed in range(200)]
    assert 0.3 < float(np.mean(np.array(null) <= 0.5)) < 0.7  # 200 fair coins: 0.5 +- 0.035
    assert float(np.mean(np.array(null) <= 0.05)) < 0.13
    x = rng.normal(size=400)
    for y in (x + rng.normal(size=400), x**2 + 0.5 * rng.normal(size=400), np.abs(x) * rng.normal(size=400)):
        assert columns_related_p(x, y, 0) <= 0.01


def test_the_p_value_is_repeatable_and_none_for_a_constant():
    x = np.random.default_rng(4).normal(size=50)
    assert columns_related_p(x, x[::-1].copy(), 7) == columns_related_p(x, x[::-1].copy(), 7)
    assert columns_related_p(x, np.ones(50), 7) is None


def test_json_holds_both_doubts_and_says_where_they_do_not_exist():
    known = analysis_dict(analyse(load_sample("diabetes-age-bp"), Settings(draws=10)))
    entry = known["scores"][Settings().score]
    assert entry["sampling_z"] == pytest.approx(entry["margin"] / entry["margin_standard_error"])
    assert isinstance(entry["tells_arrow"], bool)
    assert 0.0 <= entry["probability_population_agrees"] <= 1.0
    assert 0.0 < known["columns_related_p"] <= 1.0
    unknown = analysis_dict(analyse(pair_of(np.ones(40), np.arange(40.0)), Settings(draws=10)))
    assert unknown["columns_related_p"] is None
    assert any("constant" in warning for warning in unknown["warnings"])


def test_votes_of_blocks_have_a_standard_error_that_unanimity_does_not_remove():
    settings = Settings(score="hsic", protect="every-row", blocks=8, draws=10)
    headline = analyse(load_sample("synthetic-saturation", rows=4_000), settings).headline
    assert headline.true.direction is Direction.X_TO_Y
    assert headline.true.doubt.standard_error == 1.0
