"""Icon arrays of 100 on a page."""

import streamlit as st

from privcause_core.figures.icons import icon_svg

WIDTH = 400


def icon_array(filled: int, label: str) -> None:
    """Draw 100 icons, the first ``filled`` of them solid; ``label`` says the same to those who do not see them."""
    st.image(icon_svg(filled, label), alt=label, width=WIDTH)
