"""A table kept sorted, one value replaced and the file sorted again: nearly every row is in another place.

Dealt in secret, releases from the two files stay within epsilon; dealt by their places in the file, as the twin does
with everything else equal, they fail the same audit. Declared false-alarm rate: 4e-9 an event, below 1e-6 for the file.
The quick audits run with the other tests, those of 100,000 runs a side with ``make audit``.
"""

import numpy as np
import pytest

from privcause_core.fits.halves import SeededDeal
from privcause_core.ledger import cohort_of_pair
from privcause_core.ledger.canonical import records_of
from privcause_core.ledger.dealing import DealtRows
from privcause_core.ledger.shuffle import secret_permutation
from privcause_core.pair import Pair
from privcause_core.protection import voting_blocks
from privcause_core.protection.choice import coverage
from privcause_core.protection.voting_blocks import block_verdict, count_votes
from privcause_core.scores import get_score
from privcause_core.settings import Settings
from tests.audit.auditing import RUNS, BulkNoise, breaks_promise, proved_loss

pytestmark = pytest.mark.audit

EPSILON = 1.0
long = pytest.param(RUNS, marks=pytest.mark.long, id="100,000 runs a side")
SECRET = b"audit"


def sorted_neighbours(rows):
    """Return a pair sorted by x, and the same with its least x replaced by one beyond the largest, sorted again."""
    rng = np.random.default_rng(3)
    x = np.sort(rng.normal(size=rows))
    y = np.tanh(1.5 * x) + 0.3 * rng.normal(size=rows)
    return Pair("sorted", "x", "y", x, y), Pair("neighbour", "x", "y", np.r_[x[1:], x[-1] + 0.5], np.r_[y[1:], y[0]])


def in_secret(pair, side):
    """Return a function of the run: the deal that a fresh secret key makes of the pair's records."""
    cohort = cohort_of_pair(pair)
    order = records_of(cohort.recognised(cohort.marks(SECRET))).order

    def deal(run):
        key = (2 * run + side).to_bytes(32, "big")
        return DealtRows(order[secret_permutation(key, pair.rows)], cohort.used)

    return deal


def by_places(seed):
    """Return the deal of the former releases: by a public seed and the place in the file, every run the same."""
    return lambda _: SeededDeal(seed)


def noised(verdict, scores, side):
    noise = BulkNoise(side, 2 * len(scores))
    return np.array([verdict.release(one, noise).values for one in scores])


def at_cuts(sides):
    """Return events fixed beforehand: either output, and both, beyond cuts between the fixed deals' own values."""
    (first, second), events = np.array(sides, dtype=float), []
    for share in (0.0, 0.5, 1.0):
        cuts, up = first + share * (second - first), second > first
        for column in range(cuts.size):
            events.append(lambda out, c=column, cut=cuts[column]: out[:, c] > cut)
            events.append(lambda out, c=column, cut=cuts[column]: out[:, c] <= cut)
        events.append(lambda out, cuts=cuts, up=up: ((out > cuts) == up).all(axis=1))
        events.append(lambda out, cuts=cuts, up=up: ((out > cuts) != up).all(axis=1))
    return events


def judged(twin, secret, events, what):
    """Check that the twin is caught and the secret deal is not; print the losses that were proved."""
    print(f"| {what} | {len(twin[0])} | {proved_loss(*twin, events):.2f} | {proved_loss(*secret, events):.2f} |")
    assert breaks_promise(*twin, events, EPSILON)
    assert not breaks_promise(*secret, events, EPSILON)


KENDALL = get_score("kendall")
HALVES = Settings(epsilon=EPSILON)
ROWS, SEED = 100, 23  # a seed with which the fixed deal moves the two scores by 3.3 times what epsilon covers


def kendall_scores(pair, deal, runs):
    way, found = coverage(HALVES), []
    for run in range(runs):
        scores = KENDALL.evaluate(way.fit(pair, deal(run)).scored, HALVES)
        found.append((scores.xy, scores.yx))
    return found


@pytest.mark.timeout(7200)
@pytest.mark.parametrize("runs", [pytest.param(400, id="quick"), long])
def test_two_kendall_scores_of_a_sorted_table_are_private_when_dealt_in_secret_and_not_by_places(runs):
    pairs = sorted_neighbours(ROWS)
    fixed = [kendall_scores(pair, by_places(SEED), 1)[0] for pair in pairs]
    verdict, events = coverage(HALVES).verdict(KENDALL, ROWS // 2, ROWS // 2), at_cuts(fixed)
    twin = [noised(verdict, [scores] * runs, side) for side, scores in enumerate(fixed)]
    secret = [
        noised(verdict, kendall_scores(pair, in_secret(pair, side), runs), side) for side, pair in enumerate(pairs)
    ]
    judged(twin, secret, events, "two Kendall scores")


BLOCKS = Settings(epsilon=EPSILON, protect="every-row", blocks=5)


def votes(pair, deal, runs):
    return [count_votes(pair, KENDALL, BLOCKS, deal(run)).against for run in range(runs)]


@pytest.mark.parametrize("runs", [pytest.param(5_000, id="quick"), long])
def test_votes_of_blocks_of_a_sorted_table_are_private_when_dealt_in_secret_and_not_by_places(runs, monkeypatch):
    """A block may do anything with its rows: these vote by the sign of a sum that alternates along the sorted file."""
    monkeypatch.setattr(voting_blocks, "_margin", lambda pair, rows, *_: float(pair.y[rows].sum()))
    x, y = np.arange(45.0), np.where(np.arange(45) % 2 == 0, 1.0, -1.0)
    pairs = Pair("sorted", "x", "y", x, y), Pair("neighbour", "x", "y", x + 1.0, -y)
    fixed = [votes(pair, by_places(6), 1)[0] for pair in pairs]
    assert abs((fixed[0][1] - fixed[0][0]) - (fixed[1][1] - fixed[1][0])) == 6  # one block explains 2
    verdict = block_verdict(BLOCKS)
    events = at_cuts([[one[1] - one[0]] for one in fixed])
    twin = [noised(verdict, [scores] * runs, side) for side, scores in enumerate(fixed)]
    secret = [noised(verdict, votes(pair, in_secret(pair, side), runs), side) for side, pair in enumerate(pairs)]
    judged(twin, secret, events, "votes of blocks")


def test_the_neighbours_differ_in_one_record_and_nearly_every_place():
    one, other = ({*zip(pair.x.tolist(), pair.y.tolist(), strict=True)} for pair in sorted_neighbours(ROWS))
    assert len(one - other) == len(other - one) == 1
    before, after = sorted_neighbours(ROWS)
    assert (before.x != after.x).all()
