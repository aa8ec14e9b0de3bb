"""Between the address bar and the session: every run reads the address, and a change writes one entry of the history.

So Back takes back one gesture.
"""

from collections.abc import Mapping

import streamlit as st

from pages.shared import address, lesson, present, state
from pages.shared.view import UPLOAD

ENTRY = "entry"  # the address parameter that shows a stored result again


def begin(page: str = "") -> None:
    """Make the session's state from the address, or follow an address that others than we have changed.

    That of a page just switched to is empty: then the state stays. So it does after a gesture of this run: a browser
    that has not yet heard of the gesture before sends the address of then.
    """
    query = _ours(st.query_params.to_dict())
    if not state.started():
        _start(query)
    elif query != state.get().shown and not _just_changed() and (query or page == state.get().page):
        view, refused = address.from_query(query, uploaded=state.get().upload is not None)
        _note_refused(refused)
        state.show(view)
    if page == present.LESSON_PAGE and not query and state.get().page not in ("", present.LESSON_PAGE):
        _begin_lesson()
    state.get().page = page


def _begin_lesson() -> None:
    """Let whoever comes from another page begin where the lesson's pictures say something; an address is kept."""
    former = state.settings().epsilon
    if lesson.tells(former):
        return
    state.change_settings(epsilon=lesson.START)
    if not present.on():
        state.get().notices.append(f"The lesson begins at ε = {lesson.START:g}; before it was {former:g}.")


def _just_changed() -> bool:
    return address.to_query(state.get().view) != state.get().shown


def _start(query: Mapping[str, str]) -> None:
    view, refused = address.from_query(query)
    notices = state.start(view).notices
    _note_refused(refused)
    if query.get("data") == UPLOAD and ENTRY not in st.query_params:  # the link of a stored result needs no file
        notices.append("Uploads are kept in memory only and do not survive a reload: upload the file again.")
    if (view.data.x, view.data.y) not in ((None, None), state.columns()):
        notices.append("The address names columns that these data do not have; the first two stand in.")


def _note_refused(refused: tuple[str, ...]) -> None:
    if refused:
        names = ", ".join(refused)
        state.get().notices.append(f"The address has values that cannot be used ({names}); defaults stand in.")


def write_address() -> None:
    """Make the address say what the view is, as one entry of the history; parameters that are not ours stay."""
    query, shown = address.to_query(state.get().view), st.query_params.to_dict()
    ours, former = _ours(shown), state.get().shown
    state.get().shown = query
    if query == ours == former:  # a link to this very page changes what we read, not yet what the bar shows
        return
    if ours == shown:
        st.query_params.from_dict(query)
        return
    # One by one: a parameter that is bound to a widget may not be set, and setting all of them would.
    for name in ours.keys() - query.keys():
        del st.query_params[name]
    for name, text in query.items():
        if ours.get(name) != text:
            st.query_params[name] = text


def _ours(query: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in query.items() if name in address.PARAMETERS}
