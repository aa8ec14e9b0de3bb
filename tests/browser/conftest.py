"""A server and a Chromium for the browser tests; where there is no Chromium they are skipped, saying so."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome")
START_SECONDS, WAIT_MILLISECONDS = 60.0, 30_000


@pytest.fixture(scope="package")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """Yield one browser profile on disk, so that scripts are fetched and compiled once, as they are for people.

    Every page is a visitor's session of its own.
    """
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("There is no Chromium on this machine; install chromium to run the browser tests.")
    with sync_playwright() as playwright:
        profile = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"),
            executable_path=path,
            args=list(FLAGS),
            viewport={"width": 1280, "height": 900},
        )
        yield profile
        profile.close()


@pytest.fixture(scope="package")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], str]]:
    """Yield a function that starts a fresh server and returns its address."""
    servers: list[subprocess.Popen[bytes]] = []

    def fresh() -> str:
        folder = tmp_path_factory.mktemp("server")
        port = free_port()
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true"]
        with (folder / "log.txt").open("wb") as log:
            servers.append(
                subprocess.Popen(
                    [*command, "--server.port", str(port)],
                    cwd=ROOT,
                    env=os.environ | {"PRIVCAUSE_LEDGER": str(folder / "ledger.sqlite")},
                    stdout=log,
                    stderr=log,
                )
            )
        address = f"http://127.0.0.1:{port}"
        answering(f"{address}/_stcore/health")
        return address

    yield fresh
    for server in servers:
        server.terminate()
        server.wait()


@pytest.fixture(scope="package")
def address(start: Callable[[], str]) -> str:
    """Return the address of the server that most tests share."""
    return start()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    opened = context.new_page()
    opened.set_default_timeout(WAIT_MILLISECONDS)
    expect.set_options(timeout=WAIT_MILLISECONDS)
    yield opened
    opened.close()


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answering(url: str) -> None:
    end = time.monotonic() + START_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
