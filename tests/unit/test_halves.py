"""Rows dealt by a permutation from outside: dealt places decide, incomplete rows leave a gap, nothing is refused."""

import numpy as np
import pytest

from privcause_core.errors import DataError
from privcause_core.fits.halves import SeededDeal, split_sizes
from privcause_core.ledger.dealing import DealtRows

ORDER = np.array([4, 0, 5, 2, 1, 3])  # row of the table at each dealt place
ALL = np.arange(6)


def test_the_first_dealt_places_train_and_the_last_are_scored():
    halves = DealtRows(ORDER, ALL).halves(6, 0.5)
    assert halves.train.tolist() == [4, 0, 5]
    assert halves.test.tolist() == [2, 1, 3]
    assert halves.n_test == 3


def test_an_incomplete_row_keeps_its_place_and_its_half_but_is_not_in_it():
    used = np.array([0, 1, 3, 5])  # rows 2 and 4 of the table are incomplete
    halves = DealtRows(ORDER, used).halves(4, 0.5)
    assert used[halves.train].tolist() == [0, 5]
    assert used[halves.test].tolist() == [1, 3]
    assert halves.n_test == 3


def test_which_rows_are_complete_moves_no_other_row():
    whole = DealtRows(ORDER, ALL)
    for gone in range(6):
        used = np.delete(ALL, gone)
        some = DealtRows(ORDER, used)
        for half in ("train", "test"):
            expected = [row for row in getattr(whole.halves(6, 0.5), half) if row != gone]
            assert used[getattr(some.halves(5, 0.5), half)].tolist() == expected
        for block, before in zip(some.blocks(5, 3), whole.blocks(6, 3), strict=True):
            assert used[block].tolist() == [row for row in before if row != gone]


def test_dealt_blocks_are_disjoint_equal_and_cover_every_complete_row():
    blocks = DealtRows(ORDER, ALL).blocks(6, 3)
    assert [block.tolist() for block in blocks] == [[4, 0], [5, 2], [1, 3]]


def test_a_deal_from_outside_never_refuses_however_few_rows_are_complete():
    deal = DealtRows(ORDER, ALL[:0])
    assert deal.halves(0, 0.5).test.size == 0
    assert [block.size for block in deal.blocks(0, 3)] == [0, 0, 0]


def test_a_seeded_deal_gives_every_row_one_place_in_the_order_of_the_file():
    halves = SeededDeal(3).halves(40, 0.4)
    assert sorted([*halves.train, *halves.test]) == list(range(40))
    assert halves.test.size == halves.n_test == 16
    assert sorted(halves.test) == halves.test.tolist()
    blocks = SeededDeal(3).blocks(41, 4)
    assert sorted(np.concatenate(blocks)) == list(range(41))
    assert sorted(block.size for block in blocks) == [10, 10, 10, 11]


@pytest.mark.parametrize(("rows", "share"), [(7, 0.5), (20, 0.05), (20, 0.95)])
def test_a_half_that_is_too_small_is_refused_from_public_numbers(rows, share):
    with pytest.raises(DataError, match="Expected at least"):
        split_sizes(rows, share)
