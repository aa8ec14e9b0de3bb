"""Every score beside the others: noise, a margin beside it, what a release spends, whom it can protect."""

import streamlit as st

from pages.shared import state
from privcause_core.explore.analysis import Measurement, measure
from privcause_core.protection.choice import coverage
from privcause_core.samples import FIRST_SAMPLE, load_sample
from privcause_core.scores import Score
from privcause_core.settings import ALL_SCORES, Settings

ROWS = 2_000


def table() -> None:
    """Show the table."""
    measured = state.remember(
        ("comparison",), lambda: measure(load_sample(FIRST_SAMPLE, rows=ROWS), _every(), doubts=False)
    )
    st.table([_row(one.score, measured) for one in measured.scores], hide_index=True)
    st.caption(
        f"Noise and margin: the sample of the first page, {ROWS:,} made-up rows, half of them scored, at a total ε "
        "of 1, two scores released. A log-IQR's noise is for each of four releases, and a release may be refused. "
        "Voting blocks protect every row with any score. Computing grows in proportion to the rows, and with their "
        "logarithm for ranks and IQR. How often each is right over many pairs: `docs/accuracy.md`, written by "
        "`make experiment`."
    )


def _every() -> Settings:
    return Settings(score=ALL_SCORES)


def _row(score: Score, measured: Measurement) -> dict[str, str]:
    verdict = coverage(Settings(score=score.name)).verdict(score, measured.fit.n_train, measured.fit.n_test)
    cost, noise, margin = verdict.cost, verdict.noise_scale, measured.of(score.name).margin
    complete = ", also which are complete" if score.counts_incomplete else ""
    return {
        "Score": score.title,
        "in the paper": "yes" if score.from_paper else "no",
        "noise scale": f"{noise:.3g}",
        "margin ÷ noise": f"**{abs(margin) / noise:.1f}**",
        "a release spends": f"ε = {cost.epsilon:g}" + (f", δ = {cost.delta:g}" if cost.delta else ""),
        "protects": f"test rows{complete}; every row by blocks"
        + ("" if score.no_joint_release else " or public ranges"),
    }
