"""Numbers and sentences that a mutation run found unguarded: bounds worked out by hand, and what verification says."""

import json
import math
from decimal import Decimal
from pathlib import Path

import pytest

from privcause_core.explore.block_planning import least_blocks, vote_certainty
from privcause_core.explore.correctness import least_epsilon_by_bisection
from privcause_core.release import Plan, verify
from privcause_core.scores import get_score
from privcause_core.settings import BLOCKS_MAX, EPSILON_MIN, Calibration, Settings
from privcause_core.verdicts.theory import iqr_shares

GOLDEN = Path(__file__).parents[1] / "contract" / "golden" / "certificate-2-blocks.json"


def test_the_published_kendall_bound_may_exceed_the_range_and_the_refined_one_never_does():
    kendall = get_score("kendall")
    assert kendall.sensitivity(3, Calibration.PAPER) == 4.0 / 3.0
    assert kendall.sensitivity(3, Calibration.REFINED) == 1.0


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
