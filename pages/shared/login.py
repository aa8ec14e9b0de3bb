"""Streamlit's own OpenID Connect login, asked for only where its secrets file has an ``[auth]`` section."""

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from privcause_core.names import isolated


def require() -> None:
    """Let nobody past who is not logged in, if logging in is configured."""
    if not _configured() or st.user.is_logged_in:
        return
    st.title("PrivCause")
    st.button("Log in", key="login", icon=":material/login:", on_click=st.login)
    st.stop()


def who() -> None:
    """Say who is logged in, and let them out."""
    if _configured() and st.user.is_logged_in:
        with st.sidebar.container(horizontal=True, vertical_alignment="center", key="logged_in"):
            st.text(f"Logged in: {isolated(str(st.user.get('email') or st.user.get('name') or 'unnamed'))}")
            st.button("Log out", key="logout", on_click=st.logout, type="tertiary")


def _configured() -> bool:
    try:
        return "auth" in st.secrets
    except StreamlitSecretNotFoundError:
        return False
