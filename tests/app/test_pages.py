"""Explore, Flip rates and Correctness curves: what they say, and that they say it consistently."""

import re

import pytest

from pages.shared import session, state
from privcause_core.explore.analysis import Measurement, analyse, measure
from privcause_core.figures.chart import short_percent
from privcause_core.pair import Pair
from privcause_core.samples import FIRST_SAMPLE, load_sample
from privcause_core.settings import Settings
from privcause_core.text.words import best_guess
from tests.app.driving import ALL_FOLDS, PAGES, address, app_at, charts, scene, scores, upload, words


def metric(app) -> str:
    return app.metric[-1].value


def test_the_first_screen_draws_the_scores_and_the_noise_that_the_core_computes() -> None:
    shown = scene(app_at(epsilon="0.1"))
    one = analyse(load_sample(FIRST_SAMPLE), Settings(epsilon=0.1)).headline
    assert shown["centres"] == [one.true.score_xy, one.true.score_yx]
    assert shown["scale"] / shown["epsilon"] == pytest.approx(one.verdict.noise_scale)
    assert (shown["arrow"], shown["known"]) == (1, 1)
    assert "safe" not in words(app_at())


def test_the_dots_are_the_flips_of_the_same_draws() -> None:
    app = app_at(epsilon="0.05", score="kendall", data="sample:synthetic-saturation")
    shown = scene(app)
    scale = shown["scale"] / shown["epsilon"]
    private = [
        [centre + scale * unit for unit in units]
        for centre, units in zip(shown["centres"], shown["noise"], strict=True)
    ]
    flips = sum(xy > yx for xy, yx in zip(*private, strict=True))
    grid = next(one for one in charts(app) if "private runs, by arrow" in one["layout"]["title"]["text"])
    names = {trace["name"] for trace in grid["data"]}
    assert names == {f"x → y: {100 - flips}, the noise-free arrow", f"y → x: {flips}, flipped"}
    assert flips > 0


def test_nothing_is_folded_out_or_drawn_by_plotly_before_it_is_asked_for() -> None:
    app = app_at(folds=())
    assert charts(app) == []
    assert len(app.table) == 0
    assert len(re.findall(r"\w+", words(app))) < 350


def test_epsilon_in_words_follows_epsilon() -> None:
    for epsilon in ("0.1", "1", "3"):
        app = app_at(epsilon=epsilon)
        assert f"at most **{100 * best_guess(float(epsilon)):.0f}** right" in words(app)


def test_all_adds_up_the_cost_of_every_score() -> None:
    app = app_at(score="all", epsilon="0.5")
    total = 0.5 * len(scores(app))
    assert f"ε = {total:g}, δ = 1e-06" in words(app)


def test_the_iqr_says_when_it_mostly_refuses() -> None:
    app = app_at(score="iqr", epsilon="0.1")
    assert all(least is None or least > 0.1 for least in scene(app)["noise"][1])
    assert "0.1 % refused" not in words(app)


def test_two_settings_are_pinned_side_by_side_and_in_the_address() -> None:
    app = app_at(epsilon="0.1", score="kendall", data="sample:synthetic-saturation")
    app.button(key="pin_A").click().run()
    app.text_input(key="epsilon_exact").set_value("1").run()
    app.button(key="pin_B").click().run()
    app.text_input(key="epsilon_exact").set_value("0.5").run()
    table = next(one.value for one in app.table if "Now" in one.value).set_index("")
    assert list(table.loc["ε, δ (total)"]) == ["0.1, 0", "1, 0", "0.5, 0"]
    assert address(app)["a"] == "score~kendall!epsilon~0.1"
    assert address(app)["b"] == "score~kendall"
    grids = [one for one in charts(app) if "private runs, by arrow" in one["layout"]["title"]["text"]]
    assert len(grids) == 3  # A, B and the twin of the first screen
    flips = [int(re.search(r"y → x: (\d+)", trace["name"]).group(1)) for one in grids for trace in one["data"][1:]]
    assert flips[0] > flips[1]
    assert "The same draws for both (seed 0)" in words(app)
    app.button(key="unpin").click().run()
    assert "a" not in address(app)


def test_one_pinned_setting_is_drawn_beside_the_current_one_from_the_same_draws() -> None:
    app = app_at(epsilon="0.1", a="epsilon~0.1!delta~1e-5!draw_seed~7!draws~500")
    shown = [
        one
        for one in app.get("plotly_chart")
        if "runs" in one.proto.spec and "private runs, by arrow" in one.proto.spec
    ]
    assert len(shown) == 3
    assert len({one.alt for one in shown}) == 1
    assert "**Now**" in words(app)


def test_the_strip_says_the_promise_in_words() -> None:
    said = words(app_at("flip_rates"))
    assert "one row replaced; the number of rows is public" in said
    assert "ε = 1, δ = 0" in said


def test_the_check_of_the_curve_is_one_plain_sentence() -> None:
    app = app_at("flip_rates")
    caption = next(one for one in app.caption if "“Agree”" in one.value)
    assert "Dvoretzky" not in caption.value
    assert "Dvoretzky" in caption.help


def test_every_chart_has_alt_text_and_no_way_out_of_the_machine() -> None:
    for page in PAGES:
        for one in app_at(page, folds=ALL_FOLDS, score="all").get("plotly_chart"):
            assert len(one.proto.alt) > 40
            assert '"showSendToCloud": false' in one.proto.config
            assert '"displaylogo": false' in one.proto.config
            assert '"format": "svg"' in one.proto.config


def test_flip_rates_of_every_score_agree_with_theory() -> None:
    app = app_at("flip_rates", score="all")
    table = next(one.value for one in app.table if "largest gap / allowed" in one.value)
    assert set(table["verdict"]) == {"agree"}
    assert not app.error
    titles = [one["layout"]["title"]["text"] for one in charts(app)]
    assert sum("flipped arrows" in title for title in titles) == len(table)
    assert any("IQR: what becomes of all runs" in title for title in titles)


def test_the_shares_of_the_iqr_add_to_one() -> None:
    app = app_at("flip_rates", score="iqr", epsilon="2")
    table = next(one.value for one in app.table if "of all runs" in one.value)
    assert list(table["of all runs"]) == [
        "agree with the noise-free arrow",
        "print the other arrow",
        "partly refused",
        "refused",
    ]
    assert sum(float(cell.rstrip("%")) for cell in table["simulated (true)"]) == pytest.approx(100.0, abs=0.21)


def test_subsets_are_scored_on_request_and_follow_epsilon_without_scoring_again() -> None:
    app = app_at("flip_rates", epsilon="0.1", rows="200", data="sample:synthetic-saturation")
    app.button(key="run_rows").click().run()
    assert not app.exception
    over_m = [one for one in charts(app) if "full data" in one["layout"]["title"]["text"]]
    assert len(over_m) == 1
    app.select_slider(key="epsilon").set_value(5.0).run()
    after = [one for one in charts(app) if "full data" in one["layout"]["title"]["text"]]
    assert len(after) == 1
    assert after[0]["data"][1]["y"] != over_m[0]["data"][1]["y"]
    assert after[0]["data"][2]["y"] == over_m[0]["data"][2]["y"]


def test_a_new_seed_of_the_split_asks_for_new_subsets() -> None:
    app = app_at("flip_rates", rows="200")
    app.button(key="run_rows").click().run()
    app.number_input(key="seed").set_value(4).run()
    assert any(button.key == "run_rows" for button in app.button)


@pytest.mark.parametrize("score", ["spearman", "kendall", "hsic", "iqr"])
def test_the_planners_answer_put_back_gives_the_asked_certainty(score: str) -> None:
    asked = {"plan_margin": "0.3", "plan_stability": "0.2", "plan_rows": "2000", "plan_certainty": "0.9"}
    plan = app_at("curves", score=score, solve="epsilon", bin_width="0.1", **asked)
    epsilon = plan.code[0].value
    back = app_at("curves", score=score, solve="certainty", bin_width="0.1", plan_epsilon=epsilon, **asked)
    assert float(back.code[0].value) == pytest.approx(0.9, abs=1e-9)
    rows = app_at("curves", score=score, solve="rows", bin_width="0.1", plan_epsilon=epsilon, **asked)
    assert int(rows.code[0].value) <= 2000


def test_the_planner_says_when_nothing_helps() -> None:
    app = app_at("curves", score="iqr", solve="rows", plan_epsilon="0.1", plan_margin="0.05")
    assert metric(app) == "none"
    assert "out of reach" in words(app)


def test_the_planner_looks_at_data_only_when_asked() -> None:
    first, other = (app_at("curves", data=f"sample:{name}") for name in ("synthetic-saturation", "tips-bill-tip"))
    assert metric(first) == metric(other)
    other.button(key="plan_from_pair").click().run()
    assert not other.exception
    assert metric(other) != metric(first)


def test_the_loaded_pair_is_marked_where_the_verdict_stands() -> None:
    app = app_at("curves", epsilon="0.1", score="hsic")
    chart = charts(app)[0]
    mark = next(trace for trace in chart["data"] if trace["name"] == "loaded pair (true)")
    explore = scores(app_at(epsilon="0.1", score="hsic"))["HSIC"]
    assert short_percent(mark["y"][0]) == explore["ε agrees"]
    assert mark["x"][0] == pytest.approx(float(explore["true margin"]), rel=1e-3)


def test_a_loaded_pair_beyond_the_axis_stands_at_its_edge_and_says_so() -> None:
    chart = charts(app_at("curves", vote_limit="8", data="sample:synthetic-random-curve"))[0]
    mark = next(trace for trace in chart["data"] if trace["name"].startswith("loaded pair"))
    assert mark["name"] == "loaded pair (true), further right"
    assert mark["x"] == [chart["layout"]["xaxis"]["range"][1]]


def test_hiding_true_values_on_the_first_screen_sends_counts_of_a_secret_seed_and_nothing_else() -> None:
    unclear = {"data": "sample:synthetic-near-tie", "score": "kendall", "epsilon": "0.1"}
    hidden, other, shown = (scene(app_at(**unclear, **hide)) for hide in ({"hide": "1"}, {"hide": "1"}, {}))
    assert not {"points", "fits", "ends", "noise", "margin", "centres", "scale", "known", "doubt"} & set(hidden)
    assert {"noise", "margin", "centres", "scale"} <= set(shown)
    assert hidden["counts"] != other["counts"]


@pytest.mark.parametrize("name", ["flip_rates", "curves"])
def test_hiding_true_values_leaves_no_chart_made_from_them(name: str) -> None:
    app = app_at(present="1", hide="1")
    app.switch_page(f"pages/{name}.py").run()
    assert not app.exception
    assert "hidden while presenting" in words(app)
    shown = [one["layout"]["title"]["text"] for one in charts(app)]
    assert all("(true)" not in title and "flipped" not in title and "margin" not in title for title in shown)


def test_a_presentation_that_hides_true_values_has_no_slide_without_anything_to_show() -> None:
    places = [app_at(present="1", hide=hide, slide="5") for hide in ("0", "1")]
    assert ["5 of 19" in words(places[0]), "2 of 13" in words(places[1])] == [True, True]


def test_hiding_true_values_disables_what_would_type_them_into_the_planner() -> None:
    assert app_at("curves", hide="1").button(key="plan_from_pair").disabled
    assert not app_at("curves").button(key="plan_from_pair").disabled


@pytest.mark.parametrize("page", ["flip_rates", "curves"])
def test_hiding_true_values_leaves_no_chart_of_them(page: str) -> None:
    app = app_at(page, hide="1")
    assert not charts(app)
    assert "hidden while presenting" in words(app)


def test_settings_just_pinned_are_shown_alone() -> None:
    app = app_at()
    app.button(key="pin_A").click().run()
    assert not app.exception


def test_a_sample_is_measured_once_for_all_sessions_and_an_upload_for_its_own_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = scores(app_at(data="sample:tips-bill-tip", folds=("scores",)))
    measured: list[str] = []

    def counted(pair: Pair, *args: object, **options: object) -> Measurement:
        measured.append(pair.name)
        return measure(pair, *args, **options)

    monkeypatch.setattr(state, "measure", counted)
    assert scores(app_at(data="sample:tips-bill-tip", folds=("scores",))) == first
    assert measured == []
    rows = "".join(f"{k * 0.37 % 1:.3f},{(k * 0.37 % 1) ** 2 + k % 7 / 50:.3f}\n" for k in range(60))
    for _ in range(2):
        upload(app_at(folds=()), ("own.csv", f"a,b\n{rows}".encode()))
    assert measured == ["own.csv", "own.csv"]
    assert "own" not in str(list(session._PUBLIC))
