"""One pair: which way its arrow points, and what privacy does to it, on one screen; the rest is folded below."""

import streamlit as st

from pages.parts.explore import first_screen, folds, gallery, slides, two_ways
from pages.shared import messages, panels, present, router, state, turning

router.guard()

if present.on():
    with messages.stopping():
        slides.draw(state.analysis())
else:
    st.title(gallery.heading())
    with messages.stopping():
        analysis = state.analysis()
    first_screen.draw(analysis)
    two_ways.remark(analysis)
    panels.remarks(analysis.warnings)
    gallery.in_sidebar()
    gallery.draw()
    turning.to_top_from_cards()
    folds.draw(analysis)
