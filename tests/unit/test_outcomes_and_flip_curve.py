"""Counted runs, flip-rate curves and subsets: different views of the same draws."""

import numpy as np
import pytest

from privcause_core.explore.analysis import judge, measure
from privcause_core.explore.fewer_rows import flip_rates_over_m, subsamples_by_size, subset_sizes
from privcause_core.explore.flip_curve import rate_curve
from privcause_core.explore.outcomes import Outcome, count, first_runs
from privcause_core.pair import Pair
from privcause_core.samples import DEFAULT_SAMPLE, load_sample
from privcause_core.settings import ReleaseKind, Settings

NAMES = ("spearman", "kendall", "hsic", "iqr")
EPSILONS = tuple(np.geomspace(0.01, 10, 25).tolist())
FALSE_ALARM = 1e-6  # of each comparison below, by its own bound


@pytest.fixture(scope="module")
def measured():
    return measure(load_sample(DEFAULT_SAMPLE, rows=400), Settings(score="all"))


@pytest.mark.parametrize("release", list(ReleaseKind))
@pytest.mark.parametrize("name", NAMES)
def test_all_counted_runs_together_are_the_simulated_rate(measured, name: str, release: ReleaseKind) -> None:
    settings = Settings(score=name, epsilon=8.0 if name == "iqr" else 0.1, draws=200, release=release)
    one = judge(measured, settings).of(name)
    runs = first_runs(one, settings, count=200)
    assert count(runs, Outcome.FLIPPED) == round(200 * one.empirical.rate)
    assert sum(count(runs, outcome) for outcome in Outcome) == 200
    assert [run.number for run in runs] == list(range(1, 201))


def test_two_private_scores_differ_by_the_private_margin(measured) -> None:
    settings = Settings(epsilon=0.1)
    for run in first_runs(judge(measured, settings).of("kendall"), settings):
        assert run.scores[1] - run.scores[0] == pytest.approx(run.margin, abs=1e-12)
        assert (run.margin > 0) == (run.arrow == "x->y")


def test_the_same_seed_gives_the_same_runs_scaled_and_another_seed_others(measured) -> None:
    def margins(epsilon: float, draw_seed: int) -> np.ndarray:
        settings = Settings(epsilon=epsilon, draw_seed=draw_seed)
        one = judge(measured, settings).of("kendall")
        return np.array([run.margin for run in first_runs(one, settings)]) - one.true.margin

    assert margins(0.1, 0) == pytest.approx(10 * margins(1.0, 0), rel=1e-9)
    assert not np.allclose(margins(1.0, 0), margins(1.0, 1))


def test_an_undecided_pair_has_runs_but_no_outcomes_and_no_curve() -> None:
    x = np.arange(60.0)
    settings = Settings()
    flat = measure(Pair("flat", "x", "y", x, 2 * x), settings)
    one = judge(flat, settings).headline
    assert {run.outcome for run in first_runs(one, settings)} == {None}
    assert rate_curve(one.true, flat.fit, settings, EPSILONS) is None


@pytest.mark.parametrize("name", NAMES)
def test_the_curve_agrees_with_the_analysis_at_every_epsilon_and_raises_no_alarm(measured, name: str) -> None:
    settings = Settings(score=name, draws=5_000)
    curve = rate_curve(measured.of(name), measured.fit, settings, EPSILONS)
    assert not curve.alarm
    for k in (0, 12, 24):
        one = judge(measured, settings.with_(epsilon=EPSILONS[k])).of(name)
        assert curve.exact[k] == pytest.approx(one.probability_flip, rel=1e-9)
        assert curve.seen[k].rate == pytest.approx(one.empirical.rate, abs=1e-12)


def test_the_alarm_goes_off_when_the_noise_is_not_what_theory_says(measured) -> None:
    settings = Settings(draws=5_000)
    honest = rate_curve(measured.of("kendall"), measured.fit, settings, EPSILONS)
    wrong = rate_curve(measured.of("kendall"), measured.fit, settings, [epsilon / 2 for epsilon in EPSILONS])
    assert np.abs(wrong.exact - [one.rate for one in honest.seen]).max() > honest.band


def test_sizes_grow_to_half_of_the_test_rows() -> None:
    assert subset_sizes(1_000)[-1] == 500
    assert subset_sizes(6) == ()
    assert subset_sizes(10**6)[-1] == 20_000
    for m in range(8, 200):
        sizes = subset_sizes(m)
        assert list(sizes) == sorted(set(sizes))
        assert sizes[0] >= 4
        assert sizes[-1] <= m // 2


@pytest.mark.parametrize("name", NAMES)
def test_subsets_are_seeded_and_come_size_by_size(measured, name: str) -> None:
    score, settings = measured.of(name).score, Settings(score=name)
    once = list(subsamples_by_size(measured.fit, score, settings, (10, 50), subsamples=20))
    again = next(subsamples_by_size(measured.fit, score, settings, (10, 50), subsamples=20))
    assert [one.m for one in once] == [10, 50]
    assert np.array_equal(once[0].margins, again.margins)


@pytest.mark.parametrize("name", ["kendall", "iqr"])
def test_simulated_and_exact_rates_of_subsets_agree(measured, name: str) -> None:
    epsilon, runs = (20.0 if name == "iqr" else 0.5), 400
    settings = Settings(score=name, epsilon=epsilon)
    true = measured.of(name)
    scored = list(subsamples_by_size(measured.fit, true.score, settings, (50, 100), subsamples=runs))
    for rate in flip_rates_over_m(scored, true.score, true.direction, settings):
        allowed = np.sqrt(np.log(2 / FALSE_ALARM) / (2 * runs))  # Hoeffding
        assert abs(rate.seen.rate - rate.expected) < allowed
        assert 0.0 <= rate.without_noise <= 1.0


def test_with_much_budget_only_sampling_turns_arrows(measured) -> None:
    true, settings = measured.of("kendall"), Settings(epsilon=1e6)
    scored = list(subsamples_by_size(measured.fit, true.score, settings, (20,), subsamples=100))
    (rate,) = flip_rates_over_m(scored, true.score, true.direction, settings)
    assert rate.expected == pytest.approx(rate.without_noise, abs=1e-3)
