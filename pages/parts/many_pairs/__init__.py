"""Panels of the Many pairs page."""
