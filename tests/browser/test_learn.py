"""The lesson in Chromium, start to finish, with the keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from pages.shared.lesson import checks, steps

pytestmark = pytest.mark.browser
SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"


def heading(page: Page, title: str) -> None:
    expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
    page.wait_for_function("document.querySelector('[data-testid=stApp]').dataset.testScriptState !== 'running'")


def focus_by_tab(page: Page, selector: str, most: int = 80) -> None:
    """Press Tab until the focus is on a match."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    pytest.fail(f"{selector} cannot be reached by Tab")


def answer(page: Page, name: str) -> None:
    """Choose the right answer of a check with Tab, Space and the arrow keys."""
    focus_by_tab(page, f".st-key-check_{name} input[type=radio]")
    right = next(k for k, one in enumerate(checks()[name].answers) if one.right)
    page.keyboard.press("Space")
    for _ in range(right):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_text(checks()[name].answers[right].reply)).to_be_visible()


def test_the_lesson_is_finished_by_keyboard_and_each_step_begins_at_its_top(page: Page, address: str) -> None:
    page.goto(f"{address}/learn")
    for number, step in enumerate(steps(), 1):
        heading(page, step.title)
        page.wait_for_function(f"() => {SCROLLED} === 0")
        if step.name in checks():
            answer(page, step.name)
        if number < len(steps()):
            focus_by_tab(page, ".st-key-next_step button")
            page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Explore your own pair")).to_be_visible()
    assert f"step={len(steps())}" in page.url


def test_arrow_keys_turn_the_pages_but_move_a_slider_that_has_the_focus(page: Page, address: str) -> None:
    page.goto(f"{address}/learn?step=4")
    heading(page, steps()[3].title)
    slider = page.locator(".st-key-epsilon input[type=range]")
    slider.focus()
    before = slider.input_value()
    page.keyboard.press("ArrowRight")
    expect(slider).not_to_have_value(before)
    heading(page, steps()[3].title)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    heading(page, steps()[4].title)
    page.keyboard.press("ArrowLeft")
    heading(page, steps()[3].title)


def test_a_step_with_its_choices_is_an_address(page: Page, address: str) -> None:
    page.goto(f"{address}/learn?step=8&mistake=Ties&tie_rows=40&epsilon=0.5")
    heading(page, steps()[7].title)
    expect(page.get_by_text("a jump of 2.0 at any m, 20 times the bound")).to_be_visible()
    page.reload()
    expect(page.get_by_text("a jump of 2.0 at any m, 20 times the bound")).to_be_visible()
    assert {"step=8", "mistake=Ties", "epsilon=0.5"} <= set(page.url.split("?")[1].split("&"))


def test_long_formulas_scroll_inside_themselves_on_a_phone(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/methods?section=Laplace+noise")
    expect(page.locator(".katex-display").first).to_be_visible()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390


def test_a_step_whose_switch_was_used_can_be_left(page: Page, address: str) -> None:
    page.goto(f"{address}/learn")
    heading(page, steps()[0].title)
    page.locator(".st-key-picture").get_by_role("radio", name="on its side").click()
    page.wait_for_url(lambda url: "picture" in url)
    page.get_by_role("button", name="Next").click()
    heading(page, steps()[1].title)
    expect(page.get_by_text("This app has encountered an error")).to_have_count(0)
