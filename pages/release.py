"""The one page that spends privacy budget. Nothing on it depends on a private value but the mechanism's own output."""

import streamlit as st

from pages.parts.release import release_panels, spending
from pages.shared import messages, present, router
from privcause_core.release import decimal_text

router.guard()

st.title("Release")
st.markdown(
    "A private result made to be published. Everything on this page is computed from what you type and from the "
    "number of rows, until you press the button; after it, from the private outputs alone."
)

with messages.stopping():
    entry = spending.shown_entry()
    if entry is not None:
        st.button("Plan another release", key="plan_another", icon=":material/add:", on_click=spending.plan_another)
        release_panels.result(spending.stored(entry))
        st.stop()
    release_panels.choose_columns()
    release_panels.choose_scores()
    quote, account = spending.quoted(), spending.account()

release_panels.strip(quote)
release_panels.terms(quote)
if present.on():
    st.info("Disarmed while presenting: this is the plan, and nothing can be spent.", icon=":material/lock:")
    st.stop()
plan_column, budget_column = st.columns(2, gap="large")
with plan_column:
    release_panels.certainty(quote)
with budget_column:
    affordable = release_panels.budget(quote, account)
release_panels.before_you_spend()
st.button(
    f"Release: spend ε = {decimal_text(quote.cost.epsilon)}, δ = {decimal_text(quote.cost.delta)}",
    key="spend",
    type="primary",
    icon=":material/lock_open_right:",
    on_click=spending.spend,
    disabled=not affordable,
    help="Charges the budget, draws once and stores the result. Pressing twice does not draw twice.",
)
release_panels.history(account)
