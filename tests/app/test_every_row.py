"""Every page with every row protected, by blocks and by public ranges."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
PAGES = ("explore", "flip_rates", "curves", "release")
BLOCKS = {"protect": "every-row", "epsilon": "0.5"}
RANGES = BLOCKS | {"route": "ridge", "range_x": "0..8", "range_y": "-1..2", "score": "hsic"}


@pytest.fixture(autouse=True)
def _own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVCAUSE_LEDGER", str(tmp_path / "ledger.sqlite"))


def opened(query: dict[str, str]) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def at_page(app: AppTest, name: str) -> AppTest:
    app.switch_page(f"pages/{name}.py").run()
    assert not app.exception
    return app


def texts(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.error, app.warning, app.info)
    return "\n".join(element.value for kind in kinds for element in kind)


@pytest.mark.parametrize("query", [BLOCKS, RANGES], ids=["blocks", "public ranges"])
def test_every_page_says_that_every_row_is_protected(query: dict[str, str]) -> None:
    app = opened(query)
    for name in PAGES:
        shown = texts(at_page(app, name))
        assert "every row" in shown
        assert "training rows, are not covered" not in shown
        assert not app.error


def test_explore_shows_votes_and_recommends_from_public_facts() -> None:
    shown = texts(at_page(opened(BLOCKS), "explore"))
    assert "10 blocks of rows vote with Kendall" in shown
    assert "Recommended for 2,000 rows" in shown


def test_a_score_that_cannot_protect_every_row_is_one_plain_sentence_and_can_be_changed() -> None:
    app = at_page(opened(RANGES | {"score": "kendall"}), "explore")
    assert len(app.error) == 1
    assert "every row" in app.error[0].value
    app.selectbox(key="score").set_value("soft-kendall").run()
    assert not app.error


def test_missing_public_ranges_are_asked_for() -> None:
    app = at_page(opened(BLOCKS | {"route": "ridge", "score": "hsic"}), "explore")
    assert "range" in app.error[0].value
    app.text_input(key="range_x").set_value("0..8").run()
    app.text_input(key="range_y").set_value("-1..2").run()
    assert not app.error


@pytest.mark.parametrize("query", [BLOCKS, RANGES], ids=["blocks", "public ranges"])
def test_a_release_for_every_row_says_so(query: dict[str, str]) -> None:
    app = at_page(opened(query), "release")
    app.button(key="spend").click().run()
    assert not app.exception
    assert "Protected: every row" in texts(app)
    assert '"every-row"' in app.code[0].value
