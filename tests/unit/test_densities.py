"""Densities: the binned estimate against exact kernels, leave-one-out likelihoods, and no value that breaks them."""

import math

import numpy as np
import pytest

from privcause_core.fits import densities
from privcause_core.fits.densities import CAUCHY_SHARE, FACTORS, Density, bandwidths, cauchy, checked, fit_density

LAWS = {
    "gaussian": lambda rng, n: rng.normal(size=n),
    "two modes": lambda rng, n: rng.normal(rng.choice([-4.0, 3.0], n), 0.3),
    "lognormal": lambda rng, n: np.exp(1.5 * rng.normal(size=n)),
    "heavy": lambda rng, n: rng.standard_t(1.5, n),
    "levels": lambda rng, n: rng.integers(0, 4, n).astype(float),
}
each_law = pytest.mark.parametrize("law", LAWS)


def dense(values, at, *, space, factor):
    """Return the slow twin: exact kernels around every value, in either space, and its Cauchy part."""
    centre, spread = np.median(values), densities._spreads(values)[0]
    width = 3.0 * values.std() / spread
    u, v = (values - centre) / spread, (at - centre) / spread
    inside, outside = (np.arcsinh(u), np.arcsinh(v)) if space == "sinh" else (u, v)
    rule = 0.9 * densities._spreads(inside)[0] * values.size**-0.2
    h = max(rule * factor, 0.01 * inside.std())
    kernels = np.exp(-0.5 * ((outside[:, None] - inside) / h) ** 2).mean(axis=1) / (h * math.sqrt(2 * math.pi))
    slope = 1.0 / np.sqrt(1.0 + v * v) if space == "sinh" else 1.0
    return ((1 - CAUCHY_SHARE) * kernels * slope + CAUCHY_SHARE * cauchy(v, width)) / spread


def dense_left_out(values, **kind):
    return np.array([dense_without(values, k, **kind) for k in range(values.size)])


def dense_without(values, k, *, space, factor):
    centre, spread = np.median(values), densities._spreads(values)[0]
    u = (values - centre) / spread
    t = np.arcsinh(u) if space == "sinh" else u
    h = max(0.9 * densities._spreads(t)[0] * values.size**-0.2 * factor, 0.01 * t.std())
    others = np.delete(t, k)
    kernel = np.exp(-0.5 * ((t[k] - others) / h) ** 2).mean() / (h * math.sqrt(2 * math.pi))
    slope = 1.0 / math.sqrt(1.0 + u[k] ** 2) if space == "sinh" else 1.0
    wide = cauchy(u[k], 3.0 * values.std() / spread)
    return math.log((1 - CAUCHY_SHARE) * kernel * slope + CAUCHY_SHARE * wide) - math.log(spread)


@pytest.mark.parametrize("law", ["gaussian", "two modes", "lognormal"])
def test_the_binned_estimate_is_the_dense_one_of_the_best_space_and_bandwidth(law):
    rng = np.random.default_rng(1)
    values = LAWS[law](rng, 300)
    kinds = [{"space": space, "factor": factor} for space in ("plain", "sinh") for factor in FACTORS]
    best = max(kinds, key=lambda kind: dense_left_out(values, **kind).mean())
    density, left_out = fit_density(values)
    at = np.quantile(values, np.linspace(0.01, 0.99, 41))
    np.testing.assert_allclose(density.log(at), np.log(dense(values, at, **best)), atol=2e-3)
    np.testing.assert_allclose(left_out, dense_left_out(values, **best), atol=2e-3)


@each_law
@pytest.mark.parametrize("n", [2, 3, 10, 1_000])
def test_a_density_has_mass_one(law, n):
    density, _ = fit_density(LAWS[law](np.random.default_rng(n), n))
    at = density.centre + density.spread * np.sinh(np.linspace(-25.0, 25.0, 400_001))
    mass = np.trapezoid(np.exp(density.log(at)), at)
    assert mass == pytest.approx(1.0, abs=0.01)


def test_a_density_follows_units():
    values = np.random.default_rng(2).gamma(2.0, size=500)
    one, other = fit_density(values)[0], fit_density(1e-6 * values + 7.0)[0]
    np.testing.assert_allclose(other.log(1e-6 * values + 7.0), one.log(values) + math.log(1e6), atol=1e-6)


def test_heavy_tails_are_estimated_in_the_space_of_inverse_hyperbolic_sines():
    rng = np.random.default_rng(3)
    fitted, fresh = (np.exp(2.0 * rng.normal(size=2_000)) for _ in range(2))
    truth = -np.log(fresh) - 0.5 * (np.log(fresh) / 2.0) ** 2 - math.log(2.0 * math.sqrt(2.0 * math.pi))
    assert (truth - fit_density(fitted)[0].log(fresh)).mean() < 0.12


@each_law
def test_the_leave_one_out_likelihood_foretells_that_of_fresh_values(law):
    rng = np.random.default_rng(4)
    density, left_out = fit_density(LAWS[law](rng, 2_000))
    assert left_out.mean() == pytest.approx(density.log(LAWS[law](rng, 20_000)).mean(), abs=0.12)


@pytest.mark.parametrize(
    "values",
    [np.array([]), np.array([3.0]), np.array([3.0, 3.0]), np.zeros(50), np.full(7, 1e100), np.array([0.0] * 40 + [1.0]),
     np.array([-1e100, 0.0, 1e100]), np.linspace(0.0, 1e-200, 30), np.linspace(0.0, 5e-324, 30)],
)  # fmt: skip
def test_every_training_column_has_a_density_and_finite_logarithms(values):
    density, left_out = fit_density(values)
    at = np.array([0.0, 3.0, -3.0, 1e3, 1e100, -1e100])
    assert np.isfinite(density.log(at)).all()
    assert np.isfinite(left_out).all()
    assert left_out.size == values.size


def test_values_that_are_no_numbers_have_no_finite_logarithm_and_spoil_no_other():
    density, _ = fit_density(np.random.default_rng(5).normal(size=100))
    logs = density.log(np.array([0.1, np.nan, np.inf, -np.inf, 0.2]))
    assert np.isfinite(logs).tolist() == [True, False, False, False, True]
    assert logs[[0, 4]].tolist() == density.log(np.array([0.1, 0.2])).tolist()


def test_a_value_has_the_same_logarithm_to_the_last_bit_wherever_it_stands():
    density, _ = fit_density(np.random.default_rng(6).normal(size=400))
    values = np.random.default_rng(7).normal(size=61) * 5.0
    whole = density.log(values)
    for start in range(17):
        assert density.log(values[start:]).tolist() == whole[start:].tolist()


def test_the_leave_one_out_part_is_what_leaving_out_changes():
    values = np.random.default_rng(8).normal(size=50)
    without = fit_density(values)[1]
    assert without.mean() < fit_density(values)[0].log(values).mean()


def test_a_rounded_column_takes_the_narrowest_bandwidth_which_is_why_it_is_dithered():
    rng = np.random.default_rng(9)
    levels = np.round(4.0 * rng.normal(size=1_000))
    dithered = levels + rng.uniform(-0.5, 0.5, levels.size)
    assert fit_density(levels)[1].mean() > fit_density(dithered)[1].mean() + 0.5


def test_no_bandwidth_is_below_a_hundredth_of_the_sd_or_two_steps():
    values = np.r_[np.zeros(990), np.linspace(0.0, 100.0, 10)]
    assert bandwidths(values, 1e-9).min() >= 0.01 * values.std() * (1 - 1e-12)
    assert bandwidths(values, 3.0).min() == 6.0


def test_beyond_the_grid_only_the_wide_part_is_left():
    density = fit_density(np.random.default_rng(10).normal(size=300))[0]
    far = density.centre + 1e4 * density.spread
    expected = math.log(CAUCHY_SHARE * cauchy(1e4, density.width) / density.spread)
    assert density.log(np.array([far]))[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("rows", [0, 1, 19_999, 20_000, 39_999, 60_001])
def test_at_most_twice_twenty_thousand_rows_are_checked(rows):
    assert len(range(rows)[checked(rows)]) == rows if rows < 40_000 else len(range(rows)[checked(rows)]) < 40_000


def test_a_density_is_a_value():
    with pytest.raises(AttributeError):
        Density(0.0, 1.0, 1.0, np.zeros(3)).centre = 2.0
