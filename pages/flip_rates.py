"""How often noise turns the arrow round: simulated beside exact, over epsilon and over the number of test rows."""

import streamlit as st

from pages.parts.flip_rates import rates_panel
from pages.shared import messages, panels, present, router, state
from privcause_core.settings import ALL_SCORES

router.guard()

st.title("How often does noise turn the arrow round?")
with messages.stopping():
    analysis = state.analysis()
panels.summary_strip(analysis)
panels.remarks(analysis.warnings)

if present.shows_true("Flip rates, computed from true scores"):
    st.header("Over ε", divider="gray")
    rates_panel.over_epsilon(analysis)

    st.header("Every measured score at this ε", divider="gray")
    rates_panel.table(analysis)

    shown = analysis.scores if analysis.settings.score == ALL_SCORES else (analysis.headline,)
    if any(one.shares for one in shown):
        st.header("What becomes of all IQR runs", divider="gray")
        rates_panel.shares(analysis)

    st.header("Over the number of test rows", divider="gray")
    rates_panel.over_rows(analysis)
