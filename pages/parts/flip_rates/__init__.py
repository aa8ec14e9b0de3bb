"""Panels of the Flip rates page."""
