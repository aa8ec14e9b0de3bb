"""What protecting every row does to the loaded pair: both ways side by side, and the rows that would do."""

import streamlit as st

from pages.shared import panels, state
from pages.shared.wording import literal, short_arrow
from privcause_core.errors import PrivCauseError
from privcause_core.explore import planning
from privcause_core.explore.analysis import Analysis
from privcause_core.explore.block_planning import recommended_blocks
from privcause_core.figures.chart import short_percent
from privcause_core.pair import Direction
from privcause_core.protection import public_ranges
from privcause_core.protection.choice import coverage
from privcause_core.scores import get_score
from privcause_core.settings import ALL_SCORES, Protection, Route, Settings
from privcause_core.text.words import margin_text

CERTAINTY = 0.95
DROWNED = 0.75  # below this chance of keeping the arrow people should hear it plainly


def both_ways(analysis: Analysis) -> None:
    """Compare test rows only, blocks and public ranges for the loaded pair; non-private."""
    if coverage(analysis.settings).every_row:
        _say_if_drowned(analysis)
    _comparison(analysis.settings.with_(protect=Protection.EVERY_ROW), analysis.measurement.pair.rows)


def _comparison(settings: Settings, all_rows: int) -> None:
    st.markdown(f"{panels.TRUE_BADGE} The same ε, other promises. Computed from noise-free scores and votes.")
    rows = [_row(way) for way in _ways(settings)]
    st.table({name: [row[name] for row in rows] for name in rows[0]}, hide_index=True)
    if len({row["noise-free arrow"] for row in rows} - {"—", short_arrow(Direction.UNDECIDED)}) > 1:
        st.warning(
            "The ways do not agree on the noise-free arrow: they fit, score and vote differently. Trust it little, and "
            "choose a way before looking, or from public facts.",
            icon=":material/call_split:",
        )
    if not (settings.range_x and settings.range_y):
        st.caption(
            "To compare public ranges too, choose Every row and Public ranges in the sidebar and type both ranges."
        )
    advised = recommended_blocks(all_rows, settings.epsilon)
    st.markdown(
        f"**Recommended for {all_rows:,} rows at ε = {settings.epsilon:g}: {advised} blocks "
        "that vote**, from the number of rows and ε alone, by what synthetic pairs gave: blocks were sure from a few "
        "thousand rows on, public ranges only from about a million. Public ranges publish scores, not just an arrow."
    )


def _say_if_drowned(analysis: Analysis) -> None:
    """Say plainly that the noise wins, with the rows that would do."""
    one = analysis.headline
    if one.true.direction is Direction.UNDECIDED or one.probability_arrow_kept >= DROWNED:
        return
    st.warning(
        f"At ε = {analysis.settings.epsilon:g} the noise drowns the arrow of these data. {_would_do(analysis)}",
        icon=":material/water:",
    )


def _would_do(analysis: Analysis) -> str:
    settings, rows = analysis.settings, analysis.measurement.pair.rows
    needed = planning.least_rows(analysis.headline.true, rows, settings, CERTAINTY)
    if needed is None:
        return "No number of rows like these would do; more ε, or protecting test rows only, might."
    about = _rows_and_blocks(_rounded(needed), rows, settings)
    return (
        f"About {about} like these would do (true, for you: {CERTAINTY:.0%} sure at this margin); so would more ε, or "
        "protecting test rows only."
    )


def _rows_and_blocks(needed: int | None, rows: int, way: Settings) -> str:
    if needed is None:
        return "none"
    if needed <= rows:  # how few would do cannot be told from many
        return f"these {rows:,}"
    blocks = f" in {planning.blocks_of(rows, needed, way):,} blocks" if coverage(way).votes else ""
    return f"{needed:,} rows{blocks}"


def _rounded(rows: int) -> int:
    """Return a number of rows, rounded up to two digits."""
    unit: int = 10 ** max(0, len(str(rows)) - 2)
    return -(-rows // unit) * unit


def _ways(settings: Settings) -> list[Settings]:
    """Return what to compare: test rows only, blocks, and each score by public ranges if these are known."""
    chosen = settings.with_(score=Settings().score) if settings.score == ALL_SCORES else settings
    ways = [chosen.with_(protect=Protection.TEST_ROWS), chosen.with_(route=Route.BLOCKS)]
    if settings.range_x and settings.range_y:
        ways += [settings.with_(route=Route.RIDGE, score=score.name) for score in public_ranges.releasable()]
    return ways


def _row(way: Settings) -> dict[str, str]:
    row = {"protects": coverage(way).title, "score": get_score(way.score).title}
    try:
        analysis = state.analysis(way)
    except PrivCauseError as error:
        columns = ("noise-free arrow", "true margin", "ε noise scale", "ε agrees", f"rows for {CERTAINTY:.0%} (true)")
        return row | dict.fromkeys(columns, "—") | {"ε agrees": literal(str(error))}
    one, undecided = analysis.headline, analysis.headline.true.direction is Direction.UNDECIDED
    needed = planning.least_rows(one.true, analysis.measurement.pair.rows, way, CERTAINTY)
    return row | {
        "noise-free arrow": short_arrow(one.true.direction),
        "true margin": margin_text(one.true.margin) + (" votes" if coverage(way).votes else ""),
        "ε noise scale": f"{one.verdict.noise_scale:.3g}",
        "ε agrees": "undecided" if undecided else short_percent(one.probability_arrow_kept),
        f"rows for {CERTAINTY:.0%} (true)": _rows_and_blocks(needed, analysis.measurement.pair.rows, way),
    }
