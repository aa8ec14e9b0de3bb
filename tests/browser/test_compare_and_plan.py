"""A/B pins and the planner's round trip, in a browser and through the address."""

import re

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_two_pinned_settings_stand_side_by_side_and_survive_a_reload(page: Page, address: str) -> None:
    page.goto(f"{address}/?epsilon=0.1")
    page.get_by_text("Compare two settings").click()
    page.get_by_role("button", name="Pin as A").click()
    page.wait_for_url(re.compile(r"[?&]a="))
    page.goto(page.url.replace("epsilon=0.1", "epsilon=2"))
    page.get_by_text("Compare two settings").click()
    page.get_by_role("button", name="Pin as B").click()
    page.wait_for_url(re.compile(r"[?&]b="))
    page.reload()
    page.get_by_text("Compare two settings").click()
    table = page.locator("table", has_text="Least ε for 95 %")
    table.wait_for()
    row = table.locator("tr", has_text="ε, δ (total)").inner_text()
    assert re.search(r"0\.1, 0\s+2, 0", row)


def test_the_planners_answer_put_back_gives_the_asked_certainty(page: Page, address: str) -> None:
    asked = f"{address}/curves?plan_certainty=0.9&plan_rows=400&plan_margin=0.07"
    page.goto(asked)
    page.get_by_text("Least ε").first.wait_for()
    epsilon = page.locator("[data-testid=stCode] code").first.text_content().strip()
    page.goto(f"{asked}&solve=certainty&plan_epsilon={epsilon}")
    page.get_by_text("You can be this sure").wait_for()
    certainty = float(page.locator("[data-testid=stCode] code").first.text_content())
    assert certainty == pytest.approx(0.9, abs=1e-6)
