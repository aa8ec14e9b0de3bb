"""Regressions and residuals: split the rows, fit both ways, say what is left over."""
