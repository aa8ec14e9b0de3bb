"""Spearman's rho-a and Kendall's tau-a: definitions, ties, exact integers, and exhaustive sensitivities."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import kendalltau, rankdata, spearmanr

from privcause_core.scores import get_score
from privcause_core.scores.kendall import concordance, tau_a
from privcause_core.scores.spearman import doubled_rank_product, exact_product, rho_a
from privcause_core.settings import Calibration

STATISTICS = {"spearman": rho_a, "kendall": tau_a}
PROVED = {"spearman": lambda m: 6 / (m + 1), "kendall": lambda m: 4 / m}


def slow_rho_a(x, r):
    m = x.size
    return 12 * np.sum((rankdata(x) - (m + 1) / 2) * (rankdata(r) - (m + 1) / 2)) / (m * (m**2 - 1))


def slow_tau_a(x, r):
    signs = np.sign(np.subtract.outer(x, x)) * np.sign(np.subtract.outer(r, r))
    return np.triu(signs, 1).sum() / (x.size * (x.size - 1) / 2)


SLOW = {"spearman": slow_rho_a, "kendall": slow_tau_a}


@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize("levels", [1, 2, 3, 10, 10**6])
def test_a_fast_statistic_equals_its_definition(name, levels):
    rng = np.random.default_rng(levels)
    for m in (2, 3, 4, 7, 50, 151):
        x, r = rng.integers(0, levels, (2, m)).astype(float)
        assert STATISTICS[name](x, r) == pytest.approx(SLOW[name](x, r), abs=1e-14)


def test_without_ties_both_equal_the_usual_coefficients():
    x, r = np.random.default_rng(0).normal(size=(2, 99))
    assert rho_a(x, r) == pytest.approx(spearmanr(x, r).statistic)
    assert tau_a(x, r) == pytest.approx(kendalltau(x, r).statistic)


def test_with_ties_both_keep_the_fixed_denominator():
    """Golden values: exact fractions, 12 * 28.75 / 504 and 14/28; tau-b would be 7/12, tau-c 35/64."""
    x, r = np.array([1, 2, 2, 3, 3, 3, 4, 5.0]), np.array([2, 1, 3, 3, 5, 4, 4, 4.0])
    assert rho_a(x, r) == pytest.approx(0.684523809524, abs=1e-12)
    assert tau_a(x, r) == 0.5


def test_many_ties_in_many_rows_are_counted_without_overflow():
    """Golden value: an exact integer count over the 7 x 5 table of levels."""
    i = np.arange(200_000, dtype=np.int64)
    x = (i * i + i // 7) % 7
    y = (i * i * i + i + x * (i % 3)) % 5
    assert concordance(x, y) == 465_168_516
    assert tau_a(x, y) == pytest.approx(0.0232585420927, abs=1e-13)
    table = np.zeros((7, 5), dtype=object)
    np.add.at(table, (x, y), 1)
    doubled = [int(k) for k in 2 * rankdata(x) - 200_001], [int(k) for k in 2 * rankdata(y) - 200_001]
    assert doubled_rank_product(x, y) == sum(a * b for a, b in zip(*doubled, strict=True))


def test_a_million_perfectly_ordered_rows_are_exact():
    x = np.arange(1_000_000.0)
    assert tau_a(x, x) == rho_a(x, x) == 1.0
    assert tau_a(x, -x) == rho_a(x, -x) == -1.0


@pytest.mark.parametrize("rows", [12_000_000, 10**8, 2 * 10**9])
def test_products_of_ranks_of_very_many_rows_do_not_wrap(rows):
    """The largest doubled ranks of so many rows, more of them than one sum in int64 holds."""
    ranks = np.arange(rows - 1, rows - 70_001, -1)
    exact = sum(rank * rank for rank in range(rows - 70_000, rows))
    assert exact > 2**63
    assert exact_product(ranks, ranks) == exact
    assert exact_product(ranks, -ranks) == -exact


@pytest.mark.parametrize("name", STATISTICS)
def test_integers_that_a_double_cannot_tell_apart_are_ranked_exactly(name):
    huge = 2**60 + np.arange(10)
    assert STATISTICS[name](huge, np.arange(10.0)) == 1.0
    assert STATISTICS[name](huge, huge[::-1]) == -1.0


@pytest.mark.parametrize("name", STATISTICS)
def test_the_order_of_the_rows_and_monotone_maps_do_not_matter(name):
    rng = np.random.default_rng(8)
    x, r = rng.normal(size=(2, 40)).round(1)
    order = rng.permutation(40)
    assert STATISTICS[name](x[order], r[order]) == STATISTICS[name](x, r) == STATISTICS[name](np.exp(x), 1e300 * r)


def test_one_row_moves_tau_b_across_its_range_but_tau_a_by_four_over_m():
    """Golden values, m = 40: tau-b 1 -> -1 with both columns tied, 0.2236 -> -0.2236 with one; tau-a by 0.1 exactly."""
    x = np.array([1.0] + [0.0] * 39)
    untied = np.concatenate([[2.0], np.linspace(-1, 1, 40).round(4)[1:]])
    for r, tau_b in ((x.copy(), 1.0), (untied, 0.223606797749979)):
        flipped = np.concatenate([[-r[0]], r[1:]])
        assert [kendalltau(x, r).statistic, kendalltau(x, flipped).statistic] == pytest.approx([tau_b, -tau_b])
        assert [tau_a(x, r), tau_a(x, flipped)] == pytest.approx([0.05, -0.05])


def replacements(m, tie_patterns):
    """Return every set of m - 1 records (up to order and monotone maps) with every way to add one record.

    Two data sets of m records are neighbours if and only if they share m - 1 records, so the sensitivity is the
    largest range along the last axis but one.

    Returns
    -------
    x, r : arrays of shape (sets of m - 1 records, additions, m)
        Fixed records lie on odd numbers, so that a new one can tie with or fall between any of them.
    """
    if tie_patterns:
        levels = [v for v in product(range(m - 1), repeat=m - 1) if sorted(set(v)) == list(range(max(v) + 1))]
        x_levels = [v for v in levels if list(v) == sorted(v)]
        slots = range(2 * m - 1)
    else:
        levels, x_levels, slots = list(permutations(range(m - 1))), [tuple(range(m - 1))], range(0, 2 * m, 2)
    sets = np.array(list(product(x_levels, levels))) * 2 + 1
    added = np.array(list(product(slots, slots)))
    shape = (len(sets), len(added), m - 1)
    return tuple(
        np.concatenate(
            [np.broadcast_to(sets[:, None, c], shape), np.broadcast_to(added[:, c, None], (*shape[:2], 1))], 2
        )
        for c in (0, 1)
    )


def statistic_of_all(statistic, x, r):
    """Evaluate along the last axis, once for each data set that differs by more than row order and monotone maps."""
    m = x.shape[-1]
    records = np.sort(dense_ranks(x) * m + dense_ranks(r))
    keys = (records * (m * m) ** np.arange(m)).sum(axis=-1)
    _, first, where = np.unique(keys.ravel(), return_index=True, return_inverse=True)
    x, r = x.reshape(-1, m)[first].astype(float), r.reshape(-1, m)[first].astype(float)
    values = np.array([statistic(*data) for data in zip(x, r, strict=True)])
    return values[where].reshape(keys.shape)


def dense_ranks(values):
    order = np.argsort(values, axis=-1)
    steps = np.diff(np.take_along_axis(values, order, -1), axis=-1, prepend=-1) > 0
    ranks = np.empty_like(values)
    np.put_along_axis(ranks, order, np.cumsum(steps, axis=-1) - 1, -1)
    return ranks


@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize(("m", "tie_patterns"), [(m, False) for m in range(3, 8)] + [(m, True) for m in range(3, 6)])
def test_no_replacement_of_any_record_in_any_order_exceeds_the_sensitivity_and_some_reach_it(name, m, tie_patterns):
    values = statistic_of_all(STATISTICS[name], *replacements(m, tie_patterns))
    signed, absolute = np.ptp(values, axis=1).max(), np.ptp(np.abs(values), axis=1).max()
    assert signed == pytest.approx(min(2.0, PROVED[name](m)), abs=1e-14)
    refined = get_score(name).sensitivity(m, Calibration.REFINED)
    assert absolute <= refined + 1e-14
    if m >= {"spearman": 5, "kendall": 4}[name]:
        assert absolute == pytest.approx(refined, abs=1e-14)


def test_the_search_covers_every_ordered_data_set():
    """Its twin by counting: (m-1)! orders and m^2 additions without ties; with ties, m = 3, by listing all tables."""
    x, _ = replacements(5, tie_patterns=False)
    assert x.shape == (24, 25, 5)
    x, r = replacements(3, tie_patterns=True)
    keys = {tuple(sorted(zip(*rows, strict=True))) for rows in zip(*map(flat_ranks, (x, r)), strict=True)}
    tables = np.array(list(product(product(range(3), repeat=3), repeat=2)))
    listed = {
        tuple(sorted(zip(*rows, strict=True))) for rows in zip(*map(flat_ranks, tables.transpose(1, 0, 2)), strict=True)
    }
    assert keys == listed


def flat_ranks(values):
    return dense_ranks(values.reshape(-1, values.shape[-1])).tolist()


@pytest.mark.parametrize("m", [20, 101])
def test_the_worst_neighbours_of_the_proofs_reach_the_sensitivity_at_any_size(m):
    """Spearman: one record of an otherwise concordant sample moves from rank (1, m) to (m, m)."""
    x = np.arange(1.0, m)
    for name, statistic in STATISTICS.items():
        before, after = (statistic(np.append(x, new), np.append(x, m)) for new in (0.0, m))
        assert after - before == pytest.approx(PROVED[name](m) if name == "spearman" else 4 / m)


@pytest.mark.parametrize(("name", "paper"), [("spearman", 30 / 100), ("kendall", 4 / 100)])
def test_the_published_sensitivities_are_those_of_theorem_2(name, paper):
    score = get_score(name)
    assert score.sensitivity(100, Calibration.PAPER) == pytest.approx(paper)
    assert score.sensitivity(100, Calibration.REFINED) == pytest.approx(PROVED[name](100))
    assert score.sensitivity(4, Calibration.REFINED) == 1.0
