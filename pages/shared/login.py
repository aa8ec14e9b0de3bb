"""Streamlit's own OpenID Connect login, asked for only where its secrets file has an ``[auth]`` section."""

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError


def require() -> None:
    """Let nobody past who is not logged in, if logging in is configured."""
    if not _configured() or st.user.is_logged_in:
        return
    st.title("PrivCause")
    st.button("Log in", key="login", icon=":material/login:", on_click=st.login)
    st.stop()


def _configured() -> bool:
    try:
        return "auth" in st.secrets
    except StreamlitSecretNotFoundError:
        return False
