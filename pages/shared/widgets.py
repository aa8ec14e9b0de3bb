"""Widgets that mirror the session state."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

import streamlit as st

from pages.shared import messages, state
from privcause_core.text.typed import parse_decimal

_SHOWN_ON = "privcause_shown_on"  # by key, the page that last drew it and the list that it showed
_REPLACED = "privcause_replaced"  # by key, the value that another widget or a button replaced, and when
_STOPS = "privcause_stops"  # by key, the values that a slider has shown
_STARTS_AT = {"selectbox": "index", "radio": "index", "segmented_control": "default"}  # others: "value"
LATE_SECONDS = 1.0  # so long may a browser still send what a widget showed before it was replaced
Value = TypeVar("Value", bound=StrEnum)


def mirrored(
    widget: Callable[..., object],
    label: str,
    key: str,
    value: object,
    store: Callable[[object], None],
    options: Sequence[object] | None = None,
    **more: object,
) -> None:
    """Draw a widget that shows ``value`` and hands what people choose to ``store``.

    A refused choice becomes a notice, and the widget shows the former value again. When a list of options changes
    under a widget, the browser may send an entry of the former list: that is no choice. Nor is the value of before,
    sent by a browser that had not yet heard that another widget has replaced it. A browser that lost what was sent
    when the widget was first drawn begins at the value too, not at the least one.
    """
    labels = tuple(map(more.get("format_func", str), options or ()))  # type: ignore[call-overload]
    shown, shown_on = (state.get().page, labels), st.session_state.setdefault(_SHOWN_ON, {})
    replaced = st.session_state.setdefault(_REPLACED, {})
    if shown_on.get(key) != shown:  # a widget of its own, or another list, of which a browser keeps a former entry
        replaced.pop(key, None)
        st.session_state[key] = value
    elif st.session_state.get(key) != value:
        replaced[key] = st.session_state.get(key), time.monotonic()
        st.session_state[key] = value
    shown_on[key] = shown

    def changed() -> None:
        chosen, (former, when) = st.session_state[key], replaced.get(key, (None, 0.0))
        late = chosen == former and time.monotonic() - when < LATE_SECONDS
        if not late and (options is None or chosen in options):
            with messages.noting():
                store(chosen)

    listed: dict[str, Sequence[object]] = {} if options is None else {"options": options}
    widget(label, key=key, on_change=changed, **listed, **_start(widget, value, options or ()), **more)


def _start(widget: Callable[..., object], value: object, options: Sequence[object]) -> dict[str, object]:
    """Return the argument by which a widget begins at a value; a list without it begins with nothing chosen."""
    name = _STARTS_AT.get(getattr(widget, "__name__", ""), "value")
    return {name: value if name != "index" else options.index(value) if value in options else None}


def stops(key: str, steps: Iterable[float], value: float) -> list[float]:
    """Return the steps of a slider and every value it has shown.

    A list that loses one would make what the browser still holds unknown, and that reads as the first step.
    """
    shown = st.session_state.setdefault(_STOPS, {}).setdefault(key, set())
    shown.add(value)
    return sorted({*steps, *shown})


def typed_number(label: str, key: str, value: float, store: Callable[[float], None], **options: object) -> None:
    """Draw a text box for an exact number: ``1e-6``, ``0.5`` and ``0,5`` are read, 1e-06 is never shown as 0.00."""

    def parsed(text: object) -> None:
        store(float(parse_decimal(label.removeprefix("Exact "), str(text))))

    mirrored(st.text_input, label, key, f"{value:.12g}", parsed, None, **options)


def setting(name: str) -> Callable[[object], None]:
    """Return what stores a widget's value as the named setting."""

    def store(value: object) -> None:
        state.change_settings(**{name: value})

    return store


def choice(
    label: str,
    name: str,
    titles: Mapping[Value, str],
    help_text: str,
    *,
    disabled: bool = False,
    store: Callable[[object], None] | None = None,
) -> None:
    """Draw the named setting as a row of buttons, one for each of its values, in the order of ``titles``."""
    mirrored(
        st.segmented_control,
        label,
        name,
        getattr(state.settings(), name),
        store or setting(name),
        options=list(titles),
        format_func=titles.get,
        required=True,
        disabled=disabled,
        help=help_text,
    )
