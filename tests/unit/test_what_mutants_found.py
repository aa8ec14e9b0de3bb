"""Numbers and sentences that a mutation run found unguarded: bounds worked out by hand, and what verification says."""

import json
import math
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from privcause_core.explore.block_planning import least_blocks, vote_certainty
from privcause_core.explore.correctness import least_epsilon_by_bisection
from privcause_core.fits import ridge
from privcause_core.fits.anm import fit_anm
from privcause_core.fits.halves import SeededDeal
from privcause_core.fits.scored import ScoredDirection
from privcause_core.pair import Direction, Pair
from privcause_core.release import Plan, Released, confidence_in_arrow, margin_interval, quote, verify
from privcause_core.scores import TwoScores, all_scores, get_score
from privcause_core.scores.base import formulas
from privcause_core.scores.likelihood import votes
from privcause_core.settings import BLOCKS_MAX, EPSILON_MIN, Calibration, NoiseModel, Settings
from privcause_core.verdicts.theory import iqr_shares

GOLDEN = Path(__file__).parents[1] / "contract" / "golden" / "certificate-2-blocks.json"


def growing_noise(rows=120):
    rng = np.random.default_rng(4)
    x = rng.uniform(0.2, 2.0, rows)
    return Pair("p", "x", "y", x, x + 0.4 * x * rng.normal(size=rows))


@pytest.mark.parametrize("name", ["kendall", "soft-kendall"])
def test_the_published_kendall_bound_may_exceed_the_range_and_the_refined_one_never_does(name):
    kendall = get_score(name)
    assert kendall.sensitivity(3, Calibration.PAPER) == 4.0 / 3.0
    assert kendall.sensitivity(3, Calibration.REFINED) == 1.0


@pytest.mark.parametrize("name", ["spearman", "kendall", "soft-kendall"])
def test_a_rank_score_of_a_column_with_itself_is_the_largest(name):
    u = np.arange(-4.0, 5.0)
    largest = get_score(name).statistic(ScoredDirection(u, u, u, u), Settings(soft_width=0.5))
    assert largest == get_score(name).largest(9)


def test_a_score_that_the_paper_has_not_shows_its_refined_bound_for_both():
    assert formulas("a") == {Calibration.REFINED: "a", Calibration.PAPER: "a"}
    assert formulas("a", paper="b") == {Calibration.REFINED: "a", Calibration.PAPER: "b"}


def test_soft_kendalls_training_bound_covers_one_step_of_its_grid():
    # 4 floor(m^2/4) / (m (m-1)) (shift/width + 2^-30) at m = 5, shift 0.01, width 0.5
    expected = 24 / 20 * (0.02 + 2.0**-30)
    assert get_score("soft-kendall").training_sensitivity(5, 0.01, Settings(soft_width=0.5)) == pytest.approx(
        expected, rel=1e-12
    )


def test_hsics_training_bound_is_the_documented_one():
    # (m/(m-1))^2 exp(-1/2)/bandwidth shift/sqrt 2 at m = 5, bandwidth 2, shift 0.02
    expected = (5.0 / 4.0) ** 2 * (math.exp(-0.5) / 2.0) * 0.02 / math.sqrt(2.0)
    assert get_score("hsic").training_sensitivity(5, 0.02, Settings(bandwidth=2.0)) == pytest.approx(expected)


def test_a_plan_from_settings_keeps_epsilon_and_delta_as_typed():
    planned = Plan.from_settings(Settings(epsilon=0.3, delta=1e-9))
    assert (planned.epsilon, planned.delta) == (Decimal("0.3"), Decimal("1e-9"))


def test_the_largest_number_of_blocks_is_still_found():
    sure = vote_certainty(BLOCKS_MAX, 0.51, 1.0)
    assert vote_certainty(BLOCKS_MAX - 1, 0.51, 1.0) < sure
    assert least_blocks(0.51, sure, 1.0) == BLOCKS_MAX


def test_verification_says_which_claims_differ_from_what_the_plan_gives():
    claimed = json.loads(GOLDEN.read_text(encoding="utf-8"))
    claimed["guarantee"]["epsilon"], claimed["releases"][0]["draws"][0]["noise_scale"] = "0.5", 1.0
    findings = [check.finding for check in verify(claimed).checks]
    assert "not as recomputed: guarantee.epsilon" in findings
    assert "not as recomputed: releases[0].draws[0].noise_scale" in findings
    claimed = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert [check.finding for check in verify(claimed).checks][:2] == ["as recomputed", "as recomputed"]


def test_the_shares_of_an_iqr_verdict_add_to_one_and_name_what_is_wholly_and_partly_refused():
    """Each test passes with probability 1/2 where the distance is the threshold; then a log-IQR comes out in 3/4."""
    threshold = 1.0 + math.log(1e3) / 0.5
    shares = iqr_shares(0.0, [(threshold, threshold)] * 4, 0.5, 1e-3, 1.0)
    assert shares.refused == pytest.approx(0.25**4)
    assert shares.right == shares.wrong == pytest.approx(0.75**4 / 2)
    assert shares.partly_refused == pytest.approx(1.0 - 0.75**4 - 0.25**4)


def test_a_certainty_that_is_just_reached_everywhere_needs_the_least_epsilon():
    assert least_epsilon_by_bisection(lambda _: 0.9, 0.9) == pytest.approx(EPSILON_MIN)


@pytest.mark.parametrize("score", all_scores(), ids=lambda score: score.name)
@pytest.mark.parametrize("model", list(NoiseModel))
def test_a_deal_scored_alone_gives_the_scores_of_the_residuals_that_the_score_asks_for(score, model):
    settings, deal = Settings(noise_model=model), SeededDeal(0, exchanged=True)
    fitted = fit_anm(growing_noise(), settings, deal, scaled=True)
    assert score.of_deal(growing_noise(), settings, deal) == score.evaluate(score.shown(fitted, settings), settings)


def test_a_score_takes_the_noise_that_is_chosen_and_its_own_where_none_is():
    takes = {
        (name, model): get_score(name).takes_scaled(Settings(noise_model=model))
        for name in ("hsic", "root-hsic")
        for model in NoiseModel
    }
    assert {key for key, scaled in takes.items() if scaled} == {
        ("root-hsic", NoiseModel.AUTO),
        ("root-hsic", NoiseModel.LOCATION_SCALE),
        ("hsic", NoiseModel.LOCATION_SCALE),
    }


def test_likelihood_has_no_evidence_in_any_part_of_rows_whose_columns_are_not_known():
    likelihood, settings = get_score("likelihood"), Settings()
    scored = fit_anm(growing_noise(), settings).scored
    without = type(scored)(scored.x_to_y, scored.y_to_x)
    assert likelihood.evaluate(without, settings) == TwoScores(0.0, 0.0)
    assert likelihood.evaluate_parts(without, settings, [np.arange(9), np.arange(60)]) == [TwoScores(0.0, 0.0)] * 2


@pytest.mark.parametrize("name", ["hsic", "root-hsic"])
def test_both_kernels_have_the_chosen_bandwidth_so_that_cause_and_residual_may_be_exchanged(name):
    score, settings = get_score(name), Settings(bandwidth=0.4)
    u, v = np.random.default_rng(2).normal(size=(2, 60))
    v += u**2
    one, other = (score.statistic(ScoredDirection(a, a, b, b), settings) for a, b in ((u, v), (v, u)))
    assert one == pytest.approx(other, rel=1e-9)


def test_the_bound_of_root_hsic_leaves_room_for_its_rounding_in_tables_of_any_size():
    bound = {m: get_score("root-hsic").sensitivity(m, Calibration.REFINED) for m in (1_000, 10**6, 10**8)}
    assert bound[1_000] == 2.4495 / 1_000
    assert bound[10**6] >= math.sqrt(6.0) / 10**6 + 2e-13
    assert bound[10**8] >= math.sqrt(6.0) / 10**8 + 1e-12


def test_likelihoods_standard_error_is_that_of_a_mean_of_bounded_votes_and_one_vote_more():
    settings = Settings(vote_limit=0.7)
    columns = fit_anm(growing_noise(), settings).scored.columns
    cast = np.clip(votes(columns, settings.noise_model), -0.7, 0.7)
    scores = get_score("likelihood").evaluate(fit_anm(growing_noise(), settings).scored, settings)
    assert abs(cast.mean()) > 0.0
    assert scores.margin == pytest.approx(cast.mean(), abs=1e-5)
    assert scores.standard_error == pytest.approx(math.sqrt(cast.var() / 60 + (0.7 / 60) ** 2), rel=1e-4)


@pytest.mark.parametrize("model", list(NoiseModel))
def test_votes_of_a_table_too_large_to_select_on_whole_are_the_same_each_time(model, monkeypatch):
    monkeypatch.setattr(ridge, "SELECTION_ROWS", 40)
    columns = fit_anm(growing_noise(), Settings()).scored.columns
    assert np.array_equal(votes(columns, model), votes(columns, model))


def test_an_infinite_private_margin_leaves_no_doubt_about_the_arrow_and_has_no_interval():
    (terms,) = quote(Plan(("iqr",), Decimal(1)), 400).terms
    released = Released((-math.inf, 0.0, 0.0, 0.0), math.inf, Direction.X_TO_Y)
    assert confidence_in_arrow(terms, released) == 1.0
    assert margin_interval(terms, released, 0.95) is None
