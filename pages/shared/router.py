"""The page registry, and the guard that makes a first deep link work.

Streamlit starts a fresh server in its old multipage mode because a folder is named ``pages``: the first visit to a
page's address would run the page's file without ``app.py``. :func:`guard` notices and hands over.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import streamlit as st

from pages.shared import controls, login, messages, present, raw_bytes, visit

_ROUTED = "privcause_routed"
_ROOT = Path(__file__).parents[2]
_ICON = _ROOT / "assets" / "mark.svg"
_THEME_CSS = _ROOT / "assets" / "theme.css"


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One page: its file in ``pages/`` (also its address), title, icon and what it is for.

    ``sidebar`` says whether the page works on the chosen pair and so needs the shared controls; ``slider`` whether
    these hold the slider of epsilon.
    """

    name: str
    title: str
    icon: str
    help: str
    sidebar: bool = True
    slider: bool = True


REGISTRY = (
    PageEntry(
        "explore", "Explore", ":material/explore:", "One pair, and what privacy does to its arrow.", slider=False
    ),
    PageEntry(
        "flip_rates", "Flip rates", ":material/swap_horiz:", "How often noise turns the arrow round.", slider=False
    ),
    PageEntry(
        "curves", "Correctness curves", ":material/show_chart:", "The theorems, and what it would take.", slider=False
    ),
    PageEntry(
        "many_pairs",
        "Many pairs",
        ":material/grid_view:",
        "How often the arrow is right, over many pairs.",
        slider=False,
    ),
    PageEntry(
        "release", "Release", ":material/lock_open_right:", "Spend privacy budget on a public result.", sidebar=False
    ),
    PageEntry("learn", "Learn", ":material/school:", "A lesson of ten minutes, from the start.", sidebar=False),
    PageEntry("methods", "Methods", ":material/functions:", "Definitions, proofs, slips, references.", sidebar=False),
)


def guard() -> None:
    """Hand over to ``app.py`` if this page's file was started without it; first line of every page."""
    if not st.session_state.pop(_ROUTED, False):
        st.set_page_config(page_icon=_ICON)  # without one the browser would ask a font host for the page's symbol
        st.navigation([page for _, page in _pages()], position="hidden")
        st.rerun()


def run() -> None:
    """Draw what all pages share, then the chosen page."""
    raw_bytes.keep_in_memory()
    pages = _pages()
    current = st.navigation([page for _, page in pages])
    entry = next(entry for entry, page in pages if page is current)
    st.set_page_config(page_title=f"{entry.title} · PrivCause")
    login.require()
    st.html(_THEME_CSS)
    visit.begin(entry.name)
    stage = [(one.name, page) for one, page in pages[: len(REGISTRY)]]
    present.follow(entry.name, stage)
    _around(entry)
    visit.write_address()
    messages.show_notices()
    st.session_state[_ROUTED] = True
    if present.on():
        present.bar(entry.name)  # first: a page that stops early can be left too
    if entry.sidebar:
        _printed_note()
    current.run()


def _printed_note() -> None:
    """Say on paper, where nobody sees the page around it, what it holds."""
    if not present.hides_true():
        with st.container(key="printed"):
            st.markdown("Holds true, non-private values: for you, not a private release.")


def _around(entry: PageEntry) -> None:
    """Draw the sidebar, which a presentation does without."""
    if present.on():
        present.style()
        return
    present.offer()  # first: a sidebar is long
    if entry.sidebar:
        controls.sidebar(slider=entry.slider)
    login.who()


def _pages() -> list[tuple[PageEntry, st.Page]]:
    """Return every page; the first one is "/" to Streamlit, so a hidden twin answers to its own name."""
    first, *others = REGISTRY
    front, twin = _page(first, "front", default=True), _page(first, first.name, visibility="hidden")
    return [(first, front), *((entry, _page(entry, entry.name)) for entry in others), (first, twin)]


def _page(
    entry: PageEntry, url_path: str, *, default: bool = False, visibility: Literal["visible", "hidden"] = "visible"
) -> st.Page:
    path = _ROOT / "pages" / f"{entry.name}.py"
    return st.Page(
        path,
        title=entry.title,
        icon=entry.icon,
        url_path=url_path,
        help=entry.help,
        default=default,
        visibility=visibility,
    )
