"""Charts as pure functions: values in, a :class:`~privcause_core.figures.chart.Chart` out.

With ``report.py`` the only importers of Plotly.
"""
