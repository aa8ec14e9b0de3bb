"""Kernel ridge regression: equal to its dense twin, its constants chosen by marginal likelihood."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from privcause_core.fits import ridge
from privcause_core.fits.ridge import BANDWIDTHS, DENSE_ROWS, NOISE_RATIOS, SELECTION_ROWS, central_axis, fit, select
from privcause_core.fits.scaling import Scaling
from privcause_core.kernel_features import RADIUS, gaussian_kernel


def sample(n, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return x, np.sin(2.0 * x) + 0.3 * rng.normal(size=n)


def test_a_fit_is_dense_kernel_ridge_regression_on_its_axes():
    x, y = sample(301)
    x, y = 7.0 * x - 20.0, 3.0 * y + 5.0
    fitted = fit(x, y, np.random.default_rng(0))
    u, v = fitted.cause.apply(x), fitted.target.apply(y)
    kernel = gaussian_kernel(u, u, fitted.bandwidth)
    weights = np.linalg.solve(kernel + x.size * fitted.ridge * np.eye(x.size), v - v.mean())
    at = np.linspace(x.min(), x.max(), 101)
    dense = v.mean() + gaussian_kernel(fitted.cause.apply(at), u, fitted.bandwidth) @ weights
    assert fitted.predict(at) == pytest.approx(fitted.target.centre + fitted.target.scale * dense, abs=1e-6)


@pytest.mark.parametrize("n", [50, 150])
def test_the_selection_has_the_greatest_marginal_likelihood_of_the_dense_formula(n, monkeypatch):
    usable = NOISE_RATIOS[NOISE_RATIOS >= 1e-4]  # below it the dense twin loses its digits
    monkeypatch.setattr(ridge, "NOISE_RATIOS", usable)
    x, y = sample(n)
    evidence = {(h, ratio): dense_evidence(x, y - y.mean(), h, ratio) for h in BANDWIDTHS for ratio in usable}
    assert evidence[select(x, y)] >= max(evidence.values()) - 1e-6


@pytest.mark.parametrize("bandwidth", BANDWIDTHS)
def test_a_few_rows_cost_the_same_by_their_kernel_matrix_and_by_features(bandwidth, monkeypatch):
    x, y = sample(DENSE_ROWS)
    few = ridge._negative_evidence(x, y - y.mean(), bandwidth)
    monkeypatch.setattr(ridge, "DENSE_ROWS", 0)
    np.testing.assert_allclose(few, ridge._negative_evidence(x, y - y.mean(), bandwidth), atol=1e-6)


def dense_evidence(x, y, bandwidth, ratio):
    """The log density of y under the prior whose variance fits best."""
    unit = gaussian_kernel(x, x, bandwidth) + ratio * np.eye(x.size)
    variance = y @ np.linalg.solve(unit, y) / x.size
    return multivariate_normal(np.zeros(x.size), variance * unit).logpdf(y)


def test_a_smooth_function_is_found_again():
    x, y = sample(4_000)
    at = np.linspace(-2.0, 2.0, 41)
    assert np.abs(fit(x, y, np.random.default_rng(0)).predict(at) - np.sin(2.0 * at)).max() < 0.1


def test_rows_beyond_the_selection_are_fitted_too_and_the_choice_is_seeded():
    x, y = sample(SELECTION_ROWS + 1_234)
    first, again = (fit(x, y, np.random.default_rng(3)) for _ in range(2))
    assert np.array_equal(first.coefficients, again.coefficients)
    assert first.intercept == pytest.approx(y.mean())


@pytest.mark.parametrize("n", [6, 7, 8, 15])
def test_predictions_do_not_depend_on_the_chunks_they_are_made_in(n, monkeypatch):
    x, y = sample(200)
    fitted = fit(x, y, np.random.default_rng(0))
    whole = fitted.predict(x[:n])
    monkeypatch.setattr(ridge, "CHUNK_ROWS", 7)
    assert np.array_equal(fitted.predict(x[:n]), whole)


def test_a_prediction_depends_on_its_own_row_only():
    x, y = sample(200)
    fitted = fit(x, y, np.random.default_rng(0))
    assert fitted.predict(x).tolist() == [fitted.predict(np.array([value])).item() for value in x]


def test_few_wild_targets_and_inputs_are_clipped():
    x, y = sample(400)
    wild, bounded = y.copy(), y.copy()
    wild[0] = 1e100
    bounded[0] = central_axis(wild).clip(np.array([1e3])).item()
    fitted, same = (fit(x, values, np.random.default_rng(0)) for values in (wild, bounded))
    assert fitted.coefficients == pytest.approx(same.coefficients, rel=1e-9)
    ends = fitted.cause.clip(np.array([1e100, -77.0]))
    assert np.array_equal(fitted.predict(np.array([1e100, -77.0])), fitted.predict(ends))


def test_the_axis_puts_the_central_98_per_cent_of_a_normal_sample_where_they_belong():
    axis = central_axis(np.random.default_rng(0).normal(5.0, 3.0, 100_001))
    assert (axis.centre, axis.scale) == (pytest.approx(5.0, abs=0.05), pytest.approx(3.0, abs=0.05))


def test_the_axis_falls_back_to_the_standard_deviation_and_then_to_one():
    mostly_zero = np.zeros(1_000)
    mostly_zero[:5] = 10.0
    assert central_axis(mostly_zero).scale == pytest.approx(mostly_zero.std())
    assert central_axis(np.full(9, 7.0)) == Scaling(7.0, 1.0, RADIUS)


def test_heavy_tails_stay_on_the_axis():
    x = np.exp(1.5 * np.random.default_rng(0).normal(size=2_000))
    assert (np.abs(central_axis(x).apply(x)) == RADIUS).mean() < 0.01


def test_predictions_follow_units_and_offsets():
    x, y = sample(300)
    plain, moved = fit(x, y, np.random.default_rng(0)), fit(8.0 * x + 3.0, -2.0 * y + 1.0, np.random.default_rng(0))
    assert moved.predict(8.0 * x + 3.0) == pytest.approx(-2.0 * plain.predict(x) + 1.0, abs=1e-8)


@pytest.mark.parametrize(
    ("x", "y"), [(np.zeros(9), np.arange(9.0)), (np.arange(9.0), np.zeros(9)), (np.zeros(4), np.zeros(4))]
)
def test_constant_columns_are_fitted_by_the_mean(x, y):
    fitted = fit(x, y, np.random.default_rng(0))
    assert np.isfinite(fitted.predict(x)).all()
    assert fitted.predict(x).mean() == pytest.approx(y.mean(), abs=0.05)
