"""One way to put a chart on a page: picture, alt text, numbers as a table."""

import plotly.graph_objects as go
import streamlit as st

from privcause_core.figures.chart import Chart

INK = {"light": "#454B53", "dark": "#C9D0D7"}  # axis text at 4.5:1 or more; Streamlit's own grey is paler


def show(chart: Chart) -> None:
    """Draw a chart and, folded below, the same numbers as a table that can be downloaded."""
    st.plotly_chart(_inked(chart.figure), key=f"chart_{chart.name}", config=chart.config, alt=chart.alt)
    with st.expander("The numbers of this chart", key=f"table_{chart.name}"):
        st.caption(chart.alt)
        st.dataframe(dict(chart.table), hide_index=True, alt=f"The numbers of the chart: {chart.alt}")


def _inked(figure: go.Figure) -> go.Figure:
    ink = INK.get(st.context.theme.type or "")
    if ink is None:
        return figure
    axis = {"title_font_color": ink, "tickfont_color": ink}
    return go.Figure(figure).update_layout(legend_font_color=ink).update_xaxes(axis).update_yaxes(axis)
