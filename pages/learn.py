"""The guided lesson: ten minutes from a scatter plot to a private arrow; texts in ``assets/lesson``."""

from dataclasses import replace

import streamlit as st

from pages.parts.learn import lesson_widgets
from pages.shared import lesson, present, router, state, turning

router.guard()

LONG_TEXT = 400  # letters of a slide that is mostly text


def go(step: int) -> None:
    """Turn to a step."""
    state.change_view(stage=replace(state.get().view.stage, step=step))


def check(name: str) -> None:
    """Ask the step's question, if it has one, and reply at once."""
    found = lesson.checks().get(name)
    if found is None:
        return
    with st.container(border=True, key="check"):
        replies = {answer.text: answer for answer in found.answers}
        chosen = st.radio(f"**Check:** {found.question}", list(replies), index=None, key=f"check_{name}")
        if chosen is not None:
            answer = replies[chosen]
            say, icon = (st.success, ":material/check:") if answer.right else (st.info, ":material/replay:")
            say(answer.reply, icon=icon)


def turn(number: int, last: int) -> None:
    """Draw previous and next."""
    with st.container(horizontal=True, vertical_alignment="center", key="turn"):
        st.button("Previous", key="previous_step", shortcut="Left", icon=":material/arrow_back:",
                  disabled=number == 1, on_click=go, args=(number - 1,))  # fmt: skip
        st.button("Next", key="next_step", shortcut="Right", type="primary", icon=":material/arrow_forward:",
                  disabled=number == last, on_click=go, args=(number + 1,))  # fmt: skip
        st.caption(f"Step {number} of {last}, about a minute each", width="content")


steps = lesson.steps()
number = min(state.get().view.stage.step, len(steps))
step = steps[number - 1]
if present.on():
    st.title(step.title)
    told = step.texts[0].split("\n\n")[0]  # the rest is for the speaker to say
    said, seen = st.columns([1, 3] if len(told) < LONG_TEXT else [3, 1], gap="large")
    said.markdown(told)
    draws = lesson_widgets.DRAW[step.name]
    with seen:
        for column, draw in zip(st.columns(len(draws), gap="large"), draws, strict=True):
            with column:
                draw()
else:
    with st.container(width=900, key="lesson"):
        st.progress(number / len(steps), text=f"Step {number} of {len(steps)}")
        st.title(step.title)
        st.markdown(step.texts[0])
        for draw, text in zip(lesson_widgets.DRAW[step.name], step.texts[1:], strict=True):
            draw()
            st.markdown(text)
        check(step.name)
        turn(number, len(steps))
    turning.to_top(step.name)
