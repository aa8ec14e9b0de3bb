"""What only a browser can tell: first deep links, themes, phone width, uploads, and that nothing leaves the machine."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from pages.shared.router import REGISTRY

pytestmark = pytest.mark.browser
NAMES = [entry.name for entry in REGISTRY]
CHARTS = ("flip_rates", "curves", "many_pairs")
HOSTILE = "cost $a$ [USD] *b* <b>x</b> :smile: a->b"
# Of each chart: is the axis title inside it, and does the legend begin below the title?
CLEAR = """charts => charts.map(chart => {
  const [frame, title] = [chart, chart.querySelector('.xtitle')].map(one => one.getBoundingClientRect());
  const legend = chart.querySelector('.legend');
  const below = !legend || legend.getBoundingClientRect().top >= title.bottom;
  return title.left >= frame.left && title.right <= frame.right && below;
})"""
PHONE = {"width": 390, "height": 844}
BACKGROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 23, 26)"}
SERIOUS, ORDER = {"serious", "critical"}, {"heading-order", "page-has-heading-one"}
# Streamlit's own markup, which no setting of ours reaches.
NOT_OURS = {"nested-interactive", "scrollable-region-focusable", "aria-allowed-attr"}


def opened(page: Page, url: str) -> Page:
    page.goto(url)
    page.locator("h1").first.wait_for()
    page.locator("[data-testid=stStatusWidget]").wait_for(state="detached")
    return page


def asked(page: Page) -> set[str | None]:
    """Return the hosts that the page asks from now on."""
    hosts: set[str | None] = set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).hostname))
    return hosts


def drawn(page: Page) -> Page:
    page.locator(".js-plotly-plot .main-svg, .hero .runs .dot").first.wait_for()
    return page


def upload(page: Page, name: str, content: bytes) -> None:
    sidebar = page.get_by_test_id("stSidebar")
    sidebar.get_by_text("Upload", exact=True).first.click()
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    sidebar.locator("input[type=file]").set_input_files(file)


def test_the_first_visit_to_a_fresh_server_may_be_a_deep_link(page: Page, start: Callable[[], str]) -> None:
    hosts = asked(page)
    opened(page, f"{start()}/explore?epsilon=0.1&score=hsic")
    page.get_by_text("would spend ε = 0.1").first.wait_for()
    assert page.get_by_role("dialog").count() == 0
    assert "epsilon=0.1" in page.url
    assert "score=hsic" in page.url
    assert page.get_by_role("link", name="Correctness curves").is_visible()
    assert hosts - {None} == {"127.0.0.1"}


def test_settings_survive_a_page_switch_and_a_reload(page: Page, address: str) -> None:
    drawn(opened(page, f"{address}/?epsilon=0.25&score=spearman&data=sample:tips-bill-tip"))
    page.get_by_role("link", name="Flip rates").click()
    page.get_by_text("Spearman: flipped arrows").first.wait_for()
    assert "epsilon=0.25" in page.url
    for name in ("Many pairs", "Correctness curves", "Many pairs", "Flip rates"):  # each with a slider of its own
        page.get_by_role("link", name=name).click()
        expect(page).to_have_title(f"{name} · PrivCause")
        expect(page.locator(".st-key-epsilon [data-testid=stSliderThumbValue]")).to_have_text("0.25")
    page.reload()
    page.get_by_text("Spearman: flipped arrows").first.wait_for()
    assert page.get_by_role("textbox", name="Exact ε").input_value() == "0.25"
    assert page.get_by_text("total bill (US$)").first.is_visible()


def test_an_upload_shows_its_names_character_for_character_and_is_gone_after_a_reload(page: Page, address: str) -> None:
    drawn(opened(page, address))
    rows = "".join(f"{k * 0.37 % 1:.3f},{(k * 0.37 % 1) ** 2 + k % 7 / 50:.3f}\n" for k in range(60))
    upload(page, "names.csv", f'"=1+1","{HOSTILE}"\n{rows}'.encode())
    page.get_by_text("Loaded: names.csv").wait_for()
    drawn(page)
    main = page.locator("[data-testid=stMain]")
    main.locator("code", has_text=HOSTILE).first.wait_for()
    assert main.locator("b, em, .katex", has_text="x").count() == 0
    assert page.locator(".hero .name.y").inner_text() == HOSTILE
    assert page.get_by_role("combobox", name="Column Y").input_value() == HOSTILE
    page.reload()
    page.get_by_text("upload the file again").wait_for()
    assert "names.csv" not in page.locator("body").inner_text()


def test_a_bad_upload_is_one_plain_sentence_and_the_former_data_stay(page: Page, address: str) -> None:
    drawn(opened(page, address))
    upload(page, "login.csv", b"<!DOCTYPE html><html><body>Sign in</body></html>")
    page.get_by_text("looks like a web page").wait_for()
    assert page.get_by_text("Synthetic: random smooth curve").count() + page.get_by_text("1,000 test").count() > 0
    assert page.locator("[data-testid=stException]").count() == 0


@pytest.mark.parametrize("name", NAMES)
def test_every_page_has_an_address_passes_axe_in_both_themes_fits_a_phone_and_asks_nobody_else(
    page: Page, address: str, name: str
) -> None:
    hosts = asked(page)
    opened(page, f"{address}/{name}?epsilon=0.25")
    assert page.get_by_role("dialog").count() + page.locator("[data-testid=stException]").count() == 0
    assert re.search(rf"/{name}\?.*epsilon=0\.25", page.url)
    if name in ("explore", *CHARTS):
        drawn(page)
    passes_axe(page)
    fits_a_phone(page, charts=name in CHARTS)
    assert hosts - {None} == {"127.0.0.1"}


def passes_axe(page: Page) -> None:
    """Check both themes."""
    for theme, background in BACKGROUNDS.items():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.wait_for_function(
            f"() => getComputedStyle(document.querySelector('.stApp')).backgroundColor == '{background}'"
        )
        found = Axe().run(page).response["violations"]
        ours = [one for one in found if one["id"] not in NOT_OURS]
        serious = [one for one in ours if one["impact"] in SERIOUS or one["id"] in ORDER]
        assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in serious] == []


def fits_a_phone(page: Page, *, charts: bool) -> None:
    """Check that nothing is wider than a phone, and that no axis title is cut or under a legend."""
    page.set_viewport_size(PHONE)
    widths = "['html', '[data-testid=stMain]'].map(one => document.querySelector(one).scrollWidth)"
    page.wait_for_function(f"() => Math.max(...{widths}) <= {PHONE['width']}")
    if charts:
        page.wait_for_timeout(500)  # charts follow the width, and fonts arrive after the first drawing
        clear = page.locator(".js-plotly-plot").evaluate_all(CLEAR)
        assert clear
        assert all(clear)
        slider, chart = (
            page.locator(f"[data-testid=stMain] {one}").first for one in (".st-key-epsilon", ".stPlotlyChart")
        )
        top, foot = slider.bounding_box(), chart.bounding_box()
        assert top is not None
        assert foot is not None
        assert 0 < foot["y"] + foot["height"] - top["y"] <= PHONE["height"]  # epsilon in sight of what it moves


def test_the_epsilon_slider_answers_to_the_keyboard_and_axes_stay(page: Page, address: str) -> None:
    drawn(opened(page, f"{address}/flip_rates?epsilon=0.1"))
    shown = page.locator(".js-plotly-plot").first.locator(".xtick text, .ytick text")
    ticks = shown.all_text_contents()
    page.locator(".st-key-epsilon input[type=range]").press("ArrowRight")
    page.get_by_label(re.compile("At ε = 0.11 ")).wait_for()
    expect(shown).to_have_text(ticks)
    assert "60%" in ticks
    assert "epsilon=0.11" in page.url


@pytest.mark.parametrize("scheme", list(BACKGROUNDS))
def test_the_keyboards_place_among_the_links_is_seen(page: Page, address: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    opened(page, f"{address}/methods")
    link = page.get_by_role("link", name="Flip rates")
    link.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    ring = link.evaluate("one => [getComputedStyle(one).outlineStyle, getComputedStyle(one).outlineWidth]")
    assert ring == ["solid", "3px"]


def test_paper_says_that_it_holds_true_values_and_has_neither_buttons_nor_closed_folds(
    page: Page, address: str
) -> None:
    note = page.get_by_text("Holds true, non-private values")
    drawn(opened(page, f"{address}/explore"))
    expect(note).to_be_hidden()
    fold = page.locator(".st-key-fold_along summary").first
    fold.click()
    page.locator(".st-key-exports").wait_for()
    page.emulate_media(media="print")
    expect(note).to_be_visible()
    expect(page.locator(".st-key-fold_scores")).to_be_hidden()
    expect(fold).to_be_visible()
    assert page.get_by_role("button").filter(visible=True).count() == 0


def on_paper(page: Page) -> Page:
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1_000})  # A4 between its margins
    return page


def test_on_paper_a_chart_stands_without_what_moves_it(page: Page, address: str) -> None:
    on_paper(drawn(opened(page, f"{address}/curves")))
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    main = page.get_by_test_id("stMain")
    assert main.get_by_role("slider").or_(main.get_by_role("tab")).filter(visible=True).count() == 0
    expect(main.get_by_text("more accuracy")).to_be_hidden()


def test_a_table_that_scrolls_on_the_screen_is_whole_on_paper(page: Page, address: str) -> None:
    drawn(opened(page, f"{address}/many_pairs"))
    scrolls, whole = page.get_by_test_id("stDataFrame"), page.locator(".st-key-printed_pairs table")
    expect(scrolls).to_be_visible()
    expect(whole).to_be_hidden()
    on_paper(page)
    expect(scrolls).to_be_hidden()
    expect(whole.locator("tbody tr")).to_have_count(15)
    expect(whole.get_by_text("ε for 95 %")).to_be_visible()
    box = whole.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 718
