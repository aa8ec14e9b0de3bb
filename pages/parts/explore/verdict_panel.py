"""The answer of Explore: the true arrow, the private one, and what would make it surer."""

import streamlit as st

from pages.shared import panels, present
from pages.shared.wording import arrow, literal, short_arrow
from privcause_core.explore.analysis import Analysis, ScoreAnalysis
from privcause_core.explore.outcomes import first_runs
from privcause_core.explore.planning import blocks_of, kept_with, least_rows
from privcause_core.figures.chart import TRUE_NOTE, percent, short_percent
from privcause_core.figures.runs import outcome_sentence
from privcause_core.pair import Direction
from privcause_core.protection.choice import coverage
from privcause_core.settings import ALL_SCORES
from privcause_core.verdicts.attacker import best_guess

FACTORS = (2, 4, 10, 100)
CERTAINTY = 0.95
HALF = 0.5


def verdict(analysis: Analysis) -> None:
    """Show the true arrow beside what a private run makes of it."""
    true, private = st.columns(2, gap="medium")
    with true, st.container(border=True, height="stretch", key="true_card"):
        if present.shows_true("True arrow"):
            _true_card(analysis)
    with private, st.container(border=True, height="stretch", key="private_card"):
        _private_card(analysis)


def _true_card(analysis: Analysis) -> None:
    one, pair = analysis.headline, analysis.measurement.pair
    st.markdown(f":blue-badge[{TRUE_NOTE}]")
    st.markdown(f"### {arrow(pair, one.true.direction)}")
    if one.true.direction is Direction.UNDECIDED:
        votes = coverage(analysis.settings).votes
        tie = f"{one.true.score_xy:.0f} blocks vote each way." if votes else "The two scores are equal."
        reasons = analysis.measurement.fit.undecided or (tie,)
        st.markdown(literal(" ".join(reasons)))
    elif coverage(analysis.settings).votes:
        st.markdown(
            f"{analysis.settings.blocks} blocks of rows vote with {one.true.score.title}: {one.true.score_yx:.0f} for "
            f"x → y, {one.true.score_xy:.0f} for y → x."
        )
    else:
        smaller, larger = sorted((one.true.score_xy, one.true.score_yx))
        st.markdown(
            f"{one.true.score.title} measures how much the residuals still depend on the supposed cause. "
            f"The smaller score wins: {smaller:.3g} against {larger:.3g}."
        )
    st.markdown(_known(analysis))
    if len({other.true.direction for other in analysis.scores if other.name != "iqr"}) > 1:
        st.markdown(
            "The scores disagree among themselves (table below): trust this arrow little, even without privacy."
        )


def _known(analysis: Analysis) -> str:
    pair, found = analysis.measurement.pair, analysis.headline.true.direction
    said = panels.truth_line(pair)
    if pair.truth is None or found is Direction.UNDECIDED:
        return said
    return f"{said} {'✓ the true scores agree.' if found is pair.truth else '✗ the true scores point the other way.'}"


def _private_card(analysis: Analysis) -> None:
    one, settings = analysis.headline, analysis.settings
    st.markdown(f"{panels.SIMULATED_BADGE} at total ε = {settings.epsilon:g}")
    if one.true.direction is Direction.UNDECIDED:
        st.markdown("### a coin flip")
        st.markdown("A private run always prints an arrow. Here it would say nothing about the data.")
        return
    refusing = one.shares is not None and one.shares.released < HALF
    st.markdown(
        "### mostly refuses" if refusing else f"### repeats the true arrow in {percent(one.probability_arrow_kept)}"
    )
    st.markdown(
        f"The private arrow agrees with the true one with probability **{percent(one.probability_arrow_kept)}**. "
        f"That is exact; in a first hundred, by chance, {outcome_sentence(first_runs(one, settings))}."
    )
    if analysis.measurement.pair.truth not in (None, one.true.direction):
        st.markdown("The true scores point the wrong way here, so a private arrow that agrees is wrong too.")
    if one.shares:
        shares = one.shares
        st.markdown(
            f"Of all runs: {percent(shares.right)} right, {percent(shares.wrong)} wrong, "
            f"{percent(shares.partly_refused)} partly refused, {percent(shares.refused)} refused."
        )
    cost = panels.total_cost(analysis)
    st.markdown(
        "The promise: of 100 coin-flip bets on whether a person's row is in, the best attacker wins at most "
        f"**{100 * best_guess(cost.epsilon, cost.delta):.0f}**."
    )


def score_table(analysis: Analysis) -> None:
    """Show every measured score both ways; true values and private facts in marked columns."""
    rows = [_row(one, analysis) for one in analysis.scores]
    shown = present.shows_true("True scores")
    names = [name for name in rows[0] if shown or not name.startswith("true ")]
    st.table({name: [row[name] for row in rows] for name in names}, hide_index=True)
    st.caption(
        f"“True” columns: {TRUE_NOTE}. “ε” columns: a verdict of that score alone at the full ε; "
        f"simulated in {analysis.settings.draws:,} draws, with a 95 % interval (Wilson). "
        + (
            "All scores are released here, so their costs add."
            if analysis.settings.score == ALL_SCORES
            else "Releasing several scores would add their costs."
        )
        + " All rows reuse the same draws, so the simulated rates err together."
        + (" Blocks that vote with another score may point the other way." if len(rows) == 1 else "")
    )


def _row(one: ScoreAnalysis, analysis: Analysis) -> dict[str, str]:
    chosen = "**" if one is analysis.headline else ""
    seen, votes = one.empirical, coverage(analysis.settings).votes
    blocks = f"{analysis.settings.blocks:,} votes"
    return {
        "Score": f"{chosen}{one.true.score.title}{chosen}",
        "true x → y": f"{one.true.score_yx:.0f} of {blocks}" if votes else f"{one.true.score_xy:.4g}",
        "true y → x": f"{one.true.score_xy:.0f} of {blocks}" if votes else f"{one.true.score_yx:.4g}",
        "true margin": f"{one.true.margin:.4g}",
        "true arrow": short_arrow(one.true.direction),
        "ε noise scale": f"{one.verdict.noise_scale:.3g}",
        "ε agrees": short_percent(one.probability_arrow_kept),
        "ε flips": short_percent(one.probability_flip),
        "ε refuses": "never" if one.shares is None else short_percent(one.shares.partly_refused + one.shares.refused),
        "ε simulated flips": "—" if seen is None else f"{seen.rate:.1%} ({seen.low:.1%} to {seen.high:.1%})",
    }


def what_it_takes(analysis: Analysis) -> None:
    """Show the least epsilon for three certainties, and what more rows would buy."""
    one = analysis.headline
    if not present.shows_true("What it takes, computed from the true margin"):
        return
    if one.true.direction is Direction.UNDECIDED:
        st.markdown("No ε helps: the true scores themselves do not decide.")
        return
    st.markdown(
        f"{panels.TRUE_BADGE} Computed from the true margin {one.true.margin:.4g}: for you, not for publishing."
    )
    less, more = st.columns(2, gap="large")
    with less:
        blocks = coverage(analysis.settings).votes
        given = "for these votes" if blocks else f"at m = {analysis.measurement.fit.n_test:,}"
        st.markdown(f"**Least total ε {given}**")
        with st.container(horizontal=True, key="least_epsilon"):
            for certainty, epsilon in one.least_epsilon:
                value = "none" if epsilon is None else f"{epsilon:.3g}"
                st.metric(f"{certainty:.0%} agree", f"ε ≥ {value}" if epsilon else value, width="content", border=True)
    with more:
        st.markdown(f"**More rows like these at ε = {analysis.settings.epsilon:g}**")
        _more_rows(analysis)


def _more_rows(analysis: Analysis) -> None:
    true, rows, settings = analysis.headline.true, analysis.measurement.pair.rows, analysis.settings
    blocks = coverage(settings).votes
    size, name = (settings.blocks, "blocks") if blocks else (analysis.measurement.fit.n_test, "test rows m")
    st.table(
        {
            "rows": [f"{rows:,} (now)"] + [f"{factor * rows:,}" for factor in FACTORS],
            name: [f"{factor * size:,}" for factor in (1, *FACTORS)],
            "ε private arrow agrees": [
                short_percent(kept_with(true, rows, factor * rows, settings)) for factor in (1, *FACTORS)
            ],
        },
        hide_index=True,
    )
    needed = least_rows(true, rows, settings, CERTAINTY)
    said = "No number of such rows alone" if needed is None else f"**{needed:,} rows** like these"
    dealt = f", in {blocks_of(rows, needed, settings):,} blocks," if blocks and needed else ""
    st.markdown(f"{said}{dealt} would make it {CERTAINTY:.0%}.")
    if blocks:
        st.caption("More rows as more blocks, each as long as now and voting in the same shares.")
