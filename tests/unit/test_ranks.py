"""Dense ranks and sums over pairs against their definitions, with ties, huge integers and intermediates that wrap."""

from collections import Counter
from itertools import combinations, product
from math import comb, sqrt

import numpy as np
import pytest
from scipy.stats import kendalltau

from privcause_core.scores import ranks
from privcause_core.scores.kendall import concordance
from privcause_core.scores.ranks import dense_ranks, ramp_sum


def slow_ramp_sum(x, r, reach):
    """Return the sum over all pairs, one by one, in Python's own integers."""
    rows = list(zip(x.tolist(), r.tolist(), strict=True))
    ramps = ((a, b, max(-reach, min(reach, s - t))) for (a, s), (b, t) in combinations(rows, 2))
    return sum(ramp * ((a > b) - (a < b)) for a, b, ramp in ramps)


@pytest.mark.parametrize("values", [[3.5], [0.0, -0.0], [2.0, 1.0, 2.0], [2**60 + 1, 2**60, 2**60 + 2, 2**60 + 1]])
def test_dense_ranks_count_the_smaller_distinct_values(values):
    distinct = sorted(set(values))
    assert dense_ranks(np.array(values)).tolist() == [distinct.index(value) for value in values]


@pytest.mark.parametrize("small", [1, 3, 2**16])
@pytest.mark.parametrize("reach", [1, 2, 2**30])
def test_sums_over_every_table_of_few_rows_are_the_sums_over_pairs(small, reach, monkeypatch):
    monkeypatch.setattr(ranks, "SMALL", small)
    for x, r in product(product(range(3), repeat=4), repeat=2):
        columns = np.array(x), np.array(r) * (reach // 2 + 1)
        assert ramp_sum(*columns, reach) == slow_ramp_sum(*columns, reach)


@pytest.mark.parametrize("small", [1, 5, 2**16])
def test_sums_over_up_to_twelve_rows_with_ties_are_the_sums_over_pairs(small, monkeypatch):
    monkeypatch.setattr(ranks, "SMALL", small)
    rng = np.random.default_rng(small)
    for _ in range(600):
        m, levels, reach = int(rng.integers(2, 13)), int(rng.integers(1, 14)), int(rng.choice([1, 2, 3, 2**30]))
        x, r = rng.integers(0, levels, m), rng.integers(-levels, levels, m) * rng.choice([1, 2**28, 2**30, 2**38])
        expected = slow_ramp_sum(x, r, reach)
        assert ramp_sum(x, r, reach) == ramp_sum(x + 2**60, r, reach) == ramp_sum(x / 3, r, reach) == expected
        assert concordance(x - 2**60, r + 2**61) == concordance(x / 3, r / 7) == slow_ramp_sum(x, r, 1)


@pytest.mark.parametrize("levels", [2, 1_000, 10**9])
@pytest.mark.parametrize("small", [100, 2**16])
def test_a_hundred_thousand_rows_with_ties_agree_with_the_usual_coefficient(levels, small, monkeypatch):
    monkeypatch.setattr(ranks, "SMALL", small)
    x, r = np.random.default_rng(levels).integers(0, levels, (2, 100_000))
    r += x // 2
    untied = [comb(x.size, 2) - sum(comb(k, 2) for k in Counter(column.tolist()).values()) for column in (x, r)]
    counted = concordance(x, r)
    assert counted / sqrt(untied[0] * untied[1]) == pytest.approx(kendalltau(x, r).statistic, rel=1e-12, abs=1e-14)
    assert concordance(x + 2**60, r - 2**61) == -concordance(x, -r) == counted


@pytest.mark.parametrize("m", [1_000, 70_000])
def test_products_that_wrap_on_the_way_leave_the_sum_exact(m):
    """Beyond 17 million rows of the narrowest width, counts times residuals pass 2^63, as they do for these."""
    rng = np.random.default_rng(m)
    x, r = rng.integers(0, 50, m), rng.integers(-(2**32), 2**32, m)
    far = 2**60 + r
    assert m * 2**60 > 2**63
    assert ramp_sum(x, far, 2**30) == ramp_sum(x, r, 2**30) == -ramp_sum(-x, far, 2**30)
    assert ramp_sum(x[:300], far[:300], 2**30) == slow_ramp_sum(x[:300], far[:300], 2**30)
