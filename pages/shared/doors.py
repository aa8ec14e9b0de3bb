"""The two doors of an upload: to look at the file, or to release from it without anybody looking."""

from enum import StrEnum
from pathlib import PurePath

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages.shared import messages, raw_bytes, state
from privcause_core.loading import MAX_UPLOAD_BYTES
from privcause_core.text.names import isolated

MEGABYTE = 1024 * 1024
FILE_TYPES = ["csv", "tsv", "txt", "dat", "xlsx", "xls", "parquet", "zip"]


class Door(StrEnum):
    """What a file is uploaded for."""

    EXPLORE = "Explore it (I may look)"
    RELEASE = "Release from it (do not show me)"


def draw(standard: Door) -> None:
    """Draw both doors and the upload box; a file goes through the one that is chosen when it comes."""
    door_key, key = f"door_{standard.name.lower()}", f"upload_{state.get().upload_round}"

    def take() -> None:
        # A run that is overtaken by the next calls this twice; what was taken already is no file any more.
        files = [one for one in st.session_state[key] if isinstance(one, UploadedFile)]
        if files:
            taken = [(PurePath(one.name).name, one.getvalue()) for one in files]
            raw_bytes.remove(files)
            _through(Door(st.session_state.get(door_key, standard)), taken)

    st.radio("What is the file for?", list(Door), index=list(Door).index(standard), key=door_key)
    st.file_uploader(
        "Files with two columns or more",
        key=key,
        type=FILE_TYPES,
        accept_multiple_files=True,
        max_upload_size=MAX_UPLOAD_BYTES // MEGABYTE,
        on_change=take,
        help="Text tables, Excel, Parquet, or a zip of pairs (to explore). Kept in this session's memory, never "
        "written to disk.",
    )


def _through(door: Door, files: list[tuple[str, bytes]]) -> None:
    if door is Door.RELEASE:
        with messages.noting("Nothing was loaded."):
            state.seal(files)
        return
    shown = isolated(state.get().dataset.name)
    with messages.noting(f"Nothing was loaded; every page still shows {shown}."):
        state.take_upload(files)
        state.get().uploading = True
