"""The planner: any two of certainty, epsilon and test rows give the third."""

import pytest

from privcause_core.analysis import judge, measure
from privcause_core.planning import (
    Assumption,
    assumed_from,
    certainty,
    least_epsilon,
    least_test_rows,
    with_more_rows,
)
from privcause_core.samples import DEFAULT_SAMPLE, load_sample
from privcause_core.scores import get_score
from privcause_core.settings import Calibration, ReleaseKind, Settings
from privcause_core.theory import least_epsilon as closed_form

NAMES = ("spearman", "kendall", "hsic", "iqr")
LAPLACE = NAMES[:3]
ASSUMED = Assumption(margin=0.2, stability=0.2)
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
    m = least_test_rows(score, settings, ASSUMED, 0.8)
    assert m is not None
    assert certainty(score, m, settings, ASSUMED) >= 0.8
    assert certainty(score, m - 1, settings, ASSUMED) < 0.8


def test_rows_do_not_make_the_iqr_surer_than_its_noise_allows() -> None:
    assert least_test_rows(get_score("iqr"), Settings(epsilon=0.1), ASSUMED, 0.9) is None


def test_no_accepted_epsilon_makes_up_for_no_margin() -> None:
    assert least_epsilon(get_score("kendall"), 100, Settings(), Assumption(1e-9, 0.1), 0.99) is None


@pytest.mark.parametrize("name", NAMES)
def test_the_same_number_of_rows_keeps_the_analysis_and_more_rows_never_hurt(name: str) -> None:
    settings = Settings(score=name, epsilon=3.0 if name == "iqr" else 0.05)
    measured = measure(load_sample(DEFAULT_SAMPLE, rows=400), settings)
    true, m = measured.of(name), measured.fit.n_test
    kept = judge(measured, settings).of(name).probability_arrow_kept
    found = [with_more_rows(true, m, factor, settings) for factor in (1, 2, 10)]
    assert found[0] == pytest.approx(kept, rel=1e-12)
    assert found == sorted(found)


def test_an_assumption_taken_from_a_pair_is_its_own_margin() -> None:
    settings = Settings(score="all")
    measured = measure(load_sample(DEFAULT_SAMPLE, rows=400), settings)
    own = assumed_from(measured.of("iqr"), measured.fit.n_test)
    assert own.margin == abs(measured.of("iqr").margin)
    assert 0.0 < own.stability < 1.0
    assert assumed_from(measured.of("kendall"), measured.fit.n_test).stability == 0.0
