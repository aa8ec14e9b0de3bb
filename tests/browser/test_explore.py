"""The first screen of Explore in Chromium: what is in sight, what moves, what the address holds."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from privcause_core.explore.analysis import analyse
from privcause_core.figures.chart import percent
from privcause_core.samples import load_sample
from privcause_core.settings import Settings

pytestmark = pytest.mark.browser
SCREENS = ((1440, 900), (1366, 768))
IN_SIGHT = (".verdict", ".control", ".pair svg", ".bells svg", ".runs svg", ".curve svg")
NEAR_TIE = "data=sample:synthetic-near-tie&score=kendall"
# The lowest contrast of a text in the picture against the page.
CONTRAST = """() => {
  const linear = c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  const light = text => {
    const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map(c => linear(c / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const hero = [...document.querySelectorAll('*')].map(one => one.shadowRoot?.querySelector('.hero')).find(Boolean);
  const page = light(getComputedStyle(document.querySelector('.stApp')).backgroundColor);
  const ratio = color => { const [a, b] = [light(color), page].sort((p, q) => q - p); return (a + 0.05) / (b + 0.05); };
  const shown = [...hero.querySelectorAll('text, p, span, dt, strong, label, output, figcaption')]
    .filter(one => one.textContent.trim() && one.getClientRects().length && !one.closest('button'));
  return Math.min(...shown.map(one => ratio(getComputedStyle(one)[one instanceof SVGElement ? 'fill' : 'color'])));
}"""


def drawn(page: Page, url: str) -> Page:
    page.goto(url)
    page.locator(".hero .dot").first.wait_for()
    page.locator("[data-testid=stStatusWidget]").wait_for(state="detached")
    return page


def bottom(page: Page, part: str) -> float:
    box = page.locator(f".hero {part}").bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def test_the_first_screen_holds_everything_that_epsilon_moves(page: Page, address: str) -> None:
    drawn(page, f"{address}/?{NEAR_TIE}")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"() => innerWidth === {width}")
        page.wait_for_timeout(300)
        assert {part: bottom(page, part) <= height for part in IN_SIGHT} == dict.fromkeys(IN_SIGHT, True)
    page.set_viewport_size({"width": 720, "height": 450})  # 1440 x 900 at 200 %
    page.wait_for_timeout(300)
    assert bottom(page, ".arrow-line") <= 450
    assert bottom(page, ".known") <= 450
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(300)
    page.locator(".hero .control").scroll_into_view_if_needed()
    box, bells = page.locator(".hero .control").bounding_box(), page.locator(".hero .bells").bounding_box()
    assert bells["y"] + bells["height"] - box["y"] <= 844
    assert page.locator(".js-plotly-plot").count() == 0
    page.emulate_media(color_scheme="dark", media="print")
    white = "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor == 'rgb(255, 255, 255)'"
    page.wait_for_function(white)
    expect(page.locator(".hero .play")).to_be_hidden()
    assert page.evaluate(CONTRAST) >= 4.5


def test_one_gesture_is_one_entry_of_the_history_and_back_takes_it_back(page: Page, address: str) -> None:
    drawn(page, f"{address}/?{NEAR_TIE}")
    before = page.evaluate("history.length")
    page.locator(".hero input[type=range]").focus()
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(".hero .moved")).to_contain_text("ε 1 → 0.32: noise × 3.1, flips 9 → 34 of 100")
    page.wait_for_url("**epsilon=0.32**")
    assert page.evaluate("history.length") == before + 1
    flip = analyse(load_sample("synthetic-near-tie"), Settings(score="kendall", epsilon=0.32)).headline.probability_flip
    assert f"flips {percent(flip)}" in page.locator(".hero .bells .words").text_content()
    expect(page.locator(".hero .doubts")).to_contain_text(percent(1 - flip))
    page.go_back()
    expect(page.locator(".hero .value")).to_have_text("= 1")
    expect(page.get_by_role("textbox", name="Exact ε")).to_have_value("1")


def test_play_sweeps_in_the_browser_can_be_stopped_and_steps_where_motion_is_reduced(page: Page, address: str) -> None:
    drawn(page, f"{address}/?{NEAR_TIE}")
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda _: sent.append("frame")))
    play = page.locator(".hero .play")
    play.click()
    hero = page.locator(".hero")
    frames = int(hero.get_attribute("data-frames"))
    page.wait_for_timeout(1_000)
    assert int(hero.get_attribute("data-frames")) > frames + 5
    assert sent == []
    play.click()
    expect(play).to_have_text("Play")
    page.wait_for_url("**epsilon=**")
    page.emulate_media(reduced_motion="reduce")
    play.click()
    frames = int(hero.get_attribute("data-frames"))
    page.wait_for_timeout(1_000)
    assert int(hero.get_attribute("data-frames")) <= frames + 3
    play.click()


def test_the_first_screen_passes_axe_and_is_legible_in_every_theme_also_a_forced_one(page: Page, address: str) -> None:
    for query, scheme in (("", "light"), ("", "dark"), ("&embed_options=dark_theme&embed=true", "light"),
                          ("&embed_options=light_theme&embed=true", "dark")):  # fmt: skip
        page.emulate_media(color_scheme=scheme)
        drawn(page, f"{address}/?{NEAR_TIE}{query}")
        assert page.evaluate(CONTRAST) >= 4.5
        found = Axe().run(page, context=".st-key-hero").response["violations"]
        assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found] == []


def test_a_first_visit_reads_fewer_than_350_words_and_a_scenario_is_a_deep_link(page: Page, address: str) -> None:
    drawn(page, address)
    page.locator(".st-key-fold_along").wait_for()
    said = page.get_by_test_id("stMain").inner_text() + page.locator(".hero").inner_text()
    assert 100 < len(said.split()) < 350
    page.locator(".st-key-gallery").get_by_role("link", name="Unrelated columns").click()
    expect(page.locator(".hero .known")).to_contain_text("the columns look unrelated")
    page.wait_for_url("**data=sample**")
    expect(page.get_by_role("heading", level=1)).to_have_text("Unrelated columns: why is there an arrow at all?")
    expect(page.locator(".st-key-gallery")).to_have_count(0)
    page.get_by_test_id("stMain").get_by_text("Scenarios for a class").click()
    expect(page.locator(".st-key-gallery").get_by_role("link")).to_have_count(6)
    page.go_back()
    expect(page.locator(".hero .known")).to_contain_text("The known arrow is the same")


def test_names_are_whole_on_the_first_screen_and_say_which_is_x(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    drawn(page, f"{address}/?data=sample:diabetes-age-bp")
    for part in (".name.x", ".name.y"):
        assert page.locator(f".hero {part}").evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    tag = "one => getComputedStyle(one, '::before').content"
    assert page.locator(".hero .name.y").evaluate(tag) == '"y "'
    assert page.locator(".hero .pair .frame").text_content().startswith("↑ y: average blood pressure, ")
    drawn(page, address)
    assert page.locator(".hero .name.y").evaluate(tag) == "none"


def test_a_card_further_down_leads_back_to_the_top(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 700})
    drawn(page, address)
    page.locator(".st-key-gallery").get_by_role("link", name="Unrelated columns").click()
    expect(page.locator(".hero .known")).to_contain_text("the columns look unrelated")
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_role("heading", level=1)).to_have_css("outline-style", "none")
