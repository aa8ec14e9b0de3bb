"""The lesson's dial: the slider of the shared epsilon, and a way back from where the pictures say nothing."""

import streamlit as st

from pages.shared import lesson, state
from pages.shared.controls import epsilon_slider


def dial() -> None:
    """Draw it."""
    epsilon_slider()
    if not lesson.tells(state.settings().epsilon):
        st.button(
            f"The pictures say little here: back to ε = {lesson.START:g}",
            key="back_to_start",
            icon=":material/undo:",
            on_click=state.change_settings,
            kwargs={"epsilon": lesson.START},
        )
