"""How long pages take: reruns in AppTest; in Chromium the first picture, a key to a changed page, and Play."""

import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
MOVES = ("0.5", "0.71", "1", "1.4", "2")
PAGES = ("explore", "flip_rates", "curves")
PLAYED_SECONDS = 5.0


def run() -> list[tuple[str, str]]:
    rows = [(f"{name}: rerun after an epsilon move, AppTest, 2,000 rows", _app_test(name)) for name in PAGES]
    chromium = shutil.which("chromium")
    if chromium is None:
        return [*rows, ("pages in Chromium", "no Chromium on this machine")]
    return rows + _in_browser(chromium)


def _app_test(name: str) -> str:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    app.switch_page(f"pages/{name}.py").run()
    times = []
    for epsilon in MOVES:
        start = time.perf_counter()
        app.text_input(key="epsilon_exact").set_value(epsilon).run()
        times.append(time.perf_counter() - start)
    return f"{min(times):.2f} to {max(times):.2f} s"


def _in_browser(chromium: str) -> list[tuple[str, str]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    server = subprocess.Popen([*command, "--server.port", str(port)], cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        time.sleep(5.0)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            rows = _measured(browser.new_page, f"http://127.0.0.1:{port}")
            browser.close()
    finally:
        server.terminate()
        server.wait()
    return rows


def _measured(new_page: Callable[[], Page], address: str) -> list[tuple[str, str]]:
    _first_picture(new_page(), address)  # the server's own imports
    firsts = [_first_picture(new_page(), address) for _ in range(3)]
    page = new_page()
    _first_picture(page, address)
    page.locator(".hero input").focus()
    keys = [_key(page) for _ in MOVES]
    settled = _settled(page)
    frames = _frames(page)
    page.goto(f"{address}/flip_rates?epsilon=0.1")
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    moves = [_move(page, epsilon) for epsilon in ("0.11", "0.13", "0.14", "0.16", "0.18")]
    return [
        ("explore: address to first picture, running server, empty cache", f"{min(firsts):.2f} to {max(firsts):.2f} s"),
        ("explore: epsilon key to drawn frame", f"{1000 * min(keys):.0f} to {1000 * max(keys):.0f} ms"),
        (
            "explore: last key to a page and address that know it",
            f"{settled:.2f} s, 0.25 of it waiting for keys",
        ),
        ("explore: Play", f"{frames:.0f} frames a second"),
        ("flip rates: epsilon key to new chart", f"{min(moves):.2f} to {max(moves):.2f} s"),
    ]


def _first_picture(page: Page, address: str) -> float:
    start = time.perf_counter()
    page.goto(f"{address}/explore")
    page.locator(".hero .runs .dot").first.wait_for()
    return time.perf_counter() - start


def _key(page: Page) -> float:
    """Return the seconds from a key to the frame that shows it."""
    before = page.locator(".hero").get_attribute("data-epsilon")
    start = time.perf_counter()
    page.keyboard.press("ArrowLeft")
    page.locator(f".hero:not([data-epsilon='{before}'])").wait_for()
    return time.perf_counter() - start


def _settled(page: Page) -> float:
    start = time.perf_counter()
    page.keyboard.press("ArrowLeft")
    shown = page.locator(".hero .value").inner_text().removeprefix("= ")
    page.get_by_text(re.compile(rf"would spend ε = {re.escape(shown)}(?![\d.])")).wait_for()
    return time.perf_counter() - start


def _frames(page: Page) -> float:
    page.locator(".hero .play").click()
    hero, start = page.locator(".hero"), time.perf_counter()
    before = int(hero.get_attribute("data-frames") or 0)
    time.sleep(PLAYED_SECONDS)
    drawn = int(hero.get_attribute("data-frames") or 0) - before
    return drawn / (time.perf_counter() - start)


def _move(page: Page, epsilon: str) -> float:
    start = time.perf_counter()
    page.locator(".st-key-epsilon input[type=range]").press("ArrowRight")
    page.get_by_label(re.compile(f"At ε = {re.escape(epsilon)} ")).wait_for()
    return time.perf_counter() - start
