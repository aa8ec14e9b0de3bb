"""The two tempting wrong combinations of test and training protection, with their actual delta, and the right ones."""

import math

import numpy as np
import pytest

from privcause_core.errors import ParameterError
from privcause_core.lessons.two_traps import (
    CLAIMED_DELTA,
    ROWS,
    DistanceRule,
    ScaleRule,
    distance_rules,
    gapped_column,
    scale_rules,
    tied_residuals,
)
from privcause_core.scores.iqr import log_iqr
from privcause_core.verdicts.propose_test_release import ProposeTestRelease
from privcause_core.verdicts.theory import release_probability

EPSILON = 0.2
TIED = 11  # N(2 eta) goes from 55 to 66 pairs when one more residual joins the tie


def scale_rule(word: str, tied: int = TIED, epsilon: float = EPSILON) -> ScaleRule:
    return next(rule for rule in scale_rules(tied, epsilon) if word in rule.name)


def distance_rule(word: str, epsilon: float = 1.0) -> DistanceRule:
    return next(rule for rule in distance_rules(epsilon) if word in rule.name)


def test_the_neighbours_differ_in_one_test_record() -> None:
    for before, after in (tied_residuals(TIED), gapped_column()):
        assert before.size == after.size == ROWS
        assert np.count_nonzero(before != after) == 1


def test_the_larger_of_the_smooth_training_scale_and_the_test_scale_breaks_its_promise() -> None:
    """S comes from test residuals, so one test record moves the noise scale itself by a fifth."""
    rule = scale_rule("larger")
    assert rule.after.scale / rule.before.scale == pytest.approx(66 / 55)
    assert rule.before.scale > 4.0 / ROWS / EPSILON  # the smooth scale is the larger one
    assert rule.delta > 0.02  # 20,000 times the claim of 1e-6


def test_a_draw_from_both_laws_sees_the_broken_promise() -> None:
    """An event far out, of probability above 1e-3: noise drawn with the two scales lands there as often as stated."""
    rule, draws = scale_rule("larger"), 1_000_000
    far = 1.2  # beyond it the wider noise is more than e^epsilon times as likely
    noise = np.random.default_rng(0).laplace(size=draws)
    narrow, wide = (float((law.centre + law.scale * noise > far).mean()) for law in (rule.before, rule.after))
    assert wide - math.exp(EPSILON) * narrow > 1_000 * CLAIMED_DELTA
    assert wide == pytest.approx(rule.after.mass(far, math.inf), rel=0.05)


def test_the_scale_for_test_rows_alone_keeps_its_promise_to_them() -> None:
    for epsilon in (0.1, 1.0):
        assert scale_rule("test rows only", epsilon=epsilon).delta < 1e-15


@pytest.mark.parametrize("tied", [2, 11, 50, 99])
def test_a_bound_smooth_under_both_changes_keeps_it_but_drowns_the_score(tied: int) -> None:
    rule = scale_rule("right", tied)
    assert rule.delta < CLAIMED_DELTA
    assert rule.before.scale > 5.0  # for a score in [0, 1]


def test_a_tie_that_does_not_exist_is_refused_by_name() -> None:
    for tied in (1, 100):
        with pytest.raises(ParameterError, match="tied between 2 and 99"):
            tied_residuals(tied)


def test_the_log_iqrs_of_the_example_are_apart_by_half_a_bin() -> None:
    assert [log_iqr(column) for column in gapped_column()] == pytest.approx([0.49, 0.99])


def test_the_smaller_of_a_test_only_and_a_training_only_distance_breaks_the_promise() -> None:
    """It falls from 23 to 1 for one test record: surely released on one side, practically never on the other."""
    rule = distance_rule("smaller")
    assert (rule.distances, rule.distances_after) == ((23, 1), (1, 1))
    before, after = (float(release_probability(two, 1.0, CLAIMED_DELTA)) for two in ((23, 1), (1, 1)))
    assert rule.released == (before, after)
    assert rule.delta == pytest.approx(before - math.exp(2.0) * after)
    assert rule.delta > 0.99  # of a claimed (2, 1e-6)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 5.0])
def test_the_joint_distances_keep_it(epsilon: float) -> None:
    rule = distance_rule("right", epsilon)
    assert (rule.distances, rule.distances_after) == ((2, 1), (1, 1))
    assert rule.delta <= CLAIMED_DELTA
    assert ProposeTestRelease(epsilon, CLAIMED_DELTA, 1.0).threshold > 2
