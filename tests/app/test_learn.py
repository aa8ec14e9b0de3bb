"""The lesson in AppTest: every step draws, every check replies, the numbers are the proved ones."""

import math
import re
from pathlib import Path

import pytest
import yaml
from streamlit.testing.v1 import AppTest

from pages.shared.lesson import checks, steps
from tests.app.driving import address, alerts, app_at, switched

ROOT = Path(__file__).parents[2]
LAST = len(steps())


def opened(step: int, **query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for name, value in {"step": str(step), **query}.items():
        app.query_params[name] = value
    app.switch_page("pages/learn.py").run()
    assert not app.exception
    return app


def texts(app: AppTest) -> str:
    return "\n".join(element.value for kind in (app.title, app.markdown, app.caption) for element in kind)


def test_steps_are_in_the_order_of_their_numbers() -> None:
    assert [int(step.name.split("-")[0]) for step in steps()] == list(range(1, LAST + 1))


def test_the_lesson_takes_about_ten_minutes_and_has_three_checks() -> None:
    words = sum(len(text.split()) for step in steps() for text in step.texts)
    assert 900 <= words <= 1_300  # half of ten minutes at 200 words a minute; the other half is for the widgets
    assert len(checks()) == 3
    assert set(checks()) <= {step.name for step in steps()}


@pytest.mark.parametrize("step", range(1, LAST + 1))
def test_every_step_draws_its_texts_and_live_part(step: int) -> None:
    app = opened(step)
    assert [title.value for title in app.title] == [steps()[step - 1].title]
    assert all(text in texts(app) for text in steps()[step - 1].texts)


def test_next_and_previous_turn_the_pages_and_stop_at_the_ends() -> None:
    app = opened(1)
    assert app.button(key="previous_step").disabled
    for step in steps()[1:]:
        app.button(key="next_step").click().run()
        assert app.title[0].value == step.title
    assert app.button(key="next_step").disabled
    app.button(key="previous_step").click().run()
    assert app.title[0].value == steps()[-2].title


@pytest.mark.parametrize("name", list(checks()))
def test_each_check_has_one_right_answer_and_replies_to_every_answer_at_once(name: str) -> None:
    app = opened([step.name for step in steps()].index(name) + 1)
    assert not app.success
    answers = checks()[name].answers
    assert sum(answer.right for answer in answers) == 1
    for answer in answers:
        app.radio(key=f"check_{name}").set_value(answer.text).run()
        said = app.success if answer.right else app.info
        assert [one.value for one in said] == [answer.reply]


def test_the_false_pass_rate_is_a_quarter_instead_of_one_in_two_thousand() -> None:
    said = texts(opened(8))
    assert "**0.2506**" in said
    assert "0.0005" in said


def test_the_wrong_bandwidth_and_tie_rule_jump_beyond_their_bounds() -> None:
    assert "a jump of **2.0** at any m" in texts(opened(8, mistake="Ties"))
    assert "**19 times** the bound" in texts(opened(8, mistake="Bandwidth"))


def test_epsilon_is_shown_as_frequencies_of_100_with_and_without_the_row() -> None:
    said = texts(opened(5, epsilon="2"))
    inside = 100 * math.exp(2) / (1 + math.exp(2))
    assert f"With your row: “in” **{inside:.0f} of 100** times" in said
    assert f"With another row: “in” **{100 - inside:.0f} of 100** times" in said


@pytest.mark.parametrize("corner", ["top left", "top right", "bottom left", "bottom right", "stays"])
@pytest.mark.parametrize("people", ["20", "150"])
def test_no_move_of_one_person_beats_the_bound(corner: str, people: str) -> None:
    said = next(one.value for one in opened(3, corner=corner, people=people).markdown if one.value.startswith("Score"))
    change, bound = (float(found) for found in re.findall(r"(?:Moved by|4/m =) (\d\.\d+)", said))
    assert bound == pytest.approx(4 / int(people), abs=5e-5)
    assert 0.0 <= change <= bound


@pytest.mark.parametrize("limit", ["0.1", "0.5", "8.0"])
@pytest.mark.parametrize("y", ["-4", "0.5", "4"])
def test_a_moved_row_changes_its_own_vote_alone_and_no_score_beyond_its_bound(y: str, limit: str) -> None:
    said = texts(opened(9, moved_y=y, limit=limit))
    moved, counts = (float(found) for found in re.findall(r"(?:move |\*\*)([+-]\d\.\d\d)", said)[:2])
    change, bound = (float(found) for found in re.findall(r"(?:more moved by \*\*|c/m = )(\d\.\d+)", said))
    assert abs(counts - min(max(moved, -float(limit)), float(limit))) < 1e-9
    assert bound == pytest.approx(float(limit) / 150, abs=5e-6)
    assert 0.0 <= change <= bound
    beside, kendall = (float(found) for found in re.findall(r"(?:same move: |4/m = )(\d\.\d+)", said))
    assert beside <= kendall == pytest.approx(4 / 150, abs=5e-6)


def test_the_spread_after_the_move_is_told_only_after_the_move() -> None:
    assert "After one person moved" not in texts(opened(7))
    assert "After one person moved: **10.9**" in texts(opened(7, moved="moves across the gap"))


def test_every_live_sentence_belongs_to_a_page_that_uses_it() -> None:
    sentences = yaml.safe_load((ROOT / "assets/lesson/live.yaml").read_text(encoding="utf-8"))
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "pages").rglob("*.py"))
    assert [name for name in sentences if f'"{name}"' not in pages] == []


@pytest.mark.parametrize(
    ("step", "used"),
    [
        (1, {"picture": "on its side"}),
        (2, {"way": "y → x"}),
        (3, {"people": "150"}),
        (7, {"moved": "moves across the gap"}),
        (9, {"limit": "2.0"}),
    ],
)
def test_a_step_whose_widgets_were_used_can_be_left_both_ways(step: int, used: dict[str, str]) -> None:
    app = opened(step, **used)
    app.button(key="next_step").click().run()
    assert not app.exception
    assert app.title[0].value == steps()[step].title
    app.button(key="previous_step").click().run()
    assert not app.exception
    assert app.title[0].value == steps()[step - 1].title


def test_a_gesture_made_before_the_browser_heard_of_the_former_one_is_not_undone() -> None:
    app = opened(4)
    stale = dict(app.query_params)
    for step in (5, 6):
        app.query_params.clear()
        app.query_params.update(stale)
        app.button(key="next_step").click().run()
        assert app.title[0].value == steps()[step - 1].title
    app.query_params.clear()
    app.query_params.update(stale)
    app.run()  # no gesture: this is Back
    assert app.title[0].value == steps()[3].title


def entered(epsilon: str, **query: str) -> AppTest:
    """Return the lesson as whoever comes from Explore by a link in the navigation meets it."""
    app = app_at(folds=(), epsilon=epsilon, **query)
    app.query_params.clear()
    return switched(app, "learn")


@pytest.mark.parametrize(("epsilon", "kept"), [("0.01", False), ("10", False), ("0.2", True), ("3", True)])
def test_whoever_comes_from_another_page_begins_where_the_pictures_say_something(epsilon: str, kept: bool) -> None:
    app = entered(epsilon)
    assert address(app).get("epsilon", "1") == (epsilon + ".0" * (epsilon == "3") if kept else "1")
    assert alerts(app) == ([] if kept else [f"The lesson begins at ε = 1; before it was {epsilon}."])


def test_a_presentation_that_comes_to_the_lesson_begins_it_there_too_without_a_notice() -> None:
    app = entered("0.01", present="1")
    assert "ε = 1" in texts(app)
    assert alerts(app) == []


@pytest.mark.parametrize("step", [4, 5, 6])
def test_an_address_keeps_its_epsilon_and_where_it_says_little_one_click_leads_back(step: int) -> None:
    app = opened(step, epsilon="0.01")
    assert app.select_slider(key="epsilon").value == 0.01
    app.button(key="back_to_start").click().run()
    assert app.select_slider(key="epsilon").value == 1.0
    assert "epsilon" not in app.query_params
    assert not [one for one in app.button if one.key == "back_to_start"]
