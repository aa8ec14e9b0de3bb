"""Kernel ridge with public constants: how far one training record moves it, against the proved bound."""

import math

import numpy as np
import pytest

from privcause_core.errors import ParameterError
from privcause_core.explore.undecided import undecided_reasons
from privcause_core.fits.public_ridge import (
    GRID,
    HALF_RANGE,
    fit_ridge,
    public_features,
    public_scaling,
    residual_shift,
    stability,
)
from privcause_core.kernel_features import gaussian_kernel
from privcause_core.pair import Pair
from privcause_core.protection import public_ranges
from privcause_core.settings import Settings, knobs

RIDGE_MIN, RIDGE_MAX = knobs()["ridge"].low, knobs()["ridge"].high
RIDGES = (RIDGE_MIN, 1e-3, 0.01, 0.1, RIDGE_MAX)
AXIS = np.linspace(-HALF_RANGE, HALF_RANGE, 161)
PUBLIC = Settings(range_x="-3..3", range_y="-2..2", ridge=0.3)


def simple_bound(n, ridge):
    """Return 2 (1 + 1/(2 sqrt lambda)) / (n lambda), the bound of mechanisms.md section 8."""
    return 2.0 * (1.0 + 0.5 / math.sqrt(ridge)) / (n * ridge)


@pytest.mark.parametrize("bandwidth", [0.05, 0.3, 1.0, 5.0, 20.0])
def test_no_feature_vector_is_longer_than_one_and_the_kernel_is_gaussian(bandwidth):
    x = np.concatenate([AXIS, np.random.default_rng(0).uniform(-HALF_RANGE, HALF_RANGE, 2_000)])
    phi = public_features(bandwidth)(x)
    assert np.linalg.norm(phi, axis=1).max() <= 1.0
    assert phi[:161] @ phi[:161].T == pytest.approx(gaussian_kernel(AXIS, AXIS, bandwidth), abs=1e-11)


@pytest.mark.parametrize("ridge", RIDGES)
def test_the_closed_form_is_the_maximum_over_the_angle_and_below_the_simple_bound(ridge):
    n, norm = 10**9, 0.5 / math.sqrt(ridge)
    angle = np.linspace(0.0, np.pi, 1_000_001)
    largest = (2.0 * np.cos(angle / 2.0) + norm * np.sin(angle)).max() / (n * ridge)
    assert stability(n, ridge) == pytest.approx(largest, rel=1e-9)
    assert stability(n, ridge) < simple_bound(n, ridge)


def test_stability_is_capped_at_the_range_and_falls_with_n_and_lambda():
    assert stability(1, 0.01) == 2.0
    values = [stability(10**6, ridge) for ridge in RIDGES]
    assert values == sorted(values, reverse=True)
    assert stability(2_000, 0.1) == pytest.approx(stability(1_000, 0.1) / 2)


def test_the_shift_of_a_residual_covers_eta_in_scaled_units_and_is_whole_grid_steps():
    for n in (4, 100, 10**6):
        for ridge in RIDGES:
            shift = residual_shift(n, ridge)
            assert (shift / GRID).is_integer()
            assert HALF_RANGE * stability(n, ridge) + GRID <= shift
            assert shift <= HALF_RANGE * stability(n, ridge) * (1 + 1e-5) + 1e-8


def ridge_weights(phi, targets, ridge):
    n = len(targets)
    return np.linalg.solve(phi.T @ phi + n * ridge * np.eye(phi.shape[1]), phi.T @ targets)


def test_random_replacements_stay_below_eta_for_any_features_of_norm_at_most_one():
    rng = np.random.default_rng(0)
    for _ in range(400):
        n, rank, ridge = int(rng.integers(2, 40)), int(rng.integers(1, 6)), float(10.0 ** rng.uniform(-4, 0))
        phi = rng.normal(size=(n, rank))
        phi *= rng.choice([1.0, rng.random()], (n, 1)) / np.linalg.norm(phi, axis=1, keepdims=True)
        targets = rng.choice([-1.0, 1.0], n)
        other, label = phi.copy(), targets.copy()
        other[0], label[0] = phi[rng.integers(n)] * rng.choice([-1, 1]), rng.choice([-1.0, 1.0])
        moved = ridge_weights(phi, targets, ridge) - ridge_weights(other, label, ridge)
        unclipped = stability(10**9, ridge) * 10**9 / n
        assert np.linalg.norm(moved) <= unclipped * (1 + 1e-9)  # so no prediction moves by more


@pytest.mark.parametrize("bandwidth", [0.3, 1.0, 3.0])
def test_random_and_extreme_replacements_never_move_a_fitted_prediction_by_more_than_eta(bandwidth):
    rng = np.random.default_rng(1)
    for _ in range(60):
        n, ridge = int(rng.choice([5, 50, 500])), float(rng.choice([0.01, 0.1, 1.0]))
        x, y = rng.uniform(-HALF_RANGE, HALF_RANGE, n), rng.uniform(-HALF_RANGE, HALF_RANGE, n)
        if rng.random() < 0.5:
            x, y = np.full(n, rng.choice([0.0, HALF_RANGE])), np.full(n, HALF_RANGE)
        other_x, other_y = x.copy(), y.copy()
        other_x[0], other_y[0] = rng.choice([-HALF_RANGE, 0.0, x[0]]), -np.sign(y[0]) * HALF_RANGE
        before = fit_ridge(x, y, bandwidth, ridge).predict(AXIS)
        after = fit_ridge(other_x, other_y, bandwidth, ridge).predict(AXIS)
        assert np.abs(before - after).max() <= HALF_RANGE * stability(n, ridge) * (1 + 1e-9)


@pytest.mark.parametrize("ridge", [RIDGE_MIN, 1e-3])
def test_some_features_attain_eta_when_lambda_is_small(ridge):
    """The other records make the fit -F e_2, F = 1/(2 sqrt lambda); the replaced one jumps between (e_1 +- e_2)/sqrt 2.

    They are 1/lambda orthogonal clusters of n lambda records, all labels -1, each fitted to -1/2; e_2 is the direction
    of their sum, so only the plane of e_1 and e_2 matters.
    """
    n, clusters = 10**8, round(1.0 / ridge) - 1
    size = round(n * ridge)
    gram, moment = np.diag([n * ridge, size + n * ridge]), np.array([0.0, -size * math.sqrt(clusters)])
    assert np.linalg.solve(gram, moment)[1] == pytest.approx(-0.5 / math.sqrt(ridge), rel=2e-3)
    phi, other = np.array([1.0, 1.0]) / math.sqrt(2.0), np.array([1.0, -1.0]) / math.sqrt(2.0)
    before = np.linalg.solve(gram + np.outer(phi, phi), moment + phi)
    after = np.linalg.solve(gram + np.outer(other, other), moment - other)
    assert 0.97 * stability(n, ridge) < before[0] - after[0] <= stability(n, ridge)


def worst_replacement(phi_axis, phi, weights, labels, n, ridge):
    """Return how far the worst replaced record (any place, label +-1) moves a prediction, given the other records."""
    inverse = np.linalg.inv((phi.T * weights) @ phi + n * ridge * np.eye(phi.shape[1]))
    fitted = phi_axis @ (inverse @ (phi.T @ (weights * labels)))
    kernel = phi_axis @ inverse @ phi_axis.T
    leverage = 1.0 + np.diag(kernel)
    moves = np.stack([kernel * ((label - fitted) / leverage) for label in (-1.0, 1.0)])
    return (moves.max(axis=(0, 2)) - moves.min(axis=(0, 2))).max(), np.abs(fitted).max()


def adversarial_search(ridge, seed, steps=300, n=20_000):
    """Climb over clusters of the other records, labels +-1; return the worst move and the largest fitted |f|."""
    rng, features = np.random.default_rng(seed), public_features(1.0)
    phi_axis, clusters = features(AXIS[::2]), int(rng.integers(4, 12))
    place, labels = rng.uniform(-HALF_RANGE, HALF_RANGE, clusters), rng.choice([-1.0, 1.0], clusters)
    weights, best = rng.dirichlet(np.ones(clusters)), (0.0, 0.0)
    for _ in range(steps):
        moved = place + rng.normal(size=clusters) * rng.choice([0.03, 0.3]) * (rng.random(clusters) < 0.5)
        share = weights * np.exp(0.5 * rng.normal(size=clusters) * (rng.random(clusters) < 0.5))
        flipped = np.where(rng.random(clusters) < 0.1, -labels, labels)
        found = worst_replacement(phi_axis, features(moved), share / share.sum() * n, flipped, n, ridge)
        if found > best:
            best, place, weights, labels = found, moved, share / share.sum(), flipped
    return best


@pytest.mark.parametrize("ridge", [0.01, 0.03, 0.1, 1.0])
def test_an_adversarial_search_with_the_gaussian_kernel_comes_within_a_factor_of_two(ridge):
    moved, largest_fit = max(adversarial_search(ridge, seed) for seed in range(4))
    assert 0.5 * stability(20_000, ridge) < moved <= stability(20_000, ridge)
    if ridge == 0.01:
        assert largest_fit > 2.0  # labels in [-1, 1] do not keep f there: a bound |f| <= 1 would be wrong


def test_a_fit_minimises_the_stated_objective():
    rng = np.random.default_rng(2)
    x = rng.uniform(-3, 3, 200)
    y = np.clip(np.sin(x) + 0.1 * rng.normal(size=200), -HALF_RANGE, HALF_RANGE)
    phi = public_features(1.0)(x)
    weights = ridge_weights(phi, y, 0.01)
    assert fit_ridge(x, y, 1.0, 0.01).predict(x) == pytest.approx(phi @ weights, abs=1e-9)


def test_predictions_stay_in_the_range_of_the_target():
    x = np.repeat([-0.4, 0.0, 0.4], 400)
    y = HALF_RANGE * np.repeat([-1.0, 1.0, -1.0], 400)
    assert np.abs(fit_ridge(x, y, 1.0, 1e-4).predict(AXIS)).max() == HALF_RANGE


def test_public_ranges_are_read_as_typed_and_values_beyond_are_clipped():
    settings = Settings(range_x="-1e3..0,5", range_y="18..90")
    x, y = (public_scaling(settings.ends(name)) for name in ("range_x", "range_y"))
    assert x.apply(np.array([-1000.0, 0.5])) == pytest.approx([-HALF_RANGE, HALF_RANGE])
    assert y.apply(np.array([18.0, 54.0, 90.0])) == pytest.approx([-HALF_RANGE, 0.0, HALF_RANGE])


@pytest.mark.parametrize("text", ["5", "5..", "..", "1..0", "2..2", "a..b", "0..inf", "0..1..2", "nan..1", "-1e101..0"])
def test_a_range_that_is_not_two_ordered_numbers_is_refused(text):
    with pytest.raises(ParameterError, match="range_x"):
        Settings(range_x=text)


def test_a_missing_range_is_asked_for():
    pair = Pair("p", "x", "y", np.arange(20.0), np.arange(20.0))
    with pytest.raises(ParameterError, match=r"Expected range_y such as 0\.\.100 to protect every row"):
        public_ranges.fit(pair, Settings(range_x="0..20"))


def sine_pair(rows=400, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 3, rows)
    return x, np.sin(x) + 0.3 * rng.normal(size=rows)


def test_nothing_is_centred_or_scaled_by_data():
    """Cases dp_13 and dp_14: an extreme record must not move bounds, centres or scales that others are measured by."""
    x, y = sine_pair()
    before = public_ranges.fit(Pair("p", "x", "y", x, y), PUBLIC)
    moved_y = y.copy()
    moved_y[before.test[0]] = 987_654.0
    after = public_ranges.fit(Pair("p", "x", "y", x, moved_y), PUBLIC)
    assert (after.scaling_x, after.scaling_y) == (before.scaling_x, before.scaling_y)
    for one, other in ((before.scored.x_to_y, after.scored.x_to_y), (before.scored.y_to_x, after.scored.y_to_x)):
        assert (one.residual[1:] == other.residual[1:]).all()
        assert (one.cause_scaled[1:] == other.cause_scaled[1:]).all()
        assert one.residual is one.residual_scaled


def test_a_training_record_moves_every_residual_by_at_most_the_stated_shift():
    x, y = sine_pair()
    before = public_ranges.fit(Pair("p", "x", "y", x, y), PUBLIC)
    shift = residual_shift(before.n_train, PUBLIC.ridge)
    assert shift < HALF_RANGE
    for extreme in ((1e9, -1e9), (-1e9, -1e9), (0.0, 1e9), (float(x[before.train[0]]), 1e9)):
        moved_x, moved_y = x.copy(), y.copy()
        moved_x[before.train[0]], moved_y[before.train[0]] = extreme
        after = public_ranges.fit(Pair("p", "x", "y", moved_x, moved_y), PUBLIC)
        for one, other in ((before.scored.x_to_y, after.scored.x_to_y), (before.scored.y_to_x, after.scored.y_to_x)):
            assert np.abs(one.residual - other.residual).max() <= shift


def test_residuals_are_whole_grid_steps_so_that_distances_are_exact():
    x, y = sine_pair()
    residual = public_ranges.fit(Pair("p", "x", "y", x, y), PUBLIC).scored.x_to_y.residual
    assert (residual / GRID == np.rint(residual / GRID)).all()
    assert np.abs(residual).max() <= 2 * HALF_RANGE


def test_exchanging_the_columns_exchanges_the_fits():
    x, y = sine_pair()
    pair = Pair("p", "x", "y", x, y)
    one = public_ranges.fit(pair, PUBLIC)
    other = public_ranges.fit(pair.swapped(), PUBLIC.with_(range_x=PUBLIC.range_y, range_y=PUBLIC.range_x))
    assert (one.scored.x_to_y.residual == other.scored.y_to_x.residual).all()
    assert (one.scored.y_to_x.residual == other.scored.x_to_y.residual).all()


def test_a_constant_column_leaves_the_true_verdict_undecided():
    x, _ = sine_pair()
    pair = Pair("p", "x", "y", x, np.ones(x.size))
    assert undecided_reasons(pair, public_ranges.fit(pair, PUBLIC)) == (
        "Column y is constant: no direction can be inferred.",
    )
