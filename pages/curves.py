"""Page under construction: the summary only."""

import streamlit as st

from pages.common import messages, panels, router, state

router.guard()

st.title("curves")
with messages.stopping():
    analysis = state.analysis()
panels.summary_strip(analysis)
panels.remarks(analysis.warnings)
