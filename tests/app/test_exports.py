"""Exports and presentation mode in AppTest: built from what is shown, repeatable, nothing true when hidden."""

import json
import shlex
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from privcause_core.__main__ import main
from privcause_core.explore.analysis import analyse
from privcause_core.exports.files import settings_yaml
from privcause_core.samples import FIRST_SAMPLE, load_sample
from privcause_core.settings import Settings

ROOT = Path(__file__).parents[2]
EXPORTS = ("teaching-report.html", "analysis.json", "analysis.csv", "settings.yaml")


def opened(page: str = "explore", **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.session_state["fold_along"] = app.session_state["fold_scores"] = True
    app.switch_page(f"pages/{page}.py").run()
    assert not app.exception
    return app


def texts(app: AppTest) -> str:
    return "\n".join(element.value for kind in (app.markdown, app.caption, app.title) for element in kind)


def test_explore_offers_every_export_and_none_reruns_the_page() -> None:
    app = opened()
    for name in EXPORTS:
        assert app.download_button(key=f"export_{name}").proto.ignore_rerun


def test_the_command_shown_repeats_the_numbers_shown(capsys: pytest.CaptureFixture[str]) -> None:
    app = opened(epsilon="0.37", score="spearman", rows="400", data_seed="5", x="1", y="0", seed="3")
    (command,) = (one.value for one in app.code)
    words = shlex.split(command)
    assert words[:1] == ["privcause"]
    assert main(words[1:]) == 0
    printed = json.loads(capsys.readouterr().out)
    settings = Settings(epsilon=0.37, score="spearman", seed=3)
    expected = analyse(load_sample(FIRST_SAMPLE, rows=400, seed=5).swapped(), settings).headline
    assert printed["settings"] == settings.to_dict()
    assert printed["scores"]["spearman"]["margin"] == expected.true.margin
    assert printed["scores"]["spearman"]["probability_flip"] == expected.probability_flip
    assert f"{expected.true.margin:.4g}" in app.table[0].value.to_string()


def test_a_settings_file_loads_back() -> None:
    app = opened()
    chosen = Settings(score="hsic", epsilon=0.25, release="direction", test_share=0.4)
    app.file_uploader(key="load_settings").upload("s.yaml", settings_yaml(chosen).encode(), "application/yaml").run()
    assert not app.exception
    assert app.session_state["privcause"].view.settings == chosen


@pytest.mark.parametrize("content", [b"epsilon: -1", b"nonsense", b"\xff\xfe\x00", b"colour: red"])
def test_a_bad_settings_file_gives_one_sentence_and_changes_nothing(content: bytes) -> None:
    app = opened()
    app.file_uploader(key="load_settings").upload("s.yaml", content, "application/yaml").run()
    assert not app.exception
    assert app.session_state["privcause"].view.settings == Settings()
    assert len(app.warning) == 1


def test_presenting_shows_no_sidebar_and_no_exports_and_can_be_left() -> None:
    app = opened(present="1")
    assert not app.sidebar.children
    assert not app.code
    app.button(key="present_leave").click().run()
    assert len(app.code) == 1


def test_leaving_comes_back_to_the_page_where_presenting_began() -> None:
    app = opened("learn", step="3")
    title = app.title[0].value
    app.button(key="present_start").click().run()
    for _ in range(4):
        app.button(key="present_previous").click().run()
    assert app.title[0].value != title
    app.button(key="present_leave").click().run()
    assert not app.exception
    assert "Leave" not in [button.label for button in app.button]
    assert app.session_state["privcause"].page == "learn"


def test_presenting_walks_through_every_page_and_every_step_of_the_lesson() -> None:
    app = opened("learn", present="1", step="10")
    assert app.title[0].value == "What to take away"
    app.button(key="present_previous").click().run()
    assert app.title[0].value == "One row, one bounded vote"


def test_hidden_true_values_are_nowhere_on_the_page() -> None:
    shown = analyse(load_sample(FIRST_SAMPLE), Settings()).headline.true
    numbers = [f"{value:.4g}" for value in (shown.score_xy, shown.score_yx, shown.margin)]
    open_page, hidden_page = opened(), opened(hide="1")
    seen = [one.value.to_string() for one in open_page.table] + [texts(open_page)]
    assert all(any(number in text for text in seen) for number in numbers)
    hidden = [one.value.to_string() for one in hidden_page.table] + [texts(hidden_page)]
    hidden += [one.proto.spec for one in hidden_page.get("plotly_chart")]
    assert not any(number in text for text in hidden for number in numbers)


def test_an_address_that_cannot_be_used_gets_a_notice_and_the_defaults() -> None:
    app = opened("learn", step="0", present="maybe")
    assert app.title[0].value == "Which one drives the other?"
    assert len(app.warning) == 1
