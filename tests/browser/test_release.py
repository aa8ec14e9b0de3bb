"""The Release page in a browser: a double click, a reload and a second tab draw nothing more; downloads are exact."""

import json
import re
import time
import zlib
from itertools import pairwise
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
SPEND = re.compile("Release: spend")
DRAWN = 120_000  # milliseconds that a busy machine may take to draw


@pytest.fixture
def release_page(request: pytest.FixtureRequest, address: str, page: Page) -> Page:
    """Open the Release page on rows that no other test releases from."""
    page.goto(f"{address}/release?epsilon=0.25&data_seed={zlib.crc32(request.node.name.encode())}")
    page.get_by_role("button", name="Go on to confirm").click()
    page.get_by_role("button", name=SPEND).wait_for()
    return page


def result(page: Page) -> dict:
    """Return the certificate that the page shows."""
    page.get_by_text("Plan another release").wait_for(timeout=DRAWN)
    page.get_by_text("The whole certificate").click()
    shown = page.locator("[data-testid=stExpander] code").first
    shown.wait_for()
    return json.loads(shown.inner_text())


def charges(page: Page) -> int:
    """Return how many charges the ledger of the table lists."""
    page.get_by_role("button", name="Plan another release").click()
    page.get_by_text("Ledger of this table").wait_for()
    spent = page.get_by_text(re.compile(r"spent \(")).inner_text()
    return round(float(re.search(r"spent \(([0-9.]+),", spent).group(1)) / 0.25)


def test_a_double_click_a_reload_and_a_second_tab_charge_once_and_show_one_output(release_page: Page) -> None:
    release_page.get_by_role("button", name=SPEND).dblclick()
    release_page.get_by_text("Recording the charge, then drawing").wait_for()
    issued = result(release_page)
    address = release_page.url
    assert f"entry={issued['entry']}" in address
    release_page.reload()
    assert result(release_page) == issued
    second = release_page.context.new_page()
    second.goto(address)
    assert result(second) == issued
    second.close()
    expect(release_page.get_by_text("Recording the charge, then drawing")).to_have_count(0)
    assert charges(release_page) == 1
    expect(release_page.locator(".st-key-release_scores")).to_contain_text("Likelihood")  # the box says what is planned


def test_a_reload_right_after_the_click_never_charges_twice(release_page: Page) -> None:
    release_page.get_by_role("button", name=SPEND).click(no_wait_after=True)
    release_page.wait_for_url(re.compile("entry="))
    end = time.monotonic() + 100
    while time.monotonic() < end:  # the draw goes on without its page; until it is stored the page says so
        release_page.reload()
        release_page.get_by_text("Plan another release").wait_for()
        release_page.get_by_text(re.compile("The whole certificate|no release of that id|still being drawn")).wait_for()
        if release_page.get_by_text("The whole certificate").is_visible():
            break
    result(release_page)
    assert charges(release_page) == 1


def test_downloads_keep_the_result_and_hold_the_very_numbers_shown(release_page: Page) -> None:
    release_page.get_by_role("button", name=SPEND).click()
    issued = result(release_page)
    saved = []
    for _ in range(2):
        with release_page.expect_download() as download:
            release_page.get_by_role("button", name="Certificate (JSON)").click()
        saved.append(Path(download.value.path()).read_bytes())
    assert saved[0] == saved[1]
    assert json.loads(saved[0]) == issued
    assert release_page.get_by_text("ε private").first.is_visible()
    assert charges(release_page) == 1


def heading_levels(page: Page) -> list[int]:
    levels = "all => all.map(one => Number(one.tagName.slice(1)))"
    return page.locator("h1, h2, h3, h4, h5, h6").evaluate_all(levels)


def in_order(levels: list[int]) -> bool:
    return levels[0] == 1 and all(after <= before + 1 for before, after in pairwise(levels))


def test_a_file_through_the_second_door_goes_step_by_step_to_a_certificate_that_verifies(
    page: Page, address: str, tmp_path: Path
) -> None:
    page.goto(f"{address}/release")
    page.get_by_role("button", name="Go on to confirm").wait_for()
    rows = "".join(f"{k % 97},5;{k * k % 89};{k % 83}\n" for k in range(300))
    files = page.locator("input[type=file]")
    files.first.set_input_files({"name": "people.csv", "mimeType": "text/csv", "buffer": f"age;bp;n\n{rows}".encode()})
    page.get_by_text("sealed. Nothing computed from its values").wait_for()
    expect(page.get_by_role("button", name="Go on to confirm")).to_have_count(0)  # no column is proposed
    for axis, name in (("x", "age"), ("y", "bp")):
        expect(page.locator(f".st-key-release_{axis} input")).to_have_value("")
        page.locator(f".st-key-release_{axis} input").click()
        page.get_by_role("option", name=name).click()
        expect(page.locator(f".st-key-release_{axis} input")).to_have_value(name)
    page.get_by_role("button", name="Go on to confirm").click()
    page.get_by_role("button", name=SPEND).wait_for()
    expect(page.locator(".st-key-blocks input")).to_have_value("10")  # steps that were away come back with their values
    expect(page.get_by_text("Expected")).to_have_count(0)
    assert in_order(heading_levels(page))
    page.get_by_role("button", name=SPEND).click()
    page.get_by_text("Ledger of this table").wait_for(timeout=DRAWN)
    assert in_order(heading_levels(page))
    with page.expect_download() as download:
        page.get_by_role("button", name="Certificate (JSON)").click()
    download.value.save_as(tmp_path / "certificate.json")
    page.get_by_text("Verify a certificate").click()
    page.locator(".st-key-verify_file input[type=file]").set_input_files(tmp_path / "certificate.json")
    page.get_by_text("Valid.").wait_for()
    expect(page.locator("[data-testid=stToast]")).to_have_count(0)
    found = Axe().run(page).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
