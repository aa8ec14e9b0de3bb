"""The planner: any two of certainty, epsilon and a size give the third, whoever is protected."""

from dataclasses import replace

import numpy as np
import pytest

from privcause_core.explore import correctness
from privcause_core.explore.analysis import judge, measure
from privcause_core.explore.correctness import Operating
from privcause_core.explore.correctness import least_epsilon as closed_form
from privcause_core.explore.planning import (
    Assumption,
    assumed_from,
    certainty,
    kept_with,
    least_epsilon,
    least_rows,
    least_size,
)
from privcause_core.pair import Direction
from privcause_core.protection import public_ranges
from privcause_core.protection.choice import coverage
from privcause_core.samples import DEFAULT_SAMPLE, load_sample
from privcause_core.scores import get_score
from privcause_core.settings import Calibration, ReleaseKind, Settings

NAMES = ("spearman", "kendall", "hsic", "iqr")
LAPLACE = NAMES[:3]
ASSUMED = Assumption(margin=0.2, stability=0.2, agreement=0.8)
WIDTH = 0.1  # narrow bins, so that the IQR can be sure at all


@pytest.mark.parametrize("release", list(ReleaseKind))
@pytest.mark.parametrize("calibration", list(Calibration))
@pytest.mark.parametrize("name", NAMES)
def test_the_least_epsilon_reaches_the_certainty_and_a_little_less_does_not(
    name: str, calibration: Calibration, release: ReleaseKind
) -> None:
    score, settings = get_score(name), Settings(release=release, calibration=calibration, bin_width=WIDTH)
    epsilon = least_epsilon(score, 5_000, settings, ASSUMED, 0.95)
    assert certainty(score, 5_000, settings.with_(epsilon=epsilon), ASSUMED) == pytest.approx(0.95, abs=1e-9)
    assert certainty(score, 5_000, settings.with_(epsilon=0.99 * epsilon), ASSUMED) < 0.95


@pytest.mark.parametrize("name", LAPLACE)
def test_the_least_epsilon_of_a_laplace_score_is_the_closed_form(name: str) -> None:
    score, settings = get_score(name), Settings()
    sensitivity = score.sensitivity(500, Calibration.REFINED)
    exact = closed_form(0.2, sensitivity, 0.9, ReleaseKind.TWO_SCORES)
    assert least_epsilon(score, 500, settings, ASSUMED, 0.9) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_the_least_rows_reach_the_certainty_and_one_fewer_does_not(name: str) -> None:
    score, settings = get_score(name), Settings(epsilon=20.0 if name == "iqr" else 1.0, bin_width=WIDTH)
    m = least_size(score, settings, ASSUMED, 0.8)
    assert m is not None
    assert certainty(score, m, settings, ASSUMED) >= 0.8
    assert certainty(score, m - 1, settings, ASSUMED) < 0.8


def test_rows_do_not_make_the_iqr_surer_than_its_noise_allows() -> None:
    assert least_size(get_score("iqr"), Settings(epsilon=0.1), ASSUMED, 0.9) is None


def test_no_accepted_epsilon_makes_up_for_no_margin() -> None:
    assert least_epsilon(get_score("kendall"), 100, Settings(), Assumption(1e-9, 0.1, 0.5), 0.99) is None


BLOCKS = {"protect": "every-row", "route": "blocks"}
RANGES = {"protect": "every-row", "route": "ridge", "range_x": "0..8", "range_y": "-1..2", "test_share": 0.2}
each_protection = pytest.mark.parametrize(
    ("name", "changed"),
    [(name, {}) for name in NAMES]
    + [(name, BLOCKS) for name in ("kendall", "iqr")]
    + [(name, RANGES) for name in ("hsic", "soft-kendall", "iqr")],
)


def measured_pair(name: str, changed: dict, rows: int = 400):
    settings = Settings(
        score=name, bin_width=WIDTH, epsilon=60.0 if name == "iqr" and changed is not BLOCKS else 0.3
    ).with_(**changed)
    measured = measure(load_sample(DEFAULT_SAMPLE, rows=rows), settings)
    return measured, measured.of(name), settings


@each_protection
def test_as_many_rows_keep_the_analysis_and_more_rows_never_hurt(name: str, changed: dict) -> None:
    measured, true, settings = measured_pair(name, changed)
    kept = judge(measured, settings).of(name).probability_arrow_kept
    found = [kept_with(true, 400, factor * 400, settings) for factor in (1, 2, 10, 100)]
    assert found[0] == pytest.approx(kept, rel=1e-12)
    assert found == sorted(found)


@each_protection
def test_the_rows_that_would_do_are_the_fewest_that_are_sure_enough(name: str, changed: dict) -> None:
    _, true, settings = measured_pair(name, changed)
    wanted = 0.6 if name == "iqr" and not changed else 0.9  # the margin of its log-IQRs is small
    rows = least_rows(true, 400, settings, wanted)
    assert rows is not None
    assert kept_with(true, 400, rows, settings) >= wanted
    assert kept_with(true, 400, rows - 1, settings) < wanted


def test_no_number_of_rows_decides_a_tie_or_lifts_the_iqr_above_its_noise() -> None:
    _, tied, settings = measured_pair("kendall", {})
    assert least_rows(replace(tied, margin=0.0, direction=Direction.UNDECIDED), 400, settings, 0.6) is None
    _, noisy, settings = measured_pair("iqr", RANGES)
    assert least_rows(noisy, 400, settings.with_(epsilon=0.1), 0.9) is None


def test_the_rows_that_would_do_for_every_row_by_public_ranges_are_those_of_the_closed_form() -> None:
    _, true, settings = measured_pair("hsic", RANGES, rows=2_000)
    rows = least_rows(true, 2_000, settings, 0.95)
    n_test = round(rows / 5)
    scale = public_ranges.ByPublicRanges(settings).verdict(true.score, rows - n_test, n_test).noise_scale
    t = 3.272  # two scores: (t + 2)/4 exp(-t) = 0.05
    assert t * scale == pytest.approx(abs(true.margin), rel=1e-3)


def test_more_blocks_are_dealt_from_more_rows_and_vote_in_the_same_shares() -> None:
    _, true, settings = measured_pair("kendall", BLOCKS)
    assert kept_with(true, 400, 800, settings) == pytest.approx(
        1.0 - np.exp(-2.0 * abs(true.margin) * settings.epsilon / 2.0) / 2.0
    )


@pytest.mark.parametrize("solve_at", [0.3, 1.0])
def test_a_plan_of_blocks_asks_how_often_a_block_is_right(solve_at: float) -> None:
    score, settings = get_score("kendall"), Settings(epsilon=solve_at).with_(**BLOCKS)
    blocks = least_size(score, settings, ASSUMED, 0.95)
    assert certainty(score, blocks, settings, ASSUMED) >= 0.95 > certainty(score, blocks - 1, settings, ASSUMED)
    epsilon = least_epsilon(score, 40, settings, ASSUMED, 0.95)
    assert certainty(score, 40, settings.with_(epsilon=epsilon), ASSUMED) == pytest.approx(0.95, abs=1e-9)
    votes = 2 * np.random.default_rng(0).binomial(blocks, 0.8, 400_000) - blocks
    noise = np.random.default_rng(1).laplace(scale=2.0 / solve_at, size=votes.size)
    seen = float((votes + noise > 0).mean())
    assert certainty(score, blocks, settings, ASSUMED) == pytest.approx(seen, abs=0.004)  # 8 standard errors


def test_an_assumption_taken_from_a_pair_is_its_own_values() -> None:
    settings = Settings(score="all")
    measured = measure(load_sample(DEFAULT_SAMPLE, rows=400), settings)
    own = assumed_from(measured.of("iqr"), measured.fit.n_test, settings)
    assert own.margin == abs(measured.of("iqr").margin)
    assert 0.0 < own.stability < 1.0
    assert assumed_from(measured.of("kendall"), measured.fit.n_test, settings).stability == 0.0
    voted, true, by_blocks = measured_pair("kendall", BLOCKS)
    assert assumed_from(true, voted.fit.n_test, by_blocks).agreement == max(true.score_xy, true.score_yx) / 10


@pytest.mark.parametrize("release", list(ReleaseKind))
def test_the_curves_of_a_vote_go_through_the_loaded_pair(release: ReleaseKind) -> None:
    measured, true, settings = measured_pair("kendall", {**BLOCKS, "release": release})
    at = Operating(abs(true.margin), measured.fit.n_test, settings)
    kept = judge(measured, settings).of("kendall").probability_arrow_kept
    assert correctness.certainty(true.score, at) == pytest.approx(kept)
    assert correctness.along_margin(true.score, at, [at.margin, -at.margin]).sum() == pytest.approx(1.0)
    assert correctness.along_epsilon(true.score, at, [settings.epsilon])[0] == pytest.approx(kept)
    along = correctness.along_blocks(true.score, at, [10, 20, 40])
    assert along[0] == pytest.approx(kept)
    assert list(along) == sorted(along)
    assert len(coverage(settings).variants(true.score)) == 1


def test_a_plan_never_assumes_more_stability_than_public_ranges_allow() -> None:
    """One training row moves a residual so far that no residual IQR can be 20 rows from instability."""
    score, settings = get_score("iqr"), Settings(score="iqr", epsilon=50.0).with_(**RANGES, ridge=0.01)
    assert coverage(settings).planned_verdict(score, 80).parts[1].largest_distance(80) == 1
    assert certainty(score, 80, settings, Assumption(60.0, 0.25, 0.5)) < 1e-6
    assert certainty(score, 80, settings.with_(protect="test-rows"), Assumption(60.0, 0.25, 0.5)) > 0.9


@pytest.mark.parametrize("epsilon", [10.0, 1e6])
def test_a_vote_needs_two_blocks_however_sure(epsilon: float) -> None:
    _, true, settings = measured_pair("kendall", BLOCKS)
    unanimous = replace(true, score_xy=0.0, score_yx=10.0, margin=10.0, direction=Direction.X_TO_Y)
    assert least_rows(unanimous, 400, settings.with_(epsilon=epsilon), 0.9) >= 80


def test_an_agreement_taken_from_tied_votes_is_a_coin() -> None:
    _, true, settings = measured_pair("kendall", BLOCKS)
    tied = replace(true, score_xy=0.0, score_yx=0.0, margin=0.0, direction=Direction.UNDECIDED)
    assert assumed_from(tied, 200, settings).agreement == 0.5
