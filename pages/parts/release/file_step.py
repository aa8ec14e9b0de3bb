"""Step 1 of a release: the file, and how it is read, declared beforehand; step 2: its columns."""

from collections.abc import Callable

import streamlit as st

from pages.parts.release import source
from pages.shared import doors, messages, sealed, state
from pages.shared.doors import Door
from pages.shared.widgets import mirrored
from pages.shared.wording import chip
from privcause_core.loading import DecimalMark, Grouping, Reading, Table
from privcause_core.loading.declared import read_cells
from privcause_core.loading.proposal import in_words, missing_marks
from privcause_core.loading.reading import ENCODINGS, SEPARATORS
from privcause_core.loading.wording import counted
from privcause_core.text.names import visible

COLUMNS_NAMED = 20
EXAMPLES = ("1.5", "1,5", "1,234", "1.234", "1 234,5", "-999", "n.d.", "NA")


def draw() -> None:
    """Ask for the file, and say how it is read."""
    st.header("1. File")
    if source.seen():
        doors.draw(Door.RELEASE)
        st.caption(
            f"Without one: {chip(source.name())}, which the other pages show. Settings tuned to what is seen there "
            "are not covered by any promise."
        )
        return
    st.markdown(f"{chip(state.get().sealed.name)}: sealed. Nothing computed from its values is shown.")  # type: ignore[union-attr]
    _how_it_is_read()
    with st.container(horizontal=True):
        st.button("Remove this file", key="remove_sealed", icon=":material/delete:", on_click=_remove)
        with st.popover("Explore it after all", icon=":material/visibility:", key="unseal_box"):
            st.markdown("Every page will show its values. What is tuned to them is not covered by any promise.")
            st.button("Open it (I may look)", key="unseal", on_click=_unseal)


def columns() -> bool:
    """Ask for the two columns; return whether there are two."""
    st.header("2. Columns")
    labels = _labels()
    places = source.chosen()
    for axis, box, place in zip("xy", st.columns(2), places, strict=True):
        with box:
            mirrored(
                st.selectbox, f"Column {axis.upper()}", f"release_{axis}", place, _chooser(axis, places),
                options=source.choices(), placeholder="Choose", format_func=labels.__getitem__,
            )  # fmt: skip
    if source.columns() is None:
        st.info("Choose two columns; the program proposes none, since its proposal would depend on their values.")
    return source.columns() is not None


def _labels() -> tuple[str, ...]:
    found = source.item()
    names = [one.label for one in found.columns] if isinstance(found, Table) else [found.x_name, found.y_name]
    return tuple(visible(name) for name in names)


def _chooser(axis: str, places: tuple[int | None, int | None]) -> Callable[[object], None]:
    """Return what stores a chosen column; the one that the other axis has changes places with it."""
    former = dict(zip("xy", places, strict=True))

    def store(position: object) -> None:
        other = "y" if axis == "x" else "x"
        new = former | {axis: position}
        if new[other] == position:
            new[other] = former[axis]
        source.choose(new["x"], new["y"])

    return store


def _how_it_is_read() -> None:
    held = state.get().sealed
    if held is None:
        return
    reading = held.reading
    marks = " and ".join(["the usual ones", *(["those below"] if reading.missing or reading.sentinels else [])])
    st.markdown(
        f"Read as declared: {in_words(held.data, reading)}; missing marks: {marks}. All of this is public, and stated "
        "on the certificate."
    )
    with st.expander("Declare how it is read: check this against your file", key="reading"):
        _layout(reading)
        _numbers(reading)
    st.caption(
        f"So declared, {_examples(reading)}. Nothing here comes from your file: compare with it, "
        "and declare marks such as -999, or they count as numbers."
    )
    if held.table is not None:
        names = [chip(one.label) for one in held.table.columns[:COLUMNS_NAMED]]
        more = len(held.table.columns) - COLUMNS_NAMED
        st.caption(
            f"Public: {counted(held.table.rows_read, 'row')}, columns {', '.join(names)}"
            f"{f' and {more:,} more' if more > 0 else ''}. A cell that cannot be read so counts as missing; nothing "
            "here tells how many do."
        )


def _examples(reading: Reading) -> str:
    """Return what the reading makes of cells as people write them, whatever the file holds."""
    made = zip(EXAMPLES, read_cells(EXAMPLES, reading), strict=True)
    return ", ".join(f"`{cell}` is {'missing' if value is None else f'{value:.12g}'}" for cell, value in made)


def _layout(reading: Reading) -> None:
    left, middle, right = st.columns(3)
    with left:
        _choice("Separator", "separator", reading.separator, tuple(SEPARATORS))
        mirrored(st.checkbox, "A header line", "declare_header", reading.header, _declare("header"))
    with middle:
        _choice("Encoding", "encoding", reading.encoding, ENCODINGS)
        mirrored(st.checkbox, "Row names in front (R)", "declare_row_names", reading.row_names, _declare("row_names"))
    with right:
        mirrored(
            st.number_input, "Lines above the table", "declare_skip", reading.skip, _declare("skip"), min_value=0,
            max_value=10_000, step=1,
        )  # fmt: skip
        mirrored(
            st.text_input, "Sheet of a workbook", "declare_sheet", reading.sheet or "", _declare("sheet", _sheet),
            placeholder="the first",
        )  # fmt: skip


def _numbers(reading: Reading) -> None:
    left, middle, right = st.columns(3)
    with left:
        _choice("Decimal mark", "decimal", reading.decimal, tuple(DecimalMark), DecimalMark.word.fget)  # type: ignore[attr-defined]
    with middle:
        _choice("Grouping of thousands", "grouping", reading.grouping, tuple(Grouping))
    with right:
        typed = " ".join([*reading.missing, *(f"{mark:.12g}" for mark in reading.sentinels)])
        mirrored(
            st.text_input, "More missing marks", "declare_missing", typed, _declare_missing, placeholder="-999 n.d.",
            help="Separated by blanks. Empty cells, NA, nan, null and the like always count as missing.",
        )  # fmt: skip


def _choice(label: str, name: str, value: str, options: tuple[str, ...], shown: Callable[[str], str] = str) -> None:
    mirrored(st.selectbox, label, f"declare_{name}", value, _declare(name), options=options, format_func=shown)


def _sheet(typed: object) -> str | None:
    return str(typed).strip() or None


def _declare(name: str, parsed: Callable[[object], object] = lambda value: value) -> Callable[[object], None]:
    def store(value: object) -> None:
        _declared(**{name: parsed(value)})

    return store


def _declare_missing(typed: object) -> None:
    _declared(**missing_marks(str(typed).split()))


def _declared(**changes: object) -> None:
    held = state.get().sealed
    if held is not None:
        state.get().sealed = sealed.declared(held, **changes)


def _remove() -> None:
    state.get().sealed = None


def _unseal() -> None:
    with messages.noting("It stays sealed."):
        state.unseal()
