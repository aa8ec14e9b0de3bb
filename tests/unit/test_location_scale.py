"""Location-scale noise: the size of the noise follows the cause where it does, and nowhere else."""

import numpy as np
import pytest

from privcause_core.fits.location_scale import Scale, noise_of, noise_under, scale_of
from privcause_core.settings import NoiseModel


def rng():
    return np.random.default_rng(0)


def widening(n, seed=1):
    draw = np.random.default_rng(seed)
    cause = draw.uniform(-2.0, 2.0, n)
    return cause, (0.3 + 0.25 * (cause + 2.0)) * draw.normal(size=n)


def test_the_scale_follows_the_size_of_the_noise():
    cause, residual = widening(2_000)
    size = scale_of(residual, cause, rng()).predict(cause)
    truth = 0.3 + 0.25 * (cause + 2.0)
    assert np.corrcoef(size, truth)[0, 1] > 0.98
    assert np.std(np.log(size / truth)) < 0.12


def test_location_scale_noise_is_chosen_where_it_is_there():
    cause, residual = widening(1_000)
    assert noise_under(NoiseModel.AUTO, residual, cause, rng()).scale.root is not None


@pytest.mark.parametrize("n", [200, 2_000])
def test_additive_noise_gets_a_scale_that_hardly_varies(n):
    """A constant scale is additive noise in other words, whichever of the two is taken."""
    draw, spreads = np.random.default_rng(n), []
    for _ in range(20):
        cause, residual = draw.normal(size=n), draw.normal(size=n)
        scale = noise_under(NoiseModel.AUTO, residual, cause, rng()).scale.predict(cause)
        spreads.append(scale.std() / scale.mean())
    assert sum(spread > 0.1 for spread in spreads) <= 2


def test_the_density_given_the_cause_is_a_density_of_the_residual():
    cause, residual = widening(2_000)
    noise, fresh = noise_under(NoiseModel.AUTO, residual, cause, rng()), np.linspace(-40.0, 40.0, 200_001)
    for one in (-1.5, 0.0, 1.5):
        mass = np.exp(noise.log(fresh, np.full(fresh.size, one))).sum() * (fresh[1] - fresh[0])
        assert mass == pytest.approx(1.0, abs=0.03)


def test_the_right_scale_makes_fresh_residuals_likelier():
    cause, residual = widening(1_000)
    fresh_cause, fresh = widening(5_000, seed=2)
    scaled = noise_of(residual, cause, scale_of(residual, cause, rng()))
    additive = noise_of(residual, cause, Scale())
    assert (scaled.log(fresh, fresh_cause) - additive.log(fresh, fresh_cause)).mean() > 0.1


@pytest.mark.parametrize("n", [1, 2, 3, 40])
@pytest.mark.parametrize("residual", ["zeros", "one wild", "huge", "tiny"])
@pytest.mark.parametrize("cause", ["constant", "normal", "huge"])
def test_every_column_has_a_positive_scale_and_finite_densities(n, residual, cause):
    draw = np.random.default_rng(n)
    residual = {"zeros": np.zeros(n), "one wild": np.r_[np.zeros(n - 1), 1e100], "huge": 1e100 * draw.normal(size=n),
                "tiny": 1e-200 * draw.normal(size=n)}[residual]  # fmt: skip
    cause = {"constant": np.ones(n), "normal": draw.normal(size=n), "huge": 1e100 * draw.normal(size=n)}[cause]
    noise = noise_under(NoiseModel.AUTO, residual, cause, rng())
    assert (noise.scale.predict(cause) > 0.0).all()
    assert np.isfinite(noise.log(residual, cause)).all()


def test_the_scale_without_a_root_is_one():
    assert Scale().predict(np.arange(3.0)).tolist() == [1.0, 1.0, 1.0]
