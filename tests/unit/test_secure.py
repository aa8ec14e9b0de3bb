"""Release noise: scale by OpenDP's own map, refusals before a draw, no seed, low bits that tell nothing."""

import ast
import math
import random
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

from privcause_core.errors import DataError, ParameterError
from privcause_core.noise.rounding import float_down, float_up
from privcause_core.noise.secure import SecureNoise, laplace_scale


def opendp_map(scale):
    import opendp.prelude as dp

    dp.enable_features("contrib")
    return dp.m.make_laplace(dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float), scale=scale).map


def test_the_scale_is_the_smallest_double_that_opendp_accepts():
    rng = random.Random(0)
    for _ in range(500):
        sensitivity, epsilon = 10 ** rng.uniform(-7, 1), 10 ** rng.uniform(-7, 6)
        scale = laplace_scale(sensitivity, epsilon)
        below = math.nextafter(scale, 0.0)
        assert opendp_map(scale)(sensitivity) <= epsilon
        assert Fraction(below) * Fraction(epsilon) < Fraction(sensitivity) or opendp_map(below)(sensitivity) > epsilon


def test_plain_division_can_land_below_the_scale_that_is_needed():
    assert opendp_map(0.3 / 0.1)(0.3) > 0.1
    assert laplace_scale(0.3, 0.1) > 0.3 / 0.1


def test_a_scale_that_the_map_of_opendp_finds_too_small_grows_to_the_first_double_that_is_not(monkeypatch):
    needed = math.nextafter(math.nextafter(2.0, 3.0), 3.0)

    class Stricter:
        def __init__(self, scale):
            self.map = lambda sensitivity: 0.5 if scale >= needed else 0.6

    monkeypatch.setattr("privcause_core.noise.secure._measurement", Stricter)
    assert laplace_scale(1.0, 0.5) == needed


@pytest.mark.parametrize("bad", [math.nan, math.inf, 0.0, -1.0, 1e-320])
@pytest.mark.parametrize("position", ["sensitivity", "epsilon"])
def test_a_scale_needs_positive_finite_numbers(position, bad):
    values = {"sensitivity": 1.0, "epsilon": 1.0} | {position: bad}
    with pytest.raises(ParameterError):
        laplace_scale(**values)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_value_that_is_not_finite_is_refused_before_the_draw(bad, monkeypatch):
    drawn = []
    monkeypatch.setattr("privcause_core.noise.secure.laplace_scale", lambda s, e: s / e)
    monkeypatch.setattr("privcause_core.noise.secure._measurement", lambda scale: drawn.append)
    with pytest.raises(DataError, match="finite"):
        SecureNoise().add_laplace(np.array([0.0, bad]), 1.0, 1.0)
    assert not drawn


def test_every_value_gets_a_draw_of_its_own():
    released = SecureNoise().add_laplace(np.zeros(1000), 1.0, 1.0)
    assert len(set(released.tolist())) == 1000


def one_release(_):
    return SecureNoise().add_laplace(np.zeros(2), 1.0, 1.0).tolist()


def test_sessions_and_forked_workers_never_repeat_noise():
    one_release(0)  # the parent's generator state, if it had one, is what a fork would copy
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as workers:
        noises = [noise for drawn in workers.map(one_release, range(8)) for noise in drawn]
    assert len(set(noises)) == 16


def test_numpy_seeds_do_not_reach_release_noise():
    drawn = []
    for _ in range(2):
        np.random.seed(0)  # noqa: NPY002  # the very thing that must not matter
        random.seed(0)
        drawn.append(one_release(0))
    assert drawn[0] != drawn[1]


def share_of_multiples(released, step=2.0**-54):
    """Return the share of whole multiples of 2^-54 among the releases near 0, and how many those are."""
    near = released[np.abs(released) < 1 / 16]
    return float(np.mean(near / step == np.floor(near / step))), near.size


def test_the_low_bits_of_a_release_do_not_show_the_true_value():
    # tau_a = 0 and 4/9, scale 4/9: textbook noise gives shares 0.106 and 1.000, so a release near 0 names the data.
    first, second = (SecureNoise().add_laplace(np.full(50_000, v), 4 / 9, 1.0) for v in (0.0, 4 / 9))
    (share, n), (other, k) = share_of_multiples(first), share_of_multiples(second)
    assert abs(share - other) < 6.0 * math.sqrt(0.25 / n + 0.25 / k)
    rng = np.random.default_rng(0)
    naive, naive_other = (share_of_multiples(v + rng.laplace(scale=4 / 9, size=50_000))[0] for v in (0.0, 4 / 9))
    assert naive_other - naive > 0.5


def test_directed_rounding_brackets_the_fraction():
    for value in (Fraction(1, 10), Fraction(1, 3), Fraction(2), Fraction(10**40, 7)):
        assert Fraction(float_down(value)) <= value <= Fraction(float_up(value))
        assert float_up(value) in (float_down(value), math.nextafter(float_down(value), math.inf))


def imports_of(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield f"{node.module}"
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (name.name for name in node.names)


def test_only_release_imports_secure_noise_and_release_never_seeded_noise():
    core = Path(__file__).parents[2] / "privcause_core"
    for path in core.rglob("*.py"):
        inside = path.is_relative_to(core / "release")
        imported = set(imports_of(path))
        assert inside or "privcause_core.noise.secure" not in imported, path.name
        assert not (inside and "privcause_core.explore.simulation" in imported), path.name
