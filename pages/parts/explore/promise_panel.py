"""Epsilon and delta in words and icons: what the promise is worth against the best attacker."""

import streamlit as st

from pages.shared.icons import icon_array
from pages.shared.show import show
from privcause_core.figures.promise import trade_off
from privcause_core.protection.base import Coverage
from privcause_core.text.words import best_guess, odds_said, posterior
from privcause_core.verdicts.composition import PrivacyCost

SUSPICION = 0.01


def promise(cost: PrivacyCost, protected: Coverage) -> None:
    """Explain a total (epsilon, delta) for one protected row; every number here is public."""
    right = 100.0 * best_guess(cost.epsilon, cost.delta)
    st.markdown(
        f"Someone bets whether a person's row is **in** the data or was replaced: a coin flip, 100 times over. "
        f"Without your release they get 50 right. With it, the best attacker gets at most **{right:.0f}** right "
        f"({right:.1f} %)."
    )
    without, with_ = st.columns(2)
    with without:
        icon_array(50, "Without the release: 50 of 100 guesses right")
        st.caption("Without the release: 50 of 100 right")
    with with_:
        icon_array(round(right), f"With the release: at most {right:.0f} of 100 guesses right")
        st.caption(f"With it, ε = {cost.epsilon:g}: at most {right:.0f} of 100 right")
    st.markdown("\n".join(f"- {line}" for line in _lines(cost, protected)))
    with st.expander("The best attacker's trade-off curve", key="trade_off", on_change="rerun") as opened:
        if opened.open:
            show(trade_off(cost.epsilon, cost.delta))


def _lines(cost: PrivacyCost, protected: Coverage) -> list[str]:
    if protected.every_row:
        covers = "It covers any one row; people with several rows are not covered."
    else:
        covers = "It covers one row of the test half; people with several rows, and the training rows, are not covered."
    lines = [
        f"**Odds:** whatever someone believed before, {odds_said(cost.epsilon)}.",
        f"**A 1 % suspicion** becomes at most {100 * posterior(SUSPICION, cost.epsilon):.1f} %.",
        f"**Worst case:** this bounds every attacker, whatever they know. {covers}",
    ]
    if cost.delta:
        lines.insert(2, f"**δ = {cost.delta:g}:** about one run in {1 / cost.delta:,.0f} may break the promise of ε.")
    return lines
