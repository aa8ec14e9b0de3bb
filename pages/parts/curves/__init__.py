"""Panels of the Correctness curves page."""
