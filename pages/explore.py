"""One pair: which way its arrow points, and what privacy does to it, on one screen; the rest is folded below."""

import streamlit as st

from pages.parts.explore import first_screen, folds, gallery
from pages.shared import messages, panels, present, router, state

router.guard()

st.title("Does the arrow survive privacy?")
with messages.stopping():
    analysis = state.analysis()
first_screen.draw(analysis)
if not present.on():
    panels.remarks(analysis.warnings)
    gallery.in_sidebar()
    gallery.on_first_visit()
    folds.draw(analysis)
