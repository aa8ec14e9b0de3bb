"""What protecting every row does to the loaded pair: both ways side by side, and the rows that would do."""

import streamlit as st

from pages.common import panels, present, state
from pages.common.wording import literal
from privcause_core import joint
from privcause_core.analysis import Analysis, ScoreAnalysis
from privcause_core.blocks import recommended_blocks
from privcause_core.errors import PrivCauseError
from privcause_core.figures.chart import short_percent
from privcause_core.mechanisms import IqrVerdict
from privcause_core.pair import Direction
from privcause_core.protection import Covered, covered
from privcause_core.scores import LaplaceScore
from privcause_core.settings import ALL_SCORES, Protection, Route, Settings

CERTAINTY = 0.95
DROWNED = 0.75  # below this chance of keeping the arrow people should hear it plainly


def both_ways(analysis: Analysis) -> None:
    """Compare test rows only, blocks and public ranges for the loaded pair; non-private."""
    settings = analysis.settings
    if not covered(settings).every_row:
        return
    st.header("Protecting every row", divider="gray")
    if (
        analysis.headline.probability_arrow_kept < DROWNED
        and analysis.headline.true.direction is not Direction.UNDECIDED
    ):
        st.warning(
            "At this ε the noise drowns the arrow of these data. More rows, more ε or protecting test rows only would "
            "keep it; see below what it would take.",
            icon=":material/water:",
        )
    if not present.shows_true("Both ways, computed from true values"):
        return
    st.markdown(f"{panels.TRUE_BADGE} The same ε, three promises. Computed from the true scores and votes.")
    rows = [_row(one, which) for which, one in _alternatives(settings)]
    st.table({name: [row[name] for row in rows] for name in rows[0]}, hide_index=True)
    if not (settings.range_x and settings.range_y):
        st.caption("Type a public range for X and Y in the sidebar (Public ranges) to compare that way too.")
    rows = analysis.measurement.pair.rows
    advised = recommended_blocks(rows, settings.epsilon)
    st.markdown(
        f"**Recommended for {rows:,} rows at ε = {settings.epsilon:g}: {advised} blocks "
        "that vote**, from the number of rows and ε alone, by what synthetic pairs gave: blocks were sure from a few "
        "thousand rows on, public ranges only from about a million. Public ranges publish scores, not just an arrow."
    )


def _alternatives(settings: Settings) -> list[tuple[Covered, ScoreAnalysis | str]]:
    chosen = settings.with_(score=Settings().score) if settings.score == ALL_SCORES else settings
    ways = [chosen.with_(protect=Protection.TEST_ROWS), chosen.with_(route=Route.BLOCKS)]
    found: list[tuple[Covered, ScoreAnalysis | str]] = [(covered(way), _headline(way)) for way in ways]
    if settings.range_x and settings.range_y:
        for score in joint.releasable():
            way = settings.with_(route=Route.RIDGE, score=score.name)
            found.append((covered(way), _headline(way)))
    return found


def _headline(settings: Settings) -> ScoreAnalysis | str:
    try:
        return state.analysis(settings).headline
    except PrivCauseError as error:
        return str(error)


def _row(one: ScoreAnalysis | str, which: Covered) -> dict[str, str]:
    title = {Covered.TEST_ROWS: "test rows only", Covered.BY_BLOCKS: "every row: blocks"}
    name = title.get(which, "every row: public ranges")
    if isinstance(one, str):
        columns = ("score", "true margin", "ε noise scale", "ε agrees", "rows for 95 % (true)")
        return {"protects": name} | dict.fromkeys(columns, "—") | {"ε agrees": literal(one)}
    undecided = one.true.direction is Direction.UNDECIDED
    return {
        "protects": name,
        "score": one.true.score.title,
        "true margin": f"{one.true.margin:.4g}" + (" votes" if which is Covered.BY_BLOCKS else ""),
        "ε noise scale": f"{one.verdict.noise_scale:.3g}",
        "ε agrees": "undecided" if undecided else short_percent(one.probability_arrow_kept),
        "rows for 95 % (true)": _rows_needed(one, which),
    }


def _rows_needed(one: ScoreAnalysis, which: Covered) -> str:
    score = one.true.score
    if which is not Covered.BY_RIDGE or isinstance(one.verdict, IqrVerdict) or not isinstance(score, LaplaceScore):
        return "—"
    needed = joint.least_rows(score, one.true.margin, CERTAINTY, state.settings().with_(score=score.name))
    return "none" if needed is None else f"{needed:,}"
