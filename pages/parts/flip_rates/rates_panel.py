"""Blocks of the Flip rates page."""

from dataclasses import dataclass, field

import streamlit as st
from threadpoolctl import threadpool_limits

from pages.shared import panels, state
from pages.shared.controls import EPSILON_STEPS, epsilon_slider
from pages.shared.show import show
from pages.shared.waiting import awaited
from pages.shared.wording import score_title
from privcause_core.explore.analysis import Analysis, ScoreAnalysis
from privcause_core.explore.fewer_rows import (
    SUBSAMPLES,
    Subsamples,
    flip_rates_over_m,
    subsamples_by_size,
    subset_sizes,
)
from privcause_core.explore.flip_curve import RateCurve, rate_curve
from privcause_core.figures.chart import short_percent
from privcause_core.figures.rates import flip_rates, iqr_shares, rates_over_m
from privcause_core.pair import Direction
from privcause_core.protection.choice import coverage
from privcause_core.settings import ALL_SCORES

SECONDS_A_DRAW, SECONDS_A_DRAW_OF_IQR = 1e-6, 1e-5  # for all epsilons of a curve
UNDECIDED = "The noise-free scores do not decide, so there is no arrow to flip."


def over_epsilon(analysis: Analysis) -> None:
    """Draw the chosen score's curve, or every score's for "all"."""
    settings = analysis.settings
    st.caption(
        f"One set of {settings.draws:,} simulated draws (seed {settings.draw_seed}), rescaled as ε moves. "
        "Non-private: computed from the noise-free margin. Since one set serves every ε, the simulated line may lie on "
        "one side of the exact curve for a stretch: its 95 % band holds for one ε at a time."
    )
    epsilon_slider()
    chosen = analysis.scores if settings.score == ALL_SCORES else (analysis.headline,)
    columns = st.columns(2, gap="large") if len(chosen) > 1 else [st.container()]
    for k, one in enumerate(chosen):
        with columns[k % len(columns)]:
            _curve_chart(one, analysis)


def _curve_chart(one: ScoreAnalysis, analysis: Analysis) -> None:
    curve, settings = _curve(one, analysis), analysis.settings
    title = f"{one.true.score.title}: flipped arrows"
    if curve is None:
        st.info(f"{one.true.score.title}: {UNDECIDED}")
        return
    show(flip_rates(title, curve.epsilons, curve.exact, curve.seen, settings.epsilon, settings.draws))
    if curve.alarm:
        st.error(
            f"{one.true.score.title}: simulation and theory part by {curve.gap:.3f}, more than the {curve.band:.3f} "
            "that chance allows once in a million. One of them is wrong; please report it.",
            icon=":material/warning:",
        )


def _curve(one: ScoreAnalysis, analysis: Analysis) -> RateCurve | None:
    """Return a score's curve, computed once for all epsilons."""
    settings = analysis.settings.with_(epsilon=1.0, score=one.name)
    fit = analysis.measurement.fit
    key = ("rates", *state.pair_token(), settings)
    seconds = settings.draws * (SECONDS_A_DRAW_OF_IQR if one.shares else SECONDS_A_DRAW)
    what = f"Simulating {settings.draws:,} runs of {one.true.score.title}"
    return awaited(key, seconds, what, lambda _: rate_curve(one.true, fit, settings, EPSILON_STEPS))


def table(analysis: Analysis) -> None:
    """Show exact and simulated rates of every measured score, and whether they agree."""
    if len(analysis.scores) < len(coverage(analysis.settings.with_(score=ALL_SCORES)).scores()):
        st.caption(
            f"With so much to compute only the chosen score is measured; {score_title(ALL_SCORES)} measures every one."
        )
    rows = [_row(one, analysis) for one in analysis.scores]
    st.table({name: [row[name] for row in rows] for name in rows[0]}, hide_index=True)
    st.caption(
        "“Agree” means that the simulated runs and the exact curve differ by no more than luck explains; a "
        "right curve fails this check once in a million times.",
        help="“Largest gap” is taken over all ε at once; “allowed” is the Dvoretzky-Kiefer-Wolfowitz bound at a "
        "false-alarm rate of 1e-6. The 95 % interval (Wilson) of the chart holds for one ε at a time, for the eye.",
    )


def _row(one: ScoreAnalysis, analysis: Analysis) -> dict[str, str]:
    curve, seen = _curve(one, analysis), one.empirical
    return {
        "Score": one.true.score.title,
        "exact flip rate (true)": short_percent(one.probability_flip),
        "ε refuses": "never" if one.shares is None else short_percent(one.shares.partly_refused + one.shares.refused),
        "simulated (true), 95 %": "—" if seen is None else f"{seen.rate:.1%} ({seen.low:.1%} to {seen.high:.1%})",
        "largest gap / allowed": "—" if curve is None else f"{curve.gap:.4f} / {curve.band:.4f}",
        "verdict": "undecided" if curve is None else "DISAGREE" if curve.alarm else "agree",
    }


def shares(analysis: Analysis) -> None:
    """Draw the four shares of all IQR runs."""
    one = analysis.of("iqr")
    curve = _curve(one, analysis)
    if curve is None:
        st.info(UNDECIDED)
        return
    show(iqr_shares(curve.epsilons, curve.shares, analysis.settings.epsilon))
    exact, seen = one.shares, one.simulated_shares
    names = {
        "right": "agree with the noise-free arrow",
        "wrong": "print the other arrow",
        "partly_refused": "partly refused",
        "refused": "refused",
    }
    st.table(
        {
            "of all runs": list(names.values()),
            "exact (true)": [short_percent(getattr(exact, field)) for field in names],
            "simulated (true)": [f"{getattr(seen, field):.1%}" for field in names],
        },
        hide_index=True,
    )


def over_rows(analysis: Analysis) -> None:
    """Score random subsets of the test half, size by size; stopping keeps what came."""
    if coverage(analysis.settings).votes:
        st.info("Blocks vote with all rows; there is no test half to take subsets of. See the planner for more rows.")
        return
    one, fit = analysis.headline, analysis.measurement.fit
    sizes = subset_sizes(fit.n_test)
    st.markdown(
        f"{panels.TRUE_BADGE} How would {one.true.score.title} do with fewer test rows? {SUBSAMPLES} random subsets of "
        "each size are scored with the same two fits; their arrows are compared with the full test half's."
    )
    if one.true.direction is Direction.UNDECIDED or not sizes:
        st.info(UNDECIDED if sizes else "There are too few test rows to take subsets of.")
        return
    job = _job(analysis)
    left = sizes[len(job.scored) :]
    if left and job.running:
        _score(analysis, left, job)
    elif left:
        label = "Continue" if job.scored else f"Score {len(sizes) * SUBSAMPLES:,} subsets"
        st.button(label, key="run_rows", icon=":material/play_arrow:", on_click=job.start)
    if job.scored:
        rates = flip_rates_over_m(job.scored, one.true.score, one.true.direction, analysis.settings)
        title = f"{one.true.score.title}: arrows that differ from the full data's"
        show(rates_over_m(title, rates, fit.n_test, one.probability_flip))


@dataclass(slots=True)
class Job:
    """Subsets scored so far; it outlives a stop and an epsilon move, and goes on after the latter."""

    scored: list[Subsamples] = field(default_factory=list)
    running: bool = False

    def start(self) -> None:
        """Score what is left."""
        self.running = True

    def stop(self) -> None:
        """Keep what came."""
        self.running = False


def _job(analysis: Analysis) -> Job:
    """Return the job of these data, this split and this score."""
    data_settings = state.measured_by(analysis.settings.with_(score=analysis.headline.name))
    return state.remember(("subsets", *state.pair_token(), data_settings), Job)


def _score(analysis: Analysis, sizes: tuple[int, ...], job: Job) -> None:
    done, every = len(job.scored), len(job.scored) + len(sizes)
    bar = st.progress(done / every, f"Scoring subsets of {sizes[0]:,} rows …")
    st.button("Stop, keep what came", key="stop_rows", icon=":material/stop:", on_click=job.stop)
    score, fit = analysis.headline.true.score, analysis.measurement.fit
    with threadpool_limits(1):
        for one in subsamples_by_size(fit, score, analysis.settings, sizes):
            job.scored.append(one)
            done += 1
            following = f", next {sizes[done - every]:,}" if done < every else ""
            bar.progress(done / every, f"Scored subsets of {one.m:,} rows{following} …")
    job.stop()
    st.rerun()
