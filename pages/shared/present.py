"""Presentation mode, ``?present=1``: slides that fill the screen, turned by a clicker, true values hidden on request.

A presentation is one line of stops: the slides of the loaded pair, the lesson step by step, and Release at the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import streamlit as st

from pages.shared import lesson, state
from pages.shared.view import altered
from privcause_core.figures.hero import STEPS
from privcause_core.pair import Direction

PAIR_PAGE, LESSON_PAGE, RELEASE_PAGE = "explore", "learn", "release"
SLIDES = ("question", "pair", "residuals", "bells", "flips", "theorem", "takes", "verdict")
TELLS_NOTHING_TRUE = ("question", "flips")
BESIDE = {"flip_rates": "flips", "curves": "theorem", "many_pairs": "takes"}  # pages that are no stop, by their slide
_ASSETS = Path(__file__).parents[2] / "assets"
_GO = "privcause_present_go"
_KEYS = st.components.v2.component(
    "privcause_keys",
    html='<button type="button">Full screen <kbd>F</kbd></button>',
    css=(
        "button { font: inherit; color: inherit; background: none; border: 1px solid currentColor; "
        "border-radius: .5rem; padding: .4rem .9rem; cursor: pointer; white-space: nowrap; }"
    ),
    js=(_ASSETS / "present.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True, slots=True)
class Stop:
    """One screen of a presentation: a page by name, and its slide or the step of the lesson, from 1."""

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


def stops() -> list[Stop]:
    """Return the presentation's screens in order; while true values are hidden, without slides that show only these."""
    shown = TELLS_NOTHING_TRUE if hides_true() else SLIDES
    slides = [Stop(PAIR_PAGE, k) for k, name in enumerate(SLIDES, 1) if name in shown]
    return slides + [Stop(LESSON_PAGE, k) for k in range(1, len(lesson.steps()) + 1)] + [Stop(RELEASE_PAGE)]


def slide() -> str:
    """Return the name of the slide of the pair that is shown."""
    return SLIDES[min(state.get().view.stage.slide, len(SLIDES)) - 1]


def bar(current: str) -> None:
    """Draw the bar of a presentation at the foot of the page, and take its keys."""
    line = stops()
    here = _here(current, line)

    def turned() -> None:
        told = (st.session_state.get("present_keys") or {}).get("turn") or {}
        if told.get("epsilon") in STEPS:
            state.change_settings(epsilon=told["epsilon"])
        target = 0 if told.get("home") is True else here + told["by"] if told.get("by") in (-1, 1) else -1
        if 0 <= target < len(line):
            _go(line[target])

    with st.bottom, st.container(horizontal=True, vertical_alignment="center", key="present_bar"):
        _button("Previous", ":material/arrow_back:", line, here - 1)
        _button("Next", ":material/arrow_forward:", line, here + 1)
        st.markdown(f"{here + 1} of {len(line)} · ε = {state.settings().epsilon:g}", width="content")
        hidden = hides_true()
        st.button(
            "Show true values" if hidden else "Hide true values",
            key="present_hide",
            help="True scores, margins and fits. Simulated runs still show where the arrow tends.",
            on_click=_hide,
            args=(not hidden,),
        )
        _KEYS(key="present_keys", on_turn_change=turned, on_nudge_change=_nudge)
        st.button("Leave", key="present_leave", shortcut="Esc", on_click=_leave)


def _here(current: str, line: Sequence[Stop]) -> int:
    """Return the place of the shown screen; a page that is no stop stands at the slide beside it."""
    stage = state.get().view.stage
    if current == PAIR_PAGE:
        return _place(min(stage.slide, len(SLIDES)), line)
    if current in BESIDE:
        return _place(SLIDES.index(BESIDE[current]) + 1, line)
    if current == LESSON_PAGE:
        return line.index(Stop(LESSON_PAGE, min(stage.step, len(lesson.steps()))))
    return len(line) - (1 if current == RELEASE_PAGE else 2)  # the methods stand at the end of the lesson


def _place(slide: int, line: Sequence[Stop]) -> int:
    """Return the place of a slide, or of the one before it where that is left out."""
    return max(0, sum(stop.page == PAIR_PAGE and stop.step <= slide for stop in line) - 1)


def _nudge() -> None:
    """Move epsilon one step where no picture does it in the browser."""
    by = (st.session_state.get("present_keys") or {}).get("nudge")
    if by in (-1, 1):
        now = min(range(len(STEPS)), key=lambda k: abs(STEPS[k] - state.settings().epsilon))
        state.change_settings(epsilon=STEPS[min(max(now + by, 0), len(STEPS) - 1)])


def follow(current: str, pages: Sequence[tuple[str, st.Page]]) -> None:
    """Go to the page that a button of the bar chose."""
    target = st.session_state.pop(_GO, current)
    if target != current:
        # An empty address, not none: Streamlit refuses to clear parameters that are bound to widgets of the page left.
        st.switch_page(dict(pages)[target], query_params={})


def style() -> None:
    """Hide the chrome and enlarge the type; before the page is drawn."""
    st.html(_ASSETS / "present.css")


def offer() -> None:
    """Draw the button that begins to present, in the sidebar; its twin is seen while that is folded away."""
    with st.sidebar:
        _offer("present_start", "stretch")
    with st.container(key="present_folded"):
        _offer("present_start_folded", "content")


def _offer(key: str, width: Literal["stretch", "content"]) -> None:
    st.button(
        "Present",
        key=key,
        icon=":material/slideshow:",
        help="Large type, no sidebar; next and previous by PageDown and PageUp, the first by Home.",
        on_click=_begin,
        width=width,
    )


def _begin() -> None:
    state.get().presents_from = state.get().page
    _stage(present=True)


def _button(label: str, icon: str, line: Sequence[Stop], target: int) -> None:
    st.button(
        label,
        key=f"present_{label.lower()}",
        icon=icon,
        disabled=not 0 <= target < len(line),
        on_click=_go,
        args=(line[target % len(line)],),
    )


def _go(stop: Stop) -> None:
    if stop.page == PAIR_PAGE:
        _stage(slide=stop.step)
    elif stop.page == LESSON_PAGE:
        _stage(step=stop.step)
    st.session_state[_GO] = stop.page


def _hide(hide: bool) -> None:
    """Hide true values, and go on to the next slide that shows something then."""
    _stage(hide=hide)
    left = [stop.step for stop in stops() if stop.page == PAIR_PAGE]
    _stage(slide=next((step for step in left if step >= state.get().view.stage.slide), left[-1]))


def _leave() -> None:
    """End the presentation on the page where it began; one that a link began ends where it is."""
    if origin := state.get().presents_from:
        st.session_state[_GO], state.get().presents_from = origin, ""
    _stage(present=False, hide=False)


def _stage(**changes: object) -> None:
    state.change_view(stage=altered(state.get().view.stage, changes))
