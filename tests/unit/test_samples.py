"""Samples: every one loads, says where it comes from, and is the same for the same seed."""

import subprocess
import sys

import numpy as np
import pytest

from privcause_core.errors import ParameterError
from privcause_core.fits.anm import fit_anm
from privcause_core.pair import Direction
from privcause_core.samples import DEFAULT_SAMPLE, NOISE_MAX, ROWS_MAX, Sample, load_sample, samples
from privcause_core.scores import get_score
from privcause_core.settings import SEED_MAX, Calibration, Settings
from privcause_core.verdicts.theory import flip_two_scores, noise_scale

SAMPLES = samples()
SYNTHETIC = [sample.slug for sample in SAMPLES if sample.synthetic]
REAL = [sample.slug for sample in SAMPLES if not sample.synthetic]
NOT_IDENTIFIABLE = "sample:synthetic-linear-gaussian"
WITHOUT_ARROW = {NOT_IDENTIFIABLE, "sample:synthetic-unrelated"}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.slug)
def test_every_sample_loads_and_documents_itself(sample: Sample):
    pair = load_sample(sample.slug)
    assert sample.slug.startswith("sample:")
    assert all((sample.title, sample.description, sample.source, sample.truth_reason))
    assert (pair.name, pair.source) == (sample.title, sample.source)
    assert (pair.truth is None) == (sample.slug in WITHOUT_ARROW)
    assert pair.rows >= 100
    assert np.unique(pair.x).size > 5 <= np.unique(pair.y).size


def test_slugs_are_unique_and_the_default_comes_first():
    slugs = [sample.slug for sample in SAMPLES]
    assert len(set(slugs)) == len(slugs)
    assert slugs[0] == DEFAULT_SAMPLE


def test_a_slug_is_found_without_its_prefix():
    np.testing.assert_array_equal(load_sample("tips-bill-tip").y, load_sample("sample:tips-bill-tip").y)


@pytest.mark.parametrize("slug", SYNTHETIC)
def test_a_seed_fixes_every_row_and_another_seed_changes_them(slug: str):
    one, same, other = (load_sample(slug, rows=50, noise=0.5, seed=seed) for seed in (3, 3, 4))
    assert one.rows == 50
    np.testing.assert_array_equal(one.y, same.y)
    assert not np.array_equal(one.y, other.y)


@pytest.mark.parametrize("slug", sorted(set(SYNTHETIC) - {"sample:synthetic-unrelated"}))
def test_the_noise_level_weakens_the_dependence(slug: str):
    # Within bins of the cause the effect's spread must grow with the noise level.
    spreads = []
    for noise in (0.05, 1.0):
        pair = load_sample(slug, noise=noise)
        cause, effect = (pair.y, pair.x) if pair.truth is Direction.Y_TO_X else (pair.x, pair.y)
        strips = np.array_split(effect[np.argsort(cause, kind="stable")], 50)
        spreads.append(np.mean([strip.std() for strip in strips]) / effect.std())
    assert spreads[0] < 0.5 * spreads[1]


# Row counts, first rows and column sums are those of the shipped files.
@pytest.mark.parametrize(
    ("slug", "rows", "first", "sum_x", "sum_y"),
    [
        ("diabetes-age-bp", 442, (59.0, 101.0), 21445.0, 41833.98),
        ("diabetes-age-bmi", 442, (59.0, 32.1), 21445.0, 11658.1),
        ("diabetes-bmi-progression", 442, (32.1, 151.0), 11658.1, 67243.0),
        ("gapminder-life-gdp", 142, (43.828, 974.5803384), 9515.054, 1658570.198423),
        ("tips-bill-tip", 244, (16.99, 1.01), 4827.77, 731.58),
        ("tips-bill-size", 244, (16.99, 2.0), 4827.77, 627.0),
    ],
)
def test_real_samples_hold_the_rows_of_the_shipped_file(slug, rows, first, sum_x, sum_y):
    pair = load_sample(slug)
    assert pair.rows == rows
    assert (pair.x[0], pair.y[0]) == first
    assert pair.x.sum() == pytest.approx(sum_x, rel=1e-9)
    assert pair.y.sum() == pytest.approx(sum_y, rel=1e-9)


def test_reading_plotlys_tables_does_not_import_plotly():
    code = (
        "import sys; from privcause_core.samples import load_sample, samples; samples();"
        "assert 'sklearn' not in sys.modules; load_sample('tips-bill-tip'); assert 'plotly' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("score", ["spearman", "kendall", "hsic"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_default_samples_arrow_is_right_and_rarely_flips_at_epsilon_1(score: str, seed: int):
    pair = load_sample(DEFAULT_SAMPLE, seed=seed)
    settings = Settings(seed=seed, epsilon=1.0)
    fit = fit_anm(pair, settings)
    chosen = get_score(score)
    margin = chosen.statistic(fit.scored.y_to_x, settings) - chosen.statistic(fit.scored.x_to_y, settings)
    scale = noise_scale(chosen.sensitivity(fit.n_test, Calibration.REFINED), settings.epsilon)
    assert fit.n_test == 1_000
    assert margin > 0
    assert pair.truth is Direction.X_TO_Y
    assert flip_two_scores(margin / scale) < 0.01


def test_the_linear_gaussian_arrow_is_a_coin_flip():
    kendall, settings = get_score("kendall"), Settings()
    arrows = []
    for seed in range(20):
        fit = fit_anm(load_sample(NOT_IDENTIFIABLE, rows=200, seed=seed), settings)
        arrows.append(kendall.statistic(fit.scored.x_to_y, settings) < kendall.statistic(fit.scored.y_to_x, settings))
    assert 3 <= sum(arrows) <= 17


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"rows": 19}, "rows between 20 and 1e\\+06, got 19"),
        ({"rows": ROWS_MAX + 1}, "rows between"),
        ({"rows": 100.5}, "rows to be a whole number"),
        ({"noise": 0.0}, "noise between 0.01 and 5, got 0"),
        ({"noise": 2 * NOISE_MAX}, "noise between"),
        ({"noise": float("nan")}, "noise to be a finite number"),
        ({"seed": -1}, "seed between"),
        ({"seed": SEED_MAX + 1}, "seed between"),
    ],
)
def test_a_choice_outside_its_limits_is_refused_by_name(choice, message):
    with pytest.raises(ParameterError, match=message):
        load_sample(DEFAULT_SAMPLE, **choice)


@pytest.mark.parametrize("choice", [{"rows": 100}, {"noise": 0.5}, {"seed": 0}])
def test_a_real_sample_takes_no_choices(choice):
    with pytest.raises(ParameterError, match="only synthetic samples"):
        load_sample("diabetes-age-bp", **choice)


def test_an_unknown_sample_is_refused_with_the_known_ones():
    with pytest.raises(ParameterError, match=r"sample:diabetes-age-bp.*got 'nothing'"):
        load_sample("nothing")
