"""Every page with every row protected, by blocks and by public ranges."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.app.driving import ALL_FOLDS, alerts, app_at, charts, scene, spent, switched, uploaded, words

PAGES = ("explore", "flip_rates", "curves", "release")
BLOCKS = {"protect": "every-row", "epsilon": "0.5"}
RANGES = BLOCKS | {"route": "ridge", "range_x": "0..8", "range_y": "-1..2", "score": "hsic"}


@pytest.fixture(autouse=True)
def _own_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIVCAUSE_LEDGER", str(tmp_path / "ledger.sqlite"))


@pytest.mark.parametrize("query", [BLOCKS, RANGES], ids=["blocks", "public ranges"])
def test_every_page_says_that_every_row_is_protected(query: dict[str, str]) -> None:
    app = app_at(**query)
    for name in PAGES:
        shown = words(switched(app, name))
        assert "every row" in shown
        assert "training rows, are not covered" not in shown
        assert not app.error


def test_explore_shows_votes_and_recommends_from_public_facts() -> None:
    shown = words(app_at("explore", folds=ALL_FOLDS, **BLOCKS))
    assert "10 blocks of rows vote with Likelihood" in shown
    assert "2,000 in 10 blocks of 200" in shown
    assert "Recommended for 2,000 rows" in shown
    assert "says little" not in shown
    assert "Only 20 rows a block" in words(app_at("explore", folds=(), **BLOCKS, blocks="100", score="kendall"))


def test_a_score_that_cannot_protect_every_row_is_one_plain_sentence_and_can_be_changed() -> None:
    app = app_at("explore", **RANGES | {"score": "kendall"})
    assert len(app.error) == 1
    assert "every row" in app.error[0].value
    app.selectbox(key="score").set_value("soft-kendall").run()
    assert not app.error


def test_missing_public_ranges_are_asked_for() -> None:
    app = app_at("explore", **BLOCKS | {"route": "ridge", "score": "hsic"})
    assert "range" in app.error[0].value
    app.text_input(key="range_x").set_value("0..8").run()
    app.text_input(key="range_y").set_value("-1..2").run()
    assert not app.error


@pytest.mark.parametrize("query", [BLOCKS, RANGES], ids=["blocks", "public ranges"])
def test_a_release_for_every_row_says_so(query: dict[str, str]) -> None:
    app = app_at("release", **query)
    spent(app)
    assert "Protected: every row" in words(app)
    assert '"every-row"' in app.code[0].value


def test_the_planner_counts_blocks_where_blocks_vote() -> None:
    asked = BLOCKS | {"plan_agreement": "0.83", "plan_certainty": "0.9", "plan_block_rows": "200"}
    app = app_at("curves", **asked, solve="rows")
    blocks = int(app.code[0].value)
    assert f"a private vote of {blocks} Likelihood blocks ({200 * blocks:,} rows in all)" in words(app)
    assert "each block of 200 rows points the true way with probability 0.83" in words(app)
    back = app_at("curves", **asked, solve="certainty", plan_blocks=str(blocks), plan_epsilon="1")
    assert 0.9 <= float(back.code[0].value) < 0.95
    back.button(key="plan_from_pair").click().run()
    assert back.text_input(key="plan_blocks").value == "10"
    assert back.text_input(key="plan_agreement").value == "1"
    assert back.text_input(key="plan_block_rows").value == "200"


def test_the_planner_says_who_is_protected() -> None:
    assert "Only the test rows are protected" in words(app_at("curves"))
    for query in (BLOCKS, RANGES):
        assert "Every row is protected" in words(app_at("curves", **query))


def test_the_curves_of_a_vote_are_over_votes_and_blocks_with_the_pair_on_them() -> None:
    app = app_at("curves", **BLOCKS)
    app.session_state["curve_tabs"] = "Over the blocks"
    app.run()
    names = [trace["name"] for trace in charts(app)[0]["data"]]
    assert names == ["direction only, refined", "coin flip", "loaded pair (true)"]


def test_drowned_data_are_told_the_rows_that_would_do() -> None:
    few = RANGES | {"rows": "300"}
    (warning,) = [one.value for one in app_at("explore", folds=ALL_FOLDS, **few).warning if "drowns" in one.value]
    assert re.search(r"About [\d,]{6,} rows like these would do \(true, for you", warning)


@pytest.mark.parametrize("score", ["hsic", "iqr", "soft-kendall"])
def test_every_way_to_protect_says_how_many_rows_would_do(score: str) -> None:
    app = app_at("explore", folds=("every_row",), **RANGES | {"score": score})
    (table,) = [one.value for one in app.table if "protects" in one.value.columns]
    known = r"none|these 2,000|[\d,]+ rows( in \d+ blocks)?"
    assert list(table["rows for 95% (true)"].str.fullmatch(known)) == [True] * 5


def test_what_a_vote_does_not_use_cannot_be_set() -> None:
    for query, unused in ((BLOCKS, True), (RANGES, False)):
        app = app_at("explore", **query)
        assert [app.button_group(key=name).disabled for name in ("release", "calibration")] == [unused] * 2


def test_test_only_protection_offers_the_comparison_and_computes_it_when_opened() -> None:
    app = app_at("explore", folds=())
    assert not any("protects" in one.value.columns for one in app.table)
    app = app_at("explore", folds=("every_row",))
    (table,) = [one.value for one in app.table if "protects" in one.value.columns]
    assert list(table["protects"]) == ["test rows only", "every row: blocks"]
    assert "10 blocks that vote" in words(app)


def test_choosing_public_ranges_replaces_a_score_they_cannot_protect_and_says_so() -> None:
    app = app_at("explore", **BLOCKS)
    app.button_group(key="route").set_value("ridge").run()
    assert app.selectbox(key="score").value == "hsic"
    assert any("the score is HSIC now" in alert for alert in alerts(app))
    app.button_group(key="route").set_value("blocks").run()
    assert not app.error


def test_ways_that_give_opposite_arrows_say_so() -> None:
    x = np.random.default_rng(0).gamma(2.0, size=500)
    rows = np.column_stack([x, 2 * np.log1p(x) + 0.4 * np.random.default_rng(1).normal(size=500)])
    content = b"a,b\n" + b"".join(b"%r,%r\n" % (float(u), float(v)) for u, v in rows)
    seen = set()
    for seed in range(6):
        app = uploaded(("ab.csv", content), folds=("every_row",), protect="every-row", blocks="3", seed=str(seed))
        (table,) = [one.value for one in app.table if "protects" in one.value.columns]
        differ = len(set(table["noise-free arrow"])) > 1
        assert differ == any("do not agree on the noise-free arrow" in one.value for one in app.warning)
        seen.add(differ)
        if len(seen) == 2:
            break
    assert seen == {False, True}


def test_a_tied_vote_is_called_a_tie() -> None:
    constant = b"a,b\n" + b"".join(b"1,%d\n" % k for k in range(80))
    app = uploaded(("flat.csv", constant), protect="every-row", blocks="4")
    assert scene(app)["arrow"] == 0
    assert scene(app)["why"]


@pytest.mark.parametrize("data", ["sample:tips-bill-tip", "sample:synthetic-saturation"])
def test_where_the_cause_is_known_right_means_right(data: str) -> None:
    assert "like the true scores' own arrow" not in words(app_at("curves", data=data))


def test_where_the_cause_is_not_known_the_curves_say_what_right_means() -> None:
    rows = np.random.default_rng(0).normal(size=(90, 2))
    content = b"a,b\n" + b"".join(b"%r,%r\n" % (float(u), float(v)) for u, v in rows)
    app = switched(uploaded(("ab.csv", content)), "curves")
    assert "like the true scores' own arrow" in words(app)


def test_an_epsilon_that_promises_nothing_is_not_called_protection() -> None:
    app = app_at("curves", solve="certainty", plan_epsilon="30")
    assert "promises next to nothing" in words(app)
    assert "times in 100" not in words(app)


def test_a_released_margin_of_votes_says_that_it_is_in_votes() -> None:
    app = app_at("release", **BLOCKS)
    spent(app)
    assert "votes (of 10 blocks; noise can take it beyond)" in words(app)
