"""The teaching report: everything the exploring pages show of one pair, true values included."""

from collections.abc import Iterator

import numpy as np

from privcause_core.explore.analysis import Analysis, ScoreAnalysis, untold
from privcause_core.explore.flip_curve import rate_curve
from privcause_core.explore.outcomes import first_runs
from privcause_core.exports.files import settings_yaml
from privcause_core.figures import hero
from privcause_core.figures.chart import Chart, percent
from privcause_core.figures.pair import residuals, scatter
from privcause_core.figures.rates import flip_rates, iqr_shares
from privcause_core.figures.runs import outcome_sentence, run_grid
from privcause_core.pair import Direction, Pair
from privcause_core.protection.choice import coverage
from privcause_core.report.document import (
    Kind,
    Section,
    bullets,
    chart,
    code,
    columns,
    document,
    facts,
    paragraph,
)
from privcause_core.text.names import arrow_text, isolated
from privcause_core.text.words import margin_text, promise_lines, score_text
from privcause_core.version import __version__

_ARROWS = {Direction.X_TO_Y: "x → y", Direction.Y_TO_X: "y → x", Direction.UNDECIDED: "undecided"}
EPSILONS = np.logspace(-2.0, 1.0, 61).tolist()


def teaching_report(analysis: Analysis, command: str) -> str:
    """Return the analysis as a self-contained HTML page that says everywhere that it holds true values.

    Parameters
    ----------
    analysis : Analysis
    command : str
        The shell command that repeats the numbers.
    """
    pair = analysis.measurement.pair
    return document(
        Kind.TEACHING,
        f"{isolated(pair.x_name)} and {isolated(pair.y_name)}: which one drives the other?",
        _sections(analysis, command),
    )


def _sections(analysis: Analysis, command: str) -> Iterator[Section]:
    yield Section("The answer", [*_answer(analysis)])
    yield Section("Move epsilon", [hero.embedded(hero.scene(analysis))])
    yield Section("The data and both fits", [_data(analysis), *map(chart, _pair_charts(analysis))])
    yield Section("All scores", [_scores(analysis), *_remarks(analysis)])
    yield Section("What privacy does to the arrow", [*_privacy(analysis)])
    yield Section("What the promise means", [*_promise(analysis)])
    yield Section("How to get these numbers again", [*_again(analysis, command)])


def _answer(analysis: Analysis) -> Iterator[str]:
    one, pair = analysis.headline, analysis.measurement.pair
    title = one.true.score.title
    if one.true.direction is Direction.UNDECIDED:
        yield paragraph(f"{title}: undecided. The noise-free scores do not tell the arrow.", "answer")
        return
    yield paragraph(f"{title}: {named_arrow(pair, one.true.direction)} (noise-free arrow)", "answer")
    if why := untold(one.true, analysis.measurement.columns_related_p):
        yield paragraph(f"No arrow to tell; neither direction can be ruled out: {why}")
    yield paragraph(
        f"At a total ε of {analysis.settings.epsilon:g} a private run gives this arrow with probability "
        f"{percent(one.probability_arrow_kept)} and the other one with probability {percent(one.probability_flip)}."
    )
    if pair.truth:
        agrees = "agrees" if pair.truth is one.true.direction else "does not agree"
        yield paragraph(f"Known arrow: {named_arrow(pair, pair.truth)}. The noise-free arrow {agrees} with it.")


def named_arrow(pair: Pair, direction: Direction) -> str:
    """Return an arrow between the pair's column names."""
    cause, effect = (pair.x_name, pair.y_name) if direction is Direction.X_TO_Y else (pair.y_name, pair.x_name)
    return arrow_text(cause, effect)


def _data(analysis: Analysis) -> str:
    pair, fit = analysis.measurement.pair, analysis.measurement.fit
    return facts([
        ("Pair", isolated(pair.name)),
        ("X", isolated(pair.x_name)),
        ("Y", isolated(pair.y_name)),
        ("Source", pair.source or "a file"),
        ("Rows read, rows used", f"{pair.rows_read:,}, {pair.rows:,}"),
        ("Rows for training, for the scores (m)", f"{fit.n_train:,}, {fit.n_test:,}"),
    ])  # fmt: skip


def _pair_charts(analysis: Analysis) -> tuple[Chart, ...]:
    measured = analysis.measurement
    return scatter(measured), residuals(measured, Direction.X_TO_Y), residuals(measured, Direction.Y_TO_X)


def _scores(analysis: Analysis) -> str:
    header = ["Score", "x → y", "y → x", "margin", "arrow", "flips", "simulated (95 %)", "ε for 90 / 95 / 99 %"]
    return columns(header, map(_score_row, analysis.scores))


def _score_row(one: ScoreAnalysis) -> list[object]:
    true, seen = one.true, one.empirical
    needed = " / ".join("—" if epsilon is None else f"{epsilon:.3g}" for _, epsilon in one.least_epsilon)
    simulated = f"{seen.rate:.1%} ({seen.low:.1%} to {seen.high:.1%})" if seen else "—"
    numbers = [score_text(true.score_xy, 5), score_text(true.score_yx, 5), margin_text(true.margin, 5)]
    return [true.score.title, *numbers, _ARROWS[true.direction], percent(one.probability_flip), simulated, needed]


def _remarks(analysis: Analysis) -> list[str]:
    return [bullets(analysis.warnings)] if analysis.warnings else []


def _privacy(analysis: Analysis) -> Iterator[str]:
    one, settings = analysis.headline, analysis.settings
    runs = first_runs(one, settings)
    yield paragraph(f"{outcome_sentence(runs)} (simulated, seed of the draws {settings.draw_seed}).")
    yield chart(run_grid(runs, one.true.direction))
    yield from map(chart, _curve(one, analysis))


def _curve(one: ScoreAnalysis, analysis: Analysis) -> Iterator[Chart]:
    settings = analysis.settings
    found = rate_curve(one.true, analysis.measurement.fit, settings, EPSILONS)
    if found is None:
        return
    if found.shares:
        yield iqr_shares(found.epsilons, found.shares, settings.epsilon)
    title = f"{one.true.score.title}: flips over ε"
    yield flip_rates(title, found.epsilons, found.exact, found.seen, settings.epsilon, settings.draws)


def _promise(analysis: Analysis) -> Iterator[str]:
    cost = analysis.headline.verdict.cost
    yield bullets(promise_lines(cost.epsilon, cost.delta))
    yield paragraph(f"{_protected(analysis)} Unit of privacy: one row replaced; the number of rows is public.")


def _protected(analysis: Analysis) -> str:
    fit = analysis.measurement.fit
    if coverage(analysis.settings).every_row:
        return "Protected: every row, training and test."
    return (
        f"Protected: the {fit.n_test:,} test rows. The {fit.n_train:,} training rows shape both curves and get no "
        "promise from a test-only release."
    )


def _again(analysis: Analysis, command: str) -> Iterator[str]:
    settings = analysis.settings
    yield paragraph(f"PrivCause {__version__}. In a terminal, with the program installed and the file at hand:")
    yield code(command)
    yield paragraph("The settings, as a file for --settings:")
    yield code(settings_yaml(settings))
