"""The Methods page in AppTest: every section draws, every registered score shows, every slip has its demonstration."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.methods import methods_text
from pages.shared import pitfall_panels, smooth_lessons
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
    kinds = (app.title, app.header, app.markdown)
    return "\n".join(element.value for kind in kinds for element in kind)


@pytest.mark.parametrize("section", SECTIONS)
def test_every_section_draws(section: str) -> None:
    app = opened(section)
    assert app.button_group(key="section").value in (section, [section])
    assert len(texts(app)) > 100


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_has_one_heading_of_the_first_level_and_skips_none_below(section: str) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.query_params["section"], app.session_state["joint"] = section, True
    app.switch_page("pages/methods.py").run()
    marks = re.findall(r"(?m)^(#+) ", "\n".join(one.value for one in app.markdown))
    levels = [len(mark) for mark in marks] + [1] * len(app.title)
    assert levels.count(1) == 1
    assert set(levels) == set(range(1, max(levels) + 1))


def test_every_registered_score_shows_its_own_text_and_bounds() -> None:
    said = texts(opened("Scores and proofs"))
    for score in all_scores():
        assert score.title in said
        assert score.definition in said
        if isinstance(score, LaplaceScore):
            assert f"refined: ${score.sensitivity_formula[Calibration.REFINED]}$" in said


def test_the_comparison_has_every_score_with_what_its_release_spends_and_protects() -> None:
    (table,) = opened("Scores and proofs").table
    rows = {row["Score"]: row for row in table.value.to_dict("records")}
    assert list(rows) == [score.title for score in all_scores()]
    assert rows["IQR"]["a release spends"] == "ε = 1, δ = 1e-06"
    assert rows["Likelihood"]["noise scale"] == "0.001"  # 2c/m at c = 0.5 and m = 1,000
    assert rows["Likelihood"]["protects"] == "test rows, also which are complete; every row by blocks"
    assert rows["HSIC"]["protects"].endswith("or public ranges")
    beside = {name: float(row["margin ÷ noise"].strip("*")) for name, row in rows.items()}
    assert beside["Likelihood"] > beside["Root HSIC"] > beside["HSIC"] > 0.0


def test_every_registered_score_has_a_proof() -> None:
    assert [score.name for score in all_scores() if not methods_text.proof(score.name)] == []


def test_a_new_score_shows_up_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.parts.methods.comparison.table", lambda: None)

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


def running(call: str) -> AppTest:
    code = f"from pages.shared import pitfall_panels, smooth_lessons, visit\nvisit.begin()\n{call}()"
    app = AppTest.from_string(code, default_timeout=60).run()
    assert not app.exception
    return app


@pytest.mark.parametrize("demo", list(pitfall_panels.METHODS))
def test_each_demonstration_runs(demo: str) -> None:
    app = running(f"pitfall_panels.METHODS[{demo!r}]")
    assert app.markdown or app.table


def test_every_lesson_on_training_rows_has_a_text_and_every_text_a_lesson() -> None:
    assert [one.demo for one in methods_text.lessons()] == list(smooth_lessons.LESSONS)


def test_every_cell_of_the_overview_that_has_a_number_follows_rows_and_lambda() -> None:
    app = running("smooth_lessons.overview")
    few = app.table[0].value
    app.button_group(key="overview_rows").set_value(400).run()
    app.button_group(key="overview_ridge").set_value(1.0).run()
    fewer_and_stiffer = app.table[0].value
    assert "400 rows, half of them test rows" in app.markdown[0].value
    numbered = few.map(lambda cell: bool(re.search(r"moved by|\*\*", cell)))
    assert numbered.drop(columns="Score").to_numpy().sum() == 22  # all that something bounds or a search finds
    same = few.eq(fewer_and_stiffer) & numbered
    assert not same.to_numpy().any()


@pytest.mark.parametrize("score", smooth_lessons.RANK_SCORES)
def test_smooth_sensitivity_is_shown_beside_the_noise_for_test_rows(score: str) -> None:
    app = running("smooth_lessons.smooth")
    app.button_group(key="smooth_score").set_value(score).run()
    app.select_slider(key="smooth_epsilon").set_value(0.5).run()
    (said,) = [one.value for one in app.markdown if one.value.startswith("One training row")]
    smooth, scale = (float(re.search(rf"{name} ?= \*?\*?([\d.]+)", said)[1]) for name in ("S", "2S/ε"))
    assert scale == pytest.approx(2 * smooth / 0.5, rel=0.01)
    assert ("both" in said) == (score == "kendall")


def test_the_larger_of_two_scales_breaks_the_promise_and_the_text_says_by_how_much() -> None:
    app = running("smooth_lessons.scales")
    for tied, epsilon in ((10, 1.0), (11, 0.2), (smooth_lessons.MOST_TIED, 0.1)):
        app.slider(key="tied").set_value(tied).run()
        app.select_slider(key="scales_epsilon").set_value(epsilon).run()
        deltas = [float(value) for value in app.table[0].value["actual δ for that row"]]
        assert deltas[1] > 1_000 * 1e-6 > max(deltas[0], deltas[2])
        assert f"**δ = {deltas[1]:.2g}**" in app.markdown[0].value
    app.slider(key="tied").set_value(smooth_lessons.FEWEST_TIED).run()
    assert "happens to hold" in app.markdown[0].value
    assert max(float(value) for value in app.table[0].value["actual δ for that row"]) < 1e-6


def test_the_smaller_of_two_distances_breaks_the_promise_at_every_epsilon_of_the_lesson() -> None:
    app = running("smooth_lessons.distances")
    for epsilon in smooth_lessons.EPSILONS:
        app.select_slider(key="distances_epsilon").set_value(epsilon).run()
        deltas = [float(value) for value in app.table[0].value["actual δ at least"]]
        assert deltas[1] > 3e-6 > 1e-6 >= max(deltas[0], deltas[2])


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
