"""How long a page takes to answer when epsilon moves: in AppTest, and in Chromium from key press to new chart."""

import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[2]
MOVES = 5


def run() -> list[tuple[str, str]]:
    rows = [(f"{name}: rerun after an epsilon move, AppTest, 2,000 rows", _app_test(name)) for name in PAGES]
    chromium = shutil.which("chromium")
    if chromium is None:
        return [*rows, ("flip rates: epsilon key to new chart, Chromium", "no Chromium on this machine")]
    return [*rows, ("flip rates: epsilon key to new chart, Chromium", _in_browser(chromium))]


PAGES = ("explore", "flip_rates", "curves")


def _app_test(name: str) -> str:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    app.switch_page(f"pages/{name}.py").run()
    times = []
    for epsilon in (0.5, 0.71, 1.0, 1.4, 2.0)[:MOVES]:
        start = time.perf_counter()
        app.select_slider(key="epsilon").set_value(epsilon).run()
        times.append(time.perf_counter() - start)
    return f"{min(times):.2f} to {max(times):.2f} s"


def _in_browser(chromium: str) -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
    server = subprocess.Popen([*command, "--server.port", str(port)], cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        time.sleep(5.0)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{port}/flip_rates?epsilon=0.1")
            page.locator(".js-plotly-plot .main-svg").first.wait_for()
            times = [_move(page, epsilon) for epsilon in ("0.11", "0.13", "0.14", "0.16", "0.18")[:MOVES]]
            browser.close()
    finally:
        server.terminate()
        server.wait()
    return f"{min(times):.2f} to {max(times):.2f} s"


def _move(page: Page, epsilon: str) -> float:
    start = time.perf_counter()
    page.get_by_role("slider").first.press("ArrowRight")
    page.get_by_label(re.compile(f"At ε = {re.escape(epsilon)} ")).wait_for()
    return time.perf_counter() - start
