"""The decimal mark of an upload whose numbers can be read both ways: asked beside its columns, changed at any time."""

import uuid
from dataclasses import replace

import streamlit as st

from pages.shared import state
from privcause_core.loading import DecimalMark, Table


def open_to_choice() -> bool:
    """Return whether the shown table has columns that can be read under either mark."""
    found = state.get().dataset, state.get().view.data.item
    tables = found[0].as_read or found[0].items
    shown = tables[found[1]] if found[1] < len(tables) else tables[0]
    return isinstance(shown, Table) and bool(shown.ambiguous)


def ask() -> None:
    """Draw a button for each mark, where the page has to wait for the choice."""
    with st.container(horizontal=True):
        for mark in DecimalMark:
            st.button(f"Decimal {mark.word}, as in 1{mark}5", key=f"read_{mark.word}", on_click=choose, args=(mark,))


def choose(mark: object) -> None:
    """Read every open column of the upload under one mark; the chosen columns stay."""
    held = state.get()
    if held.upload is None or not isinstance(mark, DecimalMark):
        return
    as_read = held.upload.as_read or held.upload.items
    items = tuple(one.with_decimal(mark) if isinstance(one, Table) else one for one in as_read)
    held.upload = replace(held.upload, token=uuid.uuid4().hex, items=items, as_read=as_read, decimal=mark)
    data = held.view.data
    state.change_data(x=data.x, y=data.y, sentinels_missing=data.sentinels_missing)
