"""Audits of the two Laplace verdicts on worst-case neighbours, and of broken twins.

Declared false-alarm rate: 4e-9 for each of the events below, so under 1e-6 for the whole file.
"""

import numpy as np
import pytest

from privcause_core.fits.scored import ScoredDirection
from privcause_core.scores import get_score
from privcause_core.settings import ReleaseKind, Settings
from privcause_core.verdicts.laplace import DirectionLaplace, TwoScoreLaplace
from privcause_core.verdicts.mechanisms import verdict_for
from tests.audit.auditing import RUNS, BulkNoise, HalvedSensitivity, ReusedDraw, WeakNoise, breaks_promise

pytestmark = pytest.mark.audit

M = 20
BY_RELEASE = {ReleaseKind.TWO_SCORES: TwoScoreLaplace, ReleaseKind.DIRECTION: DirectionLaplace}
each_release = pytest.mark.parametrize("release", ReleaseKind)


def worst_neighbours(name):
    """Return the (s_XY, s_YX) of two tables that differ in one record, which moves the scores by D, apart.

    In each direction all records but one are concordant; that one moves between the ends of the cause's range.
    """
    x, last = np.arange(1.0, M), float(M)
    apart, together = (ScoredDirection(c, c, r, r) for c, r in (
        (np.append(x, 0.0), np.append(x, last)), (np.append(x, last), np.append(x, last))))  # fmt: skip
    score, settings = get_score(name), Settings()
    low, high = score.statistic(apart, settings), score.statistic(together, settings)
    return (low, high), (high, low)


def events(scores, neighbours):
    """Return the events that the two sides' likelihood ratio singles out: beyond both scores, or the margin's sign."""
    low, high = min(scores), max(scores)
    half_way = [lambda out, c=c: out[:, -1] > c for c in (-(high - low), 0.0, high - low)]
    corner = [lambda out: (out[:, 0] < low) & (out[:, 1] > high), lambda out: (out[:, 0] > high) & (out[:, 1] < low)]
    return half_way + corner


def outputs(mechanism, scores, noise):
    """Return released values and margin of every run, shape (RUNS, 3); a lone margin stands for the values too."""
    runs = (mechanism.release(scores, noise) for _ in range(RUNS))
    return np.array([(released.values[0], released.values[-1], released.margin) for released in runs])


def audited(name, release, epsilon, noise):
    sides = worst_neighbours(name)
    mechanism = verdict_for(get_score(name), M, Settings(epsilon=epsilon, release=release))
    assert isinstance(mechanism, BY_RELEASE[release])
    released = [outputs(mechanism, scores, noise(seed, 2 * RUNS + 1)) for seed, scores in enumerate(sides)]
    return breaks_promise(*released, events(*sides), epsilon)


@pytest.mark.parametrize("name", ["spearman", "kendall"])
def test_the_neighbours_reach_the_sensitivity_in_both_directions(name):
    before, after = worst_neighbours(name)
    sensitivity = verdict_for(get_score(name), M, Settings()).sensitivity
    assert after[0] - before[0] == pytest.approx(sensitivity)
    assert before[1] - after[1] == pytest.approx(sensitivity)


@pytest.mark.parametrize(("name", "epsilon"), [("kendall", 0.5), ("kendall", 1.0), ("kendall", 2.0), ("spearman", 1.0)])
@each_release
def test_a_laplace_verdict_keeps_its_promise(name, release, epsilon):
    assert not audited(name, release, epsilon, BulkNoise)


@each_release
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_four_fifths_of_the_noise_are_caught(release, epsilon):
    assert audited("kendall", release, epsilon, WeakNoise)


@each_release
def test_half_the_sensitivity_is_caught(release):
    assert audited("spearman", release, 1.0, HalvedSensitivity)


def test_one_draw_for_both_scores_is_caught():
    assert audited("kendall", ReleaseKind.TWO_SCORES, 1.0, ReusedDraw)


def test_the_paper_scale_for_both_scores_spends_twice_the_total():
    """Scale D/epsilon for each of two scores is the printed per-draw epsilon: 2 epsilon in all."""
    sides = worst_neighbours("kendall")
    per_draw = TwoScoreLaplace(4 / M, 2.0)
    released = [outputs(per_draw, scores, BulkNoise(seed, 2 * RUNS)) for seed, scores in enumerate(sides)]
    assert breaks_promise(*released, events(*sides), 1.0)
    assert not breaks_promise(*released, events(*sides), 2.0)
