"""``python -m tests.benchmarks.visitors``: many visitors at once, on the loopback address, for a few minutes.

They speak Streamlit's own protocol, without browsers: each shows a sample pair with a number of rows of its own and
moves epsilon every two seconds; every fourth also uploads a small table, again and again; meanwhile four writers
release on one ledger. Printed: times of an epsilon move, whether anybody saw another's rows, charges against releases,
and the server's memory before, with all visitors, and after they left. Ends by itself.
"""

import argparse
import asyncio
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import numpy as np
import psutil
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from privcause_core.pair import Pair
from privcause_core.release import Amount, Ledger, Plan, cohort_of_pair, release

ROOT = Path(__file__).parents[2]
EPSILONS = ("0.1", "0.3", "0.5", "1", "2", "5")
THINK_SECONDS = 2.0
WRITERS = 4
LEAVING_SECONDS = 150.0  # longer than the server keeps a visitor who has left
PAGE_ROWS = re.compile(r"([\d,]+) train / ([\d,]+) test")


@dataclass
class Seen:
    """What all visitors saw."""

    moves: list[float] = field(default_factory=list)
    uploads: list[float] = field(default_factory=list)
    crossings: int = 0
    failures: list[str] = field(default_factory=list)


class Visitor:
    """One session over a web socket."""

    def __init__(self, number: int, port: int, seen: Seen) -> None:
        self.rows, self.port, self.seen = 1_003 + 7 * number, port, seen
        self.session, self.elements = "", dict[str, str]()

    async def stay(self, until: float, *, uploads: bool) -> None:
        """Move epsilon until the time is over."""
        address = f"ws://127.0.0.1:{self.port}/_stcore/stream"
        async with websockets.connect(address, max_size=None, subprotocols=["streamlit"]) as channel:
            if rows_in(await self._rerun(channel, f"rows={self.rows}")) != {self.rows}:
                self.seen.failures.append("own rows not shown")
            while time.monotonic() < until:
                await asyncio.sleep(THINK_SECONDS * random.uniform(0.5, 1.5))
                start = time.perf_counter()
                text = await self._rerun(channel, f"rows={self.rows}&epsilon={random.choice(EPSILONS)}")
                self.seen.moves.append(time.perf_counter() - start)
                self.seen.crossings += bool(rows_in(text) - {self.rows})  # what is known is not sent again
                if uploads:
                    start = time.perf_counter()
                    await asyncio.to_thread(self._upload)
                    self.seen.uploads.append(time.perf_counter() - start)

    async def _rerun(self, channel: websockets.ClientConnection, query: str) -> str:
        message = BackMsg()
        message.rerun_script.query_string = query
        await channel.send(message.SerializeToString())
        text = []
        while True:
            answer = ForwardMsg()
            answer.ParseFromString(await asyncio.wait_for(channel.recv(), 120.0))
            kind = answer.WhichOneof("type")
            if kind == "new_session":
                self.session = answer.new_session.initialize.session_id
            elif kind == "delta":
                element = answer.delta.new_element
                if element.WhichOneof("type") == "exception":
                    self.seen.failures.append(element.exception.type)
                text.append(str(answer.delta))
            elif kind == "script_finished" and answer.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return "".join(text)

    def _upload(self) -> None:
        body = b'--b\r\nContent-Disposition: form-data; name="f"; filename="t.csv"\r\n\r\na,b\n'
        body += b"".join(b"%d,%d\n" % (k, k * k % 97) for k in range(2_000)) + b"\r\n--b--\r\n"
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/_stcore/upload_file/{self.session}/{random.getrandbits(64):x}", body,
            {"Content-Type": "multipart/form-data; boundary=b"}, method="PUT",
        )  # fmt: skip
        try:
            with urllib.request.urlopen(request, timeout=60.0):
                pass
        except OSError as error:
            self.seen.failures.append(f"upload: {error}")


def rows_in(text: str) -> set[int]:
    """Return how many rows a page speaks of, told from both halves; every visitor has a number of their own."""
    return {sum(int(half.replace(",", "")) for half in halves) for halves in PAGE_ROWS.findall(text)}


def table() -> Pair:
    """Return the pair that is released again and again."""
    x, noise = np.random.default_rng(0).normal(size=(2, 200))
    return Pair("load", "a", "b", x, x**2 + noise)


def release_until(path: Path, until: float) -> int:
    """Release a tiny amount of one table on one ledger until the time is over; return how often."""
    ledger, plan, count = Ledger(path), Plan(("likelihood",), Decimal("0.001")), 0
    while time.monotonic() < until:
        release(plan, table(), ledger, now=datetime.now(UTC), budget=Amount(Decimal(1_000), Decimal("0.1")))
        count += 1
        time.sleep(1.0)
    return count


def memory(server: psutil.Process) -> float:
    """Return the resident memory of the server and its children, MB."""
    return sum(one.memory_info().rss for one in (server, *server.children(recursive=True))) / 1e6


async def crowd(number: int, seconds: float, port: int, server: psutil.Process, ledger: Path) -> None:
    """Let everybody in at once, and print what they saw."""
    await Visitor(0, port, Seen()).stay(0.0, uploads=False)  # the server's own imports
    seen, until, before = Seen(), time.monotonic() + seconds, memory(server)
    stays = [Visitor(k, port, seen).stay(until, uploads=k % 4 == 0) for k in range(number)]
    writers = [asyncio.to_thread(release_until, ledger, until) for _ in range(WRITERS)]
    watch = asyncio.create_task(_most(server, until))
    outcomes = await asyncio.gather(*stays, *writers, return_exceptions=True)
    seen.failures += [type(one).__name__ for one in outcomes if isinstance(one, BaseException)]
    released = sum(one for one in outcomes if isinstance(one, int))
    account = Ledger(ledger).account(cohort_of_pair(table()))
    charges = len(account.history) if account else 0
    moves, uploads = np.sort(seen.moves), np.sort(seen.uploads)
    print(f"{number} visitors, {seconds:g} s, {os.cpu_count()} cores: {moves.size} epsilon moves, median "
          f"{np.median(moves):.2f} s, p95 {np.quantile(moves, 0.95):.2f} s, longest {moves[-1]:.2f} s")  # fmt: skip
    print(f"{uploads.size} uploads, p95 {np.quantile(uploads, 0.95):.2f} s" if uploads.size else "no uploads")
    print(f"others' rows seen {seen.crossings} times; failures: {sorted(set(seen.failures)) or 'none'}")
    print(f"{released} releases by {WRITERS} writers, {charges} charges in the ledger")
    await asyncio.sleep(LEAVING_SECONDS)
    print(
        f"memory, MB: {before:.0f} before, {await watch:.0f} at most, {memory(server):.0f} {LEAVING_SECONDS:g} s after"
    )


async def _most(server: psutil.Process, until: float) -> float:
    most = 0.0
    while time.monotonic() < until:
        most = max(most, memory(server))
        await asyncio.sleep(2.0)
    return most


def main(number: int, seconds: float) -> None:
    """Serve for as long as the visitors stay."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        ledger = Path(folder) / "ledger.sqlite"
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless", "true", "--server.address",
                   "127.0.0.1", "--server.port", str(port), "--server.enableXsrfProtection", "false"]  # fmt: skip
        own = os.environ | {"PRIVCAUSE_LEDGER": str(ledger), "OPENBLAS_NUM_THREADS": "1"}
        served = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, env=own)
        try:
            time.sleep(8.0)
            asyncio.run(crowd(number, seconds, port, psutil.Process(served.pid), ledger))
        finally:
            served.terminate()
            served.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=300.0)
    given = parser.parse_args()
    main(given.visitors, given.seconds)
