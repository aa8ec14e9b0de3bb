"""Presentation mode, ``?present=1``: no chrome, large type, next and previous by keyboard, true values on request.

A presentation is one line of stops: every page in order, the lesson step by step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages.shared import lesson, state
from pages.shared.controls import epsilon_slider
from pages.shared.view import altered
from privcause_core.pair import Direction

LESSON_PAGE = "learn"
_CSS = Path(__file__).parents[2] / "assets" / "present.css"
_GO = "privcause_present_go"


@dataclass(frozen=True, slots=True)
class Stop:
    """One screen of a presentation: a page by name, and the step of the lesson."""

    page: str
    step: int = 1


def on() -> bool:
    """Return whether this session presents."""
    return state.get().view.stage.present


def hides_true() -> bool:
    """Return whether true values are hidden."""
    return state.get().view.stage.hide


def shows_true(what: str) -> bool:
    """Return whether true values may be seen; where not, say what is hidden."""
    if not hides_true():
        return True
    st.caption(f":material/visibility_off: {what}: hidden while presenting")
    return False


def told(truth: Direction) -> Direction:
    """Return the true arrow for a chart to mark, or undecided while true values are hidden."""
    return Direction.UNDECIDED if hides_true() else truth


def stops(pages: Sequence[str]) -> list[Stop]:
    """Return the presentation's screens in order."""
    steps = range(1, len(lesson.steps()) + 1)
    return [Stop(page, step) for page in pages for step in (steps if page == LESSON_PAGE else (1,))]


def bar(current: str, pages: Sequence[tuple[str, st.Page]], *, pair: bool) -> None:
    """Draw the bar of a presentation at the foot of the page; on pages about a pair it can move epsilon."""
    line = stops([name for name, _ in pages])
    step = state.get().view.stage.step if current == LESSON_PAGE else 1
    here = line.index(Stop(current, min(step, len(lesson.steps()))))
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="present_bar"):
        _button("Previous", "PageUp", ":material/arrow_back:", line, here - 1)
        _button("Next", "PageDown", ":material/arrow_forward:", line, here + 1)
        st.markdown(f"{here + 1} of {len(line)}", width="content")
        if pair:
            with st.container(width=240):
                epsilon_slider("present_epsilon", ends=False)
            hidden = hides_true()
            # A button, not a switch: while a switch has the focus, the page keys do not turn the pages.
            st.button(
                "Show true values" if hidden else "Hide true values",
                key="present_hide",
                help="True scores, margins and fits. Simulated runs still show where the arrow tends.",
                on_click=_stage,
                kwargs={"hide": not hidden},
            )
        st.button("Leave", key="present_leave", shortcut="Esc", on_click=_leave)


def follow(current: str, pages: Sequence[tuple[str, st.Page]]) -> None:
    """Go to the page that a button of the bar chose."""
    target = st.session_state.pop(_GO, current)
    if target != current:
        # An empty address, not none: Streamlit refuses to clear parameters that are bound to widgets of the page left.
        st.switch_page(dict(pages)[target], query_params={})


def style() -> None:
    """Hide the chrome and enlarge the type; before the page is drawn."""
    st.html(_CSS)


def offer() -> None:
    """Draw the button that begins to present, in the sidebar."""
    st.sidebar.button(
        "Present",
        key="present_start",
        icon=":material/slideshow:",
        help="Large type, no sidebar; next and previous by PageDown and PageUp.",
        on_click=_stage,
        kwargs={"present": True},
        width="stretch",
    )


def _button(label: str, key: str, icon: str, line: Sequence[Stop], target: int) -> None:
    st.button(
        label,
        key=f"present_{label.lower()}",
        shortcut=key,
        icon=icon,
        disabled=not 0 <= target < len(line),
        on_click=_go,
        args=(line[target % len(line)],),
    )


def _go(stop: Stop) -> None:
    _stage(step=stop.step)
    st.session_state[_GO] = stop.page


def _leave() -> None:
    _stage(present=False, hide=False)


def _stage(**changes: object) -> None:
    state.change_view(stage=altered(state.get().view.stage, changes))
