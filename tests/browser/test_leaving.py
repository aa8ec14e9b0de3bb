"""What becomes of an upload, seen from inside a real server: never on disk, and gone when it should be."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import ROOT, answering, free_port
from tests.browser.test_pages import opened, upload

pytestmark = pytest.mark.browser
LIMIT = 4  # seconds that a closed tab may come back
ROWS = 120_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Callable[[], dict[str, int]]]]:
    """Yield the address of a server, and a function that returns what it holds at this moment."""
    folder = tmp_path_factory.mktemp("watched")
    report, port = folder / "held.json", free_port()
    command = [sys.executable, str(Path(__file__).parent / "watched_server.py"), str(report), "run", "app.py"]
    options = ["--server.headless", "true", "--server.port", str(port), "--server.disconnectedSessionTTL", str(LIMIT)]
    with (folder / "log.txt").open("wb") as log:
        running = subprocess.Popen(
            [*command, *options], cwd=ROOT, stdout=log, stderr=log,
            env=os.environ | {"PRIVCAUSE_LEDGER": str(folder / "ledger.sqlite"), "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    answering(f"http://127.0.0.1:{port}/_stcore/health")
    yield f"http://127.0.0.1:{port}", lambda: json.loads(report.read_text())
    running.terminate()
    running.wait()


def until(held: Callable[[], dict[str, int]], seconds: float, **wanted: int) -> dict[str, int]:
    """Return what is held as soon as it is what is wanted, or at the end of the time."""
    end = time.monotonic() + seconds
    while any(held()[name] != value for name, value in wanted.items()) and time.monotonic() < end:
        time.sleep(0.05)
    return held()


def uploaded(page: Page, address: str) -> None:
    rows = "".join(f"{k * 0.37 % 1:.6f},{k * 0.53 % 1:.6f}\n" for k in range(ROWS))
    assert len(rows) > 2_000_000
    page.set_default_timeout(120_000)
    opened(page, f"{address}/curves")
    upload(page, "private.csv", f"a,b\n{rows}".encode())
    page.get_by_text("Loaded: private.csv").wait_for()


def test_an_upload_never_touches_the_disk_and_its_bytes_go_as_soon_as_they_are_read(page: Page, server) -> None:
    address, held = server
    uploaded(page, address)
    assert until(held, 10, bytes=0) == {"bytes": 0, "rows": ROWS, "on_disk": 0}


def test_forget_my_data_leaves_nothing_on_the_server(page: Page, server) -> None:
    address, held = server
    uploaded(page, address)
    page.get_by_role("button", name="Forget my data").click()
    page.get_by_role("button", name="Forget everything").click()
    page.get_by_text("Loaded: private.csv").wait_for(state="detached")
    assert until(held, 10, bytes=0, rows=0)["bytes"] == 0


def test_a_closed_tab_leaves_nothing_on_the_server_after_the_limit(page: Page, server) -> None:
    address, held = server
    uploaded(page, address)
    assert held()["rows"] >= ROWS
    page.goto("about:blank")
    assert until(held, LIMIT + 15, bytes=0, rows=0) == {"bytes": 0, "rows": 0, "on_disk": 0}
