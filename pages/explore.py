"""One pair: which way its arrow points, and what privacy does to it, on one screen; the rest is folded below."""

import streamlit as st

from pages.parts.explore import first_screen, folds, gallery, slides
from pages.shared import messages, panels, present, router, state

router.guard()

if present.on():
    with messages.stopping():
        slides.draw(state.analysis())
else:
    st.title(gallery.heading())
    with messages.stopping():
        analysis = state.analysis()
    first_screen.draw(analysis)
    panels.remarks(analysis.warnings)
    gallery.in_sidebar()
    gallery.draw()
    folds.draw(analysis)
