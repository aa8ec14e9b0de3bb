"""One way to put a chart on a page: picture, alt text, numbers as a table."""

import streamlit as st

from pages.shared import present
from privcause_core.figures.chart import Chart


def show(chart: Chart) -> None:
    """Draw a chart and, folded below, the same numbers as a table that can be downloaded."""
    if present.on():
        slide = chart.for_a_slide()
        with st.container(key=f"slide_chart_{chart.name}"):  # as high as the style sheet says, whatever the screen
            st.plotly_chart(
                slide.figure, key=f"chart_{chart.name}", config=slide.config, alt=chart.alt, height="stretch"
            )
        return
    st.plotly_chart(chart.figure, key=f"chart_{chart.name}", config=chart.config, alt=chart.alt)
    _numbers(chart)


@st.fragment
def _numbers(chart: Chart) -> None:
    """Build the table only when it is opened; opening it reruns nothing else."""
    with st.expander("The numbers of this chart", key=f"table_{chart.name}", on_change="rerun") as opened:
        if opened.open:
            st.caption(chart.alt)
            st.dataframe(dict(chart.table), hide_index=True, alt=f"The numbers of the chart: {chart.alt}")
