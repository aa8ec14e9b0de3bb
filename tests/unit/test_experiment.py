"""The experiment over many pairs and its figures, on a handful of small ones."""

import csv
import io
from dataclasses import replace

import pytest

from privcause_core.explore.simulation import wilson
from privcause_core.figures.accuracy import EPSILON_AXIS, WIDE_EPSILON_AXIS, accuracy_chart, calibrations_chart
from privcause_core.samples import load_sample
from privcause_core.settings import Calibration, Settings
from privcause_core.sweep import PAPER_SCORES, ceilings, shuffle_columns
from tests.benchmarks import experiment

SPLITS = 2


def made(number):
    return replace(load_sample("synthetic-saturation", rows=120, seed=number), name=f"pair{number}")


@pytest.fixture(scope="module")
def pairs():
    return [made(number) for number in range(4)]


@pytest.fixture(scope="module")
def result(pairs):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment, "run_sweep", lambda *given: experiment_in_this_process(*given))
        return experiment.experiment(pairs, SPLITS)


def experiment_in_this_process(*given):
    from privcause_core.sweep import run_sweep

    return run_sweep(*given, jobs=1)


def test_a_ceiling_is_the_mean_over_splits_and_its_interval_is_over_pairs(pairs, result):
    splits = [list(experiment_in_this_process(shuffle_columns(pairs, s), Settings(seed=s), experiment.GRID))
              for s in range(SPLITS)]  # fmt: skip
    rates = [{one.score: one.accuracy.rate for one in ceilings(split)} for split in splits]
    for ceiling in result.ceilings:
        mean = sum(one[ceiling.score] for one in rates) / SPLITS
        expected = wilson(mean, len(pairs))  # 4 pairs, not 8
        assert [ceiling.accuracy.rate, ceiling.accuracy.low] == pytest.approx([mean, expected.low])


def test_shuffling_makes_always_first_a_coin(result):
    assert result.baseline.rate == pytest.approx(0.5)


def test_accuracy_meets_a_coin_at_the_least_epsilon_and_the_ceiling_at_the_greatest(result):
    limits = {one.score: one.accuracy.rate for one in result.ceilings}
    for score in ("spearman", "kendall"):
        mine = [p for p in result.points if p.score == score and p.calibration is Calibration.REFINED]
        assert mine[0].accuracy.rate == pytest.approx(0.5, abs=0.02)
        assert mine[-1].accuracy.rate == pytest.approx(limits[score], abs=0.05)


def test_refined_noise_is_never_worse_than_the_papers_where_the_true_arrow_is_right(result):
    refined, paper = (
        {(p.score, p.epsilon): p.refused for p in result.points if p.calibration is c}
        for c in (Calibration.REFINED, Calibration.PAPER)
    )
    assert all(refined[key] <= paper[key] + 1e-12 for key in refined)


def test_many_rows_are_capped_by_the_split_and_few_are_kept():
    pair = load_sample("synthetic-saturation", rows=5_000)
    first, second = experiment.capped(pair, 0), experiment.capped(pair, 1)
    assert first.rows == second.rows == experiment.MOST_ROWS
    assert first.x.tolist() != second.x.tolist()
    assert experiment.capped(made(0), 0).rows == 120


def test_the_table_and_the_page_hold_every_score_and_both_calibrations(result):
    table = list(csv.DictReader(io.StringIO(experiment.table(result))))
    assert len(table) == len(PAPER_SCORES) * (1 + 2 * len(experiment.GRID.epsilons))
    page = experiment.page(result)
    assert "<script src" not in page
    assert all(f"calibrations_{score}" in page for score in PAPER_SCORES)


def test_charts_keep_their_axes_name_every_colour_and_say_what_they_show(result):
    ceiling = result.ceilings[1]
    points = [p for p in result.points if p.score == ceiling.score]
    refined = [p for p in points if p.calibration is Calibration.REFINED]
    charts = [
        accuracy_chart("Kendall", refined, ceiling, result.baseline, 1.0),
        accuracy_chart("Kendall", refined, ceiling, result.baseline, 1e5),
        calibrations_chart("Kendall", points, ceiling, result.baseline),
    ]
    for chart, axis in zip(charts, (EPSILON_AXIS, EPSILON_AXIS, WIDE_EPSILON_AXIS), strict=True):
        assert chart.figure.layout.xaxis.range == (axis.low, axis.high)
        assert chart.figure.layout.yaxis.range[0] == 0.0
        assert all(trace.line.color or trace.marker.color for trace in chart.figure.data)
        assert "without privacy" in chart.alt
    assert {trace.name for trace in charts[0].figure.data} - {trace.name for trace in charts[1].figure.data} == {
        "now: ε = 1"
    }
