"""What many pairs show: accuracies with their honest limits, a row for every pair, downloads."""

import json

import numpy as np
import streamlit as st

from pages.parts.many_pairs import sweep_job
from pages.parts.many_pairs.sweep_job import SweepJob
from pages.shared import present, state
from pages.shared.controls import EPSILON_STEPS
from pages.shared.show import on_paper, show
from pages.shared.wording import literal, score_title, short_arrow
from privcause_core.explore.simulation import Interval
from privcause_core.figures.accuracy import accuracy_chart
from privcause_core.figures.chart import TRUE_NOTE
from privcause_core.pair import Direction
from privcause_core.scores import chosen_scores
from privcause_core.settings import ALL_SCORES, Settings
from privcause_core.sweep import (
    DEFAULT_EPSILONS,
    Ceiling,
    SweepGrid,
    accuracy,
    always_first,
    ceilings,
    judge_pair,
    sweep_csv,
    sweep_dict,
)
from privcause_core.sweep.accuracy import AccuracyPoint
from privcause_core.sweep.rows import SweepRow
from privcause_core.text.names import isolated, machine_text, visible

CURVE_EPSILONS = tuple(np.geomspace(EPSILON_STEPS[0], EPSILON_STEPS[-1], 26).tolist())
NAMED = 3
# Each of these tells the margin, or is it: the noise is public.
TRUE_COLUMNS = ("Noise-free arrow", "True margin", "ε flips, %", "ε right, %", "ε refused, %", "ε for 95 %")


def grid_of(settings: Settings, epsilons: tuple[float, ...]) -> SweepGrid:
    """Return the chosen scores under the current calibration and release."""
    scores = tuple(score.name for score in chosen_scores(settings.score))
    return SweepGrid(scores, epsilons, (settings.calibration,), (settings.release,))


def about(one: SweepJob) -> None:
    """Say which pairs these are, and which of them cannot be judged right or wrong."""
    unknown = [pair.name for pair in one.pairs if pair.truth in (None, Direction.UNDECIDED) or pair.weight == 0.0]
    said = f"**{literal(one.about)}**: {len(one.pairs)} pairs."
    if unknown and len(unknown) < len(one.pairs):
        names = ", ".join(literal(isolated(name)) for name in unknown[:NAMED])
        more = f" and {len(unknown) - NAMED} more" if len(unknown) > NAMED else ""
        said += f" Not judged right or wrong, for want of a known arrow: {names}{more}."
    st.markdown(said)


def accuracies(one: SweepJob) -> None:
    """Draw accuracy against epsilon for every chosen score."""
    settings, baseline = sweep_job.settings(), always_first(one.measured)
    if baseline is None or not present.shows_true("Accuracies, computed from noise-free scores"):
        return
    limits = {ceiling.score: ceiling for ceiling in ceilings(one.measured)}
    curve = settings.with_(epsilon=1.0)  # the curve does not depend on where epsilon stands

    def points() -> tuple[AccuracyPoint, ...]:
        rows = [row for pair in one.measured for row in judge_pair(pair, curve, grid_of(curve, CURVE_EPSILONS))]
        return accuracy(rows)

    found = state.remember(("accuracy", one.token, len(one.found), curve), points)
    columns = st.columns(2, gap="large") if settings.score == ALL_SCORES else [st.container()]
    for k, score in enumerate(chosen_scores(settings.score)):
        mine = [point for point in found if point.score == score.name]
        with columns[k % len(columns)]:
            title = f"{score.title}: right arrows over {mine[0].pairs} judged pairs"
            show(accuracy_chart(title, mine, limits.get(score.name), baseline, settings.epsilon))


def honesty(one: SweepJob) -> None:
    """Say for every score whether its noise-free arrows beat a coin."""
    found = ceilings(one.measured)
    if not found or not present.shows_true("Accuracies without privacy"):
        return
    st.table(
        {
            "Score": [score_title(ceiling.score) for ceiling in found],
            "right without privacy (true)": [_interval(ceiling.accuracy) for ceiling in found],
            "ROC area (true)": ["undefined" if ceiling.auc is None else f"{ceiling.auc:.2f}" for ceiling in found],
            "On these pairs": [_judgement(ceiling) for ceiling in found],
        },
        hide_index=True,
    )
    st.caption(
        "A private arrow knows no more than the noise-free arrow it protects: noise only pulls it towards a coin toss. "
        "A curve above its ceiling is that too: wrong arrows turned into coin tosses, not insight. Intervals are over "
        "pairs (Wilson, 95 %); an undecided pair counts half. ROC area: 0.5 is a coin toss, 1 tells every pair."
    )


def _judgement(ceiling: Ceiling) -> str:
    if ceiling.accuracy.high < 0.5:
        return "worse than a coin"
    return "no better than a coin" if ceiling.no_better_than_a_coin else "better than a coin"


def _interval(interval: Interval) -> str:
    return f"{interval.rate:.1%} ({interval.low:.1%} to {interval.high:.1%})"


def pair_table(one: SweepJob) -> None:
    """Show every pair at the current epsilon, one row for each chosen score; a pair that failed says why."""
    settings = sweep_job.settings()
    grid = grid_of(settings, (settings.epsilon,))
    rows: list[dict[str, object]] = []
    hidden = set() if present.shows_true("Noise-free arrows, margins and what they say of flips") else set(TRUE_COLUMNS)
    for pair in one.measured:
        arrow = short_arrow(pair.truth) if pair.truth else "—"
        known: dict[str, object] = {"Pair": visible(pair.pair), "Known arrow": arrow}
        if pair.reason:
            rows.append(known | {"Not scored because": pair.reason})
        rows += [known | _cells(row) for row in judge_pair(pair, settings, grid)]
    if len(grid.scores) == 1:
        hidden.add("Score")
    if not any(row.get("ε refused, %") for row in rows):
        hidden.add("ε refused, %")
    shares = ("ε flips, %", "ε right, %", "ε refused, %")
    shown = [{name: value for name, value in row.items() if name not in hidden} for row in rows]
    st.dataframe(
        shown,
        hide_index=True,
        placeholder="—",
        column_config={name: st.column_config.NumberColumn(format="%.1f") for name in shares},
        alt=f"{len(one.measured)} pairs at epsilon {settings.epsilon:g}: arrows, margins, flips, epsilon for 95 %.",
    )
    names = dict.fromkeys(name for row in shown for name in row)
    on_paper("pairs", {name: [row.get(name) for row in shown] for name in names})
    st.caption(
        f"“True” columns: {TRUE_NOTE}. “ε” columns: shares of all private runs at ε = {settings.epsilon:g}, computed "
        "from the true scores; “ε for 95 %” is the least total ε at which 95 % of the private arrows are the true one. "
        "“—”: there is none, such as a share of right arrows where the right one is not known. On a narrow screen the "
        "table scrolls sideways."
    )


def _cells(row: SweepRow) -> dict[str, object]:
    return {
        "Test rows": row.n_test,
        "Score": score_title(row.score),
        "Noise-free arrow": short_arrow(row.direction),
        "True margin": row.margin,
        "ε flips, %": 100.0 * row.probability_flip,
        "ε right, %": None if row.probability_right is None else 100.0 * row.probability_right,
        "ε refused, %": 100.0 * row.probability_refused,
        "ε for 95 %": row.epsilon_for_95,
    }


def downloads(one: SweepJob) -> None:
    """Offer the whole table: every chosen score at the usual epsilons and the current one."""
    settings, measured = sweep_job.settings(), one.measured
    grid = grid_of(settings, tuple(sorted({*DEFAULT_EPSILONS, settings.epsilon})))
    with st.container(horizontal=True):
        st.download_button(
            "Download CSV",
            data=lambda: sweep_csv(measured, settings, grid).encode("utf-8-sig"),  # a byte-order mark for spreadsheets
            file_name="privcause_pairs.csv",
            mime="text/csv",
            key="sweep_csv",
            icon=":material/download:",
            on_click="ignore",
        )
        st.download_button(
            "Download JSON",
            data=lambda: machine_text(
                json.dumps(sweep_dict(measured, settings, grid), ensure_ascii=False, allow_nan=False)
            ),
            file_name="privcause_pairs.json",
            mime="application/json",
            key="sweep_json",
            icon=":material/download:",
            on_click="ignore",
        )
