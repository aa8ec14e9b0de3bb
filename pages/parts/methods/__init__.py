"""Panels of the Methods page."""
