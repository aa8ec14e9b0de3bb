"""Taking an analysis along: teaching report, JSON, CSV, settings, and the command that repeats the numbers.

Every file is built from the frozen analysis at hand when it is asked for, never from the session.
"""

from collections.abc import Callable

import streamlit as st

from pages.shared import messages, state
from pages.shared.panels import TRUE_NOTE
from pages.shared.view import UPLOAD
from privcause_core.errors import ParameterError
from privcause_core.explore.analysis import Analysis
from privcause_core.exports.files import (
    Source,
    analysis_csv,
    analysis_json,
    command_line,
    settings_from_yaml,
    settings_yaml,
)
from privcause_core.loading import Table
from privcause_core.report import teaching_report
from privcause_core.samples.address import sample_address

_LOAD = "load_settings"
MOST_MEGABYTES = 1


def panel(analysis: Analysis) -> None:
    """Offer every export of an analysis."""
    command = command_line(_source(), analysis.settings)
    st.markdown(f"Reports and tables here hold true values: {TRUE_NOTE}. What may be published: the **Release** page.")
    with st.container(horizontal=True, key="exports"):
        _file("Teaching report (HTML)", lambda: teaching_report(analysis, command), "teaching-report.html", "text/html")
        _file("JSON", lambda: analysis_json(analysis), "analysis.json", "application/json")
        _file("CSV", lambda: analysis_csv(analysis), "analysis.csv", "text/csv")
        _file("Settings (YAML)", lambda: settings_yaml(analysis.settings), "settings.yaml", "application/yaml")
    st.caption(
        "Pictures: the camera in each chart's corner saves an SVG, made in the browser. To get a PDF, open the report "
        "and print it."
    )
    st.markdown("The same numbers on the command line (`pip install .` in the program's folder brings it):")
    st.code(command, language="bash", wrap_lines=True)
    with st.expander("Load a settings file", key="load_box"):
        st.file_uploader("Settings (YAML)", ["yaml", "yml"], key=_LOAD, max_upload_size=MOST_MEGABYTES,
                         on_change=_load_settings)  # fmt: skip


def _file(label: str, build: Callable[[], str], name: str, mime: str) -> None:
    st.download_button(
        label, lambda: build().encode(), f"privcause-{name}", mime,
        key=f"export_{name}", icon=":material/download:", on_click="ignore",
    )  # fmt: skip


def _source() -> Source:
    """Return how the command line finds the shown pair."""
    data, dataset, item = state.get().view.data, state.get().dataset, state.item()
    x, y = state.columns()
    columns = (None, None) if (x, y) == (0, 1) else (str(x + 1), str(y + 1))
    if data.data != UPLOAD:
        return Source(sample_address(data.data, data.rows, data.noise, data.data_seed), None, *columns)
    missing = isinstance(item, Table) and data.sentinels_missing
    pair = item.name if len(dataset.items) > 1 else None
    return Source(dataset.name, pair, str(x + 1), str(y + 1), sentinels_missing=missing)


def _load_settings() -> None:
    file = st.session_state[_LOAD]
    if file is None:
        return
    with messages.noting():
        try:
            text = file.getvalue().decode("utf-8")
        except UnicodeDecodeError:
            raise ParameterError("Expected settings as UTF-8 text.") from None
        state.change_settings(**settings_from_yaml(text).to_dict())
