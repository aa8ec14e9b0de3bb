"""The panels of one page each."""
