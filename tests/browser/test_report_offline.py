"""Reports in Chromium with the network off: charts draw, nothing is asked for, nothing can be shared; SVG at once."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from privcause_core.settings import Settings
from tests.browser.conftest import WAIT_MILLISECONDS

pytestmark = pytest.mark.browser
ALERT_SECONDS = 15


@pytest.fixture(scope="module")
def explored(context: BrowserContext, address: str) -> Iterator[Page]:
    """Yield the page that the report is downloaded from."""
    opened = context.new_page()
    opened.set_default_timeout(WAIT_MILLISECONDS)
    opened.goto(f"{address}/explore")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def report(explored: Page, tmp_path_factory: pytest.TempPathFactory) -> Path:
    explored.get_by_text("Take it along").click()
    button = explored.get_by_role("button", name="Teaching report (HTML)")
    button.wait_for()
    with explored.expect_download() as download:
        button.click()
    path = tmp_path_factory.mktemp("report") / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_a_downloaded_report_opens_offline_and_asks_for_nothing(context: BrowserContext, report: Path) -> None:
    context.set_offline(True)
    opened = context.new_page()
    asked, wrong = [], []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.goto(report.as_uri())
    expect(opened.locator(".main-svg").first).to_be_visible()
    assert opened.locator(".js-plotly-plot").count() >= 4
    slider = opened.locator("#hero input[type=range]")
    slider.evaluate(
        "one => { one.value -= 20; for (const name of ['input', 'change']) one.dispatchEvent(new Event(name)); }"
    )
    expect(opened.locator("#hero .value")).to_have_text("= 0.1")
    expect(opened.locator("#hero .moved")).to_contain_text("noise × 10, flips 0 →")
    slider.press("ArrowLeft")
    expect(opened.locator("#hero .value")).to_have_text("= 0.089")
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert wrong == []
    assert opened.locator("[data-title*='hare'], [data-title*='loud']").count() == 0
    expect(opened.get_by_text("Teaching report. Holds true (non-private) values")).to_be_visible()
    opened.close()
    context.set_offline(False)


def test_pictures_carry_pair_score_and_epsilon_in_their_names_and_have_slide_size(explored: Page, report: Path) -> None:
    for kind, start in (("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        with explored.expect_download() as download:
            explored.get_by_role("button", name=f"Picture ({kind})").click()
        assert download.value.suggested_filename == f"privcause-x-y-{Settings().score}-epsilon-1.{kind.lower()}"
        content = download.value.path().read_bytes()
        assert content.startswith(start)
        wide, tall = (int.from_bytes(content[k : k + 4]) for k in (16, 20))
        assert (wide, tall) == (1920, 1080) or b'width="1920" height="1080"' in content[:200]


def test_the_kind_of_a_report_is_on_every_printed_page(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    expect(page.locator(".main-svg").first).to_be_visible()
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.querySelector('.sheet thead')).display") == "table-header-group"
    sheets = len(re.findall(rb"/Type\s*/Page[^s]", page.pdf(format="A4")))
    assert 3 <= sheets <= 12


def test_downloading_leaves_the_page_as_it_is(explored: Page, report: Path) -> None:
    expect(explored.get_by_text("Take it along")).to_be_visible()
    assert report.stat().st_size < 8_000_000


def test_a_chart_is_saved_as_svg_in_the_browser(page: Page, address: str) -> None:
    page.goto(f"{address}/learn?step=6")
    chart = page.locator(".js-plotly-plot").first
    chart.wait_for()
    chart.hover()
    with page.expect_download(timeout=ALERT_SECONDS * 1_000) as download:
        chart.locator("[data-title*='ownload']").first.click()
    assert download.value.suggested_filename.endswith(".svg")
    assert download.value.path().read_text(encoding="utf-8").startswith("<svg")
