"""One way to put a chart on a page: picture, alt text, numbers as a table."""

import plotly.graph_objects as go
import streamlit as st

from privcause_core.figures.chart import Chart

INK = {"light": "#454B53", "dark": "#C9D0D7"}  # axis text at 4.5:1 or more; Streamlit's own grey is paler


def show(chart: Chart) -> None:
    """Draw a chart and, folded below, the same numbers as a table that can be downloaded."""
    _ink(chart.figure)
    st.plotly_chart(chart.figure, key=f"chart_{chart.name}", config=chart.config, alt=chart.alt)
    _numbers(chart)


@st.fragment
def _numbers(chart: Chart) -> None:
    """Build the table only when it is opened; opening it reruns nothing else."""
    with st.expander("The numbers of this chart", key=f"table_{chart.name}", on_change="rerun") as opened:
        if opened.open:
            st.caption(chart.alt)
            st.dataframe(dict(chart.table), hide_index=True, alt=f"The numbers of the chart: {chart.alt}")


def _ink(figure: go.Figure) -> None:
    """Write the axes and the legend in the theme's ink."""
    ink = INK.get(st.context.theme.type or "")
    if ink is not None:
        for part in (figure.layout.xaxis, figure.layout.yaxis):
            part.tickfont.color = part.title.font.color = ink
        figure.layout.legend.font.color = ink
