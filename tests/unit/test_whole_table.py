"""A whole table: every pair of chosen columns with both doubts, its matrix, its price, and the command."""

import json

import numpy as np
import pytest

from privcause_core.__main__ import main
from privcause_core.errors import DataError, ParameterError
from privcause_core.explore.analysis import analyse
from privcause_core.figures.matrix import KEY, arrow_matrix
from privcause_core.loading import load_files
from privcause_core.pair import Direction
from privcause_core.settings import Protection, Settings
from privcause_core.sweep.whole_table import (
    CAVEAT,
    COLUMNS_MAX,
    cells,
    cost_of,
    first_columns,
    judge_table,
    measure_cell,
    sample_table,
    table_dict,
)

SETTINGS = Settings()
ROWS = 600


def csv(**columns):
    values = "\n".join(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))
    return f"{','.join(columns)}\n{values}\n".encode()


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(4)
    cause = rng.uniform(-1, 1, ROWS).round(5)
    effect = (np.tanh(3 * cause) + 0.2 * rng.normal(size=ROWS)).round(5)
    alone, level = rng.normal(size=ROWS).round(5), (cause > 0) * 1
    flat, word = np.ones(ROWS), np.repeat("text", ROWS)
    content = csv(cause=cause, effect=effect, alone=alone, level=level, flat=flat, word=word)
    (loaded,) = load_files([("wide.csv", content)]).tables
    return loaded


def judged(table, columns, settings=SETTINGS):
    found = {cell: measure_cell(table, cell, settings) for cell in cells(columns)}
    return judge_table(table, found, settings)


@pytest.fixture(scope="module")
def arrows(table):
    return judged(table, [0, 1, 2, 3, 4])


def named(arrows, x, y):
    return next(arrow for arrow in arrows if (arrow.x_name, arrow.y_name) == (x, y))


@pytest.mark.parametrize("score", ["likelihood", "kendall", "iqr"])
def test_an_arrow_says_what_analysing_its_pair_alone_says(table, score):
    settings = Settings(score=score, epsilon=2.0)
    (arrow,) = judged(table, [0, 1], settings)
    analysis = analyse(table.pair(0, 1), settings)
    alone = analysis.headline
    assert arrow.direction is alone.true.direction
    assert arrow.privacy == pytest.approx(alone.probability_arrow_kept)
    assert arrow.sampling_z == pytest.approx(alone.true.doubt.z)
    assert arrow.both == pytest.approx(alone.probability_population_agrees)
    assert arrow.columns_related_p == analysis.measurement.columns_related_p
    assert (arrow.reason == "") is alone.tells_arrow
    assert arrow.epsilon_for_95 == pytest.approx(dict(alone.least_epsilon)[0.95])


def test_the_surest_arrow_is_first_and_every_pair_is_there_once(arrows):
    assert arrows[0].words == "cause → effect"
    assert not arrows[0].reason
    assert len({(arrow.x, arrow.y) for arrow in arrows}) == len(arrows) == 10
    assert [arrow.certainty for arrow in arrows] == sorted((arrow.certainty for arrow in arrows), reverse=True)


def test_what_tells_no_arrow_says_why(arrows):
    assert "unrelated" in named(arrows, "cause", "alone").reason
    assert named(arrows, "cause", "level").reason == "level takes 3 values or fewer."
    constant = named(arrows, "cause", "flat")
    assert (constant.direction, constant.privacy, constant.both) == (Direction.UNDECIDED, None, None)
    assert constant.words == "cause, flat"


def test_all_scores_means_the_default_one(table):
    assert judged(table, [0, 1], Settings(score="all")) == judged(table, [0, 1])


def test_a_pair_without_rows_is_an_entry_with_its_reason():
    content = b"a,b,c\n" + b"".join(b"%d,,%d\n" % (k, k % 7) if k % 2 else b",%d,%d\n" % (k, k % 7) for k in range(90))
    (loaded,) = load_files([("gaps.csv", content)]).tables
    arrow = named(judged(loaded, [0, 1, 2]), "a", "b")
    assert "no row" in arrow.reason
    assert (arrow.n_test, arrow.both) == (0, None)


def test_columns_are_two_to_twenty_different_ones():
    assert len(cells(range(COLUMNS_MAX))) == 190
    for wrong in ([], [1], [1, 1], range(COLUMNS_MAX + 1)):
        with pytest.raises(ParameterError, match="2 to 20"):
            cells(wrong)


def test_releases_add_by_basic_composition(table):
    assert cost_of(table, Settings(epsilon=0.5), 3).epsilon == 1.5
    tested = cost_of(table, Settings(score="iqr"), 4)
    assert (tested.epsilon, tested.delta) == (4.0, pytest.approx(4e-6))


def test_a_score_that_cannot_protect_every_row_is_refused_before_anything_is_measured(table):
    with pytest.raises(DataError):
        cost_of(table, Settings(protect=Protection.EVERY_ROW, blocks=10_000), 1)


def test_the_matrix_shows_every_arrow_from_both_sides_pale_or_hollow_as_the_doubts_say(table, arrows):
    labels = [(k, table.columns[k].label) for k in range(5)]
    chart = arrow_matrix(labels, arrows, 1.0)
    drawn = {
        (int(x), int(y)): (trace.marker.symbol, trace.marker.color)
        for trace in chart.figure.data
        for x, y in zip(trace.x, trace.y, strict=True)
        if x is not None
    }
    assert len(drawn) == 20
    assert (drawn[1, 0][0], drawn[0, 1][0]) == ("triangle-right", "triangle-left")  # row 0 drives column 1
    assert drawn[2, 0][0] == drawn[0, 2][0] == "circle"
    assert drawn[3, 0][1].endswith("0.55)")
    noisy = arrow_matrix(labels, judged(table, [0, 1], Settings(epsilon=0.01)), 0.01)
    assert {trace.marker.symbol for trace in noisy.figure.data[:2]} == {"triangle-right-open", "triangle-left-open"}
    assert [trace.name for trace in chart.figure.data if trace.showlegend is None] == [name for *_, name in KEY]
    assert "1 of 10 pairs tell an arrow" in chart.alt
    assert len(chart.table["both doubts"]) == 10


def test_long_names_keep_their_ends_and_steer_nothing(arrows):
    chart = arrow_matrix([(k, f"a_long_column_name_{k}") for k in range(5)], arrows, 1.0)
    assert chart.figure.layout.yaxis.ticktext[1] == "a_long_col…ame_1 2"
    hostile = arrow_matrix([(k, "<b>$x$</b>") for k in range(5)], arrows, 1.0)
    assert "<b>" not in hostile.figure.layout.yaxis.ticktext[0]


def test_the_json_holds_every_arrow_and_what_it_costs(table, arrows):
    values = table_dict(table, [0, 1, 2, 3, 4], arrows, SETTINGS, 3)
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    assert values["private"] is False
    assert values["release"] == {"arrows": 3, "epsilon": 3.0, "delta": 0.0, "rule": "basic composition"}
    assert [one["column"] for one in values["columns_without_numbers"]] == ["word"]
    assert values["warnings"] == [CAVEAT]


def test_the_bundled_table_has_names_for_people_and_begins_with_eight_columns():
    sample = sample_table()
    assert (sample.rows_read, len(sample.columns)) == (442, 11)
    assert "body mass index" in {column.label for column in sample.columns}
    assert first_columns(sample) == list(range(8))


def test_the_command_prints_json_and_a_list(tmp_path, capsys, table):
    path = tmp_path / "wide.csv"
    columns = {table.columns[k].label: table.columns[k].numbers() for k in range(3)}
    path.write_bytes(csv(**columns, word=np.repeat("text", ROWS)))
    assert main(["table", str(path), "--json", "--releases", "2", "--epsilon", "0.5"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert values["columns"] == ["cause", "effect", "alone"]
    assert (values["arrows"][0]["direction"], values["release"]["epsilon"]) == ("x->y", 1.0)
    assert main(["table", str(path), "--columns", "effect", "1"]) == 0
    said = capsys.readouterr().out
    assert "1 of 1 pairs of columns tell an arrow" in said
    assert "cause → effect" in said
    assert "Cannot be chosen: word" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sample:tips-bill-tip"], "one pair"),
        (["sample:diabetes", "--columns", "1"], "2 to 20"),
        (["sample:diabetes", "--columns", "1", "2", "--releases", "2"], "releases"),
        (["sample:diabetes", "--columns", "age", "nothing"], "there is no column"),
    ],
)
def test_a_table_that_cannot_be_told_is_refused_in_one_line(arguments, message, capsys):
    assert main(["table", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
