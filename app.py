"""PrivCause in the browser: page settings and the page registry; start with ``streamlit run app.py``."""

import streamlit as st

from pages.shared import router

st.set_page_config(page_title="PrivCause", page_icon="assets/mark.svg", layout="wide", menu_items={})
st.logo("assets/logo.svg", size="large", icon_image="assets/mark.svg")
router.run()
