"""The only place where errors become text that people read."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from pages.shared import decimals, state
from pages.shared.wording import literal
from privcause_core.errors import PrivCauseError
from privcause_core.loading import AmbiguousNumbersError


def sentence(error: PrivCauseError) -> str:
    """Return an error's sentence, beginning with a capital letter unless it begins with a file's name."""
    text = str(error)
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first.isalpha() else text


@contextmanager
def noting(then: str = "") -> Iterator[None]:
    """Turn an error inside a callback into a notice, with a word on what stays; what was there before does."""
    try:
        yield
    except PrivCauseError as error:
        state.get().notices.append(f"{sentence(error)} {then}".rstrip())


@contextmanager
def stopping() -> Iterator[None]:
    """Turn an error of the page's main job into one plain sentence and end the page there."""
    try:
        yield
    except PrivCauseError as error:
        st.error(literal(sentence(error)), icon=":material/error:")
        if isinstance(error, AmbiguousNumbersError):
            decimals.ask()
        for note in _notes():
            st.info(literal(note), icon=":material/info:")
        st.stop()


@contextmanager
def showing() -> Iterator[None]:
    """Turn an error of a part of the page into one plain sentence there; the rest of the page goes on.

    Unlike stopping it lets Streamlit forget the widgets that were not drawn: one that comes back has its value again.
    """
    try:
        yield
    except PrivCauseError as error:
        st.error(literal(sentence(error)), icon=":material/error:")


def _notes() -> tuple[str, ...]:
    """Return what reading the pair noticed; it may be the cause."""
    try:
        return state.pair().notes
    except PrivCauseError:
        return ()


def show_notices() -> None:
    """Show what happened since the last run, once."""
    notices = state.get().notices
    for notice in notices:
        st.warning(literal(notice), icon=":material/info:")
    notices.clear()
