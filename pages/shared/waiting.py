"""Work that takes longer than a moment: priced before it begins, seen while it lasts, ended by whoever waits for it.

A link costs its reader nothing beyond a few seconds: dearer work waits for a click. Work goes on in a thread, a few at
a time for all sessions together, so that a page stays alive meanwhile; it ends when nobody has looked for a while.
"""

import os
import threading
import time
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

import streamlit as st

from pages.shared import session

AT_ONCE_UP_TO = 1.0  # seconds; less is no wait
UNASKED_UP_TO = 15.0  # seconds that a link may cost without a click
NOBODY_WAITS = 5.0  # seconds without a look after which the work ends
LOOK_EVERY = 0.1
_TURNS = threading.BoundedSemaphore(os.cpu_count() or 1)

T = TypeVar("T")
Tell = Callable[[], None]


class EndedError(Exception):
    """Nobody waits for this work any more."""


class Work(Generic[T]):
    """One piece of work of a session: waiting for a click, going on, stopped, or done."""

    def __init__(self, steps: int, *, wanted: bool) -> None:
        self.steps, self.wanted, self.done = steps, wanted, 0
        self.began = self.looked = time.monotonic()
        self.result: list[T] = []
        self.error: Exception | None = None
        self._thread: threading.Thread | None = None

    def want(self) -> None:
        """Let it begin, or go on."""
        self.wanted = True

    def begin(self, compute: Callable[[Tell], T]) -> None:
        """Start, unless it goes on already."""
        self.looked = time.monotonic()
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._run, args=(compute,), daemon=True)
            self._thread.start()

    def going_on(self) -> bool:
        """Look at the work for a moment; return whether it goes on."""
        self.looked = time.monotonic()
        if self._thread is not None:
            self._thread.join(LOOK_EVERY)
        return self._thread is not None and self._thread.is_alive()

    def share(self, seconds: float) -> float:
        """Return how much of the work is done, by its steps or by the time that it was said to take."""
        if self.steps:
            return min(1.0, self.done / self.steps)
        return min(0.95, (time.monotonic() - self.began) / seconds)

    def stop(self) -> None:
        """End the work; nobody wants it now."""
        self.wanted = False

    def _tell(self) -> None:
        self.done += 1
        if not self._waited_for():
            raise EndedError

    def _waited_for(self) -> bool:
        return self.wanted and time.monotonic() - self.looked < NOBODY_WAITS

    def _run(self, compute: Callable[[Tell], T]) -> None:
        """Compute when it is this work's turn; in its own thread."""
        while not _TURNS.acquire(timeout=LOOK_EVERY):
            if not self._waited_for():
                return
        try:
            self.began = time.monotonic()
            self.result.append(compute(self._tell))
        except EndedError:
            self.done = 0
        except Exception as error:  # noqa: BLE001  # raised again where it is waited for
            self.error = error
        finally:
            _TURNS.release()


def awaited(key: Hashable, seconds: float, what: str, compute: Callable[[Tell], T], *, steps: int = 0) -> T:
    """Return a result, computed at most once a session; a long wait ends the page unless the result is there.

    Parameters
    ----------
    key : hashable
        What the result is and everything that it depends on, as for ``session.remember``.
    seconds : float
        About how long it takes.
    what : str
        What is being done, as plain words to be followed by " …".
    compute : callable
        Given a function to call before each step, which raises where nobody waits any more. It runs in a thread, so it
        may not touch the session.
    steps : int
        How many such calls to expect; 0 where there are none, and time must tell.
    """
    if seconds <= AT_ONCE_UP_TO or session.remembers(key):
        return session.remember(key, lambda: _at_once(what, compute))
    work: Work[T] = session.remember(("work", key), lambda: Work(steps, wanted=seconds <= UNASKED_UP_TO))
    if not work.result:
        _wait(work, seconds, what, compute)
    session.drop(("work", key))
    if work.error is not None:
        raise work.error
    return session.remember(key, work.result.pop)


def _at_once(what: str, compute: Callable[[Tell], T]) -> T:
    with st.spinner(f"{what} …"):
        return compute(lambda: None)


def _wait(work: Work[T], seconds: float, what: str, compute: Callable[[Tell], T]) -> None:
    """Show how far the work is until it is done; end the page where it is not wanted."""
    name = f"work_{abs(hash((what, seconds)))}"
    box = st.empty()
    if work.wanted:
        work.begin(compute)
        with box.container():
            bar = st.progress(0.0)
            st.button("Stop", key=f"{name}_stop", icon=":material/stop_circle:", on_click=work.stop)
            while work.going_on():
                bar.progress(work.share(seconds), text=f"{what} …")
        box.empty()
    if not work.result and work.error is None:
        with box.container():
            st.info(f"{what} takes about {spoken(seconds)}.", icon=":material/hourglass_top:")
            st.button("Compute it", key=f"{name}_go", icon=":material/play_arrow:", on_click=work.want)
        st.stop()


def spoken(seconds: float) -> str:
    """Return a time as people say it: 20 seconds, 7 minutes, 2 hours."""
    for unit, name in ((3600.0, "hour"), (60.0, "minute")):
        if seconds >= 1.5 * unit:
            return f"{seconds / unit:.0f} {name}s"
    return f"{seconds:.0f} seconds"
