"""Behind the verdict: every score both ways, and what would make the private arrow surer."""

from collections.abc import Iterator

import streamlit as st

from pages.shared import panels
from pages.shared.wording import short_arrow
from privcause_core.explore.analysis import Analysis, ScoreAnalysis
from privcause_core.explore.planning import blocks_of, kept_with, least_rows
from privcause_core.figures.chart import TRUE_NOTE, percent, short_percent
from privcause_core.pair import Direction
from privcause_core.protection.choice import coverage
from privcause_core.settings import ALL_SCORES
from privcause_core.text.words import margin_text, score_text

FACTORS = (2, 4, 10, 100)
CERTAINTY = 0.95


def score_table(analysis: Analysis) -> None:
    """Show every measured score both ways; true values and private facts in marked columns."""
    rows = [_row(one, analysis) for one in analysis.scores]
    st.markdown(" ".join(_why(analysis)))
    st.table({name: [row[name] for row in rows] for name in rows[0]}, hide_index=True)
    st.caption(
        f"“True” and “noise-free” columns: {TRUE_NOTE}. “ε” columns: a verdict of that score alone at the full ε; "
        f"simulated in {analysis.settings.draws:,} draws, with a 95 % interval (Wilson). "
        + (
            "All scores are released here, so their costs add."
            if analysis.settings.score == ALL_SCORES
            else "Releasing several scores would add their costs."
        )
        + " All rows reuse the same draws, so the simulated rates err together."
        + (" Blocks that vote with another score may point the other way." if len(rows) == 1 else "")
    )


def _why(analysis: Analysis) -> Iterator[str]:
    """Say how the chosen score comes to its arrow."""
    one, title = analysis.headline, analysis.headline.true.score.title
    if coverage(analysis.settings).votes:
        yield f"{analysis.settings.blocks} blocks of rows vote with {title}."
    else:
        yield f"A score says how much speaks against its arrow, by {title}; the smaller one wins."
    if one.shares:
        shares = one.shares
        yield (
            f"Of all IQR runs {percent(shares.right)} agree, {percent(shares.wrong)} flip, "
            f"{percent(shares.partly_refused)} are partly refused, {percent(shares.refused)} refused."
        )
    if len({other.true.direction for other in analysis.scores if other.name != "iqr"}) > 1:
        yield "The scores disagree among themselves: trust the arrow little, even without privacy."


def _row(one: ScoreAnalysis, analysis: Analysis) -> dict[str, str]:
    chosen = "**" if one is analysis.headline else ""
    seen, votes = one.empirical, coverage(analysis.settings).votes
    blocks = f"{analysis.settings.blocks:,} votes"
    return {
        "Score": f"{chosen}{one.true.score.title}{chosen}",
        "true x → y": f"{one.true.score_yx:.0f} of {blocks}" if votes else score_text(one.true.score_xy),
        "true y → x": f"{one.true.score_xy:.0f} of {blocks}" if votes else score_text(one.true.score_yx),
        "true margin": margin_text(one.true.margin),
        "noise-free arrow": short_arrow(one.true.direction),
        "ε noise scale": f"{one.verdict.noise_scale:.3g}",
        "ε agrees": short_percent(one.probability_arrow_kept),
        "ε flips": short_percent(one.probability_flip),
        "ε refuses": "never" if one.shares is None else short_percent(one.shares.partly_refused + one.shares.refused),
        "simulated flips (true)": "—" if seen is None else f"{seen.rate:.1%} ({seen.low:.1%} to {seen.high:.1%})",
    }


def what_it_takes(analysis: Analysis) -> None:
    """Show the least epsilon for three certainties, and what more rows would buy."""
    one = analysis.headline
    if one.true.direction is Direction.UNDECIDED:
        st.markdown("No ε helps: the noise-free scores themselves do not decide.")
        return
    st.markdown(
        f"{panels.TRUE_BADGE} From the true margin, {margin_text(one.true.margin)}: for you, not for publishing."
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
    if needed is not None and needed <= rows:  # from many rows to few nothing follows: the margin would be another one
        st.markdown(f"The **{rows:,} rows** of now are enough for {CERTAINTY:.0%}, if others have the same margin.")
        return
    said = "No number of such rows alone" if needed is None else f"**{needed:,} rows** like these"
    dealt = f", in {blocks_of(rows, needed, settings):,} blocks," if blocks and needed else ""
    st.markdown(f"{said}{dealt} would make it {CERTAINTY:.0%}, if their margin is the same.")
    if blocks:
        st.caption("More rows as more blocks, each as long as now and voting in the same shares.")
