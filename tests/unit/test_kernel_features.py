"""Low-rank features: the kernel they stand for, to rounding, whatever the data."""

import numpy as np
import pytest

from privcause_core import kernel_features
from privcause_core.kernel_features import RADIUS, gaussian_features, gaussian_kernel

BANDWIDTHS = (0.05, 0.3, 0.5, 1.0, 2.0, 4.0, 20.0)


def points(n=400):
    inside = np.random.default_rng(5).uniform(-RADIUS, RADIUS, n)
    return np.concatenate([inside, [-RADIUS, 0.0, RADIUS, np.nextafter(0.0, 1.0)]])


@pytest.mark.parametrize("bandwidth", BANDWIDTHS)
def test_inner_products_of_features_are_the_gaussian_kernel(bandwidth):
    x = points()
    phi = gaussian_features(bandwidth)(x)
    assert np.abs(phi @ phi.T - gaussian_kernel(x, x, bandwidth)).max() < 1e-12


def test_the_kernel_is_the_gaussian_one():
    assert gaussian_kernel(np.array([0.5]), np.array([2.0]), 0.75)[0, 0] == pytest.approx(np.exp(-2.0))


@pytest.mark.parametrize("bandwidth", BANDWIDTHS)
def test_the_rank_follows_from_the_bandwidth_alone_and_stays_small(bandwidth):
    assert gaussian_features(bandwidth).coefficients.shape[1] <= 20 + np.ceil(7.3 * RADIUS / bandwidth)


def test_values_beyond_the_radius_count_as_the_radius():
    phi = gaussian_features(1.0)
    assert np.array_equal(phi(np.array([7.0, -1e100, 1e100])), phi(np.array([RADIUS, -RADIUS, RADIUS])))


@pytest.mark.parametrize("n", [1, 6, 7, 8, 13, 14, 15])
def test_chunks_put_together_are_the_whole(n, monkeypatch):
    monkeypatch.setattr(kernel_features, "CHUNK_ROWS", 7)
    x, phi = points()[:n], gaussian_features(1.0)
    whole = np.concatenate([chunk.T @ phi.coefficients for chunk in phi.chunks_from_first(x)])
    assert whole == pytest.approx(phi(x) - phi(x[:1]), abs=1e-14)


@pytest.mark.parametrize("bandwidth", BANDWIDTHS)
@pytest.mark.parametrize("n", [1, 6, 7, 8, 404])
def test_moments_are_the_sums_of_products_of_features_to_rounding(n, bandwidth, monkeypatch):
    monkeypatch.setattr(kernel_features, "CHUNK_ROWS", 7)
    x, phi = np.append(points()[:n], [1e100, -7.0]), gaussian_features(bandwidth)
    y = np.random.default_rng(n).normal(size=x.size)
    gram, moment = phi.moments(x, y)
    assert np.abs(gram - phi(x).T @ phi(x)).max() < 1e-13 * x.size
    assert np.abs(moment - phi(x).T @ y).max() < 1e-13 * x.size


@pytest.mark.parametrize("rows", [[RADIUS], [-RADIUS], [0.0], [RADIUS, -RADIUS]])
def test_moments_are_as_exact_at_the_ends_where_polynomials_are_steepest(rows):
    x, phi = np.repeat(rows, 50_000), gaussian_features(0.3)
    gram, moment = phi.moments(x, np.ones(x.size))
    expected = phi(np.array(rows))
    assert np.abs(gram - 50_000 * expected.T @ expected).max() < 1e-13 * x.size
    assert np.abs(moment - 50_000 * expected.sum(axis=0)).max() < 1e-13 * x.size


def test_a_constant_column_has_exactly_zero_features_from_its_first_value():
    (chunk,) = gaussian_features(1.0).chunks_from_first(np.full(50, 0.1))
    assert not chunk.any()


def test_a_map_is_built_once_and_cannot_be_changed():
    phi = gaussian_features(1.0)
    assert gaussian_features(1.0) is phi
    with pytest.raises(ValueError, match="read-only"):
        phi.coefficients[0, 0] = 1.0
