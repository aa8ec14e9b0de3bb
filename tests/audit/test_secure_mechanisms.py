"""Every mechanism as a release builds it, through the secure source, on worst-case neighbours.

Long: run by the audit command, which prints the table. The IQR verdict is four independent propose-test-releases at a
quarter of its total each, so that one of them is audited.
"""

import math
from decimal import Decimal

import pytest

from privcause_core.noise.secure import SecureNoise
from privcause_core.release import Plan, quote
from privcause_core.scores import get_score
from privcause_core.settings import Calibration, Settings
from privcause_core.verdicts.propose_test_release import ProposeTestRelease
from tests.audit.secure_audit import EPSILONS, RUNS, Blocks, Finding

ROWS = 40  # m = 20
pytestmark = [pytest.mark.audit, pytest.mark.long]


def laplace(kind, epsilon):
    """Scores (0, D) against (D, 0): the full change of both at once."""
    plan = Plan(("kendall",), Decimal(str(epsilon)), settings=Settings(release=kind))
    verdict = quote(plan, ROWS).terms[0].verdict
    change = get_score("kendall").sensitivity(ROWS // 2, Calibration.REFINED)

    def event(scores, noise):
        values = verdict.release(scores, noise).values
        return values[-1] >= change and (len(values) == 1 or values[0] <= 0.0)

    return event, (0.0, change), (change, 0.0), 0.0


def two_scores(epsilon):
    return laplace("two-scores", epsilon)


def direction(epsilon):
    return laplace("direction", epsilon)


def propose_test_release(epsilon):
    """Log-IQRs w apart in a shared bin, distances just at and one below the threshold: (2 epsilon per draw, delta)."""
    verdict = quote(Plan(("iqr",), Decimal(str(4 * epsilon))), ROWS).terms[0].verdict
    per_draw, steps = verdict.epsilon_per_draw, math.ceil(10 / verdict.epsilon_per_draw)
    single = ProposeTestRelease(per_draw, math.exp(-per_draw * steps), verdict.bin_width)

    def event(measured, noise):
        value = single.release_measured(*measured, noise)
        return value is not None and value >= verdict.bin_width

    return event, (verdict.bin_width, (steps + 1, 1)), (0.0, (steps, 1)), single.delta


MECHANISMS = {"two scores": two_scores, "direction only": direction, "propose-test-release": propose_test_release}


def audited(mechanism, epsilon, share_of_noise):
    event, data, neighbour, delta = MECHANISMS[mechanism](epsilon)
    noise = Blocks(SecureNoise(), share_of_noise)
    counts = [sum(event(side, noise) for _ in range(RUNS)) for side in (data, neighbour)]
    found = Finding(*counts, delta)
    print(
        f"| {mechanism} | {epsilon:g} | {share_of_noise:g} | {counts[0]} | {counts[1]} "
        f"| {math.log(counts[0] / counts[1]):.4f} | {found.proved_epsilon:.4f} |"
    )
    return found


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_a_release_keeps_its_promise(mechanism, epsilon):
    assert audited(mechanism, epsilon, 1.0).proved_epsilon <= epsilon


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_four_fifths_of_the_noise_are_caught(mechanism, epsilon):
    assert audited(mechanism, epsilon, 0.8).proved_epsilon > epsilon
