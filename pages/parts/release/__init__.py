"""Panels of the Release page."""
