"""A whole table: which columns, the matrix of their arrows, the list, and what releasing some of them would cost."""

from collections.abc import Hashable
from dataclasses import dataclass, field

import streamlit as st

from pages.parts.many_pairs import sweep_job
from pages.shared import data_controls, messages, present, session, state
from pages.shared.controls import epsilon_slider
from pages.shared.show import on_paper
from pages.shared.waiting import UNASKED_UP_TO, spoken
from pages.shared.wording import literal, score_title
from privcause_core.figures.chart import TRUE_NOTE, short_percent
from privcause_core.figures.matrix import arrow_matrix, doubt_columns
from privcause_core.loading import Table
from privcause_core.settings import Settings
from privcause_core.sweep import MeasuredPair
from privcause_core.sweep.whole_table import (
    CAVEAT,
    COLUMNS_MAX,
    Cell,
    TableArrow,
    cells,
    cost_of,
    first_columns,
    judge_table,
    measure_cell,
    one_score,
    sample_table,
    table_seconds,
)
from privcause_core.text.names import isolated, visible

SAMPLE = "sample"


@dataclass(slots=True, eq=False)
class TableJob:
    """What is measured of a table under one score, and whether the visitor wants more (None: not asked)."""

    table: Table
    settings: Settings
    found: dict[Cell, MeasuredPair] = field(default_factory=dict)
    wanted: bool | None = None

    def want(self) -> None:
        """Measure what is left."""
        self.wanted = True

    def stop(self) -> None:
        """Measure no further pair."""
        self.wanted = False


def draw() -> None:
    """Draw the panel."""
    if not present.shows_true("Arrows between columns, computed from noise-free scores"):
        return
    table, token = _table()
    settings = one_score(sweep_job.settings())
    yours = " Upload a table of your own in the sidebar." if token == SAMPLE else ""
    st.markdown(f"**{literal(isolated(table.name))}**: {table.rows_read:,} rows. {literal(CAVEAT)}{yours}")
    columns = _columns(table, token)
    if len(columns) < 2:
        st.info("Choose two columns or more.", icon=":material/info:")
        return
    with messages.stopping():
        cost_of(table, settings, 1)  # refuses a score that cannot protect the rows as chosen, or too few rows
    job, wanted = _job(table, token, settings), cells(columns)
    _advance(job, wanted)
    found = {cell: job.found[cell] for cell in wanted if cell in job.found}
    if found:
        epsilon_slider()
        arrows = judge_table(table, found, settings)
        _show(table, columns, arrows, settings)
        _price(table, settings, len(arrows))


def _table() -> tuple[Table, Hashable]:
    """Return the table of the upload that is shown, else the bundled one, and what tells it from every other."""
    found, shown = state.item(), state.get().dataset
    if isinstance(found, Table):
        return found, (shown.token, state.get().view.data.item)
    return state.remember("sample table", sample_table), SAMPLE


def _columns(table: Table, token: Hashable) -> list[int]:
    chosen = st.multiselect(
        f"Columns, up to {COLUMNS_MAX}",
        table.numeric_columns,
        default=first_columns(table),
        format_func=lambda one: visible(table.columns[one].label),
        key=f"table_columns_{token}",
        max_selections=COLUMNS_MAX,
        persist_state="session",
    )
    data_controls.not_chosen(table, key="table_other_columns")
    return sorted(chosen)


def _job(table: Table, token: Hashable, settings: Settings) -> TableJob:
    """Return the job for a table and a score, as far as it has come."""
    by = state.measured_by(settings)
    job = state.remember(("table", token, by), lambda: TableJob(table, by))
    if token == SAMPLE:
        job.found = session.remember_public(("table", by), dict)
    return job


def _advance(job: TableJob, wanted: list[Cell]) -> None:
    """Measure what is left, with progress and a stop button; dear work waits for a click, any click ends the loop."""
    left = [cell for cell in wanted if cell not in job.found]
    seconds, box = table_seconds(job.table, len(left), job.settings), st.empty()
    if left and (job.wanted or (job.wanted is None and seconds <= UNASKED_UP_TO)):
        with box.container():
            bar = st.progress(0.0, text="")
            st.button("Stop", key="table_stop", icon=":material/stop_circle:", on_click=job.stop)
            for done, cell in enumerate(left, start=len(wanted) - len(left)):
                bar.progress(done / len(wanted), text=f"Measuring both directions: {done} of {len(wanted)} pairs")
                job.found[cell] = measure_cell(job.table, cell, job.settings)
        box.empty()
    elif left:
        with box.container():
            st.info(f"{len(left)} of {len(wanted)} pairs are left; they take about {spoken(seconds)}.")
            st.button("Measure them", key="table_go", icon=":material/play_arrow:", on_click=job.want, type="primary")


def _show(table: Table, columns: list[int], arrows: list[TableArrow], settings: Settings) -> None:
    chart = arrow_matrix([(one, table.columns[one].label) for one in columns], arrows, settings.epsilon)
    st.plotly_chart(chart.figure, key="chart_table", config=chart.config, alt=chart.alt)
    st.header("The surest first", divider="gray")
    shares = {
        name: [None if share is None else short_percent(share) for share in column]
        for name, column in doubt_columns(arrows).items()
    }
    listed = dict(chart.table) | shares
    st.dataframe(
        listed,
        hide_index=True,
        placeholder="—",
        alt=f"Every pair, the surest first. {chart.alt}",
    )
    on_paper("arrows", listed)
    st.caption(
        f"Noise-free arrows by {score_title(settings.score)}: {TRUE_NOTE}. Privacy: the share of private runs at ε = "
        f"{settings.epsilon:g} that agree. Sampling: how surely other people would. Both: the share of private runs "
        "with those people's arrow. An arrow is told where the margin is three standard errors "
        "from 0; of many unrelated pairs a few still look related, and of many pairs a few tell an arrow by luck."
    )


def _price(table: Table, settings: Settings, pairs: int) -> None:
    st.header("What would releasing some of them cost?", divider="gray")
    k = int(st.number_input("Arrows to release", 1, pairs, min(3, pairs), 1, key="table_k", width=180))
    one, cost = cost_of(table, settings, 1), cost_of(table, settings, k)
    delta = f" and δ = {cost.delta:g}" if cost.delta else ""
    st.markdown(
        f"**{k} at ε = {one.epsilon:g} each spend ε = {cost.epsilon:g}{delta}** (basic composition: they add). "
        f"Within ε = {one.epsilon:g} altogether each gets {one.epsilon / k:.3g}. Choose them without looking at this "
        "matrix: which ones were chosen would tell of the rows too."
    )
