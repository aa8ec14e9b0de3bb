"""Every joint score on neighbours that differ in a training or in a test record, against its sensitivity."""

import itertools
import math

import numpy as np
import pytest

from privcause_core.fits.public_ridge import GRID, residual_shift
from privcause_core.fits.scaling import quartile_indices
from privcause_core.fits.scored import ScoredDirection
from privcause_core.pair import Pair
from privcause_core.protection import public_ranges
from privcause_core.scores import LaplaceScore, get_score
from privcause_core.scores.iqr import bins, distances_to_instability, log_iqr
from privcause_core.settings import Calibration, ReleaseKind, Settings
from privcause_core.verdicts.laplace import DirectionLaplace, TwoScoreLaplace
from privcause_core.verdicts.propose_test_release import IqrVerdict

SETTINGS = Settings(range_x="-3..3", range_y="-3..3", ridge=0.3, bandwidth=1.0, soft_width=1.0)
JOINT = public_ranges.releasable()
LAPLACE = [score for score in JOINT if isinstance(score, LaplaceScore)]
each_laplace_score = pytest.mark.parametrize("score", LAPLACE, ids=lambda score: score.name)
ROUNDING = 1e-12


def pairs(rows):
    """Yield columns: a curve, a line with ties, clusters, constants."""
    rng = np.random.default_rng(rows)
    x = rng.uniform(-3, 3, rows)
    yield x, np.clip(np.sin(2 * x) + 0.3 * rng.normal(size=rows), -3, 3)
    yield np.round(x), np.round(x + rng.normal(size=rows))
    yield rng.choice([-3.0, 3.0], rows), rng.choice([-3.0, 3.0], rows)
    yield np.zeros(rows), np.full(rows, 3.0)


def replacements(x, y, row, rng):
    """Yield copies with one record replaced: by corners, by outliers, by another record's values, by its opposite."""
    other = rng.integers(x.size)
    for new_x, new_y in (
        (3.0, -3.0), (-3.0, -3.0), (1e9, -1e300), (x[other], -y[other]), (x[row], -3.0 * np.sign(y[row] + 0.1)),
    ):  # fmt: skip
        moved_x, moved_y = x.copy(), y.copy()
        moved_x[row], moved_y[row] = new_x, new_y
        yield moved_x, moved_y


def neighbours(kind, rows=80):
    """Yield (fit, fit of a neighbour that differs in a record of that half)."""
    rng = np.random.default_rng(0)
    for x, y in pairs(rows):
        before = public_ranges.fit(Pair("p", "x", "y", x, y), SETTINGS)
        for row in rng.choice(getattr(before, kind), 3, replace=False):
            for moved in replacements(x, y, row, rng):
                yield before, public_ranges.fit(Pair("p", "x", "y", *moved), SETTINGS)


@each_laplace_score
@pytest.mark.parametrize("kind", ["train", "test"])
def test_no_replaced_record_of_either_half_moves_a_score_by_more_than_the_joint_sensitivity(score, kind):
    for before, after in neighbours(kind):
        bound = (
            public_ranges.training_sensitivity(score, before.n_train, before.n_test, SETTINGS)
            if kind == "train"
            else score.sensitivity(before.n_test, Calibration.REFINED)
        )
        for one, other in ((before.scored.x_to_y, after.scored.x_to_y), (before.scored.y_to_x, after.scored.y_to_x)):
            change = abs(score.statistic(one, SETTINGS) - score.statistic(other, SETTINGS))
            assert change <= bound + ROUNDING
            assert change <= public_ranges.sensitivity(score, before.n_train, before.n_test, SETTINGS) + ROUNDING


def test_the_search_reaches_a_fair_part_of_both_sensitivities():
    """The bounds are not vacuous: a twentieth of either would be caught."""
    for kind, score in itertools.product(("train", "test"), LAPLACE):
        largest = max(
            abs(score.statistic(before.scored.x_to_y, SETTINGS) - score.statistic(after.scored.x_to_y, SETTINGS))
            for before, after in neighbours(kind)
        )
        before, _ = next(iter(neighbours(kind)))
        training = public_ranges.training_sensitivity(score, before.n_train, before.n_test, SETTINGS)
        bound = training if kind == "train" else score.sensitivity(before.n_test, Calibration.REFINED)
        assert largest > 0.05 * bound


@pytest.mark.parametrize("m", [4, 9, 40])
@pytest.mark.parametrize("shift", [0.01, 0.3, 2.0])
def test_any_movement_of_the_residuals_by_at_most_the_shift_keeps_hsics_training_sensitivity(m, shift):
    """Worst case over the fits: half of the residuals up, half down, along the cause, at the steepest kernel slope."""
    hsic, rng = get_score("hsic"), np.random.default_rng(m)
    settings, largest = Settings(bandwidth=1.0), 0.0
    bound = hsic.training_sensitivity(m, shift, settings)
    for _ in range(60):
        x = rng.choice([-4.0, 4.0], m) if rng.random() < 0.5 else rng.normal(size=m)
        r = 0.5 * np.sign(x) * rng.random() + rng.normal(size=m) * rng.choice([0.01, 1.0])
        moves = shift * (np.sign(x) if rng.random() < 0.5 else rng.choice([-1.0, 1.0], m))
        one, other = (hsic.statistic(ScoredDirection(x, x, values, values), settings) for values in (r, r + moves))
        largest = max(largest, abs(one - other))
        assert abs(one - other) <= bound + ROUNDING
    assert largest > 0.1 * bound


def random_column(rng):
    """Return residuals on the grid: spread, tied, clustered, with zero IQR."""
    m = int(rng.integers(4, 60))
    column = rng.normal(size=m) * rng.choice([0.01, 1.0, 30.0])
    if rng.random() < 0.4:
        column = np.round(column)
    if rng.random() < 0.2:
        column = np.where(rng.random(m) < 0.7, 0.0, column)
    return np.rint(column / GRID) * GRID


def moved_column(column, shift, kind, rng):
    """Return a neighbour: any one value replaced, or every value moved by at most the shift."""
    if kind == "train":
        if rng.random() < 0.5:
            return column + rng.choice([-1.0, 0.0, 1.0], column.size) * shift
        return column + shift * np.sign(column - np.median(column)) * rng.choice([-1, 1])
    after = column.copy()
    after[rng.integers(column.size)] = rng.choice([*column, 1e6, -1e6])
    return after


@pytest.mark.parametrize("kind", ["train", "test"])
def test_joint_distances_move_by_at_most_one_under_either_kind_of_change(kind):
    rng, moved_at_all = np.random.default_rng(5), 0
    for _ in range(3_000):
        column, shift = random_column(rng), float(rng.choice([2.0**-20, 2.0**-8, 2.0**-4, 1.0]))
        after = moved_column(column, shift, kind, rng)
        width = float(rng.choice([0.1, 1.0]))
        one, other = (distances_to_instability(values, width, shift) for values in (column, after))
        assert max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 1
        if bins(log_iqr(column), width)[0] != bins(log_iqr(after), width)[0]:
            assert one[0] == other[0] == 1
        moved_at_all += one != other
    assert moved_at_all > 100


def test_with_no_common_bin_every_distance_is_one():
    rng = np.random.default_rng(6)
    for kind in ("train", "test"):
        found = 0
        for _ in range(4_000):
            column = random_column(rng)
            after = moved_column(column, 1.0, kind, rng)
            if not set(bins(log_iqr(column), 0.5)) & set(bins(log_iqr(after), 0.5)):
                found += 1
                assert distances_to_instability(column, 0.5, 1.0) == distances_to_instability(after, 0.5, 1.0) == (1, 1)
        assert found > 50


def slow_distance(column, edges, shift):
    """Return the least t + k by trying every t test and k training changes, with widest and narrow by definition."""
    ordered, (lower, upper) = np.sort(column), edges
    low, high = quartile_indices(column.size)

    def value(index):
        if index < 0 or index >= column.size:
            return math.copysign(math.inf, index)
        return ordered[index]

    for total in range(column.size + 1):
        for t in range(total + 1):
            widest = max(value(high + i) - value(low - t + i) for i in range(t + 1))
            narrow = min(value(high - i) - value(low + t - i) for i in range(t + 1)) if t < high - low else 0.0
            widest, narrow = widest + 2 * shift * (total - t), narrow - 2 * shift * (total - t)
            if math.isinf(lower):
                if widest > 0:
                    return total
            elif widest >= math.exp(upper) or narrow < math.exp(lower):
                return total
    raise AssertionError


def test_joint_distances_equal_the_search_over_every_mix_of_changes():
    rng = np.random.default_rng(7)
    for _ in range(300):
        column, shift = random_column(rng)[:24], float(rng.choice([0.0, 2.0**-10, 2.0**-5, 0.5]))
        expected = tuple(slow_distance(column, edges, shift) for edges in bins(log_iqr(column), 0.7))
        assert distances_to_instability(column, 0.7, shift) == expected


@pytest.mark.parametrize("kind", ["train", "test"])
def test_the_joint_iqr_verdict_measures_columns_whose_distances_move_by_at_most_one(kind):
    for before, after in neighbours(kind):
        verdict = public_ranges.ByPublicRanges(SETTINGS).verdict(get_score("iqr"), before.n_train, before.n_test)
        sides = [verdict.distances(f.scored.iqr_columns) for f in (before, after)]
        assert np.abs(np.array(sides[0]) - np.array(sides[1])).max() <= 1


def test_a_joint_verdict_is_the_same_mechanism_with_the_larger_sensitivity():
    hsic, iqr = get_score("hsic"), get_score("iqr")
    for release, kind in ((ReleaseKind.TWO_SCORES, TwoScoreLaplace), (ReleaseKind.DIRECTION, DirectionLaplace)):
        settings = SETTINGS.with_(release=release, epsilon=0.5)
        larger = max(
            hsic.sensitivity(500, Calibration.REFINED), public_ranges.training_sensitivity(hsic, 400, 500, settings)
        )
        assert public_ranges.ByPublicRanges(settings).verdict(hsic, 400, 500) == kind(larger, 0.5)
    shift = residual_shift(400, SETTINGS.ridge)
    assert public_ranges.ByPublicRanges(SETTINGS).verdict(iqr, 400, 500) == IqrVerdict(
        1.0, 1e-6, 1.0, Calibration.REFINED, shift
    )


def test_the_scores_for_every_row_are_these():
    assert [score.name for score in JOINT] == ["hsic", "iqr", "soft-kendall"]


def test_case_dp_14_one_training_row_overturns_a_rank_score_but_no_joint_one():
    """All rows on a line but for noise; one training row far off it bends the fit under every test row."""
    rng = np.random.default_rng(0)
    x, y = rng.uniform(-1, 1, 60), 1e-3 * rng.normal(size=60)
    settings = SETTINGS.with_(range_x="-1..1", range_y="-1e3..1e3", bandwidth=4.0)
    before = public_ranges.fit(Pair("p", "x", "y", x, y), settings)
    row = before.train[0]
    moved_x, moved_y = np.where(np.arange(60) == row, 1.0, x), np.where(np.arange(60) == row, 1e3, y)
    after = public_ranges.fit(Pair("p", "x", "y", moved_x, moved_y), settings)

    def change(name):
        return abs(
            get_score(name).statistic(before.scored.x_to_y, settings)
            - get_score(name).statistic(after.scored.x_to_y, settings)
        )

    assert change("kendall") > 0.8 > 4 / before.n_test
    for score in LAPLACE:
        assert change(score.name) <= public_ranges.sensitivity(score, before.n_train, before.n_test, settings)
