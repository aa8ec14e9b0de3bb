"""Chart colours follow the theme in use, not the one that the machine prefers."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.test_pages import BACKGROUNDS, drawn, opened

pytestmark = pytest.mark.browser
TEXTS = ".js-plotly-plot :is(.xtick text, .ytick text, .xtitle, .ytitle, .legendtext)"


def luminance(color: str) -> float:
    """Return the relative luminance of "rgb(r, g, b)" (WCAG 2)."""
    shares = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return sum(weight * one for weight, one in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("machine", "forced"), [("light", "dark"), ("dark", "light"), ("dark", None), ("light", None)])
def test_chart_text_is_readable_in_a_forced_theme(page: Page, address: str, machine: str, forced: str | None) -> None:
    page.emulate_media(color_scheme=machine)
    query = f"?embed=true&embed_options={forced}_theme" if forced else ""
    drawn(opened(page, f"{address}/flip_rates{query}"))
    background = page.locator(".stApp").evaluate("one => getComputedStyle(one).backgroundColor")
    assert background == BACKGROUNDS[forced or machine]
    colors = set(page.locator(TEXTS).evaluate_all("all => all.map(one => getComputedStyle(one).fill)"))
    assert colors
    assert min(contrast(color, background) for color in colors) >= 4.5
