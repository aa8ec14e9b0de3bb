"""Presentation mode in Chromium: no chrome, larger type, PageDown and PageUp, true values hidden, Esc leaves."""

import pytest
from playwright.sync_api import Page, expect

from pages.shared.lesson import steps

pytestmark = pytest.mark.browser
TYPE_SIZE = "parseFloat(getComputedStyle(document.documentElement).fontSize)"


def title(page: Page, text: str) -> None:
    """Wait until a screen is complete: its heading, and the bar that is drawn last and takes the keys."""
    expect(page.get_by_role("heading", level=1, name=text)).to_be_visible()
    expect(page.locator(".st-key-present_leave button")).to_be_visible()
    expect(page.locator("[data-stale=true]")).to_have_count(0)


def test_a_presentation_hides_the_chrome_and_enlarges_the_type(page: Page, address: str) -> None:
    page.goto(f"{address}/explore")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    normal = page.evaluate(TYPE_SIZE)
    page.get_by_role("button", name="Present").click()
    expect(page.get_by_test_id("stSidebar")).to_be_hidden()
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    page.wait_for_function(f"{TYPE_SIZE} >= {1.2 * normal}")
    assert "present=1" in page.url


def test_page_keys_walk_through_the_lesson_and_across_pages_and_esc_leaves(page: Page, address: str) -> None:
    page.goto(f"{address}/learn?present=1&step=8")
    title(page, steps()[7].title)
    page.keyboard.press("PageDown")
    title(page, steps()[8].title)
    page.keyboard.press("PageDown")
    title(page, "The inference")
    assert "/methods" in page.url
    assert "present=1" in page.url
    page.keyboard.press("PageUp")
    title(page, steps()[8].title)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("stSidebar")).to_be_visible()
    assert "present" not in page.url


def test_hiding_true_values_is_in_the_address_and_epsilon_still_moves(page: Page, address: str) -> None:
    page.goto(f"{address}/explore?present=1&hide=1&epsilon=0.1")
    expect(page.get_by_text("True values are hidden")).to_be_visible()
    page.locator(".st-key-present_epsilon input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: "epsilon=0.11" in url)
    page.reload()
    expect(page.get_by_text("True values are hidden")).to_be_visible()


def test_the_page_keys_turn_the_pages_after_a_widget_was_clicked(page: Page, address: str) -> None:
    page.goto(f"{address}/explore?present=1")
    page.get_by_role("button", name="Hide true values").click()
    expect(page.get_by_role("button", name="Show true values")).to_be_visible()
    page.keyboard.press("PageDown")
    page.wait_for_url(lambda url: "flip_rates" in url and "hide=1" in url)
    page.goto(f"{address}/learn?present=1")
    title(page, steps()[0].title)
    page.locator(".st-key-picture").get_by_role("radio", name="on its side").click()
    page.wait_for_url(lambda url: "picture" in url)
    page.keyboard.press("PageDown")
    title(page, steps()[1].title)


def test_a_page_whose_widgets_are_in_the_address_can_be_left_by_key(page: Page, address: str) -> None:
    page.goto(f"{address}/methods?section=Slips&present=1")
    title(page, "Slips, and live demonstrations")
    page.keyboard.press("PageUp")
    title(page, steps()[-1].title)
    page.goto(f"{address}/learn?step=1&picture=on+its+side&present=1")
    title(page, steps()[0].title)
    page.keyboard.press("PageUp")
    page.wait_for_url(lambda url: "/release" in url and "picture" not in url)
    expect(page.get_by_text("This app has encountered an error")).to_have_count(0)
