"""When a visitor has left, what they loaded goes: the server itself would wait for the next visitor to come.

A closed tab may come back within ``server.disconnectedSessionTTL`` seconds. After that nobody can reach its session any
more, and a timer empties it.
"""

import threading
import time
from dataclasses import dataclass

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.session import AppState

LOOK_EVERY = 2.0  # seconds
GRACE = 1.0  # seconds beyond the limit, so that nobody is just coming back


@dataclass(slots=True)
class Visitor:
    """A session's state, and since when nobody is connected to it."""

    state: AppState
    gone_since: float | None = None


_visitors: dict[str, Visitor] = {}
_lock = threading.Lock()
_timer: list[threading.Thread] = []


def watch(state: AppState) -> None:
    """Empty the session some time after its visitor has left; the first call starts the timer."""
    context = get_script_run_ctx()
    server = runtime.get_instance() if runtime.exists() else None
    if context is None or not isinstance(server, runtime.Runtime):  # run by a test, without a server
        return
    with _lock:
        _visitors[context.session_id] = Visitor(state)
        if not _timer:
            _timer.append(threading.Thread(target=_look, args=(server,), daemon=True, name="privcause-leaving"))
            _timer[0].start()


def _look(server: runtime.Runtime) -> None:
    while True:
        time.sleep(LOOK_EVERY)
        sweep(server, time.monotonic(), float(st.get_option("server.disconnectedSessionTTL")) + GRACE)


def sweep(server: runtime.Runtime, now: float, limit: float) -> None:
    """Empty every session to which nobody has been connected for longer than the limit, in seconds."""
    with _lock:
        for session_id, visitor in list(_visitors.items()):
            if server.is_active_session(session_id):
                visitor.gone_since = None
            elif visitor.gone_since is None:
                visitor.gone_since = now
            elif now - visitor.gone_since > limit:
                visitor.state.empty()
                server.uploaded_file_mgr.remove_session_files(session_id)
                del _visitors[session_id]
