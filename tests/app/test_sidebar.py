"""The shared controls: each moves what it should and nothing else, refuses politely, and is kept."""

import pytest

from pages.shared import widgets
from privcause_core.settings import Settings
from tests.app.driving import PAGES, address, alerts, app_at, charts, scores, switched, words

TRUE = ("true x → y", "true y → x", "true margin", "noise-free arrow")
PRIVATE = ("ε noise scale", "ε agrees", "ε flips", "ε refuses")
SIMULATED = ("simulated flips (true)",)
EVERYTHING = (*TRUE, *PRIVATE, *SIMULATED)
LAPLACE = {"Spearman", "Kendall", "HSIC"}
FOUR = LAPLACE | {"IQR"}


def moved(before: dict, after: dict, columns: tuple[str, ...]) -> set[str]:
    """Return the scores for which one of the columns changed."""
    return {name for name in FOUR if any(before[name][c] != after[name][c] for c in columns)}


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_useful_without_an_upload(page: str) -> None:
    app = app_at(page)
    assert not app.exception
    assert alerts(app) == []
    assert len(app.get("plotly_chart")) >= 1
    assert "1,000 train / 1,000 test" in words(app)


def test_epsilon_moves_private_numbers_only() -> None:
    app = app_at(epsilon="0.1")
    before = scores(app)
    app.text_input(key="epsilon_exact").set_value("0.2").run()
    after = scores(app)
    assert moved(before, after, TRUE) == set()
    assert moved(before, after, ("ε noise scale",)) == FOUR
    assert moved(before, after, ("ε agrees",)) == LAPLACE  # the IQR refuses at both


def test_delta_moves_the_iqr_alone() -> None:
    app = app_at(epsilon="1", score="iqr")
    before = scores(app)
    app.select_slider(key="delta").set_value(1e-4).run()
    after = scores(app)
    assert moved(before, after, EVERYTHING) == {"IQR"}
    assert moved(before, after, TRUE) == set()


def test_the_release_moves_laplace_scores_only() -> None:
    app = app_at(epsilon="0.1")
    before = scores(app)
    app.button_group(key="release").set_value("direction").run()
    assert moved(before, scores(app), EVERYTHING) == LAPLACE
    assert moved(before, scores(app), TRUE) == set()


def test_the_paper_calibration_moves_every_bound_but_kendalls() -> None:
    app = app_at(epsilon="0.5")
    before = scores(app)
    app.button_group(key="calibration").set_value("paper").run()
    assert moved(before, scores(app), PRIVATE) == {"Spearman", "HSIC", "IQR"}
    assert moved(before, scores(app), TRUE) == set()


def test_the_seed_of_the_draws_moves_simulated_numbers_only() -> None:
    app = app_at(epsilon="0.1")
    before = scores(app)
    app.button(key="redraw").click().run()
    after = scores(app)
    assert moved(before, after, SIMULATED) >= LAPLACE
    assert moved(before, after, TRUE + PRIVATE) == set()
    assert "seed 1" in words(app)


def test_the_number_of_draws_moves_simulated_numbers_only() -> None:
    app = app_at(epsilon="0.1")
    before = scores(app)
    app.number_input(key="draws").set_value(2_000).run()
    assert moved(before, scores(app), SIMULATED) >= LAPLACE
    assert moved(before, scores(app), TRUE + PRIVATE) == set()


@pytest.mark.parametrize(("key", "value"), [("seed", 1), ("test_share", 0.3)])
def test_the_split_moves_every_true_score(key: str, value: float) -> None:
    app = app_at(epsilon="0.1")
    before = scores(app)
    widget = app.number_input if key == "seed" else app.slider
    widget(key=key).set_value(value).run()
    assert moved(before, scores(app), TRUE) == FOUR


@pytest.mark.parametrize(("key", "score"), [("bandwidth", "HSIC"), ("bin_width", "IQR")])
def test_the_expert_numbers_move_their_own_score_only(key: str, score: str) -> None:
    app = app_at(epsilon="3")
    before = scores(app)
    app.text_input(key=key).set_value("2").run()
    assert moved(before, scores(app), EVERYTHING) == {score}


def test_a_rerun_draws_nothing_new() -> None:
    app = app_at(epsilon="0.1")
    before = (words(app), scores(app), charts(app))
    for _ in range(3):
        app.run()
        assert (words(app), scores(app), charts(app)) == before


def test_epsilon_moves_no_axis() -> None:
    app = app_at("flip_rates", epsilon="0.1")
    axes = [(one["layout"]["xaxis"]["range"], one["layout"]["yaxis"]["range"]) for one in charts(app)]
    app.select_slider(key="epsilon").set_value(5.0).run()
    assert [(one["layout"]["xaxis"]["range"], one["layout"]["yaxis"]["range"]) for one in charts(app)] == axes


@pytest.mark.parametrize(("typed", "epsilon"), [("0,5", 0.5), ("1e-6", 1e-6), ("0.37", 0.37), ("1000000", 1e6)])
def test_an_exact_epsilon_is_taken_as_typed_and_the_slider_follows(typed: str, epsilon: float) -> None:
    app = app_at("flip_rates")
    app.text_input(key="epsilon_exact").set_value(typed).run()
    assert alerts(app) == [] or epsilon > 10
    assert address(app)["epsilon"] == str(epsilon)
    assert app.select_slider(key="epsilon").value == pytest.approx(min(max(epsilon, 0.01), 10.0))
    assert f"ε = {epsilon:g}, δ = 0" in words(app)


@pytest.mark.parametrize("typed", ["x", "-1", "0", "1e7", "nan", ""])
def test_an_unusable_epsilon_is_one_sentence_and_changes_nothing(typed: str) -> None:
    app = app_at("flip_rates", epsilon="0.25")
    app.text_input(key="epsilon_exact").set_value(typed).run()
    assert not app.exception
    assert len(alerts(app)) == 1
    assert alerts(app)[0].startswith("Expected")
    assert app.text_input(key="epsilon_exact").value == "0.25"
    assert app.select_slider(key="epsilon").value == 0.25


@pytest.mark.parametrize(
    ("typed", "delta", "shown"),
    [("1e-6", 1e-6, "1e-06"), ("0.000001", 1e-6, "1e-06"), ("1E-06", 1e-6, "1e-06"), ("2.5e-9", 2.5e-9, "2.5e-09")],
)
def test_a_small_delta_is_read_and_shown_in_scientific_form(typed: str, delta: float, shown: str) -> None:
    app = app_at(score="iqr", delta="1e-3")
    app.text_input(key="delta_exact").set_value(typed).run()
    assert app.text_input(key="delta_exact").value == shown
    assert app.select_slider(key="delta").value == delta
    assert f"ε = 1, δ = {shown}" in words(app)
    assert "δ = 0.00" not in words(app)


def test_delta_is_greyed_out_and_free_where_no_score_uses_it() -> None:
    app = app_at(delta="0.05")
    assert app.select_slider(key="delta").disabled
    assert app.text_input(key="delta_exact").disabled
    assert "spend ε = 1\n" in f"{words(app)}\n"
    app.selectbox(key="score").set_value("iqr").run()
    assert not app.select_slider(key="delta").disabled
    assert words(app).count("whole rows") == 1


@pytest.mark.parametrize("page", ["explore", "flip_rates", "curves", "many_pairs"])
def test_an_epsilon_above_ten_is_noted_once(page: str) -> None:
    app = switched(app_at(epsilon="50"), page)
    assert words(app).count("next to nothing") - words(app).count("that large promises next to nothing") == 1


def test_values_of_the_address_that_cannot_be_used_fall_back_with_one_line() -> None:
    app = app_at(epsilon="-3", score="nonsense", delta="1e-9", rows="ten", unknown="kept")
    assert alerts(app) == ["The address has values that cannot be used (epsilon, rows, score); defaults stand in."]
    assert app.text_input(key="epsilon_exact").value == "1"
    assert address(app)["delta"] == "1e-09"
    assert address(app)["unknown"] == "kept"
    assert "epsilon" not in address(app)


def test_columns_that_do_not_exist_fall_back_with_one_line() -> None:
    app = app_at(x="7", y="9")
    assert len(alerts(app)) == 1
    assert "columns" in alerts(app)[0]


def test_every_setting_survives_the_way_through_the_address() -> None:
    query = {
        "data": "sample:synthetic-heavy-ties", "rows": "400", "noise": "0.5", "data_seed": "3", "x": "1", "y": "0",
        "score": "iqr", "epsilon": "0.37", "delta": "2.5e-09", "release": "direction", "calibration": "paper",
        "test_share": "0.4", "seed": "5", "draw_seed": "6", "draws": "500", "bin_width": "0.5", "bandwidth": "2.0",
        "solve": "rows", "plan_certainty": "0.9", "plan_epsilon": "2.0", "plan_margin": "0.3",
        "a": "score~hsic!epsilon~0.2", "b": "-",
    }  # fmt: skip
    for page in PAGES:
        app = app_at(page, folds=(), **query)
        assert alerts(app) == []
        assert {name: address(app)[name] for name in query} == query


def test_settings_survive_a_visit_to_every_other_page() -> None:
    app = app_at(epsilon="0.37", score="spearman", data="sample:tips-bill-tip")
    before = scores(app)
    for page in (*PAGES[1:], "explore"):
        switched(app, page)
    assert scores(app) == before
    assert app.selectbox(key="data").value == "sample:tips-bill-tip"


def test_choosing_the_column_of_the_other_axis_swaps_them_and_turns_the_arrow() -> None:
    app = app_at()
    before = scores(app)["Kendall"]
    app.selectbox(key="x").set_value(1).run()
    after = scores(app)["Kendall"]
    assert (app.selectbox(key="x").value, app.selectbox(key="y").value) == (1, 0)
    assert (before["noise-free arrow"], after["noise-free arrow"]) == ("x → y", "y → x")


def test_forget_clears_data_settings_and_address() -> None:
    app = app_at(epsilon="0.37", data="sample:tips-bill-tip")
    app.button(key="forget").click().run()
    assert not app.exception
    assert app.text_input(key="epsilon_exact").value == "1"
    assert app.selectbox(key="data").value != "sample:tips-bill-tip"
    assert "epsilon" not in address(app)


def test_one_click_chooses_what_the_paper_does_and_another_the_defaults_again() -> None:
    app = app_at(score="soft-kendall", release="direction", protect="every-row", epsilon="0.5", a="-", b="epsilon~2")
    app.button(key="paper").click().run()
    settings = app.session_state["privcause"].view.settings
    assert settings == Settings(epsilon=0.5, score="hsic", calibration="paper", noise_model="additive")
    app.button(key="reset").click().run()
    assert address(app) == {}


def test_what_the_slider_showed_before_another_box_replaced_it_is_no_choice_when_it_comes_late(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = app_at("flip_rates", epsilon="0.3")
    app.text_input(key="epsilon_exact").set_value("0.4").run()
    app.select_slider(key="epsilon").set_value(0.3).run()  # a browser that has not yet heard of 0.4
    assert address(app)["epsilon"] == "0.4"
    assert app.select_slider(key="epsilon").value == 0.4
    monkeypatch.setattr(widgets, "LATE_SECONDS", 0.0)
    app.select_slider(key="epsilon").set_value(0.3).run()
    assert address(app)["epsilon"] == "0.3"


def test_every_value_a_slider_has_shown_stays_a_step_of_it() -> None:
    app = app_at("flip_rates", epsilon="0.3")
    app.text_input(key="epsilon_exact").set_value("0.4").run()
    assert {"0.3", "0.4"} <= set(app.select_slider(key="epsilon").options)
