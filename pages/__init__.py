"""Thin pages over privcause_core; each one is a script that Streamlit runs."""
