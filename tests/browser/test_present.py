"""Presentation mode in Chromium: slides that fit the screen, keys that always turn, true values hidden, Esc leaves."""

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from pages.shared.lesson import steps
from pages.shared.present import SLIDES

pytestmark = pytest.mark.browser
TYPE_SIZE = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
SCREENS: tuple[ViewportSize, ...] = ({"width": 1280, "height": 720}, {"width": 1920, "height": 1080})
FITS = """() => {
  const main = document.querySelector('[data-testid=stMain]');
  return main.scrollHeight <= main.clientHeight + 1;
}"""


def title(page: Page, text: str) -> None:
    """Wait until a screen is complete: its heading, and the bar that takes the keys."""
    expect(page.get_by_role("heading", level=1, name=text)).to_be_visible()
    ready(page)


def ready(page: Page) -> None:
    expect(page.locator(".st-key-present_leave button")).to_be_visible()
    expect(page.locator(".st-key-present_bar [data-keys=taken]")).to_be_visible()
    expect(page.locator("[data-stale=true]")).to_have_count(0)


def inside(page: Page, shown: Locator) -> bool:
    box, size = shown.bounding_box(), page.viewport_size
    assert box is not None
    assert size is not None
    right, bottom = box["x"] + box["width"], box["y"] + box["height"]
    return box["x"] >= 0 and box["y"] >= 0 and right <= size["width"] and bottom <= size["height"]


def begun(page: Page) -> None:
    """Begin to present from the sidebar: the chrome goes, the type grows."""
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    normal = page.evaluate(TYPE_SIZE)
    begin = page.get_by_role("button", name="Present")
    expect(begin).to_have_count(1)  # that of a folded sidebar is hidden as soon as the styles are there
    assert inside(page, begin)  # without scrolling the sidebar
    begin.click()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    page.wait_for_function(f"{TYPE_SIZE} >= {1.2 * normal}")
    assert "present=1" in page.url


def test_a_presentation_hides_the_chrome_and_every_slide_of_the_pair_fits_both_screens_with_a_whole_large_picture(
    page: Page, address: str
) -> None:
    page.set_viewport_size(SCREENS[0])
    page.goto(f"{address}/explore?epsilon=0.1")
    begun(page)
    for number, name in enumerate(SLIDES, 1):
        page.locator(f".st-key-slide_{name}").wait_for()
        ready(page)
        assert f"slide={number}" in page.url or number == 1
        for screen in SCREENS:
            page.set_viewport_size(screen)
            page.wait_for_function(FITS)
            for picture in page.locator(".hero figure svg:visible").all():
                assert inside(page, picture)
                assert picture.bounding_box()["height"] >= 0.4 * screen["height"]
        page.keyboard.press("PageDown")
    title(page, steps()[0].title)
    assert "/learn" in page.url


def test_the_verdict_has_a_slide_of_its_own_and_says_that_the_known_arrow_is_the_other_way(
    page: Page, address: str
) -> None:
    sure_and_wrong = "data=sample:synthetic-multiplicative&noise=1.0&score=kendall"
    page.goto(f"{address}/explore?{sure_and_wrong}&present=1&slide={SLIDES.index('verdict') + 1}")
    page.set_viewport_size({"width": 720, "height": 450})  # 1440 x 900 at 200 %
    ready(page)
    expect(page.locator(".hero .known")).to_contain_text("The known arrow is the other way: runs that agree are wrong.")
    page.wait_for_function(FITS)
    for part in (".arrow-line", ".known", ".doubts", ".control"):
        assert inside(page, page.locator(f".hero {part}"))
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(300)
    assert inside(page, page.locator(".hero .verdict"))
    page.keyboard.press("Home")
    page.locator(".st-key-slide_question").wait_for()
    ready(page)
    page.keyboard.press("PageDown")
    page.locator(".st-key-slide_pair").wait_for()
    ready(page)
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "present" not in url)
    assert "slide" not in page.url
    assert "multiplicative" in page.url


def test_page_keys_turn_whatever_has_the_focus_and_plus_and_minus_move_epsilon(page: Page, address: str) -> None:
    page.goto(f"{address}/explore?present=1&slide=4&epsilon=0.1")
    page.locator(".st-key-slide_bells .hero .bell.xy").wait_for()
    ready(page)
    page.keyboard.press("+")
    expect(page.locator(".hero .value")).to_have_text("= 0.11")
    page.wait_for_url(lambda url: "epsilon=0.11" in url)
    slider = page.locator(".hero input[type=range]")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".hero .value")).to_have_text("= 0.1")
    page.keyboard.press("PageDown")
    page.wait_for_url(lambda url: "slide=5" in url)
    expect(page.locator(".hero .value")).to_have_text("= 0.1")
    ready(page)
    page.locator(".hero .play").focus()
    page.keyboard.press("ArrowLeft")
    page.locator(".st-key-slide_bells").wait_for()
    page.get_by_role("button", name="Hide true values").click()
    page.locator(".st-key-slide_flips").wait_for()  # slides with nothing left to show are passed over
    expect(page.get_by_role("button", name="Show true values")).to_be_visible()
    expect(page.locator(".hero .count", has_text="private runs say x → y")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("flip the arrow")


def test_a_page_that_is_no_slide_and_has_widgets_in_the_address_can_be_left_by_key(page: Page, address: str) -> None:
    page.goto(f"{address}/methods?section=Slips&present=1")
    title(page, "Slips, and live demonstrations")
    page.keyboard.press("PageDown")
    title(page, "Release")
    page.goto(f"{address}/learn?step=1&picture=on+its+side&present=1")
    title(page, steps()[0].title)
    page.keyboard.press("PageUp")
    page.locator(".st-key-slide_verdict").wait_for()
    assert "picture" not in page.url
    expect(page.get_by_text("This app has encountered an error")).to_have_count(0)


def charts_are_whole_with_letters_for_the_last_row(page: Page, screen: ViewportSize) -> None:
    page.set_viewport_size(screen)
    page.wait_for_function(FITS)
    page.wait_for_timeout(300)  # charts are drawn anew
    for chart in page.locator(".stPlotlyChart").all():
        assert inside(page, chart)
        letters = chart.evaluate(
            "one => [...one.querySelectorAll('.main-svg text')].filter(t => t.textContent.trim())"
            ".map(t => parseFloat(getComputedStyle(t).fontSize))"
        )
        assert min(letters) >= 16
        assert chart.bounding_box()["height"] >= 0.4 * screen["height"]


def charts_are_below_each_other_in_full_width_on_a_low_screen(page: Page) -> None:
    page.set_viewport_size({"width": 720, "height": 450})  # 1440 x 900 at 200 %
    page.locator(".stPlotlyChart .main-svg").nth(1).wait_for()
    page.wait_for_timeout(300)
    boxes = [chart.bounding_box() for chart in page.locator(".stPlotlyChart").all()]
    assert len(boxes) == 2
    assert all(box["width"] > 600 and box["height"] > 200 for box in boxes)
    assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"]


def test_the_lesson_slides_fit_every_screen_turn_from_a_radio_and_end_in_a_release_that_cannot_spend(
    page: Page, address: str
) -> None:
    page.set_viewport_size(SCREENS[0])
    page.goto(f"{address}/learn?present=1")
    for number, step in enumerate(steps(), 1):
        title(page, step.title)
        for screen in SCREENS:
            charts_are_whole_with_letters_for_the_last_row(page, screen)
        if number == 4:
            charts_are_below_each_other_in_full_width_on_a_low_screen(page)
        if number == 1:  # the page keys turn with a radio focused, too
            page.locator(".st-key-picture").get_by_role("radio", name="on its side").click()
            page.wait_for_url(lambda url: "picture" in url)
        page.keyboard.press("PageDown")
    title(page, "Release")
    expect(page.get_by_text("Disarmed while presenting")).to_be_visible()
    expect(page.locator(".st-key-spend")).to_have_count(0)
    page.keyboard.press("PageUp")
    title(page, steps()[-1].title)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    assert "present" not in page.url


def test_presenting_begins_where_the_sidebar_is_folded_and_leaves_to_the_page_where_it_began(
    page: Page, address: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/flip_rates?epsilon=0.3")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    begin = page.locator(".st-key-present_start_folded").get_by_role("button").last
    assert inside(page, begin)
    begin.click()
    ready(page)
    page.get_by_role("button", name="Next").click()
    page.locator(".st-key-slide_theorem").wait_for()
    ready(page)
    page.get_by_role("button", name="Leave").click()
    expect(page).to_have_title("Flip rates · PrivCause")
    page.wait_for_url("**/flip_rates?epsilon=0.3")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.reload()
    expect(page.get_by_test_id("stSidebar").get_by_role("button", name="Present")).to_be_visible()
    expect(begin).to_be_hidden()
