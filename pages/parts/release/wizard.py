"""The steps of a release in order; each waits for the one before."""

import streamlit as st

from pages.parts.release import (
    budget_panel,
    confirm_step,
    file_step,
    people_step,
    plan_step,
    result_panel,
    source,
    spending,
)
from pages.shared import messages, turning


def draw() -> None:
    """Draw the stored result that the address names, or else the steps as far as they go."""
    with messages.showing():
        entry = spending.shown_entry()
        if entry is None:
            _steps()
        else:
            st.button("Plan another release", key="plan_another", icon=":material/add:", on_click=spending.plan_another)
            result_panel.draw(spending.stored(entry))
        turning.to_top(entry or "plan")


def _steps() -> None:
    file_step.draw()
    if not file_step.columns():
        return
    people_step.draw(source.cohort().rows)
    plan_step.choose()
    quote, account = spending.quoted(), spending.account()
    affordable = plan_step.price(quote, account)
    confirm_step.draw(quote, affordable=affordable)
    if account is not None:
        budget_panel.history(account)
