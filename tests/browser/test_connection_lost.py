"""A connection that is lost and comes back: soon enough all is kept, too late the data are gone and that is said."""

import contextlib
import re
import socket
import threading
from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.test_leaving import LIMIT, server
from tests.browser.test_pages import opened, upload

__all__ = ["server"]
pytestmark = pytest.mark.browser


class Line:
    """A relay between a browser and a server that can be cut and mended."""

    def __init__(self, port: int) -> None:
        self._port, self.up, self._ends, self._lock = port, True, list[socket.socket](), threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def cut(self) -> None:
        """Break every connection, and let no new one through."""
        with self._lock:
            self.up = False
            _hang_up(*self._ends)
            self._ends.clear()

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                browser, _ = self._listener.accept()
                with self._lock:
                    if not self.up:
                        browser.close()
                        continue
                    server_end = socket.create_connection(("127.0.0.1", self._port))
                    self._ends += [browser, server_end]
                for one, other in ((browser, server_end), (server_end, browser)):
                    threading.Thread(target=_copy, args=(one, other), daemon=True).start()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with source:  # closed by its only reader
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
        _hang_up(target)


def _hang_up(*ends: socket.socket) -> None:
    """Shut down, not close: closing tells the other side nothing while another thread still reads from the socket."""
    for end in ends:
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def line(server) -> Iterator[Line]:
    relay = Line(int(server[0].rsplit(":", 1)[1]))
    yield relay
    relay.close()


ROWS = "a,b\n" + "".join(f"{k * 0.37 % 1:.6f},{k * 0.53 % 1:.6f}\n" for k in range(200))


def lost_for(page: Page, line: Line, seconds: float) -> None:
    line.cut()
    page.wait_for_timeout(1_000.0 * seconds)
    line.up = True


def connected(page: Page) -> None:
    """Wait until the browser has found the server again: it tries ever more rarely."""
    page.locator('[data-test-connection-state="CONNECTED"]').wait_for(timeout=60_000)


def drawn(page: Page) -> None:
    page.locator('[data-test-script-state="notRunning"]').wait_for()


def choose_epsilon(page: Page, epsilon: str) -> None:
    page.get_by_role("textbox", name="Exact ε").fill(epsilon)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**epsilon={epsilon}*")


def test_a_short_cut_loses_nothing_and_after_a_long_one_the_settings_stay_and_the_page_asks_for_the_file(
    page: Page, line: Line
) -> None:
    opened(page, f"{line.address}/curves?epsilon=0.3")
    upload(page, "private.csv", ROWS.encode())
    loaded = page.get_by_text("Loaded: private.csv")
    loaded.wait_for()
    lost_for(page, line, LIMIT / 8)
    choose_epsilon(page, "0.4")
    expect(loaded).to_be_visible()
    drawn(page)
    lost_for(page, line, 2.5 * LIMIT)  # sessions that are over are put away every few seconds
    connected(page)  # a browser that had drawn all asks for nothing until the visitor does something
    page.get_by_role("textbox", name="Exact ε").fill("0.5")  # the first gesture is heard, but the address wins
    page.keyboard.press("Enter")
    page.get_by_text("upload the file again").first.wait_for()
    assert "epsilon=0.4" in page.url
    expect(loaded).to_have_count(0)
    choose_epsilon(page, "0.6")
    expect(page.get_by_text("private.csv")).to_have_count(0)


@pytest.mark.parametrize("heard", [1, 12])
def test_a_connection_lost_while_the_page_is_first_drawn_leaves_every_setting_as_it_was(
    page: Page, address: str, heard: int
) -> None:
    """The browser hears a few messages of the first run, then nothing; the second connection has all of the next."""
    lines: list[WebSocketRoute] = []

    def relay(line: WebSocketRoute) -> None:
        lines.append(line)
        server, first, messages = line.connect_to_server(), len(lines) == 1, count()
        line.on_message(server.send)
        server.on_message(lambda message: line.send(message) if next(messages) < heard or not first else None)

    page.route_web_socket("**/_stcore/stream", relay)
    page.goto(f"{address}/?epsilon=2&draws=500")
    page.wait_for_timeout(3_000)  # the server has drawn the page
    lines[0].close(code=3_000)
    expect(page.get_by_role("textbox", name="Exact ε")).to_have_value("2")
    page.locator(".hero input").press("ArrowLeft")
    page.wait_for_url(re.compile("epsilon=1.8"))
    assert "data" not in page.url
    assert "test_share" not in page.url
    assert "draws=500" in page.url
