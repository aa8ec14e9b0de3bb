"""Who may look and who may change a budget, where Streamlit's own OpenID Connect login is configured.

Its secrets file then has an ``[auth]`` section; ``[access]`` beside it lists ``people`` and ``domains`` that may look,
and ``budget``, the people who may raise or retire a table's budget. Without a login there is one local person, who may
do everything.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from privcause_core.errors import ParameterError
from privcause_core.text.names import isolated


def require() -> None:
    """Let nobody past who is not logged in, or whom the list leaves out, if logging in is configured."""
    if not _configured():
        return
    if not st.user.is_logged_in:
        st.title("PrivCause")
        st.button("Log in", key="login", icon=":material/login:", on_click=st.login)
        st.stop()
    if not may_look():
        st.title("PrivCause")
        st.error("You are not on the list of people who may look. Ask whoever runs this dashboard.")
        st.button("Log out", key="logout", on_click=st.logout)
        st.stop()


def who() -> None:
    """Say who is logged in, and let them out."""
    if _configured() and st.user.is_logged_in:
        with st.sidebar.container(horizontal=True, vertical_alignment="center", key="logged_in"):
            st.text(f"Logged in: {isolated(str(st.user.get('email') or st.user.get('name') or 'unnamed'))}")
            st.button("Log out", key="logout", on_click=st.logout, type="tertiary")


def may_look() -> bool:
    """Return whether whoever is logged in is listed by address or domain; everybody is where nothing is listed."""
    access = _access()
    if not {"people", "domains"} & access.keys():
        return True
    address = _address()
    return address in _listed(access, "people") or address.rpartition("@")[2] in _listed(access, "domains")


def may_change_budgets() -> bool:
    """Return whether this visitor may raise or retire budgets: with a login only those who are listed for it."""
    return not _configured() or (_address() != "" and _address() in _listed(_access(), "budget"))


def check_may_change_budgets() -> None:
    """Refuse whoever may not; a button that is not drawn is no barrier.

    Raises
    ------
    ParameterError
        If this visitor may not raise or retire budgets.
    """
    if not may_change_budgets():
        raise ParameterError("Only people listed for it (access.budget in the secrets file) may change a budget.")


def _address() -> str:
    """Return the e-mail address of whoever is logged in, "" where the provider does not vouch for it."""
    verified = st.user.get("email_verified") in (True, "true", None)
    return str(st.user.get("email") or "").strip().lower() if st.user.is_logged_in and verified else ""


def _listed(access: Mapping[str, Any], name: str) -> set[str]:
    found = access.get(name, ())
    names: Sequence[object] = [found] if isinstance(found, str) else found
    return {str(one).strip().lower() for one in names} - {""}


def _access() -> Mapping[str, Any]:
    """Return the secrets file's list of who may do what."""
    return _section("access") or {}


def _configured() -> bool:
    return _section("auth") is not None


def _section(name: str) -> Mapping[str, Any] | None:
    """Return a section of the secrets file; None where there is no such section, or no such file."""
    try:
        found: Mapping[str, Any] | None = st.secrets.get(name)
    except StreamlitSecretNotFoundError:
        return None
    return found
