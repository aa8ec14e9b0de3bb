"""Work that a link asks for: priced first, seen while it lasts, ended when nobody waits."""

import threading
import time
from collections import OrderedDict

import pytest

from pages.shared import session, state, waiting
from pages.shared.waiting import Work, spoken
from privcause_core.errors import DataError
from privcause_core.explore.price import measuring_seconds
from privcause_core.settings import Settings
from tests.app.driving import alerts, app_at, switched, words

DEAR = {"rows": "100000", "protect": "every-row", "blocks": "10000", "score": "hsic"}
PROMPT = 10.0  # seconds for a page that computes nothing dear, on a busy machine


@pytest.fixture(autouse=True)
def _nothing_is_remembered_of_other_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_PUBLIC", OrderedDict())


@pytest.fixture
def measuring_is_dear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "measuring_seconds", lambda rows, settings: 100.0)


def informed(app) -> str:
    return "\n".join(one.value for one in app.info)


@pytest.mark.parametrize("page", ["explore", "flip_rates", "curves"])
def test_a_dear_link_computes_nothing_before_a_click(page: str) -> None:
    began, threads = time.monotonic(), threading.active_count()
    app = app_at(page, **DEAR) if page == "explore" else switched(app_at("explore", **DEAR), page)
    assert time.monotonic() - began < 2 * PROMPT
    assert not app.exception
    assert "Counting the votes of 10,000 blocks takes about 7 minutes." in informed(app)
    assert any(one.label == "Compute it" for one in app.button)
    assert threading.active_count() <= threads + 2


def test_a_click_computes_what_was_offered_once(measuring_is_dear: None) -> None:
    app = app_at("flip_rates")
    assert "takes about" in informed(app)
    next(one for one in app.button if one.label == "Compute it").click().run()
    assert not app.exception
    assert "takes about" not in informed(app)
    assert app.get("plotly_chart")
    app.run()
    assert app.get("plotly_chart")


def test_work_within_a_few_seconds_starts_by_itself_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "AT_ONCE_UP_TO", 0.0)
    app = app_at("flip_rates")
    assert not app.exception
    assert app.get("plotly_chart")


def test_too_many_blocks_are_refused_before_they_are_priced() -> None:
    app = app_at("explore", protect="every-row", blocks="10000")
    assert any("Expected at least" in one for one in alerts(app))
    assert "takes about" not in informed(app) + words(app)


def test_an_error_of_the_work_is_the_pages_one_sentence(measuring_is_dear: None, monkeypatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise DataError("expected other rows.")

    monkeypatch.setattr(state, "measure", fails)
    app = app_at("flip_rates")
    next(one for one in app.button if one.label == "Compute it").click().run()
    assert "Expected other rows." in alerts(app)


def ticking(tell) -> str:
    for _ in range(10_000):
        time.sleep(0.005)
        tell()
    return "done"


def finished(work: Work, within: float) -> bool:
    end = time.monotonic() + within
    while time.monotonic() < end:
        if not work._thread.is_alive():
            return True
        time.sleep(0.02)
    return False


def test_work_that_is_stopped_ends_at_its_next_step_and_can_begin_again() -> None:
    work = Work(10_000, wanted=True)
    work.begin(ticking)
    assert work.going_on()
    work.stop()
    assert finished(work, 2.0)
    assert not work.result
    work.want()
    work.begin(lambda tell: "done")
    assert not work.going_on()
    assert work.result == ["done"]


def test_work_ends_when_nobody_has_looked_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "NOBODY_WAITS", 0.2)
    work = Work(10_000, wanted=True)
    work.begin(ticking)
    assert finished(work, 3.0)
    assert not work.result


def test_a_few_pieces_of_work_go_on_at_a_time_for_all_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "_TURNS", threading.BoundedSemaphore(1))
    first, second = Work(0, wanted=True), Work(0, wanted=True)
    first.begin(ticking)
    second.begin(lambda tell: "done")
    assert second.going_on()
    assert not second.result
    first.stop()
    assert finished(second, 3.0)
    assert second.result == ["done"]


def test_the_price_grows_with_rows_blocks_and_scores() -> None:
    blocks = Settings(protect="every-row", blocks=10_000, score="hsic")
    assert measuring_seconds(100_000, blocks) == pytest.approx(400.0, rel=0.05)
    assert measuring_seconds(2_000, Settings()) < waiting.AT_ONCE_UP_TO
    assert measuring_seconds(10**6, Settings()) > waiting.AT_ONCE_UP_TO
    assert measuring_seconds(10**6, blocks.with_(blocks=20)) < waiting.UNASKED_UP_TO


@pytest.mark.parametrize(("seconds", "said"), [(12.4, "12 seconds"), (400, "7 minutes"), (9000, "2 hours")])
def test_a_time_is_told_as_people_say_it(seconds: float, said: str) -> None:
    assert spoken(seconds) == said
