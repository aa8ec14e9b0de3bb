"""Taking an analysis along: teaching report, JSON, CSV, settings, and the command that repeats the numbers.

Every file is built from the frozen analysis at hand when it is asked for, never from the session.
"""

from collections.abc import Callable
from urllib.parse import urlencode

import segno
import streamlit as st

from pages.parts.explore import compare_panel, first_screen
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
from privcause_core.figures import hero
from privcause_core.loading import Table
from privcause_core.report import board_summary, teaching_report
from privcause_core.samples.address import sample_address

_LOAD = "load_settings"
MOST_MEGABYTES = 1
_PICTURE = st.components.v2.component(
    "privcause_picture",
    html=hero.picture_markup(),
    css=hero.picture_styles(),
    js=f"{hero.picture_script()}\nexport default mountPicture;",
)


def panel(analysis: Analysis) -> None:
    """Offer every export of an analysis."""
    command = command_line(_source(), analysis.settings)
    st.markdown(f"Reports and tables here hold true values: {TRUE_NOTE}. What may be published: the **Release** page.")
    _PICTURE(key="picture", data=first_screen.scene(analysis, file=hero.file_name(analysis)))
    with st.container(horizontal=True, key="exports"):
        _file("Teaching report (HTML)", lambda: teaching_report(analysis, command), "teaching-report.html", "text/html")
        pinned = dict(list(compare_panel.shown().items())[:2])
        if len(pinned) > 1:
            _file("Summary of A and B (one page)", lambda: board_summary(pinned), "summary.html", "text/html")
        _file("JSON", lambda: analysis_json(analysis), "analysis.json", "application/json")
        _file("CSV", lambda: analysis_csv(analysis), "analysis.csv", "text/csv")
        _file("Settings (YAML)", lambda: settings_yaml(analysis.settings), "settings.yaml", "application/yaml")
    st.caption(
        "Pictures are of slide size and made in your browser. To get a PDF, open the report and print it. "
        "Pin two settings above, and a one-page summary of both appears here."
    )
    _code_of_the_link()
    st.markdown("The same numbers on the command line (`pip install .` in the program's folder brings it):")
    st.code(command, language="bash", wrap_lines=True)
    with st.expander("Load a settings file", key="load_box"):
        st.file_uploader("Settings (YAML)", ["yaml", "yml"], key=_LOAD, max_upload_size=MOST_MEGABYTES,
                         on_change=_load_settings)  # fmt: skip


def _code_of_the_link() -> None:
    """Draw the link of this page as a QR code, for an audience; a file is not in it."""
    query = urlencode(st.query_params.to_dict())
    link = f"{st.context.url or ''}{'?' * bool(query)}{query}"
    with st.popover("QR code of the link", icon=":material/qr_code:", key="qr_box"):
        st.image(segno.make(link, error="m").svg_inline(scale=5, border=4, light="#fff"), alt=f"QR code of {link}")
        st.caption("Opens this page where this address can be reached. Settings are in the link, rows are not.")


def _file(label: str, build: Callable[[], str], name: str, mime: str) -> None:
    st.download_button(
        label, lambda: build().encode("utf-8-sig" if mime == "text/csv" else "utf-8"), f"privcause-{name}", mime,
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
