"""The lesson's live parts, one function a step. Data are made by the program; nothing here is private."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from pages.parts.learn.dial import dial
from pages.shared import pitfall_panels, state
from pages.shared.icons import icon_array
from pages.shared.lesson import live
from pages.shared.show import show
from privcause_core.explore.analysis import Analysis, Measurement, judge, measure
from privcause_core.explore.outcomes import Outcome, count, first_runs
from privcause_core.figures.chart import percent
from privcause_core.figures.lesson import (
    MOST_PEOPLE,
    cast_votes,
    cloud,
    middle_half,
    moved_row,
    one_way_fit,
    pass_curve,
    survival,
)
from privcause_core.figures.pair import residuals
from privcause_core.figures.runs import reach_of, run_grid, run_margins
from privcause_core.fits.scaling import iqr
from privcause_core.lessons.one_vote import bounded_vote, move_one
from privcause_core.pair import Direction
from privcause_core.samples import DEFAULT_SAMPLE, load_sample
from privcause_core.scores.kendall import SCORE as KENDALL
from privcause_core.scores.kendall import tau_a
from privcause_core.settings import Calibration, Settings
from privcause_core.text.words import best_guess, odds_said
from privcause_core.verdicts import theory
from privcause_core.verdicts.mechanisms import verdict_for

ROWS = 300  # few enough that noise flips the arrow now and then
ROWS_TO_SEE = 2_000  # enough that leftovers show their shape
SCORE = KENDALL.name
CORNERS = {"stays": None, "top left": (-4.0, 7.0), "top right": (8.0, 7.0), "bottom left": (-4.0, -7.0),
           "bottom right": (8.0, -7.0)}  # fmt: skip
PICTURES, MOVES = ("upright", "on its side"), ("stays", "moves across the gap")
PEOPLE = (20, 50, 100, 150)
SIZES = (50, 150, 500, 1_000, 5_000, 20_000)
LIMITS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
GAPS = (1, 10, 100, 1_000)


def lesson_analysis() -> Analysis:
    """Return the lesson's own sample under the shared epsilon."""
    return judge(_measured(ROWS), Settings(epsilon=state.settings().epsilon))


def _measured(rows: int) -> Measurement:
    return state.remember(
        ("lesson", rows), lambda: measure(load_sample(DEFAULT_SAMPLE, rows=rows), Settings(score=SCORE))
    )


def arrow_question() -> None:
    """Show the cloud, either way up."""
    pair = _measured(ROWS_TO_SEE).pair
    picture = st.segmented_control("The picture", PICTURES, default=PICTURES[0], required=True, key="picture",
                                   bind="query-params")  # fmt: skip
    turned = picture != PICTURES[0]
    columns, names = ((pair.y, pair.x), ("y", "x")) if turned else ((pair.x, pair.y), ("x", "y"))
    show(cloud(*columns, names))


def left_over() -> None:
    """Show the fit and the residuals of one direction."""
    measured = _measured(ROWS_TO_SEE)
    true = measured.of(SCORE)
    way = st.segmented_control(
        "Try the arrow", ["x → y", "y → x"], default="x → y", required=True, key="way", bind="query-params"
    )
    direction = Direction.X_TO_Y if way == "x → y" else Direction.Y_TO_X
    fit, rest = st.columns(2)
    with fit:
        show(one_way_fit(measured, direction))
    with rest:
        show(residuals(measured, direction))
    here, other = (true.score_xy, true.score_yx) if way == "x → y" else (true.score_yx, true.score_xy)
    st.markdown(live("score_bands", arrow=way, score=here, other=other))
    winner = "x → y" if true.margin > 0.0 else "y → x"
    st.markdown(live("score_verdict", winner=winner, margin=abs(true.margin)))


def one_person() -> None:
    """Move one row of the test half and score again."""
    scored = lesson_analysis().measurement.fit.scored.x_to_y
    m = st.segmented_control(
        "People in the test half (m)", PEOPLE, default=50, required=True, key="people", bind="query-params"
    )
    corner = st.segmented_control("Move one person to the", list(CORNERS), default="top left", required=True,
                                  key="corner", bind="query-params")  # fmt: skip
    x, r = scored.cause_scaled[:m].copy(), scored.residual_scaled[:m].copy()
    before, start = abs(tau_a(x, r)), (float(x[0]), float(r[0]))
    x[0], r[0] = CORNERS[corner] or start
    show(moved_row(x[1:], r[1:], start, (float(x[0]), float(r[0]))))
    after = abs(tau_a(x, r))
    bound = KENDALL.sensitivity(m, Calibration.REFINED)
    st.markdown(live("one_person", before=before, after=after, change=abs(after - before), bound=bound))


def noise() -> None:
    """Show a hundred private runs under the shared epsilon."""
    dial()
    one = lesson_analysis()
    headline = one.of(SCORE)
    runs = first_runs(headline, one.settings)
    flips = count(runs, Outcome.FLIPPED)
    true, scale = headline.true, headline.verdict.noise_scale
    st.markdown(live("noise", flips=flips, margin=abs(true.margin), scale=scale))
    grid, why = st.columns(2)
    with grid:
        show(run_grid(runs, true.direction))
    with why:
        at_one = verdict_for(true.score, one.measurement.fit.n_test, Settings(epsilon=1.0)).noise_scale
        show(run_margins(runs, true.margin, reach_of(true.margin, at_one)))


def odds() -> None:
    """Show the best spy's answers with and without the row, the same hundred each way."""
    dial()
    epsilon = state.settings().epsilon
    inside = 100.0 * best_guess(epsilon)
    for column, share, title in zip(st.columns(2), (inside, 100.0 - inside), ("with_row", "without_row"), strict=True):
        with column:
            said = live(title, share=share)
            st.markdown(said)
            icon_array(round(share), said.replace("*", ""))
    st.markdown(live("spy", odds=odds_said(epsilon)))


def margin() -> None:
    """Show Theorem 3 for the sample's margin, any epsilon and any m."""
    dial()
    m = st.segmented_control(
        "People in the test half (m)",
        SIZES,
        default=150,
        required=True,
        key="m",
        bind="query-params",
        format_func="{:,}".format,
    )
    true_margin = abs(lesson_analysis().of(SCORE).true.margin)
    scale = theory.noise_scale(KENDALL.sensitivity(m, Calibration.REFINED), state.settings().epsilon)
    t = true_margin / scale
    right = 1.0 - float(theory.flip_two_scores(t))
    st.markdown(live("margin", scale=scale, margin=true_margin, t=t, right=right))
    show(survival(t, right))


def gap() -> None:
    """Show an IQR that one person moves."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        width = st.segmented_control(
            "Gap",
            GAPS,
            default=10,
            required=True,
            key="gap",
            bind="query-params",
            format_func="{:,}".format,
        )
        where = st.segmented_control("One person", MOVES, default=MOVES[0], required=True, key="moved",
                                     bind="query-params")  # fmt: skip
    moved = where != MOVES[0]
    values = np.concatenate([np.arange(15) / 10.0, 1.4 + width + np.arange(5) / 10.0])
    after = values.copy()
    after[0] = values[-1] + 0.1
    shown = after if moved else values
    low, high = np.sort(shown)[[4, 14]]
    show(middle_half(shown.tolist(), float(low), float(high), 0 if moved else None, float(after.max())))
    if moved:
        st.markdown(live("gap", before=iqr(values), after=iqr(after)))
    else:
        st.markdown(live("gap_before", before=iqr(values)))


def ask_first() -> None:
    """Show the test that keeps an unstable IQR back."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        epsilon = st.select_slider(
            "ε of the test", (0.1, 0.2, 0.5, 1.0), value=0.2, key="test_epsilon", bind="query-params"
        )
        delta = st.select_slider(
            "δ", (1e-3, 1e-6, 1e-9), value=1e-6, format_func="{:g}".format, key="test_delta", bind="query-params"
        )
        distance = st.slider(
            "A, people who would have to move", 1, MOST_PEOPLE, 60, key="distance", bind="query-params"
        )
    passes = float(theory.pass_probability(distance, epsilon, delta))
    show(pass_curve(epsilon, delta, distance))
    threshold = theory.stability_threshold(epsilon, delta)
    st.markdown(live("release", threshold=threshold, distance=distance, passes=percent(passes)))


def vote() -> None:
    """Move one row of the test half, and bound its vote."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        y = st.slider("Move one person's y to", -4.0, 4.0, 3.0, 0.1, key="moved_y", bind="query-params")
        limit = st.select_slider("Limit of a vote, c", LIMITS, value=0.5, key="limit", bind="query-params")
    settings = Settings(vote_limit=limit)
    moved = state.remember(("vote", y, limit), lambda: move_one(_measured(ROWS).pair, y, settings))
    likelihood, kendall = moved.scores
    show(cast_votes(moved, limit))
    counts = bounded_vote(moved.moved, limit)
    st.markdown(live("vote", before=moved.cast[0], moved=moved.moved, counts=counts, change=likelihood.change,
                     bound=likelihood.bound))  # fmt: skip
    st.markdown(live("vote_beside", change=kendall.change, bound=kendall.bound,
                     likelihood=likelihood.margin_over_noise, kendall=kendall.margin_over_noise))  # fmt: skip


def mistakes() -> None:
    """Show one mistake at a time."""
    names = list(pitfall_panels.LESSON)
    which = st.segmented_control("Mistake", names, default=names[0], required=True, key="mistake", bind="query-params")
    pitfall_panels.LESSON[which]()


def where_next() -> None:
    """Link to the pages that go on from here."""
    with st.container(horizontal=True, key="where_next"):
        st.page_link("pages/explore.py", label="Explore your own pair", icon=":material/explore:")
        st.page_link("pages/release.py", label="Release a private arrow", icon=":material/lock_open_right:")
        st.page_link("pages/methods.py", label="Proofs and methods", icon=":material/functions:")


DRAW: dict[str, tuple[Callable[[], None], ...]] = {
    "1-arrow": (arrow_question,),
    "2-residuals": (left_over,),
    "3-one-person": (one_person,),
    "4-noise": (noise,),
    "5-epsilon": (odds,),
    "6-margin": (margin,),
    "7-iqr": (gap, ask_first),
    "8-wrong": (mistakes,),
    "9-vote": (vote,),
    "10-remember": (where_next,),
}
