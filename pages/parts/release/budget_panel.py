"""The budget of a table: what remains, by which columns it is known, what was charged, and how it is changed."""

from collections.abc import Mapping

import streamlit as st

from pages.parts.release import budget_acts, source, spending
from pages.parts.release.tables import table, to_the_second
from pages.shared import login
from pages.shared.wording import chip, literal
from privcause_core.protection.choice import coverage
from privcause_core.release import Account, Ledger, Quote, decimal_text
from privcause_core.text.names import visible


def draw(quote: Quote, account: Account | None) -> bool:
    """Show the table's budget; return whether the plan fits, judged without the data."""
    if account is None:
        return _first_budget(quote)
    remaining(account)
    fits = not account.retired and quote.cost.fits(account.remaining)
    if account.retired:
        st.error("This table's account is retired: no further release.")
    elif not account.remaining.epsilon:
        st.error("Nothing remains of this table's budget: no release fits. Raising it, below, is recorded.")
    elif not fits:
        st.error("The plan costs more than what remains; choose a smaller ε or fewer scores. Nothing is charged.")
    if login.may_change_budgets():
        _separate_acts(account)
    return fits


def remaining(account: Account) -> None:
    """Show what is left, and by which columns the table was recognised."""
    left, spent = account.remaining, account.spent
    columns = st.columns(2)
    columns[0].metric("Remaining ε", decimal_text(left.epsilon), border=True)
    columns[1].metric("Remaining δ", decimal_text(left.delta), border=True)
    st.caption(
        f"Of ({decimal_text(account.budget.epsilon)}, {decimal_text(account.budget.delta)}), spent "
        f"({decimal_text(spent.epsilon)}, {decimal_text(spent.delta)}), on this machine and for all sessions."
    )
    st.caption(
        f"The ledger knows this table by {', '.join(map(chip, account.matched))}: a table with the same was released "
        "before, so both share one budget. If these are other people who only share such a column (a running number, "
        "say), leave it out of the file. For you, not to publish: it was found by comparing exact values."
    )
    if account.split:
        where = " by place in the file" if account.split.seed is not None else ""
        st.caption(f"Its test rows are fixed for ever{where}: test share {account.split.test_share:g}.")


def history(account: Account) -> None:
    """Show the table's charges and what was done to its budget; the outputs stay with whoever holds their address."""
    st.subheader("Ledger of this table")
    table(
        [
            {
                "Time": to_the_second(charge.time),
                "ε": decimal_text(charge.cost.epsilon),
                "δ": decimal_text(charge.cost.delta),
                "X, Y": _columns(charge.purpose),
                "Scores": ", ".join(map(str, charge.purpose.get("scores", []))),
                "Result stored": "yes" if charge.complete else "no (interrupted; spent all the same)",
            }
            for charge in account.history
        ]
    )
    if len(account.acts) > 1:
        table(
            [
                {
                    "Time": to_the_second(act.time),
                    "Budget": act.act,
                    "ε": decimal_text(act.budget.epsilon),
                    "δ": decimal_text(act.budget.delta),
                    "Why": visible(act.reason),
                }
                for act in account.acts
            ]
        )


def _columns(purpose: Mapping[str, object]) -> str:
    return ", ".join(visible(str(purpose[axis])) for axis in "xy" if axis in purpose)


def _first_budget(quote: Quote) -> bool:
    split = "" if coverage(quote.plan.settings).every_row else " and the test share"
    st.markdown(f"No release yet. The first one fixes the budget{split} of this table.")
    if near := Ledger().resembling(source.cohort()):
        st.warning(
            f"{', '.join(map(chip, near))}: nearly the values of a table that was released before. If these are the "
            "same people in an altered file, what was spent adds up for them: count by hand.",
            icon=":material/group:",
        )
    columns = st.columns(2)
    proposed = spending.PROPOSED_BUDGET
    columns[0].text_input("Budget ε", decimal_text(proposed.epsilon), key=spending.BUDGET_EPSILON)
    columns[1].text_input("Budget δ", decimal_text(proposed.delta), key=spending.BUDGET_DELTA)
    fits = quote.cost.fits(spending.first_budget())
    if not fits:
        st.error("The plan costs more than this budget.")
    return fits


def _separate_acts(account: Account) -> None:
    with st.expander("Raise or retire the budget (recorded)", key="separate_acts"):
        epsilon = st.text_input("New budget ε", decimal_text(account.budget.epsilon), key="raise_epsilon")
        delta = st.text_input("New budget δ", decimal_text(account.budget.delta), key="raise_delta")
        reason = st.text_input("Why", key="act_reason", help="Kept in the ledger for ever.")
        st.button("Raise the budget", key="raise", on_click=budget_acts.raise_budget, args=(epsilon, delta, reason))
        st.button("Retire this table", key="retire", on_click=budget_acts.retire, args=(reason,))
        if refused := budget_acts.refused_act():
            st.error(literal(refused), icon=":material/error:")
