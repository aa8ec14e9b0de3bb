"""The Methods page in AppTest: every section draws, every registered score shows, every slip has its demonstration."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.common import methods_text, pitfall_panels
from privcause_core.scores import LaplaceScore, all_scores
from privcause_core.scores.base import SensitivityOverview
from privcause_core.settings import Calibration

ROOT = Path(__file__).parents[2]
SECTIONS = (
    "Inference", "Scores and proofs", "Who is protected", "Laplace noise", "IQR", "Adding up", "Simulated rates",
    "Slips", "References",
)  # fmt: skip


def opened(section: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["section"] = section
    app.switch_page("pages/methods.py").run()
    assert not app.exception
    return app


def texts(app: AppTest) -> str:
    kinds = (app.title, app.subheader, app.markdown)
    return "\n".join(element.value for kind in kinds for element in kind)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_draws(section: str) -> None:
    app = opened(section)
    assert app.button_group(key="section").value in (section, [section])
    assert len(texts(app)) > 100


def test_every_registered_score_shows_its_own_text_and_bounds() -> None:
    said = texts(opened("Scores and proofs"))
    for score in all_scores():
        assert score.title in said
        assert score.definition in said
        if isinstance(score, LaplaceScore):
            assert f"refined: ${score.sensitivity_formula[Calibration.REFINED]}$" in said


def test_every_registered_score_has_a_proof() -> None:
    assert [score.name for score in all_scores() if not methods_text.proof(score.name)] == []


def test_a_new_score_shows_up_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fresh:
        name, title, definition = "fresh", "Fresh score", "a definition of its own"
        overview = SensitivityOverview("g", "l", "tg", "tl")

    monkeypatch.setattr("privcause_core.scores.all_scores", lambda: (*all_scores(), Fresh()))
    assert "a definition of its own" in texts(opened("Scores and proofs"))


def test_the_overview_names_global_and_local_sensitivity_for_both_kinds_of_row() -> None:
    (table,) = opened("Who is protected").table
    assert list(table.value.columns) == [
        "Score", "test row, global", "test row, local", "training row, global", "training row, local",
    ]  # fmt: skip
    assert list(table.value["Score"]) == [score.title for score in all_scores()]


def test_every_slip_has_a_live_demonstration_and_every_demonstration_a_slip() -> None:
    assert [slip.demo for slip in methods_text.slips()] == list(pitfall_panels.METHODS)
    assert len(methods_text.slips()) == 10  # eight of the paper, two of libraries


@pytest.mark.parametrize("demo", list(pitfall_panels.METHODS))
def test_each_demonstration_runs(demo: str) -> None:
    app = AppTest.from_string(
        f"from pages.common import pitfall_panels, state\nstate.begin()\npitfall_panels.METHODS[{demo!r}]()",
        default_timeout=60,
    ).run()
    assert not app.exception
    assert app.markdown or app.table


def test_proofs_write_out_the_step_that_the_hsic_bound_needs() -> None:
    proof = methods_text.proof("hsic") or ""
    assert r"AB\le(1-\kappa)B+(1-\lambda)A+\kappa\lambda" in proof


def test_dollar_signs_are_balanced_in_every_text() -> None:
    for path in (ROOT / "assets").rglob("*.md"):
        assert path.read_text(encoding="utf-8").count("$") % 2 == 0, path.name


def test_every_doi_and_arxiv_number_has_the_form_of_one() -> None:
    for one in methods_text.references():
        assert not one.doi or re.fullmatch(r"10\.\d{4,5}/\S+", one.doi)
        assert not one.arxiv or re.fullmatch(r"\d{4}\.\d{4,5}", one.arxiv)
        assert one.use
    assert sum(bool(one.doi) for one in methods_text.references()) >= 10
