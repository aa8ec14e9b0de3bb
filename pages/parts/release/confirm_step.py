"""Step 5 of a release: what will be done, once more, and the one click that spends."""

import streamlit as st

from pages.parts.release import source, spending
from pages.shared import panels, present
from pages.shared.panels import UNIT_OF_PRIVACY
from pages.shared.wording import chip, score_title
from privcause_core.protection.choice import coverage
from privcause_core.release import Quote, decimal_text
from privcause_core.release.counts import hides_completeness


def draw(quote: Quote, *, affordable: bool) -> None:
    """Ask to confirm the plan, then for the click."""
    st.header("5. Confirm")
    if present.on():
        st.info("Disarmed while presenting: this is the plan, and nothing can be spent.", icon=":material/lock:")
        return
    if not (affordable and spending.confirmed()):
        st.button("Go on to confirm", key="confirm", on_click=spending.confirm, disabled=not affordable)
        return
    _strip(quote)
    _before_you_spend()
    with st.container(horizontal=True):
        st.button(
            f"Release: spend ε = {decimal_text(quote.cost.epsilon)}, δ = {decimal_text(quote.cost.delta)}",
            key="spend",
            type="primary",
            icon=":material/lock_open_right:",
            on_click=spending.spend,
            help="Charges the budget, draws once and stores the result. Pressing twice does not draw twice.",
        )
        st.button("Not yet", key="reconsider", on_click=spending.reconsider)


def rows_text(quote: Quote) -> tuple[str, str]:
    """Return what the public row counts are of, and these counts."""
    way, counts = coverage(quote.plan.settings), quote.counts
    shown = way.rows_text(counts.rows if way.votes else counts.complete, quote.n_train, quote.n_test)
    title = "Rows, public" if hides_completeness(quote.plan) else "Complete rows, public"
    return title, f"about {shown}" if counts.about else shown


def _strip(quote: Quote) -> None:
    pair, way = source.pair(), coverage(quote.plan.settings)
    facts = [
        ("File", chip(source.name())),
        *((("Read as declared", source.reading_text()),) if source.reading() else ()),
        ("X, Y", f"{chip(pair.x_name)}, {chip(pair.y_name)}"),
        rows_text(quote),
        ("Scores", ", ".join(map(score_title, quote.plan.scores))),
        ("Unit of privacy", UNIT_OF_PRIVACY),
        ("Protected", way.title),
        ("This release spends in all", f"ε = {decimal_text(quote.cost.epsilon)}, δ = {decimal_text(quote.cost.delta)}"),
    ]
    if spending.account() is None:
        budget = spending.first_budget()
        fixed = f"ε = {decimal_text(budget.epsilon)}, δ = {decimal_text(budget.delta)}"
        facts.append(("Budget of this table, fixed by this click", fixed))
    panels.strip(facts, "release_strip")


def _before_you_spend() -> None:
    looked = (
        "Score, ε, δ and every other setting must have been chosen before looking at these data on other pages, or "
        "from public facts: a setting tuned to the data reveals the data. "
    )
    st.warning(
        f"{looked if source.seen() else ''}A refusal costs as much as an answer, and there is no way back.",
        icon=":material/visibility_off:",
    )
