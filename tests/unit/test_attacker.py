"""Epsilon in words."""

import numpy as np
import pytest

from privcause_core.figures.promise import attacker_power
from privcause_core.text.words import best_guess, odds_factor, odds_said, posterior


@pytest.mark.parametrize(
    ("epsilon", "percent"), [(0.1, 52.5), (0.5, 62.2), (1, 73.1), (2, 88.1), (3, 95.3), (5, 99.3), (10, 100.0)]
)
def test_the_best_guess_is_e_to_the_epsilon_over_one_plus_it(epsilon: float, percent: float) -> None:
    # 1/(1 + e^-epsilon), by hand.
    assert round(100 * best_guess(epsilon), 1) == percent


def test_no_epsilon_is_a_coin_flip_and_no_promise_is_certainty() -> None:
    assert best_guess(0.0) == 0.5
    assert best_guess(1e6) == 1.0
    assert best_guess(0.0, 1.0) == 1.0
    assert odds_factor(1e6) == np.inf
    assert odds_said(1e6) == "odds may grow beyond any number a computer holds"
    assert odds_said(1.0) == "odds grow by at most e^ε = 2.718"


def test_delta_adds_its_share() -> None:
    assert best_guess(1.0, 0.1) == pytest.approx((np.e + 0.1) / (1 + np.e), rel=1e-14)


@pytest.mark.parametrize(("epsilon", "percent"), [(0.1, 1.1), (1, 2.7), (3, 16.9), (5, 60.0), (10, 99.6)])
def test_a_suspicion_of_one_percent_grows_as_bayes_says(epsilon: float, percent: float) -> None:
    assert round(100 * posterior(0.01, epsilon), 1) == percent


@pytest.mark.parametrize("delta", [0.0, 1e-6, 0.05])
@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1.0, 5.0, 800.0])
def test_the_trade_off_obeys_both_inequalities_and_touches_the_best_guess(epsilon: float, delta: float) -> None:
    alarms = np.linspace(0, 1, 2001)
    power = attacker_power(alarms, epsilon, delta)
    assert np.all(np.diff(power) >= -1e-15)
    assert power[-1] == 1.0
    assert power[0] == pytest.approx(min(1.0, delta) if epsilon < 100 else power[0], abs=1e-12)
    growth = odds_factor(epsilon)
    if np.isfinite(growth):
        assert np.all(power <= growth * alarms + delta + 1e-12)
        assert np.all(1 - alarms <= growth * (1 - power) + delta + 1e-12)
    guess = np.max(0.5 * (power + 1 - alarms))
    assert guess <= best_guess(epsilon, delta) + 1e-12
    assert guess == pytest.approx(best_guess(epsilon, delta), abs=2e-3)
