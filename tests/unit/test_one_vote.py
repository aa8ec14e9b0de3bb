"""The lesson's bounded vote: a moved row changes its own vote, and scores within their bounds."""

import numpy as np
import pytest

from privcause_core.figures.lesson import VOTE_REACH, cast_votes
from privcause_core.lessons.one_vote import bounded_vote, move_one
from privcause_core.samples import DEFAULT_SAMPLE, load_sample
from privcause_core.settings import Settings

PAIR = load_sample(DEFAULT_SAMPLE, rows=300)


@pytest.mark.parametrize("limit", [0.1, 0.5, 8.0])
@pytest.mark.parametrize("y", [-50.0, 0.5, 4.0])
def test_the_likelihood_moves_by_the_change_of_one_bounded_vote(y, limit):
    moved = move_one(PAIR, y, Settings(vote_limit=limit))
    likelihood, kendall = moved.scores
    by_vote = (bounded_vote(moved.moved, limit) - bounded_vote(moved.cast[0], limit)) / moved.cast.size
    assert likelihood.after.margin - likelihood.before.margin == pytest.approx(by_vote, abs=1e-6)
    assert likelihood.bound == pytest.approx(limit / 150)
    assert likelihood.change <= likelihood.bound * (1 + 1e-9)
    assert 0.0 < kendall.change <= kendall.bound == pytest.approx(4 / 150)


def test_the_votes_bear_more_noise_than_kendall_on_the_lesson_sample():
    likelihood, kendall = move_one(PAIR, 3.0, Settings()).scores
    assert likelihood.margin_over_noise > 5 * kendall.margin_over_noise


@pytest.mark.parametrize("limit", [0.5, 8.0])
def test_the_picture_shows_every_vote_cut_at_the_limit_and_the_moved_one_twice(limit):
    moved = move_one(PAIR, 3.0, Settings(vote_limit=limit))
    chart = cast_votes(moved, limit)
    drawn = np.concatenate([trace.x for trace in chart.figure.data[:2]])
    assert drawn.size == 150
    assert np.abs(drawn).max() <= min(limit, VOTE_REACH)
    names = [trace.name for trace in chart.figure.data]
    assert any(name.startswith("after the move:") for name in names)
    assert ("cut off" in names) == (limit < abs(moved.moved))
    assert np.abs(chart.table["what counts"]).max() <= limit
