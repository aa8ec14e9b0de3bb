"""What every verdict must keep, for every registered score, release and calibration."""

import numpy as np
import pytest

from privcause_core.pair import Direction
from privcause_core.scores import LaplaceScore, all_scores
from privcause_core.settings import Calibration, ReleaseKind, Settings
from privcause_core.verdicts.composition import IQR_RELEASES
from privcause_core.verdicts.laplace import DirectionLaplace, TwoScoreLaplace
from privcause_core.verdicts.mechanisms import verdict_for
from privcause_core.verdicts.outcome import Refused, Released
from privcause_core.verdicts.propose_test_release import IqrVerdict
from tests.seeded_noise import SeededNoise

SETTINGS = [
    Settings(epsilon=0.7, delta=3e-7, release=release, calibration=calibration)
    for release in ReleaseKind
    for calibration in Calibration
]
CASES = [
    pytest.param(score, settings, id=f"{score.name}-{settings.release}-{settings.calibration}")
    for score in all_scores()
    for settings in SETTINGS
]
M = 200
each_case = pytest.mark.parametrize(("score", "settings"), CASES)


class RecordingNoise(SeededNoise):
    """Keeps the shape, sensitivity and epsilon of every request."""

    def __init__(self, seed=0):
        super().__init__(np.random.default_rng(seed))
        self.asked = []

    def add_laplace(self, values, sensitivity, epsilon):
        self.asked.append((values.shape, sensitivity, epsilon))
        return super().add_laplace(values, sensitivity, epsilon)


def data_for(verdict, seed):
    """Return scores for a Laplace verdict, four well-spread columns for the IQR."""
    rng = np.random.default_rng(seed)
    if isinstance(verdict, IqrVerdict):
        return [rng.normal(size=M) for _ in range(IQR_RELEASES)]
    return tuple(rng.random(2).tolist())


def test_the_cases_reach_every_kind_of_verdict():
    reached = {type(verdict_for(score, M, settings)) for score in all_scores() for settings in SETTINGS}
    assert reached == {TwoScoreLaplace, DirectionLaplace, IqrVerdict}


@each_case
def test_a_verdict_costs_the_total_that_was_typed_and_delta_only_where_it_is_used(score, settings):
    cost = verdict_for(score, M, settings).cost
    assert cost.epsilon == settings.epsilon
    assert cost.delta == (0.0 if isinstance(score, LaplaceScore) else settings.delta)


@each_case
def test_the_draws_of_a_verdict_add_up_to_its_cost(score, settings):
    verdict, noise = verdict_for(score, M, settings), RecordingNoise()
    verdict.release(data_for(verdict, 1), noise)
    if isinstance(verdict, IqrVerdict):
        releases = 3 if settings.calibration is Calibration.PAPER else 2
        assert IQR_RELEASES * releases * verdict.epsilon_per_draw == pytest.approx(settings.epsilon)
        assert {epsilon for _, _, epsilon in noise.asked} == {verdict.epsilon_per_draw}
        assert {sensitivity for _, sensitivity, _ in noise.asked} <= {1.0, settings.bin_width}
        assert verdict.delta_per_release * IQR_RELEASES == pytest.approx(settings.delta)
        return
    # One record moves both scores by up to D each, so their difference by 2 D.
    assert 2 * score.unit(settings) * score.sensitivity(M, settings.calibration) / verdict.noise_scale == pytest.approx(
        settings.epsilon
    )
    assert sum(shape[0] for shape, _, _ in noise.asked) == len(verdict.outputs)
    assert all(sensitivity / epsilon == pytest.approx(verdict.noise_scale) for _, sensitivity, epsilon in noise.asked)


@each_case
def test_an_outcome_has_one_value_an_output_and_an_arrow_unless_refused(score, settings):
    verdict = verdict_for(score, M, settings)
    for seed in range(20):
        outcome = verdict.release(data_for(verdict, seed), RecordingNoise(seed))
        assert len(outcome.values) == len(verdict.outputs)
        if isinstance(outcome, Released):
            assert outcome.direction is (Direction.X_TO_Y if outcome.margin > 0 else Direction.Y_TO_X)
        else:
            assert isinstance(outcome, Refused)
            assert isinstance(verdict, IqrVerdict)


@each_case
def test_what_a_laplace_verdict_asks_of_the_noise_does_not_depend_on_the_scores(score, settings):
    verdict = verdict_for(score, M, settings)
    noises = [RecordingNoise() for _ in range(3)]
    for noise, scale in zip(noises, (0.0, 1e-9, 1.0), strict=True):
        data = data_for(verdict, 3)
        verdict.release(
            [scale * column for column in data] if isinstance(verdict, IqrVerdict) else (scale, scale / 2), noise
        )
    tests_or_all = [noise.asked[:1] if isinstance(verdict, IqrVerdict) else noise.asked for noise in noises]
    assert tests_or_all[0] == tests_or_all[1] == tests_or_all[2]


@each_case
def test_every_release_draws_afresh(score, settings):
    verdict, noise = verdict_for(score, M, settings.with_(epsilon=1e6)), RecordingNoise()
    outcomes = [verdict.release(data_for(verdict, 1), noise) for _ in range(10)]
    assert len({value for outcome in outcomes for value in outcome.values}) == 10 * len(verdict.outputs)
