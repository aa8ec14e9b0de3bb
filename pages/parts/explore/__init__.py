"""Panels of the Explore page."""
