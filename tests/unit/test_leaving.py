"""Who has left: emptied after the limit, never while connected or just away."""

from pages.shared import leaving
from pages.shared.leaving import Visitor, sweep
from pages.shared.session import AppState, Dataset
from pages.shared.view import View


class Server:
    """A server with one visitor."""

    def __init__(self):
        self.connected, self.removed = True, []
        self.uploaded_file_mgr = self

    def is_active_session(self, session_id):
        return self.connected

    def remove_session_files(self, session_id):
        self.removed.append(session_id)


def test_a_visitor_is_emptied_after_the_limit_and_not_before(monkeypatch):
    state = AppState(View(), Dataset("token", "private.csv", ()), Dataset("token", "private.csv", ()))
    state.memo["result"] = 1
    server, visitors = Server(), {"one": Visitor(state)}
    monkeypatch.setattr(leaving, "_visitors", visitors)
    sweep(server, 0.0, 120.0)
    server.connected = False
    sweep(server, 100.0, 120.0)
    sweep(server, 219.0, 120.0)
    server.connected = True  # back within the limit
    sweep(server, 220.0, 120.0)
    server.connected = False
    sweep(server, 230.0, 120.0)
    sweep(server, 350.0, 120.0)
    assert state.upload is not None
    assert server.removed == []
    sweep(server, 351.0, 120.0)
    assert (state.upload, state.dataset.name, len(state.memo)) == (None, "nothing", 0)
    assert server.removed == ["one"]
    assert visitors == {}
