"""The Many pairs page in AppTest: what it says of samples and uploads, stopping, resuming, not measuring twice."""

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.many_pairs import table_panel
from pages.parts.many_pairs.sweep_job import SweepJob
from pages.shared import session
from privcause_core.samples import load_sample
from privcause_core.samples import samples as all_samples

ROOT = Path(__file__).parents[2]


def opened() -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    return checked(app.switch_page("pages/many_pairs.py").run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    return app


def uploaded(*files: tuple[str, str]) -> AppTest:
    app = opened()
    app.segmented_control(key="source").set_value("Upload").run()
    app.file_uploader(key="upload_0").set_value([(name, text.encode(), "text/csv") for name, text in files]).run()
    return checked(app)


def texts(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.error, app.warning, app.info)
    return "\n".join(element.value.replace("\\", "") for kind in kinds for element in kind)


def pair_rows(app: AppTest) -> list[dict[str, object]]:
    (table,) = (frame.value for frame in app.dataframe if "Pair" in frame.value)
    return table.to_dict("records")


def the_job(app: AppTest) -> SweepJob:
    memo = app.session_state["privcause"].memo
    return [value for value in memo.values() if isinstance(value, SweepJob)][-1]


def never(*_: object, **__: object) -> None:
    raise AssertionError("measured again")


def wide_table() -> str:
    rng = np.random.default_rng(4)
    cause = rng.uniform(-1, 1, 600)
    effect, alone = np.tanh(3 * cause) + 0.2 * rng.normal(size=600), rng.normal(size=600)
    rows = "".join(f"{a:.5f},{b:.5f},{c:.5f},text\n" for a, b, c in zip(cause, effect, alone, strict=True))
    return f"cause,effect,alone,word\n{rows}"


def arrow_list(app: AppTest) -> dict[str, list[object]]:
    (table,) = (frame.value for frame in app.dataframe if "both doubts" in frame.value)
    return {name: table[name].astype(object).where(table[name].notna(), None).tolist() for name in table}


def numbers(values: np.ndarray) -> str:
    return " ".join(f"{value:.6g}" for value in values)


def pair_table(count: int) -> str:
    rng = np.random.default_rng(1)
    lines = ["SampleID,A,B"]
    for k in range(count):
        x = rng.uniform(-1, 1, 60)
        lines.append(f"pair{k + 1},{numbers(x)},{numbers(np.tanh(3 * x) + 0.2 * rng.normal(size=60))}")
    return "\n".join(lines) + "\n"


def targets(count: int) -> str:
    return "SampleID,Target\n" + "".join(f"pair{k + 1},1\n" for k in range(count))


@pytest.fixture(scope="module")
def samples() -> AppTest:
    return opened()


def test_the_page_opens_with_the_samples_measured(samples: AppTest) -> None:
    assert "The bundled sample pairs" in texts(samples)
    assert len(pair_rows(samples)) == 15
    chart = json.loads(samples.get("plotly_chart")[0].proto.spec)
    names = {trace["name"] for trace in chart["data"]}
    assert {"without privacy (true)", "private arrows (ε)", "always the first column", "coin flip"} <= names
    assert "right without privacy" in samples.get("plotly_chart")[0].alt
    assert chart["layout"]["title"]["text"].endswith("over 13 judged pairs")
    assert (
        "15 pairs. Not judged right or wrong, for want of a known arrow: Synthetic: straight line, Gaussian noise, "
        "Synthetic: unrelated columns." in texts(samples)
    )
    assert chart["layout"]["xaxis"]["range"] == [-2, 1]  # as far as the slider goes


def test_the_page_says_of_each_score_whether_it_beats_a_coin(samples: AppTest) -> None:
    (judged,) = (table.value for table in samples.table if "On these pairs" in table.value)
    assert set(judged["On these pairs"]) <= {"better than a coin", "no better than a coin", "worse than a coin"}
    assert len(judged) >= 4
    assert "knows no more than the noise-free arrow" in texts(samples)


def test_moving_epsilon_measures_nothing_again(samples: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.parts.many_pairs.sweep_job.run_sweep", never)
    before = {row["Pair"]: row["ε flips, %"] for row in pair_rows(samples)}
    checked(samples.text_input(key="epsilon_exact").set_value("0.05").run())
    after = {row["Pair"]: row["ε flips, %"] for row in pair_rows(samples)}
    assert all(after[pair] >= before[pair] for pair in before)
    checked(samples.selectbox(key="score").set_value("all").run())
    assert len(samples.get("plotly_chart")) >= 4
    assert len(pair_rows(samples)) >= 4 * 14


def test_one_sided_truths_are_warned_of_until_the_columns_are_shuffled() -> None:
    app = uploaded(("pairs.csv", pair_table(8)), ("targets.csv", targets(8)))
    assert "Every known arrow is" in texts(app)
    assert "undefined" in texts(app)
    checked(app.toggle(key="shuffle").set_value(True).run())
    assert "Every known arrow is" not in texts(app)
    assert sorted(row["Known arrow"] for row in pair_rows(app)) == ["x → y"] * 4 + ["y → x"] * 4


def test_a_pair_that_fails_is_a_row_with_its_reason_and_the_others_stay() -> None:
    app = uploaded(("pairs.csv", pair_table(3) + "short,1 2 3 4,4 3 2 1\n"))
    rows = {row["Pair"]: row for row in pair_rows(app)}
    assert set(rows) == {"pair1", "pair2", "pair3", "short"}
    assert "test rows" in rows["short"]["Not scored because"]
    assert "1 of 4 pairs could not be scored" in texts(app)
    assert "no accuracy to show" in texts(app)


def test_an_upload_that_is_a_wide_table_shows_the_arrows_between_its_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    app = uploaded(("wide.csv", wide_table()))
    (matrix,) = app.get("plotly_chart")
    assert "of 3 pairs tell an arrow" in matrix.alt
    assert "nothing is conditioned on" in texts(app)
    listed = arrow_list(app)
    assert listed["pair and noise-free arrow"][0] == "cause → effect"
    assert {"both doubts", "privacy (ε)", "sampling"} <= set(listed)
    assert [one.value for one in app.text if "does not hold numbers" in one.value] == [
        "word: does not hold numbers but text"
    ] * 2
    checked(app.number_input(key="table_k").set_value(2).run())
    assert "2 at ε = 1 each spend ε = 2" in texts(app)

    monkeypatch.setattr(table_panel, "measure_cell", never)
    checked(app.text_input(key="epsilon_exact").set_value("0.5").run())
    assert "2 at ε = 0.5 each spend ε = 1" in texts(app)
    checked(app.segmented_control(key="many").set_value("Pairs with known arrows").run())
    assert "The bundled sample pairs" in texts(app)
    assert "3 columns of numbers" in texts(app)


def test_a_whole_table_that_takes_long_waits_for_a_click_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_panel, "UNASKED_UP_TO", 0.0)
    app = uploaded(("wide.csv", wide_table()))
    assert "3 of 3 pairs are left" in texts(app)
    assert not app.get("plotly_chart")
    checked(app.button(key="table_go").click().run())
    assert len(arrow_list(app)["both doubts"]) == 3
    (job,) = (one for one in app.session_state["privcause"].memo.values() if isinstance(one, table_panel.TableJob))
    kept = job.found.pop((0, 1)), job.stop()
    assert "1 of 3 pairs are left" in texts(checked(app.run()))
    assert len(arrow_list(app)["both doubts"]) == 2
    checked(app.button(key="table_go").click().run())
    assert job.found[0, 1] == kept[0]


def test_the_bundled_table_is_measured_once_for_all_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    def table() -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        app.query_params["many"] = "A whole table"
        return checked(app.run().switch_page("pages/many_pairs.py").run())

    first = arrow_list(table())
    assert len(first["both doubts"]) == 28
    monkeypatch.setattr(table_panel, "measure_cell", never)
    assert arrow_list(table()) == first


def test_hidden_true_values_hide_the_matrix_and_its_list() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params["present"] = app.query_params["hide"] = "1"
    app.query_params["many"] = "A whole table"
    app = checked(app.run().switch_page("pages/many_pairs.py").run())
    assert not app.get("plotly_chart")
    assert not app.dataframe
    assert "hidden while presenting" in texts(app)


def test_stopping_keeps_what_is_done_and_resuming_measures_the_rest_only() -> None:
    app = uploaded(("pairs.csv", pair_table(6)), ("targets.csv", targets(6)))
    job = the_job(app)
    complete = dict(job.found)
    for name in ("pair4", "pair5", "pair6"):
        del job.found[name]
    job.stop()
    checked(app.run())
    assert "Stopped after 3 of 6 pairs" in texts(app)
    assert len(pair_rows(app)) == 3
    checked(app.button(key="sweep_resume").click().run())
    assert len(pair_rows(app)) == 6
    assert job.found["pair1"] is complete["pair1"]
    assert job.found["pair4"] is not complete["pair4"]
    assert job.found["pair4"].of("kendall").margin == complete["pair4"].of("kendall").margin


def test_presenting_with_true_values_hidden_shows_no_true_column() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params["present"] = app.query_params["hide"] = "1"
    app.run()
    checked(app.switch_page("pages/many_pairs.py").run())
    assert not {"Noise-free arrow", "True margin"} & set(pair_rows(app)[0])
    assert not app.download_button


def test_both_downloads_are_offered(samples: AppTest) -> None:
    assert [button.label for button in samples.download_button] == ["Download CSV", "Download JSON"]


def test_a_shared_address_opens_with_the_columns_shuffled() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params["shuffle"] = "true"
    app.run()
    assert checked(app.switch_page("pages/many_pairs.py").run()).toggle(key="shuffle").value


def test_hiding_true_values_covers_whatever_tells_a_margin() -> None:
    """Exact shares of flips give a margin back, for the noise is public; so do right and refused shares."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params["present"] = app.query_params["hide"] = "1"
    app = checked(app.run().switch_page("pages/many_pairs.py").run())
    assert not app.get("plotly_chart")
    assert set(pair_rows(app)[0]) <= {"Pair", "Known arrow", "Test rows", "Score"}
    assert not any("On these pairs" in table.value for table in app.table)
    assert "better than a coin" not in texts(app)


def test_what_one_session_found_of_the_samples_serves_the_next(
    samples: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("privcause_core.sweep.measured.measure", never)
    again = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    checked(again.switch_page("pages/many_pairs.py").run())
    mine, theirs = ({row["Pair"] for row in pair_rows(app)} for app in (again, samples))
    assert mine == theirs


def test_what_a_session_found_of_an_upload_serves_nobody_else() -> None:
    names = {name for key, found in session._PUBLIC.items() if key[0] == "sweep" for name in found}
    assert names <= {load_sample(one.slug).name for one in all_samples()}
