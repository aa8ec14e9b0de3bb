"""Who is protected, as one choice, from the analysis to the certificate."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from privcause_core.errors import LedgerError, ParameterError
from privcause_core.explore.analysis import analyse, judge, measure
from privcause_core.fits.halves import SeededDeal
from privcause_core.ledger import Ledger
from privcause_core.protection.choice import OnlyTestRows, coverage
from privcause_core.protection.public_ranges import ByPublicRanges, releasable
from privcause_core.protection.voting_blocks import ByVotingBlocks
from privcause_core.release import Plan, certificate, release, verify
from privcause_core.samples import load_sample
from privcause_core.scores import LaplaceScore, all_scores, get_score
from privcause_core.settings import Calibration, Protection, ReleaseKind, Route, Settings
from privcause_core.verdicts.laplace import DirectionLaplace
from privcause_core.verdicts.propose_test_release import IqrVerdict
from tests.unit.releasing import plan

NOW = datetime(2026, 1, 1, tzinfo=UTC)
EVERY_ROW = Protection.EVERY_ROW
RIDGE = {"protect": EVERY_ROW, "route": Route.RIDGE, "range_x": "-4..4", "range_y": "-4..4"}
BLOCKS = {"protect": EVERY_ROW, "route": Route.BLOCKS, "blocks": 10}


def test_settings_name_one_of_three_ways_to_protect():
    assert isinstance(coverage(Settings(route=Route.RIDGE)), OnlyTestRows)
    assert isinstance(coverage(Settings(**RIDGE)), ByPublicRanges)
    assert isinstance(coverage(Settings(**BLOCKS)), ByVotingBlocks)


def test_all_means_every_score_that_the_protection_allows():
    assert coverage(Settings(score="all")).scores() == all_scores()
    assert coverage(Settings(score="all", **BLOCKS)).scores() == all_scores()
    assert {s.name for s in coverage(Settings(score="all", **RIDGE)).scores()} == {"hsic", "iqr", "soft-kendall"}


@pytest.mark.parametrize("name", ["kendall", "spearman"])
def test_rank_scores_are_refused_by_the_ridge_route_with_the_reason(name):
    with pytest.raises(ParameterError, match="every row"):
        coverage(Settings(score=name, **RIDGE)).scores()


def test_ridge_without_public_ranges_is_refused_before_any_fit():
    with pytest.raises(ParameterError, match="range_x"):
        Plan(("hsic",), Decimal(1), settings=Settings(protect=EVERY_ROW, route=Route.RIDGE))


def test_joint_noise_is_never_smaller_than_the_test_rows_noise():
    plain, joint = Settings(score="hsic"), Settings(score="hsic", **RIDGE)
    hsic = get_score("hsic")
    for n in (100, 10_000, 1_000_000):
        scales = [coverage(settings).verdict(hsic, n, n).noise_scale for settings in (joint, plain)]
        assert scales[0] >= scales[1]


def test_blocks_release_one_difference_of_votes_whatever_the_score():
    for score in all_scores():
        assert coverage(Settings(epsilon=0.5, **BLOCKS)).verdict(score, 50, 50) == DirectionLaplace(1.0, 0.5)


def test_analysis_under_blocks_compares_votes_and_flips_as_one_draw_does():
    analysis = analyse(load_sample("synthetic-saturation"), Settings(score="kendall", **BLOCKS))
    one = analysis.headline
    assert one.true.score_xy + one.true.score_yx <= 10
    assert one.true.margin == one.true.score_yx - one.true.score_xy
    assert one.verdict.kind is ReleaseKind.DIRECTION
    # One draw of scale 2/epsilon = 2 on the difference of the votes.
    assert one.probability_flip == pytest.approx(0.5 * 2.718281828459045 ** (-abs(one.true.margin) / 2))
    assert one.empirical.low <= one.empirical.rate <= one.empirical.high


def test_analysis_under_ridge_uses_joint_distances_for_the_iqr():
    pair = load_sample("synthetic-saturation")
    joint = analyse(pair, Settings(score="iqr", **RIDGE)).headline
    assert isinstance(joint.verdict, IqrVerdict)
    assert joint.verdict.residual_shift > 0.0
    without = joint.verdict.__class__(1.0, 1e-6, 1.0, joint.verdict.calibration)
    columns = analyse(pair, Settings(score="iqr", **RIDGE)).measurement.fit.scored.iqr_columns
    for ours, plain in zip(joint.true.distances, without.distances(columns), strict=True):
        assert ours[0] <= plain[0]
        assert ours[1] <= plain[1]


@pytest.mark.parametrize(
    ("name", "how"), [("hsic", RIDGE), ("soft-kendall", RIDGE), ("iqr", RIDGE), ("kendall", BLOCKS), ("iqr", BLOCKS)]
)
def test_a_joint_release_is_charged_certified_for_every_row_and_verified(tmp_path: Path, name, how):
    ledger = Ledger(tmp_path / "ledger.sqlite")
    pair = load_sample("synthetic-saturation", rows=400)
    receipt = release(plan(name, epsilon="0.5", **how), pair, ledger, now=NOW)
    issued = certificate(receipt)
    assert issued["guarantee"]["protected"].startswith("every row")
    assert "test row" not in issued["guarantee"]["neighbours"]
    assert issued["guarantee"]["delta"] == ("1e-06" if how is RIDGE and name == "iqr" else "0")
    assert verify(issued, ledger).valid


def test_a_joint_release_leaves_the_test_share_free_and_a_test_rows_release_fixes_it(tmp_path: Path):
    ledger = Ledger(tmp_path / "ledger.sqlite")
    pair = load_sample("synthetic-saturation", rows=400)
    for share in (0.3, 0.4):
        release(plan("kendall", test_share=share, **BLOCKS), pair, ledger, now=NOW)
    release(plan("kendall", test_share=0.5), pair, ledger, now=NOW)
    release(plan("kendall", test_share=0.3, **BLOCKS), pair, ledger, now=NOW)
    with pytest.raises(LedgerError, match=r"test share 0\.5"):
        release(plan("kendall", test_share=0.3), pair, ledger, now=NOW)


def test_only_the_chosen_scores_are_warned_about() -> None:
    settings = Settings(score="all", delta=0.4, epsilon=0.01)
    measured = measure(load_sample("synthetic-saturation", rows=60), settings)
    for score, warned in (("kendall", False), ("iqr", True), ("all", True)):
        warnings = judge(measured, settings.with_(score=score)).warnings
        assert any(warning.startswith("delta 0.4") for warning in warnings) == warned
        assert any(warning.startswith("Spearman") for warning in warnings) == (score == "all")


@pytest.mark.parametrize("how", [{}, RIDGE])
def test_what_is_fitted_are_the_halves_of_the_deal(how):
    pair, settings, deal = load_sample("synthetic-saturation", rows=40), Settings(**how), SeededDeal(11)
    halves, fitted = deal.halves(pair.rows, settings.test_share), coverage(settings).fit(pair, deal)
    assert fitted.train.tolist() == halves.train.tolist()
    assert fitted.test.tolist() == halves.test.tolist()


def test_public_ranges_never_noise_less_than_the_test_rows_alone_need_whatever_the_calibration():
    for calibration in Calibration:
        settings = Settings(**RIDGE, calibration=calibration)
        for score in (one for one in releasable() if isinstance(one, LaplaceScore)):
            least = score.unit(settings) * score.sensitivity(60, calibration)
            assert coverage(settings).verdict(score, 10**9, 60).sensitivity >= least


def test_a_score_that_public_ranges_refuse_hears_why_and_which_they_take():
    kendall = get_score("kendall")
    said = coverage(Settings(**RIDGE)).objection(kendall)
    assert kendall.no_joint_release in said
    assert all(score.name in said for score in releasable())


@pytest.mark.parametrize("how", [{}, RIDGE])
def test_a_planned_table_gets_the_verdict_of_one_that_is_dealt_into_as_many_rows(how):
    way, iqr = coverage(Settings(test_share=0.2, **how)), get_score("iqr")
    assert way.sizes(500) == (400, 100)
    assert way.planned_verdict(iqr, 100) == way.verdict(iqr, 400, 100)


def test_every_release_and_calibration_that_differs_is_a_variant_and_the_iqr_has_one_release():
    way = coverage(Settings())
    found = way.variants(get_score("hsic"))
    assert len(set(found)) == len(found) == len(ReleaseKind) * len(Calibration)
    assert {kind for kind, _ in way.variants(get_score("iqr"))} == {ReleaseKind.TWO_SCORES}
    assert len(way.variants(get_score("iqr"))) == len(Calibration)
