"""Adding a score is one source file and one proof file: here are both, and everything takes them up by itself."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from pages.parts.methods import methods_text
from pages.shared import session
from privcause_core import scores
from privcause_core.__main__ import main
from privcause_core.scores import all_scores, get_score
from privcause_core.settings import Calibration
from tests.app.driving import app_at, switched, words
from tests.contract import adversaries
from tests.contract.test_every_score import stays_within, training_excess

TOY = Path(__file__).parent / "toy"
SOURCE, PROOF = TOY / "distance_covariance.py", TOY / "distance-covariance.md"
NAME, TITLE = "distance-covariance", "Distance covariance"
SAMPLE = "sample:diabetes-age-bp"
RANGES = {"protect": "every-row", "route": "ridge", "range_x": "0..100", "range_y": "0..200"}
FLAGS = [f"--{name.replace('_', '-')}={value}" for name, value in RANGES.items()]


def _forget_samples():
    """Empty what a server keeps of the samples for all sessions: it was measured with other scores."""
    session._PUBLIC.clear()


@pytest.fixture(autouse=True)
def _added(tmp_path, monkeypatch):
    """Put the two files where a person would, as far as a test may: beside the package's own."""
    (tmp_path / "scores").mkdir()
    shutil.copy(SOURCE, tmp_path / "scores")
    shutil.copytree(methods_text._FOLDER, tmp_path / "methods")
    shutil.copy(PROOF, tmp_path / "methods" / "scores")
    monkeypatch.setattr(scores, "__path__", [*scores.__path__, str(tmp_path / "scores")])
    monkeypatch.setattr(methods_text, "_FOLDER", tmp_path / "methods")
    monkeypatch.setenv("PRIVCAUSE_LEDGER", str(tmp_path / "ledger.sqlite"))
    all_scores.cache_clear()
    methods_text.proof.cache_clear()
    _forget_samples()
    yield
    _forget_samples()
    all_scores.cache_clear()
    methods_text.proof.cache_clear()
    sys.modules.pop(f"{scores.__name__}.{SOURCE.stem}", None)


def printed(capsys, *words):
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("m", [4, 20, 60])
def test_the_contract_holds_for_its_test_bound(m):
    assert stays_within(get_score(NAME), m, adversaries.vector_neighbours(np.random.default_rng(m), m))


def test_the_contract_holds_for_its_test_bound_on_fitted_tables():
    assert stays_within(get_score(NAME), 20, adversaries.table_neighbours(np.random.default_rng(20), 20))


def test_the_contract_holds_for_its_training_bound():
    assert max(training_excess(get_score(NAME), m) for m in (5, 40, 200)) <= 1.0


def test_the_contract_notices_an_eighth_of_its_bounds():
    class Eighth(type(get_score(NAME))):
        def sensitivity(self, m, calibration):
            return super().sensitivity(m, calibration) / 8.0

        def training_sensitivity(self, m, shift, settings):
            return super().training_sensitivity(m, shift, settings) / 8.0

    assert not stays_within(Eighth(), 101, adversaries.vector_neighbours(np.random.default_rng(0), 101))
    assert training_excess(Eighth(), 200) > 1.0


def test_the_command_line_analyses_sweeps_releases_and_reports_with_it(capsys, tmp_path):
    analysed = printed(capsys, "analyse", SAMPLE, f"--score={NAME}", "--draws=100")
    one = analysed["scores"][NAME]
    assert one["score_xy"] != one["score_yx"]
    assert one["sensitivity"] == get_score(NAME).sensitivity(analysed["n_test"], Calibration.REFINED)
    table = tmp_path / "sweep.csv"
    assert main(["sweep", SAMPLE, f"--score={NAME}", "--jobs=1", f"--out={table}"]) == 0
    assert NAME in table.read_text(encoding="utf-8")
    for protected in ([], ["--protect=every-row", "--blocks=10"], FLAGS):
        issued = printed(capsys, "release", SAMPLE, f"--score={NAME}", "--epsilon=0.1", *protected)
        assert issued["releases"][0]["score"] == NAME
        path = tmp_path / "certificate.json"
        path.write_text(json.dumps(issued), encoding="utf-8")
        assert main(["verify", str(path), f"--ledger={tmp_path / 'ledger.sqlite'}"]) == 0
    report = tmp_path / "report.html"
    assert main(["report", SAMPLE, f"--score={NAME}", f"--out={report}"]) == 0
    assert TITLE in report.read_text(encoding="utf-8")


def test_the_sidebar_and_every_page_of_a_pair_offer_and_show_it():
    app = app_at(score=NAME, data=SAMPLE)
    assert TITLE in app.selectbox(key="score").options
    for name in ("explore", "flip_rates", "curves", "release", "many_pairs"):
        shown = words(switched(app, name))
        assert not app.error, (name, shown)
        assert app.session_state["privcause"].view.settings.score == NAME


@pytest.mark.parametrize("way", [RANGES, {"protect": "every-row", "route": "blocks"}], ids=["ranges", "blocks"])
def test_pages_that_protect_every_row_work_with_it(way):
    app = app_at(score=NAME, data=SAMPLE, **way)
    for name in ("explore", "flip_rates", "curves", "release"):
        assert "every row" in words(switched(app, name))
        assert not app.error


def test_methods_shows_its_definition_its_bounds_and_its_proof():
    assert methods_text.proof(NAME) == PROOF.read_text(encoding="utf-8")
    app = switched(app_at(section="Scores and proofs"), "methods")
    shown, score = words(app), get_score(NAME)
    assert TITLE in shown
    assert score.definition in shown
    assert score.sensitivity_formula[Calibration.REFINED] in shown
    assert f"Proof and remarks: {TITLE}" in [one.label for one in app.expander]
