"""Step 4 of a release: what is drawn, what it costs, and whether the table's budget holds it."""

import streamlit as st

from pages.parts.release import budget_panel, spending
from pages.parts.release.tables import percent, table
from pages.shared import state
from pages.shared.controls import CALIBRATION_TITLES, NOISE_TITLES, RELEASE_TITLES
from pages.shared.widgets import choice, setting, typed_number
from pages.shared.wording import literal, score_title
from privcause_core.explore.block_planning import vote_certainty
from privcause_core.protection.choice import coverage
from privcause_core.release import Account, Quote, Terms, certainty_for, decimal_text
from privcause_core.scores import LaplaceScore, all_scores, get_score
from privcause_core.settings import knobs
from privcause_core.verdicts.propose_test_release import IqrVerdict


def choose() -> None:
    """Ask for scores and totals."""
    st.header("4. Plan and price")
    settings = spending.settings()
    left, right = st.columns(2)
    with left:
        st.multiselect(
            "Scores to release (their costs add)",
            [score.name for score in all_scores()],
            default=spending.standard_scores(),
            format_func=score_title,
            key=spending.SCORES,
        )
    with right:
        typed_number(knobs()["epsilon"].label, "epsilon_exact", settings.epsilon, setting("epsilon"))
        if any(coverage(settings).spends_delta(get_score(name)) for name in spending.scores()):
            typed_number(knobs()["delta"].label, "delta_exact", settings.delta, setting("delta"))
    with st.expander("Expert settings", key="expert"):
        _expert()


def price(quote: Quote, account: Account | None) -> bool:
    """Show what the plan costs and does; return whether the budget holds it."""
    st.markdown(
        f"This release spends ε = **{decimal_text(quote.cost.epsilon)}**, δ = **{decimal_text(quote.cost.delta)}**; "
        f"protected: {coverage(quote.plan.settings).title}."
    )
    if quote.warnings:
        st.info("\n".join(f"- {literal(warning)}" for warning in quote.warnings), icon=":material/info:")
    affordable = budget_panel.draw(quote, account)
    with st.expander("What will be drawn", key="terms"):
        _terms(quote)
    with st.expander("Would it be worth it?", key="worth"):
        _certainty(quote)
    return affordable


def _expert() -> None:
    settings = spending.settings()
    if not coverage(settings).votes and any(isinstance(get_score(one), LaplaceScore) for one in spending.scores()):
        choice(knobs()["release"].label, "release", RELEASE_TITLES, knobs()["release"].help)
        choice(knobs()["calibration"].label, "calibration", CALIBRATION_TITLES, knobs()["calibration"].help)
    choice(knobs()["noise_model"].label, "noise_model", NOISE_TITLES, knobs()["noise_model"].help)
    for name in ("vote_limit", "bin_width", "bandwidth", "soft_width"):
        knob = knobs()[name]
        typed_number(knob.label, name, getattr(state.settings(), name), setting(name), help=knob.help)


def _terms(quote: Quote) -> None:
    table(
        [
            {
                "Score": score_title(one.score),
                "Draws": f"{draw.count} × {draw.statistic}",
                "Sensitivity": f"{draw.sensitivity:.6g}",
                "ε per draw": f"{draw.epsilon:.6g}",
                "Noise scale": f"{draw.scale:.6g}",
                "Costs in all (ε, δ)": f"({decimal_text(one.cost.epsilon)}, {decimal_text(one.cost.delta)})",
            }
            for one in quote.terms
            for draw in one.draws
        ]
    )
    st.caption(
        "Sensitivity: the most that one row can move the number drawn; the noise is scaled to it. ε per draw is the "
        "published paper's epsilon. Laplace noise comes from the OpenDP library, unseeded."
    )


def _certainty(quote: Quote) -> None:
    """Show how sure the arrow would be under an assumption that people type, never the loaded data's own values."""
    if coverage(quote.plan.settings).votes:
        _vote_certainty(quote)
        return
    margin = st.number_input(
        "Assumed margin between the two scores",
        min_value=0.0,
        value=0.05,
        step=0.01,
        format="%.4g",
        key="assumed_margin",
        help="From earlier studies or a guess. The loaded data's own margin is private: tuning to it reveals it.",
    )
    for one in quote.terms:
        when = " once released." if isinstance(one.verdict, IqrVerdict) else "."
        sure = f"probability **{percent(certainty_for(one, margin))}**{when}"
        st.markdown(f"{score_title(one.score)}: the private arrow would be the noise-free arrow with {sure}")
        if isinstance(one.verdict, IqrVerdict):
            _stability(one, one.largest_distance(quote.n_test))


def _vote_certainty(quote: Quote) -> None:
    blocks, epsilon = quote.plan.settings.blocks, float(quote.plan.epsilon)
    agreement = st.number_input(
        "Assumed share of blocks that point the same way",
        min_value=0.5,
        max_value=1.0,
        value=0.9,
        step=0.05,
        key="assumed_agreement",
        help="A guess, or the share on synthetic pairs as long as a block; never the loaded data's own votes.",
    )
    sure = percent(vote_certainty(blocks, agreement, epsilon))
    st.markdown(f"{blocks} blocks: the private arrow would be that one with probability **{sure}**.")


def _stability(one: Terms, largest: int) -> None:
    half, mostly = one.distance_needed(0.5), one.distance_needed(0.9)
    st.markdown(
        f"The IQR is released only if the data are far from instability: at {half:,} rows in half of all runs, at "
        f"{mostly:,} rows in nine of ten. No data of this size are farther than {largest:,}."
    )
