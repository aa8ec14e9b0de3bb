"""Audits of the releases that protect every row, on tables that differ in a training or in a test record.

The bounds are proved for the worst tables, which these are not; so each pair of tables is audited at what it can cost
itself, by the definition of the Laplace mechanism: epsilon |change| / sensitivity, never more than epsilon. There the
twin with four fifths of the noise is caught. Declared false-alarm rate: 4e-9 an event, under 1e-6 for the file.
"""

import math

import numpy as np
import pytest

from privcause_core.fits.public_ridge import residual_shift
from privcause_core.pair import Pair
from privcause_core.protection import public_ranges
from privcause_core.protection.voting_blocks import block_verdict, count_votes
from privcause_core.samples import load_sample
from privcause_core.scores import get_score
from privcause_core.scores.iqr import distances_to_instability, log_iqr
from privcause_core.settings import Settings
from privcause_core.verdicts.laplace import DirectionLaplace
from privcause_core.verdicts.propose_test_release import ProposeTestRelease
from tests.audit.auditing import RUNS, BulkNoise, WeakNoise, breaks_promise

pytestmark = pytest.mark.audit

SETTINGS = Settings(range_x="-3..3", range_y="-3..3", ridge=0.3, release="direction")
ROWS = 80
each_kind = pytest.mark.parametrize("kind", ["train", "test"])
each_score = pytest.mark.parametrize("name", ["hsic", "soft-kendall"])


def columns():
    rng = np.random.default_rng(4)
    x = rng.uniform(-3, 3, ROWS)
    return x, np.clip(np.sin(2 * x) + 0.3 * rng.normal(size=ROWS), -3, 3)


def neighbours(kind):
    """Yield fits before and after, where one record of that half went to a corner of the public ranges."""
    x, y = columns()
    before = public_ranges.fit(Pair("p", "x", "y", x, y), SETTINGS)
    for row in getattr(before, kind):
        for corner in ((3.0, 3.0), (3.0, -3.0), (-3.0, 3.0), (-3.0, -3.0)):
            moved = [np.where(np.arange(ROWS) == row, end, values) for end, values in zip(corner, (x, y), strict=True)]
            yield before, public_ranges.fit(Pair("p", "x", "y", *moved), SETTINGS)


def scores_of(fitted, name):
    score = get_score(name)
    scores = score.evaluate(fitted.scored, SETTINGS)
    return scores.xy, scores.yx


def most_different(kind, name):
    """Return the two sides' scores where the margin moves most."""
    sides = ((scores_of(before, name), scores_of(after, name)) for before, after in neighbours(kind))
    return max(sides, key=lambda side: abs(margin(side[1]) - margin(side[0])))


def margin(scores):
    return scores[1] - scores[0]


def audited(verdict, sides, promised, noise):
    """Audit margins at the cuts between the two true ones, where their likelihood ratio is extreme."""
    released = [
        np.array([[verdict.release(scores, source).margin] for _ in range(RUNS)])
        for scores, source in ((scores, noise(seed, RUNS)) for seed, scores in enumerate(sides))
    ]
    cuts = np.linspace(margin(sides[0]), margin(sides[1]), 3)
    events = [lambda out, c=c: out[:, 0] > c for c in cuts] + [lambda out, c=c: out[:, 0] <= c for c in cuts]
    return breaks_promise(*released, events, promised)


@each_score
@each_kind
def test_a_joint_laplace_release_keeps_its_promise_and_four_fifths_of_its_noise_do_not(kind, name):
    sides = most_different(kind, name)
    fitted, _ = next(iter(neighbours(kind)))
    sensitivity = public_ranges.sensitivity(get_score(name), fitted.n_train, fitted.n_test, SETTINGS)
    share = abs(margin(sides[1]) - margin(sides[0])) / (2 * sensitivity)
    assert 0.0 < share <= 1.0
    way = public_ranges.ByPublicRanges(SETTINGS.with_(epsilon=1.0 / share))  # so that this record costs exactly 1
    verdict = way.verdict(get_score(name), fitted.n_train, fitted.n_test)
    assert isinstance(verdict, DirectionLaplace)
    assert not audited(verdict, sides, 1.0, BulkNoise)
    assert audited(verdict, sides, 1.0, WeakNoise)


def vote_turned_by_one_record(score, settings):
    """Return the votes against either arrow before and after one record turned its block's vote round."""
    pair = load_sample("synthetic-near-tie", rows=60)
    before = count_votes(pair, score, settings)
    for row in range(pair.rows):
        moved = [np.where(np.arange(pair.rows) == row, end, values) for end, values in ((9.0, pair.x), (-9.0, pair.y))]
        after = count_votes(Pair("p", "x", "y", *moved), score, settings)
        if after.for_xy != before.for_xy and after.for_yx != before.for_yx:
            return before.against, after.against
    raise AssertionError


def test_a_block_vote_keeps_its_promise_and_four_fifths_of_its_noise_do_not():
    settings = Settings(blocks=5, epsilon=1.0)
    sides = vote_turned_by_one_record(get_score("kendall"), settings)
    assert abs(margin(sides[1]) - margin(sides[0])) == 2.0
    assert not audited(block_verdict(settings), sides, 1.0, BulkNoise)
    assert audited(block_verdict(settings), sides, 1.0, WeakNoise)


IQR_ROWS = 2_000
IQR_SETTINGS = SETTINGS.with_(ridge=1.0, test_share=0.1)  # the strongest ridge: many records away from instability


def residuals_a_record_apart(kind):
    """Return residuals of two fits, the shift, and a bin width at which their larger distances differ by one."""
    rng = np.random.default_rng(4)
    x = rng.uniform(-3, 3, IQR_ROWS)
    y = np.clip(np.sin(2 * x) + 0.3 * rng.normal(size=IQR_ROWS), -3, 3)
    before = public_ranges.fit(Pair("p", "x", "y", x, y), IQR_SETTINGS)
    shift = residual_shift(before.n_train, IQR_SETTINGS.ridge)
    for row in getattr(before, kind)[:30]:
        moved = [np.where(np.arange(IQR_ROWS) == row, end, values) for end, values in ((3.0, x), (-3.0, y))]
        after = public_ranges.fit(Pair("p", "x", "y", *moved), IQR_SETTINGS)
        sides = before.scored.x_to_y.residual, after.scored.x_to_y.residual
        for width in np.linspace(0.8, 1.5, 351):
            (one, second), (other, _) = (sorted(distances_to_instability(v, width, shift))[::-1] for v in sides)
            if one != other and second < one - 4:  # one test decides
                return sides, shift, float(width)
    raise AssertionError


@each_kind
def test_a_joint_iqr_release_keeps_its_promise_and_four_fifths_of_its_noise_do_not(kind):
    sides, shift, width = residuals_a_record_apart(kind)
    measured = [(log_iqr(values), distances_to_instability(values, width, shift)) for values in sides]
    epsilon, threshold = 1.0, max(max(distances) for _, distances in measured)
    mechanism = ProposeTestRelease(epsilon, math.exp(-epsilon * (threshold - 1)), width, shift)
    assert threshold > 15
    assert np.abs(np.array(measured[0][1]) - np.array(measured[1][1])).max() == 1
    cost = epsilon * (1.0 + abs(measured[0][0] - measured[1][0]) / width)  # one test, and the value within its bin
    assert cost <= 2 * epsilon
    cuts = np.linspace(measured[0][0], measured[1][0], 3)
    events = [lambda out: ~np.isnan(out[:, 0]), lambda out: np.isnan(out[:, 0])]
    events += [lambda out, c=c: out[:, 0] > c for c in cuts] + [lambda out, c=c: out[:, 0] < c for c in cuts]
    for noise, broken in ((BulkNoise, False), (WeakNoise, True)):
        released = []
        for seed, side in enumerate(measured):
            source = noise(seed, 3 * RUNS)
            runs = (mechanism.release_measured(*side, source) for _ in range(RUNS))
            released.append(np.array(list(runs), dtype=np.float64)[:, None])
        assert breaks_promise(*released, events, cost, mechanism.delta) is broken
