"""Who is logged in is said, where logging in is configured; without it nothing is."""

from types import SimpleNamespace

import pytest
import streamlit as st

from pages.shared import login
from privcause_core.errors import ParameterError
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


HEAD, COLLEAGUE, STRANGER = "Head@Example.org", "colleague@partner.example", "someone@evil-example.org"


def logged_in(monkeypatch: pytest.MonkeyPatch, access: dict[str, object] | None, **about: object) -> None:
    monkeypatch.setattr(login, "_configured", lambda: True)
    monkeypatch.setattr(login, "_access", lambda: access or {})
    monkeypatch.setattr(st, "user", Visitor(is_logged_in=True, **about))


@pytest.mark.parametrize(
    ("access", "email", "may"),
    [
        (None, STRANGER, True),  # nothing is listed: whoever the provider lets in
        ({"people": ["head@example.org"]}, HEAD, True),
        ({"people": ["head@example.org"]}, COLLEAGUE, False),
        ({"people": [], "domains": ["partner.example"]}, COLLEAGUE, True),
        ({"domains": "example.org"}, HEAD, True),
        ({"domains": ["example.org"]}, STRANGER, False),  # the whole domain, not its end
        ({"domains": [""]}, "", False),
        ({"people": []}, HEAD, False),
    ],
)
def test_who_may_look_is_listed_by_address_or_domain(
    monkeypatch: pytest.MonkeyPatch, access: dict[str, object] | None, email: str, *, may: bool
) -> None:
    logged_in(monkeypatch, access, email=email)
    assert login.may_look() is may


def test_an_address_that_the_provider_does_not_vouch_for_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    logged_in(monkeypatch, {"people": [HEAD], "budget": [HEAD]}, email=HEAD, email_verified=False)
    assert not login.may_look()
    assert not login.may_change_budgets()


def test_somebody_who_is_not_listed_sees_one_sentence_and_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    logged_in(monkeypatch, {"people": [HEAD]}, email=COLLEAGUE)
    app = app_at()
    assert "not on the list" in words(app)
    assert [one.label for one in app.button] == ["Log out"]


@pytest.mark.parametrize(("email", "may"), [(HEAD, True), (COLLEAGUE, False), ("", False)])
def test_changing_a_budget_is_a_permission_of_its_own(
    monkeypatch: pytest.MonkeyPatch, email: str, *, may: bool
) -> None:
    logged_in(monkeypatch, {"domains": ["example.org", "partner.example"], "budget": [HEAD, ""]}, email=email)
    assert login.may_change_budgets() is may


def test_with_a_login_and_nobody_listed_nobody_changes_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    logged_in(monkeypatch, None, email=HEAD)
    with pytest.raises(ParameterError, match=r"access\.budget"):
        login.check_may_change_budgets()


def test_without_a_login_the_one_local_person_may_do_everything() -> None:
    assert login.may_change_budgets()
    login.check_may_change_budgets()
