"""Google's dp-accounting, an independent implementation, adds up the draws of a release to what is charged."""

import pytest
from dp_accounting.pld.common import DifferentialPrivacyParameters
from dp_accounting.pld.privacy_loss_distribution import from_laplace_mechanism, from_privacy_parameters

from privcause_core.lessons.pitfalls import advanced_factor
from privcause_core.release import quote
from privcause_core.verdicts.propose_test_release import IqrVerdict
from tests.unit.releasing import plan

GRID = 1e-4  # discretisation of the privacy loss; rounds up
TINY = 1e-9  # delta at which a pure loss is read off


def composed(terms):
    """Return the privacy loss distribution of every draw of Laplace verdicts together."""
    whole = None
    for draws in (draws for one in terms for draws in one.draws):
        single = from_laplace_mechanism(draws.scale / draws.sensitivity, value_discretization_interval=GRID)
        several = single.self_compose(draws.count)
        whole = several if whole is None else whole.compose(several)
    return whole


@pytest.mark.parametrize("kind", ["two-scores", "direction"])
@pytest.mark.parametrize("scores", [("kendall",), ("spearman", "kendall", "hsic")], ids=len)
@pytest.mark.parametrize("epsilon", ["0.1", "1"])
def test_laplace_verdicts_lose_what_is_charged_and_nothing_is_wasted(scores, kind, epsilon):
    typed = plan(*scores, epsilon=epsilon, release=kind)
    lost = composed(quote(typed, 200).terms).get_epsilon_for_delta(TINY)
    charged = float(typed.cost.epsilon)
    assert charged * 0.99 < lost <= charged + 6 * GRID


def test_four_test_releases_lose_no_more_than_the_verdict_charges():
    terms = quote(plan("iqr", epsilon="1"), 200).terms[0]
    verdict = terms.verdict
    assert isinstance(verdict, IqrVerdict)
    one = from_privacy_parameters(
        DifferentialPrivacyParameters(2.0 * verdict.epsilon_per_draw, verdict.delta_per_release), GRID
    )
    assert one.self_compose(4).get_epsilon_for_delta(float(terms.cost.delta)) <= float(terms.cost.epsilon) + 4 * GRID


@pytest.mark.parametrize("k", [3, 4])
def test_advanced_composition_loses_to_basic_for_few_verdicts_and_the_exact_figure_agrees(k):
    exact = from_privacy_parameters(DifferentialPrivacyParameters(0.1, 0.0), GRID).self_compose(k)
    basic = 0.1 * k
    assert 0.1 * advanced_factor(k, 1e-6) > 5 * basic
    assert basic * 0.95 < exact.get_epsilon_for_delta(1e-6) <= basic + k * GRID
