"""Many pairs at once: the same table for any number of workers, honest accuracies, safe CSV."""

import argparse
import csv
import io
import json
import os
import signal
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from privcause_core.cli import sweep as command
from privcause_core.errors import DataError, ParameterError
from privcause_core.explore.analysis import analyse
from privcause_core.exports.spreadsheet import safe_cell
from privcause_core.loading import load_files
from privcause_core.pair import Direction, Pair
from privcause_core.samples import load_sample
from privcause_core.settings import Calibration, Protection, ReleaseKind, Route, Settings
from privcause_core.sweep import (
    PAPER_SCORES,
    SweepGrid,
    accuracy,
    always_first,
    ceilings,
    gather,
    judge_pair,
    one_sided,
    run_sweep,
    shuffle_columns,
    sweep_csv,
    sweep_dict,
    sweep_warnings,
)

GRID = SweepGrid(
    epsilons=(0.1, 1.0, 10.0),
    calibrations=tuple(Calibration),
    releases=tuple(ReleaseKind),
)
SETTINGS = Settings()
RIGHT, LEFT = Direction.X_TO_Y, Direction.Y_TO_X


def made(number, **changes):
    pair = load_sample("synthetic-saturation", rows=200, seed=number)
    return replace(pair, name=f"pair{number}", **changes)


def swept(pairs, settings=SETTINGS, grid=GRID, **options):
    found = {one.pair: one for one in run_sweep(pairs, settings, grid, **options)}
    return [found[pair.name] for pair in pairs]


def rows_of(measured, settings=SETTINGS, grid=GRID):
    return [row for one in measured for row in judge_pair(one, settings, grid)]


@pytest.fixture(scope="module")
def pairs():
    return [made(number) for number in range(6)]


@pytest.fixture(scope="module")
def measured(pairs):
    return swept(pairs, jobs=1)


def test_the_table_is_the_same_for_one_and_two_workers(pairs, measured):
    assert rows_of(swept(pairs, jobs=2)) == rows_of(measured)


def test_a_pair_is_one_task_and_every_setting_a_row(measured):
    rows = rows_of(measured)
    assert len(rows) == 6 * len(PAPER_SCORES) * 3 * 2 * 2
    assert len({(r.pair, r.score, r.epsilon, r.calibration, r.release) for r in rows}) == len(rows)


@pytest.mark.parametrize("score", PAPER_SCORES)
@pytest.mark.parametrize("release", ReleaseKind)
def test_a_row_says_what_analysing_the_pair_alone_says(pairs, measured, score, release):
    settings = Settings(score=score, epsilon=10.0, release=release, calibration=Calibration.PAPER)
    alone = analyse(pairs[2], settings).of(score)
    grid = SweepGrid((score,), (10.0,), (Calibration.PAPER,), (release,))
    (row,) = judge_pair(measured[2], settings, grid)
    assert row.direction is alone.true.direction
    assert row.margin == pytest.approx(alone.true.margin, rel=1e-9)
    assert row.probability_flip == pytest.approx(alone.probability_flip, rel=1e-9)
    right = alone.probability_arrow_kept if row.direction is row.truth else alone.probability_flip
    assert row.probability_right == pytest.approx(right, rel=1e-9)
    assert row.epsilon_for_95 == pytest.approx(dict(alone.least_epsilon)[0.95], rel=1e-9)


def test_shares_of_all_runs_add_up_where_the_truth_is_known(measured):
    for row in rows_of(measured):
        if row.direction is row.truth:
            assert row.probability_right + row.probability_flip + row.probability_refused == pytest.approx(1.0)
        else:
            assert row.probability_right == row.probability_flip
        assert row.probability_refused == 0.0 or row.score == "iqr"


def test_a_pair_whose_true_arrow_is_wrong_is_right_when_it_flips(pairs, measured):
    lied = [replace(one, truth=one.truth.reverse) for one in measured]
    for row, honest in zip(rows_of(lied), rows_of(measured), strict=True):
        assert row.probability_flip == honest.probability_flip
        assert row.probability_right + honest.probability_right + row.probability_refused == pytest.approx(1.0)


def test_an_undecided_pair_counts_half(pairs):
    constant = Pair("constant", "x", "y", np.arange(40.0), np.ones(40), RIGHT)
    (one,) = swept([constant], jobs=1)
    for row in judge_pair(one, SETTINGS, GRID):
        assert row.direction is Direction.UNDECIDED
        assert row.probability_flip == 0.5
        assert row.probability_right == 0.5 * (1.0 - row.probability_refused)
        assert row.epsilon_for_95 is None
    assert all(ceiling.accuracy.rate == 0.5 for ceiling in ceilings([one]))


def test_a_pair_that_fails_is_a_row_with_its_reason_and_the_others_stay(pairs):
    short = Pair("short", "x", "y", np.arange(5.0), np.arange(5.0), RIGHT)
    measured = swept([short, pairs[0]], jobs=1)
    assert "test rows" in measured[0].reason
    assert not measured[1].reason
    table = list(csv.DictReader(io.StringIO(sweep_csv(measured, SETTINGS, GRID))))
    assert [row["pair"] for row in table[:2]] == ["short", "pair0"]
    assert table[0]["reason"] == measured[0].reason
    assert table[0]["margin"] == ""
    assert len(table) == 1 + len(judge_pair(measured[1], SETTINGS, GRID))


def test_an_unforeseen_failure_of_one_pair_names_its_kind_and_no_value(monkeypatch, pairs):
    def explode(*_, **__):
        raise ZeroDivisionError("secret 4711")

    monkeypatch.setattr("privcause_core.sweep.measured.measure", explode)
    (one,) = swept(pairs[:1], jobs=1)
    assert one.reason == "It cannot be measured (ZeroDivisionError)."


def test_stopping_keeps_what_is_done_and_resuming_adds_the_rest(pairs, measured):
    results = run_sweep(pairs, SETTINGS, GRID, jobs=1)
    done = {one.pair: one for one in islice(results, 2)}
    results.close()
    assert len(done) == 2
    for one in run_sweep(pairs, SETTINGS, GRID, jobs=1, done=done):
        assert one.pair not in done
        done[one.pair] = one
    assert rows_of([done[pair.name] for pair in pairs]) == rows_of(measured)


def test_stopping_two_workers_leaves_them_usable(pairs):
    results = run_sweep(pairs, SETTINGS, GRID, jobs=2)
    next(results)
    results.close()
    assert len(swept(pairs, jobs=2)) == len(pairs)


def test_losing_a_worker_process_ends_the_sweep_in_one_sentence(pairs, monkeypatch):
    def die(*_):
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr("privcause_core.sweep.run.measure_pair", die)
    with pytest.raises(DataError, match="worker process ended early"):
        list(run_sweep(pairs, SETTINGS, GRID, jobs=2))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"jobs": 0}, "jobs"),
        ({"dask": "tcp://127.0.0.1:1"}, "No Dask scheduler answers"),
        ({"dask": "elsewhere"}, "tcp://host:port"),
    ],
)
def test_workers_that_cannot_be_used_are_refused_in_one_sentence(pairs, options, words):
    with pytest.raises(ParameterError, match=words):
        list(run_sweep(pairs, SETTINGS, GRID, **options))


def test_a_score_that_cannot_protect_every_row_by_ridge_is_refused_and_blocks_vote_with_any(pairs):
    settings = Settings(protect=Protection.EVERY_ROW, route=Route.RIDGE, range_x="-9..9", range_y="-9..9")
    grid = SweepGrid(("kendall",), (1.0,))
    with pytest.raises(ParameterError):
        run_sweep(pairs, settings, grid)
    blocks = settings.with_(route=Route.BLOCKS, blocks=10)
    (one,) = swept(pairs[:1], blocks, grid, jobs=1)
    (row,) = judge_pair(one, blocks, grid)
    assert abs(row.margin) <= 10
    assert row.margin == int(row.margin)  # votes


def test_two_pairs_of_one_name_are_refused(pairs):
    with pytest.raises(ParameterError, match="distinct names"):
        run_sweep([pairs[0], pairs[0]], SETTINGS, GRID)


@pytest.mark.parametrize(
    "grid",
    [
        {"scores": ("nonsense",)},
        {"epsilons": (0.0,)},
        {"epsilons": ()},
        {"epsilons": (1.0, 1.0)},
    ],
)
def test_a_grid_that_makes_no_sense_is_refused(grid):
    with pytest.raises(ParameterError):
        SweepGrid(**grid)


# Accuracies


def truths(*arrows, weights=None):
    """Return failed-free measurements with these truths, made from one measured pair."""
    (one,) = swept([made(0)], jobs=1)
    weights = weights or [1.0] * len(arrows)
    return [
        replace(one, pair=f"p{k}", truth=arrow, weight=weight)
        for k, (arrow, weight) in enumerate(zip(arrows, weights, strict=True))
    ]


def test_always_first_is_weighted_where_pairs_carry_weights():
    # The four pairs of a small pairmeta.txt: weights 0.166, 0.334 and 1, the last one reversed; 0.5/1.5 by hand.
    arrows = (RIGHT, RIGHT, LEFT)
    assert always_first(truths(*arrows, weights=[0.166, 0.334, 1.0])).rate == pytest.approx(0.3333333333)
    assert always_first(truths(*arrows)).rate == pytest.approx(2 / 3)


def test_pairs_without_a_known_arrow_or_weight_do_not_count():
    measured = truths(RIGHT, None, LEFT, weights=[1.0, 1.0, 0.0])
    assert always_first(measured).rate == 1.0
    assert {point.pairs for point in accuracy(rows_of(measured))} == {1}
    assert always_first(truths(None)) is None
    assert ceilings(truths(None)) == ()
    assert "no accuracy" in sweep_warnings(truths(None))[0]


def test_one_sided_truths_are_warned_of_and_their_roc_area_is_undefined():
    measured = truths(*[RIGHT] * 4)
    assert one_sided(measured) is RIGHT
    assert all(ceiling.auc is None for ceiling in ceilings(measured))
    (warning, *_) = sweep_warnings(measured)
    assert "scores 100 %" in warning
    assert "undefined" in warning
    assert one_sided(truths(RIGHT, LEFT)) is None


def test_the_roc_area_is_the_share_of_pairs_ordered_by_their_margin(measured):
    margins = [-2.0, -1.0, 0.5, 1.0, float("inf"), -3.0]
    arrows = [
        LEFT,
        RIGHT,
        LEFT,
        RIGHT,
        RIGHT,
        LEFT,
    ]
    made_up = [
        replace(one, truth=arrow, scores=(replace(one.of("kendall"), margin=margin),))
        for one, arrow, margin in zip(measured, arrows, margins, strict=True)
    ]
    (ceiling,) = ceilings(made_up)
    assert ceiling.auc == pytest.approx(8 / 9)  # of 3 x 3 ordered pairs only (-1 against 0.5) is the wrong way round


def test_accuracy_tends_to_the_ceiling_as_epsilon_grows_and_to_a_coin_as_it_shrinks(measured):
    grid = SweepGrid(("kendall",), (1e-6, 1e6))
    low, high = accuracy(rows_of(measured, grid=grid))
    (ceiling,) = (one for one in ceilings(measured) if one.score == "kendall")
    assert low.accuracy.rate == pytest.approx(0.5, abs=1e-4)
    assert high.accuracy.rate == pytest.approx(ceiling.accuracy.rate, abs=1e-9)


def test_equal_weights_give_the_plain_wilson_interval_and_unequal_ones_a_wider(measured):
    def width(weights):
        known = [replace(one, weight=weight) for one, weight in zip(measured, weights, strict=True)]
        interval = always_first(known)
        return interval.high - interval.low

    # Wilson (1927), 6 of 6: low end n / (n + z^2) = 6 / (6 + 3.8415)
    assert width([1.0] * 6) == pytest.approx(1.0 - 6 / (6 + 3.841458820694124))
    assert width([3.0] * 6) == pytest.approx(width([1.0] * 6))
    assert width([1.0] * 5 + [5.0]) > width([1.0] * 6)


def test_a_shuffle_turns_half_of_the_pairs_with_their_truths_and_is_seeded(pairs):
    shuffled = shuffle_columns(pairs, 3)
    turned = [one.truth is not pair.truth for one, pair in zip(shuffled, pairs, strict=True)]
    assert sum(turned) == 3
    for one, pair, was_turned in zip(shuffled, pairs, turned, strict=True):
        assert np.array_equal(one.x, pair.y if was_turned else pair.x)
    again = shuffle_columns(pairs, 3)
    assert [one.truth for one in again] == [one.truth for one in shuffled]
    assert any([one.truth for one in shuffle_columns(pairs, s)] != [one.truth for one in shuffled] for s in range(3))


# What goes in and out


def text_pair(name, n, step):
    return f"{name},{' '.join(str(k) for k in range(n))},{' '.join(str(k * step % 7) for k in range(n))}\n"


def test_pairs_of_one_class_load_with_their_targets_and_say_so():
    table = "SampleID,A,B\n" + "".join(text_pair(f"p{k}", 30, k + 2) for k in range(4))
    targets = "SampleID,Target\n" + "".join(f"p{k},1\n" for k in range(4))
    pairs, rejected = gather([load_files([("pairs.csv", table.encode()), ("targets.csv", targets.encode())])])
    assert rejected == []
    assert one_sided(pairs) is RIGHT
    assert always_first(pairs).rate == 1.0


def test_a_table_of_two_columns_is_a_pair_and_a_wider_one_is_turned_away():
    two = "a,b\n" + "".join(f"{k},{k % 5}\n" for k in range(20))
    three = "a,b,c\n" + "".join(f"{k},{k % 5},{k % 3}\n" for k in range(20))
    loaded = [load_files([("two.csv", two.encode()), ("three.csv", three.encode())])]
    pairs, rejected = gather(loaded)
    assert [pair.name for pair in pairs] == ["two.csv"]
    assert [one.name for one in rejected] == ["three.csv"]
    assert "3 columns" in rejected[0].reason


def test_the_same_name_from_two_places_is_numbered():
    two = ("two.csv", b"a,b\n" + b"".join(b"%d,%d\n" % (k, k % 5) for k in range(20)))
    pairs, _ = gather([load_files([two]), load_files([two]), load_files([two])])
    assert [pair.name for pair in pairs] == ["two.csv", "two.csv (2)", "two.csv (3)"]


@pytest.mark.parametrize("name", ["=1+1", "+cmd", "-cmd|' /C calc'!A0", "@SUM(A1)", "\tx", "＝1+1", "-5+cmd"])
def test_a_name_that_looks_like_a_formula_is_neutralised(name):
    assert safe_cell(name) == f"'{name}"


@pytest.mark.parametrize("name", ["pair0001", "-5", "+1.5e-3", "a=b", "", "Köln"])
def test_plain_names_and_numbers_stay_as_they_are(name):
    assert safe_cell(name) == name


def test_csv_keeps_negative_numbers_and_makes_names_safe(measured):
    renamed = replace(measured[0], pair="=HYPERLINK(1)", truth=LEFT)
    flipped = replace(renamed, scores=tuple(replace(s, margin=-abs(s.margin)) for s in renamed.scores))
    table = list(csv.DictReader(io.StringIO(sweep_csv([flipped], SETTINGS, GRID))))
    assert {row["pair"] for row in table} == {"'=HYPERLINK(1)"}
    assert all(float(row["margin"]) < 0 for row in table)


def test_json_has_no_nan_or_infinity_and_holds_rows_accuracies_and_ceilings(measured):
    infinite = replace(measured[0], scores=tuple(replace(s, margin=float("-inf")) for s in measured[0].scores))
    text = json.dumps(sweep_dict([infinite], SETTINGS, GRID), allow_nan=False)
    document = json.loads(text)
    assert document["schema_version"] == 1
    assert document["rows"][0]["margin"] is None
    assert {one["score"] for one in document["ceilings"]} == set(PAPER_SCORES)
    assert document["private"] is False


def run_command(*arguments):
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(arguments))


TIPS = ("sample:tips-bill-tip", "sample:tips-bill-size", "--jobs", "1")


def test_the_command_writes_the_table_and_prints_json(tmp_path, capsys):
    out = tmp_path / "results.csv"
    assert run_command(*TIPS, "--score", "kendall,hsic", "--epsilons", "0.5,1", "--out", str(out), "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert len(document["rows"]) == 2 * 2 * 2
    assert len(out.read_text(encoding="utf-8").splitlines()) == 1 + 2 * 2 * 2
    assert [one.name for one in tmp_path.iterdir()] == ["results.csv"]


def test_the_command_tells_people_baseline_ceiling_and_accuracies(capsys):
    assert run_command(*TIPS, "--score", "iqr", "--epsilons", "1") == 0
    said = capsys.readouterr()
    assert "always first: 50.0%" in said.out
    assert "without privacy" in said.out
    assert "refused" in said.out
    assert said.err == ""  # progress is for terminals


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--calibration", "loose"], "calibration"),
        (["--release", "all"], "release"),
        (["--score", "pearson"], "score"),
        (["--epsilons", "0.1,x"], "epsilons"),
        (["--jobs", "two"], "jobs"),
        (["--shuffle", "1.5"], "shuffle"),
    ],
)
def test_the_command_refuses_bad_usage_in_one_sentence(arguments, words):
    with pytest.raises(ParameterError, match=words):
        run_command(*TIPS[:2], *arguments)


def test_the_command_shuffles_by_the_seed(capsys):
    assert run_command(*TIPS, "--score", "kendall", "--epsilons", "1", "--shuffle", "1") == 0
    assert "Every known arrow is" in capsys.readouterr().out  # two opposite truths, one of them turned


def test_the_command_refuses_to_write_where_it_cannot_before_it_computes(tmp_path):
    with pytest.raises(DataError, match="directory"):
        run_command(*TIPS, "--out", str(tmp_path / "absent" / "results.csv"))


def test_the_command_loads_pairs_and_targets_given_as_two_files(tmp_path, capsys):
    (tmp_path / "pairs.csv").write_text("SampleID,A,B\n" + text_pair("p1", 30, 2), encoding="utf-8")
    (tmp_path / "targets.csv").write_text("SampleID,Target\np1,-1\n", encoding="utf-8")
    files = [str(tmp_path / "pairs.csv"), str(tmp_path / "targets.csv")]
    assert run_command(*files, "--score", "kendall", "--epsilons", "1", "--jobs", "1", "--json") == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["truth"] == "y->x"
