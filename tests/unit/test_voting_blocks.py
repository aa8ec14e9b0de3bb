"""Subsample-and-aggregate: what the blocks see, how they vote, and how sure the noisy vote is."""

import itertools
import re

import numpy as np
import pytest

from privcause_core.errors import DataError
from privcause_core.explore.block_planning import least_blocks, recommended_blocks, vote_certainty
from privcause_core.fits.anm import fit_anm
from privcause_core.fits.halves import SeededDeal
from privcause_core.pair import Direction, Pair
from privcause_core.protection import voting_blocks
from privcause_core.protection.choice import coverage
from privcause_core.protection.voting_blocks import Votes, block_verdict, count_votes, cross_fits
from privcause_core.samples import load_sample
from privcause_core.scores import TwoScores, all_scores, get_score
from privcause_core.settings import SEED_MAX, Protection, Route, Settings
from privcause_core.verdicts.laplace import DirectionLaplace
from tests.seeded_noise import SeededNoise

HSIC = get_score("hsic")
BLOCKS = {"protect": Protection.EVERY_ROW, "route": Route.BLOCKS}
each_score = pytest.mark.parametrize("score", all_scores(), ids=lambda score: score.name)


def small_pair(rows=120, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=rows)
    return x, np.tanh(2 * x) + 0.3 * rng.normal(size=rows)


def test_blocks_of_an_easy_pair_vote_for_its_arrow():
    votes = count_votes(load_sample("synthetic-saturation", rows=4_000), HSIC, Settings(blocks=8))
    assert votes == Votes(for_xy=8, for_yx=0, blocks=8)
    assert votes.against == (0.0, 8.0)


def test_exchanging_the_columns_exchanges_the_votes():
    x, y = small_pair()
    pair = Pair("p", "x", "y", x, y)
    votes, swapped = (count_votes(one, HSIC, Settings(blocks=6)) for one in (pair, pair.swapped()))
    assert (votes.for_xy, votes.for_yx) == (swapped.for_yx, swapped.for_xy)


@each_score
@pytest.mark.parametrize("blocks", [2, 7])
def test_replacing_any_record_moves_each_count_by_at_most_one(score, blocks, monkeypatch):
    monkeypatch.setattr(voting_blocks, "CROSS_FITS", 2)  # more of them are no other case, only slower
    x, y = small_pair()
    settings, rng = Settings(blocks=blocks), np.random.default_rng(blocks)
    before = count_votes(Pair("p", "x", "y", x, y), score, settings)
    for row in rng.choice(x.size, 4, replace=False):
        moved_x, moved_y = x.copy(), y.copy()
        moved_x[row], moved_y[row] = rng.choice([0.0, 1e9, -1e300]), rng.choice([0.0, 1e9, 1e300])
        after = count_votes(Pair("p", "x", "y", moved_x, moved_y), score, settings)
        assert abs(after.for_xy - before.for_xy) <= 1
        assert abs(after.for_yx - before.for_yx) <= 1


def test_a_block_votes_with_all_of_its_rows_split_several_ways():
    """Two blocks, dealt as documented; each half of a block is scored by the other half's fit, all margins added."""
    x, y = small_pair(90)
    settings, expected = Settings(blocks=2, seed=5), []
    order = np.random.default_rng((5, 3)).permutation(90)
    for rows in (np.sort(order[:45]), np.sort(order[45:])):
        block = Pair("b", "x", "y", x[rows], y[rows])
        deals = [SeededDeal(seed, exchanged) for seed in range(5, 15) for exchanged in (False, True)]
        fits = [fit_anm(block, settings.with_(seed=deal.seed), deal) for deal in deals]
        expected.append(sum(HSIC.evaluate(f.scored, settings).margin for f in fits))
    votes = count_votes(Pair("p", "x", "y", x, y), HSIC, settings)
    assert (votes.for_xy, votes.for_yx) == (sum(m > 0 for m in expected), sum(m < 0 for m in expected))


@pytest.mark.parametrize(
    ("rows", "blocks", "times"), [(100, 10, 10), (20, 2, 10), (300, 10, 3), (1_500, 10, 1), (100, 40, 2), (100, 500, 1)]
)
def test_small_blocks_split_themselves_several_times_as_long_as_all_of_them_together_stay_few(rows, blocks, times):
    assert cross_fits(rows, blocks) == times


def test_halves_that_are_infinitely_sure_of_opposite_arrows_vote_for_neither():
    x, y = small_pair()

    class Opposite(type(HSIC)):
        calls = itertools.cycle([-np.inf, 0.0, 0.0, -np.inf])

        def statistic(self, direction, settings):
            return next(self.calls)

    assert count_votes(Pair("p", "x", "y", x, y), Opposite(), Settings(blocks=3)) == Votes(0, 0, 3)


def test_a_constant_pair_votes_for_neither_arrow_and_every_block_votes_at_most_once():
    x = np.ones(60)
    assert count_votes(Pair("p", "x", "y", x, x), get_score("kendall"), Settings(blocks=5)) == Votes(0, 0, 5)
    x, y = small_pair()
    votes = count_votes(Pair("p", "x", "y", x, y), get_score("kendall"), Settings(blocks=7))
    assert votes.for_xy + votes.for_yx <= 7


def test_blocks_too_small_to_split_are_refused_by_their_size_alone():
    x, y = small_pair(79)
    with pytest.raises(DataError, match="got 79 complete rows for 12 blocks; use at most 9 blocks"):
        count_votes(Pair("p", "x", "y", x, y), HSIC, Settings(blocks=12))


def test_the_verdict_is_one_laplace_draw_of_scale_two_over_epsilon_on_the_difference_of_the_counts():
    verdict = block_verdict(Settings(epsilon=0.5))
    assert verdict == DirectionLaplace(sensitivity=1.0, epsilon=0.5)
    assert verdict.noise_scale == 4.0
    released = verdict.release(Votes(9, 1, 10).against, SeededNoise(np.random.default_rng(0)))
    assert released.margin == pytest.approx(8.0 + 4.0 * np.random.default_rng(0).laplace(size=1)[0])
    assert released.direction is Direction.X_TO_Y


def test_the_certainty_of_a_vote_is_what_simulated_votes_show():
    rng, runs = np.random.default_rng(1), 200_000
    for blocks, agreement, epsilon in ((5, 0.9, 1.0), (20, 0.7, 0.3), (2, 0.5, 5.0)):
        votes = 2 * rng.binomial(blocks, agreement, runs) - blocks + rng.laplace(scale=2 / epsilon, size=runs)
        assert vote_certainty(blocks, agreement, epsilon) == pytest.approx((votes > 0).mean(), abs=0.005)


def test_unanimous_blocks_are_as_sure_as_one_laplace_draw():
    assert vote_certainty(10, 1.0, 1.0) == pytest.approx(1 - np.exp(-5) / 2)
    assert vote_certainty(10, 0.5, 1.0) == pytest.approx(0.5)


def test_the_least_number_of_blocks_is_the_first_that_is_sure_enough():
    found = least_blocks(0.9, 0.95, 1.0)
    assert vote_certainty(found, 0.9, 1.0) >= 0.95 > vote_certainty(found - 1, 0.9, 1.0)
    assert least_blocks(0.5, 0.95, 1.0) is None
    assert least_blocks(0.501, 0.999, 0.01) is None


def test_more_blocks_of_the_same_agreement_are_never_less_sure():
    for agreement in (0.51, 0.7, 0.99, 1.0):
        for epsilon in (0.01, 1.0, 5.0, 100.0):
            sure = [vote_certainty(blocks, agreement, epsilon) for blocks in range(1, 40)]
            assert all(after >= before - 1e-12 for before, after in itertools.pairwise(sure))


def test_the_recommended_number_of_blocks_outvotes_the_noise_but_leaves_rows_to_judge_by():
    assert recommended_blocks(100_000, 1.0) == 10
    assert recommended_blocks(100_000, 0.1) == 100
    assert recommended_blocks(500, 1.0) == 5
    assert recommended_blocks(50, 1.0) == recommended_blocks(10**6, 100.0) == 2
    assert vote_certainty(recommended_blocks(10**6, 0.2), 1.0, 0.2) > 0.99


class Watcher:
    """A score that notes which rows train and which are scored, and has no opinion."""

    def __init__(self):
        self.seen = []

    def of_deal(self, pair, settings, deal):
        halves = deal.halves(pair.rows, settings.test_share)
        self.seen.append((settings.seed, halves.train.tolist(), halves.test.tolist()))
        return TwoScores(0.0, 0.0)


@pytest.mark.parametrize("seed", [0, SEED_MAX])
def test_a_block_scores_both_halves_each_by_the_others_fit_under_seeds_that_wrap(seed):
    watcher, settings = Watcher(), Settings(blocks=2, seed=seed)
    count_votes(Pair("p", "x", "y", *small_pair(40)), watcher, settings)
    fits = cross_fits(20, 2)
    assert len(watcher.seen) == 2 * 2 * fits
    assert [used for used, _, _ in watcher.seen[::2]] == 2 * [(seed + k) % (SEED_MAX + 1) for k in range(fits)]
    for (one, train, test), (other, exchanged_train, exchanged_test) in zip(
        watcher.seen[::2], watcher.seen[1::2], strict=True
    ):
        assert one == other
        assert (train, test) == (exchanged_test, exchanged_train)


def test_what_is_compared_are_the_votes_of_the_deal_with_their_standard_error():
    pair, settings, deal = Pair("p", "x", "y", *small_pair(100)), Settings(**BLOCKS, blocks=9), SeededDeal(5)
    votes = count_votes(pair, HSIC, settings, deal)
    assert votes != count_votes(pair, HSIC, settings)
    compared = coverage(settings).compare(HSIC, pair, fit_anm(pair, settings), deal)
    assert compared == TwoScores(*votes.against, votes.standard_error)


def test_the_rows_that_are_asked_for_are_the_least_that_do():
    way = coverage(Settings(**BLOCKS, blocks=2))
    with pytest.raises(DataError, match="bring at least") as refusal:
        way.sizes(2)
    least = int(re.search(r"bring at least (\d+) rows", str(refusal.value))[1])
    assert sum(way.sizes(least)) == least // 2
    with pytest.raises(DataError):
        way.sizes(least - 1)
    with pytest.raises(DataError, match="use at most 2 blocks"):
        coverage(Settings(**BLOCKS, blocks=3)).sizes(least)


def test_whole_rows_are_counted_and_a_hundred_a_block_are_no_longer_few():
    way = coverage(Settings(**BLOCKS, blocks=7))
    assert way.rows_text(1_000, 0, 0) == "1,000 in 7 blocks of 142"
    assert way.few_rows(700, 0) == ""
    assert "Only 99 rows a block" in way.few_rows(699, 0)
