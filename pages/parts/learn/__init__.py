"""Panels of the lesson."""
