"""Reports and exports: self-contained, honest about true values, loadable, and the public kind blind to the data."""

import csv
import io
import json
import re
import shlex
from argparse import ArgumentParser
from dataclasses import fields, replace
from datetime import UTC, datetime
from decimal import Decimal

import numpy as np
import pytest
from plotly.offline import get_plotlyjs

from privcause_core.__main__ import main
from privcause_core.cli.common import add_pair_arguments, add_settings_arguments, settings_from
from privcause_core.errors import DataError, ParameterError
from privcause_core.explore.analysis import analyse
from privcause_core.exports import files
from privcause_core.exports.analysis_json import analysis_dict
from privcause_core.exports.files import Source, command_line, settings_from_yaml, settings_yaml
from privcause_core.pair import Direction, Pair
from privcause_core.release import Counts, Ledger, Plan, Receipt, certificate
from privcause_core.release.certificate import signed
from privcause_core.report import public_report, teaching_report
from privcause_core.settings import Settings, knobs
from privcause_core.verdicts.outcome import Refused, Released

HOSTILE = '=cmd()|"<script>alert(1)</script>$x$&'
OTHER = Settings(
    score="hsic", epsilon=0.37, delta=1e-9, release="direction", calibration="paper", test_share=0.4, seed=7, draws=50,
    draw_seed=3, bin_width=0.5, bandwidth=0.7,
    range_x="-5..5",
)  # fmt: skip


def small_pair(**changes):
    rng = np.random.default_rng(5)
    x = rng.gamma(1.5, size=120)
    values = {"x_name": "dose", "y_name": "effect"} | changes
    return Pair("trial", x=x, y=1 - np.exp(-x) + 0.1 * rng.normal(size=120), truth=Direction.X_TO_Y, **values)


@pytest.fixture(scope="module")
def analysis():
    return analyse(small_pair(), Settings(score="all", draws=200))


@pytest.fixture(scope="module")
def teaching(analysis):
    return teaching_report(analysis, "privcause analyse trial.csv --json")


def receipt(score="kendall", outcome=None):
    outcome = outcome or Released((0.05, 0.91), 0.91 - 0.05, Direction.X_TO_Y)
    plan = Plan((score,), Decimal("1"))
    now = datetime(2026, 1, 2, tzinfo=UTC).isoformat()
    return Receipt(
        "entry-1", now, plan, "trial", "dose", "effect", Counts(120, 120), (("privcause", "0.1.0"),), (outcome,)
    )


def without_plotly(report):
    assert report.count(get_plotlyjs()) == 1
    return report.replace(get_plotlyjs(), "")


def test_a_report_holds_one_plotly_and_fetches_nothing(teaching):
    rest = without_plotly(teaching)
    assert not re.findall(r"""(?:https?:)?//[\w.-]+\.\w+""", rest)
    assert "connect-src" not in rest
    assert "default-src 'none'" in rest
    assert not re.search(r"<(link|img|iframe|script[^>]+src)", rest)


def test_no_chart_of_a_report_offers_to_share_its_data(teaching):
    rest = without_plotly(teaching)
    charts = rest.count("Plotly.newPlot")
    assert charts >= 4
    assert rest.count('"showSendToCloud": false') == charts
    assert rest.count('"displaylogo": false') == charts


def test_a_teaching_report_says_on_every_page_and_section_that_it_holds_true_values(teaching):
    rest = without_plotly(teaching)
    assert '<thead><tr><td><p class="kind">Teaching report. Holds true (non-private) values' in rest
    assert rest.count("<h2>") == rest.count("<small>true values</small>") >= 5


def test_a_teaching_report_names_arrow_protection_and_how_to_repeat_it(teaching, analysis):
    rest = without_plotly(teaching)
    arrow = "dose → effect" if analysis.headline.true.direction is Direction.X_TO_Y else "effect → dose"
    assert f"Likelihood: {arrow} (noise-free arrow)" in rest
    assert f"Protected: the {analysis.measurement.fit.n_test:,} test rows" in rest
    assert "privcause analyse trial.csv --json" in rest
    assert all(score.true.score.title in rest for score in analysis.scores)


def test_hostile_names_stay_text_in_a_report():
    pair = small_pair(x_name=HOSTILE)
    rest = without_plotly(teaching_report(analyse(pair, Settings(draws=50)), "command"))
    assert "<script>alert" not in rest


def test_an_undecided_pair_gets_a_report_too():
    constant = Pair("flat", "a", "b", np.arange(40.0), np.ones(40))
    rest = without_plotly(teaching_report(analyse(constant, Settings(draws=50)), "command"))
    assert "undecided" in rest


def test_an_iqr_report_draws_the_four_shares():
    rest = without_plotly(teaching_report(analyse(small_pair(), Settings(score="iqr", draws=50)), "command"))
    assert 'id="iqr_shares"' in rest


def test_a_public_report_says_what_it_is_and_holds_the_certificate():
    values = certificate(receipt())
    rest = without_plotly(public_report(values))
    assert "Public report. Holds private outputs and public facts only." in rest
    assert "true values" not in rest
    assert "dose → effect (ε private)" in rest
    assert "entry-1" in rest


def test_a_public_report_of_a_refusal_shows_no_arrow_and_no_chart():
    refused = receipt("iqr", Refused((0.1, None, 0.2, None)))
    rest = without_plotly(public_report(certificate(refused)))
    assert "No arrow." in rest
    assert "Plotly.newPlot" not in rest


def test_a_public_report_of_voting_blocks_says_how_they_voted():
    plan = Plan(("kendall",), Decimal("1"), settings=Settings(protect="every-row", route="blocks", blocks=10))
    voted = replace(
        receipt(), plan=plan, counts=Counts(2_000, 2_000), outcomes=(Released((6.5,), 6.5, Direction.X_TO_Y),)
    )
    rest = without_plotly(public_report(certificate(voted)))
    assert "2,000 rows were dealt at random into 10 blocks" in rest
    assert "every row" in rest


def test_a_public_report_is_refused_for_anything_but_a_certificate(analysis):
    with pytest.raises(DataError, match="certificate"):
        public_report(analysis_dict(analysis))


def test_json_export_is_the_analysis_object(analysis):
    assert json.loads(files.analysis_json(analysis)) == analysis_dict(analysis)


def test_csv_export_has_one_line_a_score_with_the_numbers_of_the_json(analysis):
    rows = list(csv.DictReader(io.StringIO(files.analysis_csv(analysis))))
    scores = analysis_dict(analysis)["scores"]
    assert [row["score"] for row in rows] == list(scores)
    for row in rows:
        assert float(row["margin"]) == scores[row["score"]]["margin"]
        assert float(row["settings.epsilon"]) == 1.0


def test_csv_cells_cannot_run_as_formulas_and_numbers_stay_numbers(analysis):
    text = files.analysis_csv(analyse(small_pair(x_name=HOSTILE), Settings(draws=50)))
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["x"] == "'" + HOSTILE
    assert float(row["score_xy"]) >= 0.0
    iqr = next(r for r in csv.DictReader(io.StringIO(files.analysis_csv(analysis))) if r["score"] == "iqr")
    assert float(iqr["score_xy"]) < 0.0


def test_settings_survive_yaml():
    assert settings_from_yaml(settings_yaml(OTHER)) == OTHER
    assert settings_from_yaml("delta: 1e-6") == Settings(delta=1e-6)  # YAML 1.1 reads this as text


@pytest.mark.parametrize("text", ["", "just words", "a: [", "- epsilon"])
def test_a_settings_file_that_is_not_one_is_refused_in_a_sentence(text):
    with pytest.raises(ParameterError, match="Expected settings as lines"):
        settings_from_yaml(text)


def test_every_setting_reaches_the_command_line_and_comes_back():
    parser = ArgumentParser()
    add_pair_arguments(parser)
    add_settings_arguments(parser)
    parser.add_argument("--json", action="store_true")
    source = Source("it's a file.csv", "a pair", "-x", "2", sentinels_missing=True)
    words = shlex.split(command_line(source, OTHER))
    assert words[:2] == ["privcause", "analyse"]
    args = parser.parse_args(words[2:])
    assert settings_from(args) == OTHER
    assert Source(args.file, args.pair, args.x, args.y, args.sentinels_missing) == source
    changed = {one.name for one in fields(Settings) if getattr(OTHER, one.name) != getattr(Settings(), one.name)}
    assert changed == {word.split("=")[0].removeprefix("--").replace("-", "_") for word in words if "=" in word} - {
        "pair", "x", "y",
    }  # fmt: skip


def test_every_setting_has_a_flag():
    assert {one.name for one in fields(Settings)} == knobs().keys()


def test_the_command_line_writes_both_kinds_of_report(tmp_path):
    out = tmp_path / "report.html"
    assert main(["report", "sample:synthetic-near-tie", "--draws", "50", "--out", str(out)]) == 0
    assert "Teaching report" in out.read_text(encoding="utf-8")
    stored = tmp_path / "certificate.json"
    ledger = Ledger(tmp_path / "ledger.sqlite")
    stored.write_text(json.dumps(certificate(signed(receipt(), ledger))), encoding="utf-8")
    assert main(["report", str(stored), "--public", "--out", str(out)]) == 0
    assert "Not verified: when this page was written" in out.read_text(encoding="utf-8")
    assert main(["report", str(stored), "--public", "--out", str(out), "--key", ledger.public_key()]) == 0
    assert "Public report" in out.read_text(encoding="utf-8")
    assert "Verified when this page was written" in out.read_text(encoding="utf-8")


def test_an_invented_certificate_gets_no_public_report_from_whoever_knows_the_holder(tmp_path, capsys):
    holder, stranger = (Ledger(tmp_path / f"{name}.sqlite") for name in ("holder", "stranger"))
    invented, out = tmp_path / "certificate.json", tmp_path / "report.html"
    invented.write_text(json.dumps(certificate(signed(receipt(), stranger))), encoding="utf-8")
    for known in (["--key", holder.public_key()], ["--ledger", str(holder.path)], ["--key", "no key"]):
        holder.public_key()
        assert main(["report", str(invented), "--public", "--out", str(out), *known]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert not out.exists()


def test_the_command_line_refuses_a_public_report_of_data_and_writes_nothing(tmp_path, capsys):
    data, out = tmp_path / "data.csv", tmp_path / "report.html"
    data.write_text("a,b\n1,2\n", encoding="utf-8")
    assert main(["report", str(data), "--public", "--out", str(out)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not out.exists()


def test_a_public_report_does_not_change_with_anything_but_its_certificate():
    first = public_report(certificate(receipt()))
    assert public_report(json.loads(json.dumps(certificate(receipt())))) == first
    other = replace(receipt(), outcomes=(Released((0.9, 0.1), 0.1 - 0.9, Direction.Y_TO_X),))
    assert "effect → dose (ε private)" in public_report(certificate(other))
