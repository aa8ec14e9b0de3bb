"""Who is logged in is said, where logging in is configured; without it nothing is."""

from types import SimpleNamespace

import pytest
import streamlit as st

from pages.shared import login
from tests.app.driving import app_at, words


class Visitor(SimpleNamespace):
    """Somebody as the login tells of them."""

    def get(self, name: str) -> str | None:
        return getattr(self, name, None)


def test_nothing_is_said_of_a_login_where_there_is_none() -> None:
    app = app_at()
    assert "Logged in" not in words(app)
    assert not [one for one in app.button if one.key == "logout"]


@pytest.mark.parametrize(("about", "said"), [({"email": "a@b.example"}, "a@b.example"), ({}, "unnamed")])
def test_who_is_logged_in_is_said_and_can_leave(monkeypatch: pytest.MonkeyPatch, about: dict, said: str) -> None:
    monkeypatch.setattr(login, "_configured", lambda: True)
    monkeypatch.setattr(st, "user", Visitor(is_logged_in=True, **about))
    app = app_at()
    assert f"Logged in: {said}" in words(app)
    assert app.button(key="logout").label == "Log out"


def test_nobody_gets_past_without_logging_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login, "_configured", lambda: True)
    monkeypatch.setattr(st, "user", Visitor(is_logged_in=False))
    app = app_at()
    assert [one.label for one in app.button] == ["Log in"]
