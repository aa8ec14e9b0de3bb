"""The Release page in AppTest: one charged click is one draw, and nothing private shows before it."""

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.shared.wording import literal
from privcause_core.ledger import Ledger, cohort_of_pair
from privcause_core.samples import FIRST_SAMPLE, load_sample
from tests.app.driving import app_at, spent, switched, uploaded, words

ROOT = Path(__file__).parents[2]
OTHER_PAGES = ("explore", "flip_rates", "curves")


@pytest.fixture(autouse=True)
def ledger_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PRIVCAUSE_LEDGER", str(tmp_path / "ledger.sqlite"))
    return tmp_path / "ledger.sqlite"


def opened(**query: str) -> AppTest:
    return app_at("release", **query)


def outputs(app: AppTest) -> list[list[str]]:
    """Return the private values that the page shows."""
    return [table.value["Value"].tolist() for table in app.table if "Value" in table.value]


def charges(path: Path) -> int:
    account = Ledger(path).account(cohort_of_pair(load_sample(FIRST_SAMPLE)))
    return 0 if account is None else len(account.history)


def test_planning_draws_nothing_and_shows_no_true_value(ledger_path: Path) -> None:
    app = opened()
    assert outputs(app) == []
    assert charges(ledger_path) == 0
    pair = load_sample(FIRST_SAMPLE)
    for value in (pair.x.min(), pair.x.max(), np.median(pair.x), pair.y.mean()):
        assert f"{value:.4g}" not in words(app)


def test_a_click_charges_once_and_later_clicks_reruns_and_page_switches_draw_nothing(ledger_path: Path) -> None:
    app = opened()
    spent(app)
    first = outputs(app)
    assert len(first) == 1
    for _ in range(3):
        app.run()
        assert outputs(app) == first
    for name in OTHER_PAGES:
        switched(app, name)
    switched(app, "release")
    assert outputs(app) == first
    assert charges(ledger_path) == 1


def test_the_address_shows_the_stored_output_again_in_another_session_and_nothing_else(ledger_path: Path) -> None:
    app = opened()
    spent(app)
    entry = app.query_params["entry"]
    entry = entry[0] if isinstance(entry, list) else entry
    other = opened(entry=entry)
    assert outputs(other) == outputs(app)
    assert charges(ledger_path) == 1
    unknown = opened(entry="made-up")
    assert outputs(unknown) == []
    assert "no release of that id" in words(unknown)


def test_a_new_session_sees_no_result_and_the_same_table_meets_its_spent_budget(ledger_path: Path) -> None:
    app = opened()
    spent(app)
    other = opened(epsilon="2.5")
    assert outputs(other) == []
    assert other.button(key="confirm").disabled
    assert charges(ledger_path) == 1
    assert "costs more than what remains" in words(other)


def test_the_certificate_on_screen_is_the_stored_one_and_holds_what_is_shown() -> None:
    app = opened()
    spent(app)
    issued = json.loads(app.code[0].value)
    values = [entry["value"] for entry in issued["releases"][0]["outcome"]["values"].values()]
    assert [f"{value:.6g}" for value in values] == outputs(app)[0]
    app.run()
    assert json.loads(app.code[0].value) == issued


def test_another_release_of_a_small_epsilon_is_a_second_charge(ledger_path: Path) -> None:
    app = opened(epsilon="0.25")
    spent(app)
    app.button(key="plan_another").click().run()
    assert outputs(app) == []
    spent(app)
    assert len(outputs(app)) == 1
    assert charges(ledger_path) == 2


def test_several_scores_add_up_and_the_iqr_alone_uses_delta(ledger_path: Path) -> None:
    app = opened(epsilon="0.25", cover="test-rows")
    app.multiselect(key="release_scores").set_value(["kendall", "iqr"]).run()
    assert "ε = **0.5**, δ = **1e-06**" in words(app)
    spent(app)
    assert len(outputs(app)) == 2
    account = Ledger(ledger_path).account(cohort_of_pair(load_sample(FIRST_SAMPLE)))
    assert str(account.spent.epsilon) == "0.5"


def test_another_test_share_of_the_same_table_is_refused_with_the_reason(ledger_path: Path) -> None:
    app = opened(epsilon="0.25", cover="test-rows")
    spent(app)
    app.button(key="plan_another").click().run()
    app.slider(key="test_share").set_value(0.4).run()
    spent(app)
    assert outputs(app) == []
    assert charges(ledger_path) == 1
    assert "Expected test share 0" in words(app)


def test_no_chosen_score_is_one_plain_sentence() -> None:
    app = opened()
    app.multiselect(key="release_scores").set_value([]).run()
    assert not app.exception
    assert "Choose at least one score" in words(app)
    app.multiselect(key="release_scores").set_value(["hsic"]).run()
    assert not app.button(key="confirm").disabled


def test_raising_the_budget_needs_a_reason_and_is_recorded(ledger_path: Path) -> None:
    app = opened()
    spent(app)
    app.button(key="plan_another").click().run()
    app.text_input(key="raise_epsilon").set_value("5").run()
    app.button(key="raise").click().run()
    assert [one.value for one in app.error] == [literal("Say in a few words why; the ledger records it.")]
    assert not app.warning  # it is said beside the button
    app.text_input(key="act_reason").set_value("board decision").run()
    app.button(key="raise").click().run()
    account = Ledger(ledger_path).account(cohort_of_pair(load_sample(FIRST_SAMPLE)))
    assert str(account.budget.epsilon) == "5"
    assert [one.value for one in app.error] == []
    assert "board decision" in str([table.value.to_dict() for table in app.table])
    assert not app.button(key="confirm").disabled


def test_a_broken_ledger_is_one_plain_sentence_and_draws_nothing(ledger_path: Path) -> None:
    ledger_path.write_bytes(b"this is not a database, only some text that is long enough to be read as a page" * 50)
    app = opened()
    assert not app.exception
    assert len(app.error) == 1
    assert outputs(app) == []


def test_a_score_that_the_protection_allows_can_be_chosen_instead_of_the_sidebars() -> None:
    app = opened(protect="every-row", route="ridge", range_x="0..8", range_y="-1..2")  # the sidebar's score is Kendall
    assert "Choose at least one score" in words(app)
    app.multiselect(key="release_scores").set_value(["hsic"]).run()
    assert [one.value for one in app.error] == []
    assert not app.button(key="confirm").disabled


def test_a_table_of_more_than_two_columns_waits_for_a_choice_of_columns(ledger_path: Path) -> None:
    """What the other pages propose depends on values: a column that counts up looks like an identifier."""
    rng = np.random.default_rng(0)
    rows = zip(range(1, 121), *rng.normal(size=(2, 120)).round(3), strict=True)
    content = b"a,b,c\n" + b"".join(b"%d,%g,%g\n" % row for row in rows)
    app = switched(uploaded(("three.csv", content)), "release")
    assert "proposes none" in words(app)
    assert [button.key for button in app.button if button.key == "confirm"] == []
    app.selectbox(key="release_x").set_value(1).run()
    assert "proposes none" in words(app)
    app.selectbox(key="release_y").set_value(2).run()
    assert not app.button(key="confirm").disabled
    spent(app)
    assert json.loads(app.code[0].value)["pair"]["x"] == "b"


def test_only_a_release_for_test_rows_fixes_the_split() -> None:
    assert "fixes the budget and the test share" in words(opened(cover="test-rows"))
    assert "fixes the budget of this table" in words(opened())
