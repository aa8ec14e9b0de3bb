"""The private verdicts: what each draw is scaled by, what is released, what it costs, and what a refusal is."""

import math

import numpy as np
import pytest

from privcause_core.pair import Direction
from privcause_core.scores import get_score
from privcause_core.scores.iqr import distances_to_instability, log_iqr
from privcause_core.settings import Calibration, ReleaseKind, Settings
from privcause_core.verdicts.composition import PrivacyCost
from privcause_core.verdicts.laplace import DirectionLaplace, TwoScoreLaplace
from privcause_core.verdicts.mechanisms import verdict_for
from privcause_core.verdicts.outcome import Refused, Released, private_direction
from privcause_core.verdicts.propose_test_release import IqrVerdict, ProposeTestRelease, iqr_outcome
from tests.seeded_noise import SeededNoise

STABLE = np.linspace(1.0, 30.0, 401)  # log IQR near the middle of a bin of grid 1, and many rows


class PlannedNoise:
    """Adds the given unit draws, one a value, and records what it was asked for."""

    def __init__(self, *units):
        self.units, self.asked = list(units), []

    def add_laplace(self, values, sensitivity, epsilon):
        self.asked.append((values.tolist(), sensitivity, epsilon))
        return values + sensitivity / epsilon * np.array([self.units.pop(0) for _ in values])


def test_two_scores_get_a_draw_of_their_own_at_half_the_epsilon_each():
    """Kendall, m = 100, total epsilon 1: scale 0.08 for each score, not 0.04."""
    noise, mechanism = PlannedNoise(1.0, -2.0), TwoScoreLaplace(0.04, 1.0)
    released = mechanism.release((0.3, 0.5), noise)
    assert noise.asked == [([0.3, 0.5], 0.04, 0.5)]
    assert released.values == pytest.approx((0.38, 0.34))
    assert released.margin == released.values[1] - released.values[0]
    assert (released.direction, mechanism.noise_scale, mechanism.cost) == (Direction.Y_TO_X, 0.08, PrivacyCost(1.0))


def test_the_direction_gets_one_draw_on_the_difference_at_twice_the_sensitivity():
    noise, mechanism = PlannedNoise(-1.0), DirectionLaplace(0.04, 1.0)
    released = mechanism.release((0.3, 0.5), noise)
    assert noise.asked == [([0.2], 0.08, 1.0)]
    assert released == Released((pytest.approx(0.12),), pytest.approx(0.12), Direction.X_TO_Y)
    assert (mechanism.epsilon_per_draw, mechanism.noise_scale, mechanism.cost) == (1.0, 0.08, PrivacyCost(1.0))


def test_scores_are_neither_clipped_nor_rounded():
    released = TwoScoreLaplace(1.0, 1.0).release((0.9, 0.1), PlannedNoise(50.0, -50.0))
    assert released.values == (100.9, -99.9)


def test_a_private_margin_is_always_an_arrow():
    assert private_direction(1e-300) is Direction.X_TO_Y
    assert private_direction(-1e-300) is Direction.Y_TO_X
    assert private_direction(0.0) is not Direction.UNDECIDED


@pytest.mark.parametrize(("calibration", "share"), [(Calibration.REFINED, 8), (Calibration.PAPER, 12)])
def test_the_iqr_verdict_shares_the_total_over_its_four_releases(calibration, share):
    verdict = IqrVerdict(1.0, 4e-6, 0.5, calibration)
    assert verdict.epsilon_per_draw == pytest.approx(1 / share)
    assert verdict.delta_per_release == pytest.approx(1e-6)
    assert verdict.noise_scale == pytest.approx(0.5 * share)
    assert verdict.single.threshold == pytest.approx(1 + share * math.log(1e6))
    assert verdict.cost == PrivacyCost(1.0, 4e-6)
    assert verdict.attribute_cost == PrivacyCost(pytest.approx(0.75), pytest.approx(3e-6))


def test_a_log_iqr_is_released_with_three_different_draws_if_either_test_passes():
    mechanism = ProposeTestRelease(0.5, 1e-3, 2.0)
    for units in ((0.0, 8.0), (8.0, 0.0)):
        noise = PlannedNoise(*units, 0.25)
        assert mechanism.release_measured(1.7, (1, 1), noise) == pytest.approx(1.7 + 2.0 / 0.5 * 0.25)
        assert noise.asked == [([1.0, 1.0], 1.0, 0.5), ([1.7], 2.0, 0.5)]


def test_a_log_iqr_is_refused_if_neither_test_exceeds_the_threshold():
    mechanism = ProposeTestRelease(0.5, math.exp(-5.0), 1.0)
    assert mechanism.threshold == 11.0
    assert mechanism.release_measured(1.7, (10, 11), PlannedNoise(0.5, 0.0)) is None  # 11 and 11: not above


def test_a_zero_iqr_is_tested_like_any_other_and_released_as_a_symbol():
    mechanism = ProposeTestRelease(1.0, 1e-3, 1.0)
    assert mechanism.release_measured(-math.inf, (30, 30), PlannedNoise(0.0, 0.0)) == -math.inf
    assert mechanism.release_measured(-math.inf, (1, 1), PlannedNoise(0.0, 0.0)) is None


@pytest.mark.parametrize("values", [STABLE, np.zeros(9), np.arange(5.0)], ids=["stable", "constant", "few rows"])
def test_a_release_measures_its_column_and_releases_what_was_measured(values):
    mechanism = ProposeTestRelease(0.3, 1e-2, 1.0)
    measured = log_iqr(values), distances_to_instability(values, 1.0)
    for seed in range(50):
        first, second = (SeededNoise(np.random.default_rng(seed)) for _ in range(2))
        assert mechanism.release(values, first) == mechanism.release_measured(*measured, second)


def test_the_iqr_verdict_compares_sums_of_log_iqrs():
    columns = (STABLE, 0.1 * STABLE, STABLE, 2.0 * STABLE)
    verdict = IqrVerdict(1e6, 1e-6, 1.0, Calibration.REFINED)
    released = verdict.release(columns, SeededNoise(np.random.default_rng(0)))
    assert released.values == pytest.approx([log_iqr(column) for column in columns], abs=1e-3)
    assert released.margin == pytest.approx(math.log(20.0), abs=1e-3)
    assert released.direction is Direction.X_TO_Y
    assert len(released.values) == len(verdict.outputs)


def test_one_missing_log_iqr_refuses_the_arrow_and_keeps_the_others():
    assert iqr_outcome((0.1, None, 0.2, 0.3)) == Refused((0.1, None, 0.2, 0.3))
    assert iqr_outcome((None,) * 4) == Refused((None,) * 4)


@pytest.mark.parametrize(
    ("values", "direction"),
    [
        ((-math.inf, 0.0, 1.0, 1.0), Direction.X_TO_Y),
        ((0.0, 0.0, 1.0, -math.inf), Direction.Y_TO_X),
        ((-math.inf, 0.0, -math.inf, 1.0), None),
    ],
)
def test_a_zero_iqr_points_to_its_own_side_and_two_cannot_be_compared(values, direction):
    outcome = iqr_outcome(values)
    assert isinstance(outcome, Refused) if direction is None else outcome.direction is direction


def test_the_settings_choose_the_mechanism_before_any_data_are_seen():
    settings = Settings(epsilon=0.8, delta=1e-5, bin_width=0.5)
    kendall = get_score("kendall")
    assert verdict_for(kendall, 100, settings) == TwoScoreLaplace(0.04, 0.8)
    assert verdict_for(kendall, 100, settings.with_(release=ReleaseKind.DIRECTION)) == DirectionLaplace(0.04, 0.8)
    spearman = verdict_for(get_score("spearman"), 100, settings.with_(calibration=Calibration.PAPER))
    assert spearman.sensitivity == pytest.approx(0.3)
    assert verdict_for(get_score("iqr"), 100, settings) == IqrVerdict(0.8, 1e-5, 0.5, Calibration.REFINED)


def test_a_test_release_counts_training_rows_and_wants_all_four_columns():
    """Residuals that one training row can move out of their bin are one row from instability; x and y are not."""
    verdict = IqrVerdict(1.0, 1e-6, 0.5, Calibration.REFINED, residual_shift=10.0)
    plain = distances_to_instability(STABLE, 0.5)
    assert max(plain) > 1
    assert verdict.distances([STABLE] * 4) == (plain, (1, 1), plain, (1, 1))
    asked = PlannedNoise(*[0.0] * 12)
    verdict.release([STABLE] * 4, asked)
    assert [values for values, _, _ in asked.asked if len(values) == 2][1::2] == [[1.0, 1.0]] * 2
    for act in (verdict.distances, lambda columns: verdict.release(columns, PlannedNoise(*[0.0] * 12))):
        with pytest.raises(ValueError, match="zip"):
            act([STABLE] * 3)


@pytest.mark.parametrize("kind", [TwoScoreLaplace, DirectionLaplace])
@pytest.mark.parametrize("margin", [-0.3, 0.0, 0.1])
def test_every_laplace_verdict_is_right_or_wrong(kind, margin):
    shares = kind(0.04, 1.0).shares(margin)
    assert shares.right + shares.wrong == pytest.approx(1.0)
    assert (shares.released, shares.refused) == (pytest.approx(1.0), 0.0)
