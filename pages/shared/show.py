"""One way to put a chart on a page: picture, alt text, numbers as a table; and long tables on paper."""

from collections.abc import Mapping, Sequence

import streamlit as st

from pages.shared import present
from privcause_core.figures.chart import Chart
from privcause_core.loading.wording import counted
from privcause_core.pair import FloatArray

PRINTED_ROWS = 200  # of a long table; its CSV has them all


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
            on_paper(f"numbers_{chart.name}", chart.table)


def on_paper(key: str, columns: Mapping[str, Sequence[object] | FloatArray]) -> None:
    """Draw a table for paper only, where nobody can scroll the one that is on the screen."""
    rows = max(map(len, columns.values()))
    with st.container(key=f"printed_{key}"):
        st.table({name: list(map(_cell, cells[:PRINTED_ROWS])) for name, cells in columns.items()}, hide_index=True)
        if rows > PRINTED_ROWS:
            st.markdown(f"and {counted(rows - PRINTED_ROWS, 'more row')}.")


def _cell(value: object) -> str:
    if value is None:
        return "—"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
