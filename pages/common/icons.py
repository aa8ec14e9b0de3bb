"""Icon arrays of 100 on a page."""

import streamlit as st

from privcause_core.figures.chart import PRIVATE
from privcause_core.figures.icons import icon_svg


def icon_array(filled: int, label: str, color: str = PRIVATE) -> None:
    """Draw 100 icons, the first ``filled`` of them solid; ``label`` says the same to screen readers."""
    st.html(icon_svg(filled, label, color))
