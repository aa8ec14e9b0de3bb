"""The sidebar's upper part: which data, which pair, which columns."""

from functools import partial

import streamlit as st

from pages.shared import decimals, doors, state
from pages.shared.doors import Door
from pages.shared.view import UPLOAD
from pages.shared.widgets import mirrored
from pages.shared.wording import literal
from privcause_core.loading import DecimalMark, Table
from privcause_core.loading.wording import counted
from privcause_core.pair import Pair
from privcause_core.samples import FIRST_SAMPLE, NOISE_MAX, NOISE_MIN, ROWS_MAX, ROWS_MIN, Sample, samples
from privcause_core.settings import SEED_MAX
from privcause_core.text.names import harmless, isolated, visible

SOURCES = ("Sample", "Upload")
OTHERS_NAMED = 50


def draw() -> None:
    """Draw the choice of data, pair and columns."""
    st.subheader("Data")
    mirrored(
        st.segmented_control,
        "Source",
        "source",
        SOURCES[state.get().uploading],
        _choose_source,
        options=SOURCES,
        required=True,
        label_visibility="collapsed",
        width="stretch",
    )
    if state.get().uploading:
        _upload()
    else:
        _sample()
    _columns()


def _choose_source(source: object) -> None:
    """Show the samples or the upload box; the data change as soon as there are some of that kind."""
    state.get().uploading = source == "Upload"
    if state.get().uploading and state.get().upload is not None:
        state.change_data(data=UPLOAD, item=0)
    elif not state.get().uploading and state.get().view.data.data == UPLOAD:
        state.change_data(data=FIRST_SAMPLE, item=0)


def _sample() -> None:
    data = state.get().view.data
    about = {sample.slug: sample for sample in samples()}
    mirrored(
        st.selectbox,
        "Sample",
        "data",
        data.data,
        lambda slug: state.change_data(data=slug, item=0),
        options=list(about),
        format_func=lambda slug: about[slug].title,
    )
    _describe(about[data.data])
    if not about[data.data].synthetic:
        return
    with st.expander("Make other synthetic rows", key="synthetic"):
        _knob("Rows", "rows", ROWS_MIN, ROWS_MAX, 100)
        _knob("Noise (share of the effect's spread)", "noise", NOISE_MIN, NOISE_MAX, 0.05)
        _knob("Seed of the rows", "data_seed", 0, SEED_MAX, 1)


def _describe(sample: Sample) -> None:
    st.caption(sample.description)


def _knob(label: str, name: str, low: float, high: float, step: float) -> None:
    value = getattr(state.get().view.data, name)

    def store(chosen: object) -> None:
        state.change_data(**{name: chosen})

    mirrored(st.number_input, label, name, value, store, min_value=low, max_value=high, step=step)


def _upload() -> None:
    doors.draw(Door.EXPLORE)
    sealed, upload = state.get().sealed, state.get().upload
    if sealed is not None:
        st.text(f"Sealed for a release: {isolated(sealed.name)}. No page shows anything of it.", width="stretch")
        st.page_link("pages/release.py", label="Go on to Release", icon=":material/lock_open_right:")
    if upload is None:
        st.caption(literal(f"No file is loaded to look at. Shown: {isolated(state.get().dataset.name)}."))
        return
    st.text(f"Loaded: {isolated(upload.name)}", width="stretch")
    if upload.remarks:
        with st.expander(f"{counted(len(upload.remarks), 'remark')} on the files", key="file_remarks"):
            for remark in upload.remarks[:50]:
                st.text(harmless(remark))


def _columns() -> None:
    dataset, found = state.get().dataset, state.item()
    if len(dataset.items) > 1:
        mirrored(
            st.selectbox,
            "Table or pair",
            "item",
            dataset.items.index(found),
            lambda position: state.change_data(item=position),
            options=range(len(dataset.items)),
            format_func=lambda position: visible(dataset.items[position].name),
        )
    labels, order = _labels(found)
    for axis, position in zip("xy", state.columns(), strict=True):
        mirrored(
            st.selectbox,
            f"Column {axis.upper()}",
            axis,
            position,
            partial(_choose_column, axis),
            options=order,
            format_func=labels.__getitem__,
        )
    _decimal()
    not_chosen(found)
    _sentinels(found)


def _decimal() -> None:
    if not decimals.open_to_choice():
        return
    mirrored(
        st.segmented_control,
        "Decimal mark of this file",
        "file_decimal",
        state.get().dataset.decimal,
        decimals.choose,
        options=list(DecimalMark),
        format_func=lambda mark: f"{mark.word} (1{mark}5)",
        help="Its numbers can be read both ways, as 1,234 can; choose as the file was written.",
    )


def not_chosen(found: Table | Pair, key: str = "other_columns") -> None:
    """Name the columns that cannot be X or Y, each with its reason: its kind, never a cell."""
    others = [one for one in found.columns if not one.numeric] if isinstance(found, Table) else []
    if not others:
        return
    with st.expander(f"{counted(len(others), 'other column')}", key=key):
        for one in others[:OTHERS_NAMED]:
            st.text(f"{isolated(one.label)}: {one.reason or 'no numbers'}")
        if len(others) > OTHERS_NAMED:
            st.text(f"and {len(others) - OTHERS_NAMED:,} more")


def _labels(found: Table | Pair) -> tuple[tuple[str, ...], list[int]]:
    """Return every column's label, and the positions that can be chosen, identifier-looking ones last."""
    if not isinstance(found, Table):
        return (visible(found.x_name), visible(found.y_name)), [0, 1]
    order = sorted(found.numeric_columns, key=lambda one: found.columns[one].looks_like_identifier)
    return tuple(visible(column.label) for column in found.columns), order


def _choose_column(axis: str, position: object) -> None:
    """Choose a column; the one that the other axis shows already changes places with this one."""
    x, y = state.columns()
    other = y if axis == "x" else x
    former = x if axis == "x" else y
    mine, theirs = position, former if position == other else other
    state.change_data(
        x=mine if axis == "x" else theirs,
        y=theirs if axis == "x" else mine,
        sentinels_missing=state.get().view.data.sentinels_missing,
    )


def _sentinels(found: Table | object) -> None:
    if not isinstance(found, Table):
        return
    markers = sorted({marker for position in state.columns() for marker in found.columns[position].sentinels})
    if not markers:
        return
    x, y = state.columns()
    mirrored(
        st.checkbox,
        f"Treat {', '.join(map(str, markers))} as missing",
        "sentinels_missing",
        state.get().view.data.sentinels_missing,
        lambda chosen: state.change_data(sentinels_missing=chosen, x=x, y=y),
        help="These numbers lie far outside the others and often mark missing values.",
    )
