"""Kernel ridge regression: equal to its dense twin, its penalty chosen by generalised cross-validation."""

import numpy as np
import pytest

from privcause_core import regression
from privcause_core.features import RADIUS, gaussian_kernel
from privcause_core.regression import BANDWIDTHS, RIDGES, SELECTION_ROWS, fit, select


def sample(n, seed=1):
    rng = np.random.default_rng(seed)
    x = np.clip(rng.normal(size=n), -RADIUS, RADIUS)
    return x, np.clip(np.sin(2.0 * x) + 0.3 * rng.normal(size=n), -RADIUS, RADIUS)


def dense_weights(x, y, bandwidth, ridge):
    return np.linalg.solve(gaussian_kernel(x, x, bandwidth) + x.size * ridge * np.eye(x.size), y - y.mean())


def dense_validation_error(x, y, bandwidth, ridge):
    n, kernel = x.size, gaussian_kernel(x, x, bandwidth)
    hat = kernel @ np.linalg.inv(kernel + n * ridge * np.eye(n))
    residual = y - y.mean() - hat @ (y - y.mean())
    return n * (residual @ residual) / (n - 1.0 - np.trace(hat)) ** 2


def test_a_fit_is_dense_kernel_ridge_regression():
    x, y = sample(301)
    fitted = fit(x, y, np.random.default_rng(0))
    at = np.linspace(-RADIUS, RADIUS, 101)
    weights = dense_weights(x, y, fitted.bandwidth, fitted.ridge)
    dense = y.mean() + gaussian_kernel(at, x, fitted.bandwidth) @ weights
    assert fitted.predict(at) == pytest.approx(dense, abs=1e-6)


def test_the_selection_has_the_least_validation_error_of_the_dense_formula(monkeypatch):
    monkeypatch.setattr(regression, "RIDGES", RIDGES[6:])  # below 1e-6 the dense twin loses its digits
    x, y = sample(50)
    errors = {(h, ridge): dense_validation_error(x, y, h, ridge) for h in BANDWIDTHS for ridge in RIDGES[6:]}
    assert errors[select(x, y)] <= min(errors.values()) * (1 + 1e-6)


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
    monkeypatch.setattr(regression, "CHUNK_ROWS", 7)
    assert np.array_equal(fitted.predict(x[:n]), whole)


def test_a_prediction_depends_on_its_own_row_only():
    x, y = sample(200)
    fitted = fit(x, y, np.random.default_rng(0))
    assert fitted.predict(x).tolist() == [fitted.predict(np.array([value])).item() for value in x]


def test_wild_targets_and_inputs_are_clipped():
    x, y = sample(200)
    wild = y.copy()
    wild[0] = 1e100
    clipped = y.copy()
    clipped[0] = RADIUS
    fitted, bounded = (fit(x, values, np.random.default_rng(0)) for values in (wild, clipped))
    assert np.array_equal(fitted.coefficients, bounded.coefficients)
    assert np.array_equal(fitted.predict(np.array([1e100, -77.0])), fitted.predict(np.array([RADIUS, -RADIUS])))


@pytest.mark.parametrize(
    ("x", "y"), [(np.zeros(9), np.arange(9.0)), (np.arange(9.0), np.zeros(9)), (np.zeros(4), np.zeros(4))]
)
def test_constant_columns_are_fitted_by_the_mean(x, y):
    fitted = fit(x, y, np.random.default_rng(0))
    assert np.isfinite(fitted.predict(x)).all()
    assert fitted.predict(x).mean() == pytest.approx(np.clip(y, -RADIUS, RADIUS).mean(), abs=0.05)
