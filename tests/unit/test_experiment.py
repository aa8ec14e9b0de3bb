"""The experiment that writes docs/accuracy.md, on a handful of small pairs."""

from dataclasses import replace

import numpy as np
import pytest

from privcause_core.cli.common import load
from privcause_core.samples import load_sample
from privcause_core.settings import Calibration, NoiseModel, Protection, Settings
from tests.benchmarks import experiment
from tests.benchmarks.experiment import Rule, capped, one_pair, over_splits, table

SCORES = ("kendall", "iqr")
RULES = (Rule(NoiseModel.ADDITIVE, SCORES, calibrations=tuple(Calibration)),)


def made(number, rows=120):
    return replace(load_sample("synthetic-saturation", rows=rows, seed=number), name=f"pair{number}")


@pytest.fixture(scope="module")
def shares():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment, "Parallel", lambda **_: lambda tasks: [f(*given) for f, given, _ in tasks])
        return over_splits([made(number) for number in range(4)], 2, RULES, Settings())


def test_a_share_is_the_mean_over_splits_and_nears_the_noise_free_one_as_epsilon_grows(shares):
    right = shares["additive", "kendall"]
    assert right.shape == (4, 5)
    assert set(right[:, 0].tolist()) <= {0.0, 0.5, 1.0}
    mean = np.abs(right - right[:, :1]).mean(axis=0)
    assert mean[3] < mean[1] / 2


def test_the_papers_noise_never_refuses_less_and_kendalls_is_the_same(shares):
    assert (shares["additive", "noise as in the paper", "iqr"][:, -1] >= shares["additive", "iqr"][:, -1] - 1e-12).all()
    assert (shares["additive", "noise as in the paper", "kendall"] == shares["additive", "kendall"]).all()


def test_blocks_are_as_many_as_each_epsilon_recommends():
    rule = one_pair(
        made(0, 1_000), Settings(protect=Protection.EVERY_ROW, release="direction"), Rule(NoiseModel.AUTO, ("kendall",))
    )
    free, low, middle, high, refused = rule[0]
    assert free == 1.0
    assert refused == 0.0
    assert 0.5 < low < middle
    assert high > 0.99


def test_a_table_has_a_row_for_every_rule_with_intervals_over_pairs(shares):
    lines = table(shares).splitlines()
    assert [line.split("|")[1].strip() for line in lines[2:]] == [
        "additive, kendall", "additive, iqr", "additive, noise as in the paper, kendall",
        "additive, noise as in the paper, iqr",
    ]  # fmt: skip
    assert all(line.count("|") == lines[0].count("|") for line in lines)


def test_many_rows_are_capped_by_the_split_and_few_are_kept():
    pair = load_sample("synthetic-saturation", rows=5_000)
    first, second = capped(pair, 0), capped(pair, 1)
    assert first.rows == second.rows == experiment.MOST_ROWS
    assert first.x.tolist() != second.x.tolist()
    assert capped(made(0), 0).rows == 120


def test_pairs_without_a_known_cause_are_refused_in_one_sentence(tmp_path, capsys):
    (tmp_path / "pairs.csv").write_text("SampleID,A,B\np1,1 2 3 4,2 1 4 3\n")
    assert load(str(tmp_path / "pairs.csv")).pairs
    assert experiment.main([str(tmp_path / "pairs.csv")]) == 2
    assert "cause is known" in capsys.readouterr().err
