"""What releases cost together: basic against advanced composition, the IQR's counts, and an independent accountant."""

import math

import pytest
from dp_accounting.pld import privacy_loss_distribution as pld
from dp_accounting.pld.common import DifferentialPrivacyParameters

from privcause_core.lessons.pitfalls import advanced_factor
from privcause_core.settings import Calibration
from privcause_core.verdicts.composition import (
    PrivacyCost,
    compose,
    iqr_attribute_cost,
    iqr_record_cost,
    one_test_release_cost,
)

REFINED, PAPER = Calibration.REFINED, Calibration.PAPER


def test_basic_composition_adds_epsilons_and_deltas():
    assert compose([PrivacyCost(0.5, 1e-6), PrivacyCost(0.25), PrivacyCost(0.25, 1e-6)]) == PrivacyCost(1.0, 2e-6)
    assert compose([]) == PrivacyCost(0.0, 0.0)
    assert PrivacyCost(0.25, 1e-6).times(4) == PrivacyCost(1.0, 4e-6)


def test_one_propose_test_release_costs_two_epsilons_where_the_paper_counts_three():
    assert one_test_release_cost(1.0, 1e-6, REFINED) == PrivacyCost(2.0, 1e-6)
    assert one_test_release_cost(1.0, 1e-6, PAPER) == PrivacyCost(3.0, 1e-6)


@pytest.mark.parametrize(
    ("cost", "calibration", "epsilons", "deltas"),
    [
        (iqr_record_cost, REFINED, 8, 4),
        (iqr_record_cost, PAPER, 12, 4),
        (iqr_attribute_cost, REFINED, 6, 3),
        (iqr_attribute_cost, PAPER, 9, 3),
    ],
)
def test_a_whole_record_touches_four_iqr_releases_and_a_single_column_three(cost, calibration, epsilons, deltas):
    total = cost(0.1, 1e-7, calibration)
    assert (total.epsilon, total.delta) == (pytest.approx(0.1 * epsilons), pytest.approx(1e-7 * deltas))


def test_advanced_composition_is_worse_than_basic_for_three_releases_and_wins_for_very_many():
    """Golden value: 2 sqrt(2 * 3 * log(1e6)) = 18.21, against 3."""
    assert advanced_factor(3, 1e-6) == pytest.approx(18.209, abs=1e-3)
    assert advanced_factor(10_000, 1e-6) == pytest.approx(2 * math.sqrt(2 * 10_000 * math.log(1e6)))
    assert advanced_factor(10_000, 1e-6) < 10_000


@pytest.mark.parametrize("k", [2, 4, 8])
def test_an_independent_accountant_finds_basic_composition_exact_for_arbitrary_mechanisms(k):
    """dp-accounting composes the worst mechanism of each (epsilon, delta); without slack nothing better is true."""
    total = PrivacyCost(0.25, 1e-7).times(k)
    worst = pld.from_privacy_parameters(DifferentialPrivacyParameters(0.25, 1e-7), value_discretization_interval=1e-4)
    assert worst.self_compose(k).get_epsilon_for_delta(total.delta) == pytest.approx(total.epsilon, rel=1e-3)


def test_an_independent_accountant_never_finds_more_than_either_composition():
    for k, epsilon, slack in ((3, 0.1, 1e-6), (200, 0.005, 1e-6), (2_000, 5e-4, 1e-9)):
        worst = pld.from_privacy_parameters(
            DifferentialPrivacyParameters(epsilon, 0.0), value_discretization_interval=epsilon / 5
        )
        optimal = worst.self_compose(k).get_epsilon_for_delta(slack)
        assert optimal <= min(k, advanced_factor(k, slack)) * epsilon * (1 + 1e-6)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_an_independent_accountant_agrees_on_the_cost_of_two_laplace_scores(epsilon):
    """Scale D/(epsilon/2) each, both scores moved by D."""
    one = pld.from_laplace_mechanism(2.0 / epsilon, sensitivity=1.0, value_discretization_interval=1e-4)
    assert one.self_compose(2).get_epsilon_for_delta(1e-9) == pytest.approx(epsilon, rel=1e-3)
