"""The overview of sensitivities: what is found never exceeds what is proved, and the proved numbers are the scores'."""

import math

import pytest

from privcause_core.errors import ParameterError
from privcause_core.lessons.sensitivities import PUBLIC, Sensitivities, overview
from privcause_core.lessons.smooth_sensitivity import SmoothNoise, close_pairs, kendall_local, smooth_sensitivity
from privcause_core.lessons.smoothing_steps import moved_by, smoothing
from privcause_core.protection import public_ranges
from privcause_core.scores import LaplaceScore, all_scores
from privcause_core.settings import Calibration

ROUNDING = 1e-12
SIZES = [(200, 1.0), (400, 0.1), (2_000, 1.0)]


@pytest.fixture(scope="module", params=SIZES, ids=str)
def found(request: pytest.FixtureRequest) -> tuple[int, float, tuple[Sensitivities, ...]]:
    return *request.param, overview(*request.param)


def test_every_score_has_a_row(found) -> None:
    assert [one.score for one in found[2]] == list(all_scores())


def test_no_replaced_record_moves_a_score_by_more_than_what_is_proved(found) -> None:
    for one in found[2]:
        for change, bound in (
            (one.test_found, one.test_global),
            (one.training_found, one.training_global),
            (one.training_found, one.training_local),
        ):
            assert bound is None or change <= bound + ROUNDING
        assert one.test_found > 0.0


def test_the_rank_scores_nearly_attain_their_test_bound(found) -> None:
    for one in found[2]:
        if one.score.name in ("kendall", "spearman"):
            assert one.test_found > 0.95 * one.test_global


def test_global_numbers_are_those_of_the_mechanisms(found) -> None:
    rows, ridge, table = found
    half, settings = rows // 2, PUBLIC.with_(ridge=ridge)
    for one in table:
        if isinstance(one.score, LaplaceScore):
            assert one.test_global == one.score.unit(settings) * one.score.sensitivity(half, Calibration.REFINED)
        if one.score in public_ranges.releasable() and isinstance(one.score, LaplaceScore):
            assert one.training_global == public_ranges.training_sensitivity(one.score, half, half, settings)
            assert one.training_local is None
        else:
            assert one.training_global is None
            assert one.training_local is None or one.training_local > 0.0


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
@pytest.mark.parametrize("score", ["kendall", "spearman"])
def test_the_picture_holds_the_smooth_sensitivity_within_its_sampled_distances(score: str, epsilon: float) -> None:
    noise, moved = SmoothNoise(epsilon, 1e-6), moved_by(2_000, 1.0)
    found = smoothing(moved, score, noise)
    assert found.discounted.max() <= found.smooth * (1 + ROUNDING)
    assert found.discounted.max() > 0.95 * found.smooth
    assert found.training_scale == pytest.approx(2.0 * found.smooth / epsilon)
    assert (found.local[1:] >= found.local[:-1]).all()
    assert found.distance[0] == 0.0
    assert math.exp(-noise.beta * found.distance[-1]) < 0.01


def test_kendalls_smooth_sensitivity_comes_from_the_close_pairs_of_the_sample() -> None:
    noise, moved = SmoothNoise(1.0, 1e-6), moved_by(1_000, 1.0)
    found = smoothing(moved, "kendall", noise)
    ordered, m = sorted(moved.residual), moved.residual.size
    slow = sum(b - a <= 2 * moved.shift for i, a in enumerate(ordered) for b in ordered[i + 1 :])
    assert close_pairs(moved.residual[moved.residual.argsort()], 2 * moved.shift) == slow
    assert found.local[0] == pytest.approx(4 * slow / (m * (m - 1)))
    assert found.smooth == pytest.approx(smooth_sensitivity(kendall_local(moved.residual, moved.shift), noise.beta))
    assert found.joint_scale >= found.training_scale


def test_other_scores_have_no_smooth_lesson() -> None:
    with pytest.raises(ParameterError, match="kendall or spearman, got 'hsic'"):
        smoothing(moved_by(200, 1.0), "hsic", SmoothNoise(1.0, 1e-6))
