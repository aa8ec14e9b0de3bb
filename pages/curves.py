"""The theorems as curves, and the planner: any two of certainty, epsilon and test rows give the third."""

import streamlit as st

from pages.parts.curves import curves_panel, planner_panel
from pages.shared import messages, panels, present, router, state

router.guard()

st.title("How sure is the private arrow, and what would it take?")
with messages.stopping():
    analysis = state.analysis()
panels.summary_strip(analysis)
panels.remarks(analysis.warnings)

st.header("Planner", divider="gray")
planner_panel.planner(analysis)

st.header("How often the private arrow is right (Theorems 3 and 5)", divider="gray")
if present.shows_true("Curves with the loaded pair"):
    curves_panel.curves(analysis)
