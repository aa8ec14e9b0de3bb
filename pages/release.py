"""The one page that spends privacy budget, as numbered steps.

Nothing on it depends on a private value but the mechanism's own output, and that the ledger recognises a table.
"""

import streamlit as st

from pages.parts.release import certificate_check, wizard
from pages.shared import present, router

router.guard()

st.title("Release")
st.markdown("A private result made to be published. Everything before the last click is what you type, or public.")
wizard.draw()
if not present.on():
    certificate_check.draw()
