"""Every chart: colours named, axes fixed and titled, alt text and a table twin, contrast in both themes."""

import importlib
import inspect
import pkgutil
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import privcause_core.figures
from privcause_core.explore.analysis import judge, measure
from privcause_core.explore.fewer_rows import RateOverM
from privcause_core.explore.flip_curve import rate_curve
from privcause_core.explore.outcomes import Run, first_runs
from privcause_core.explore.simulation import Interval
from privcause_core.figures import chart as frame
from privcause_core.figures.accuracy import accuracy_chart
from privcause_core.figures.chart import Axis, Chart, percent, plotly_text, short_percent
from privcause_core.figures.curves import Curve, Mark, correctness
from privcause_core.figures.lesson import (
    cast_votes,
    cloud,
    false_pass,
    jump_bars,
    middle_half,
    moved_row,
    one_way_fit,
    pass_curve,
    survival,
)
from privcause_core.figures.matrix import arrow_matrix
from privcause_core.figures.pair import residuals, scatter
from privcause_core.figures.private import private_margin
from privcause_core.figures.promise import trade_off
from privcause_core.figures.rates import flip_rates, iqr_shares, rates_over_m
from privcause_core.figures.runs import reach_of, run_grid, run_margins
from privcause_core.figures.smoothing import loss_curves, smooth_curve
from privcause_core.lessons.one_vote import move_one
from privcause_core.lessons.pitfalls import Jump
from privcause_core.lessons.smooth_sensitivity import SmoothNoise
from privcause_core.lessons.smoothing_steps import moved_by, smoothing
from privcause_core.lessons.two_traps import scale_rules
from privcause_core.pair import Direction, Pair
from privcause_core.samples import DEFAULT_SAMPLE, load_sample
from privcause_core.settings import Calibration, ReleaseKind, Settings
from privcause_core.sweep import AccuracyPoint, Ceiling
from privcause_core.sweep.whole_table import TableArrow
from privcause_core.verdicts.outcome import private_direction

HOSTILE = "cost $a$ [USD] *b* <b>x</b>"
EPSILONS = np.geomspace(0.01, 10, 61)
SETTINGS = Settings(score="all", epsilon=0.1, draws=200)
SEEN = Interval(0.5, 0.4, 0.6)
MEASURED = measure(load_sample(DEFAULT_SAMPLE, rows=5_000), SETTINGS)
SMALL = measure(load_sample(DEFAULT_SAMPLE, rows=400), SETTINGS)
ANALYSIS = judge(MEASURED, SETTINGS)
RUNS = first_runs(ANALYSIS.of("kendall"), SETTINGS)
IQR_CURVE = rate_curve(MEASURED.of("iqr"), MEASURED.fit, SETTINGS, EPSILONS.tolist())
POINTS = [AccuracyPoint("kendall", c, ReleaseKind.TWO_SCORES, e, SEEN, 0.0, 9) for c in Calibration for e in (0.1, 1.0)]
CEILING = Ceiling("kendall", SEEN, 0.5)
CURVES = [Curve(ReleaseKind.TWO_SCORES, Calibration.REFINED, EPSILONS / 10), Curve(None, Calibration.PAPER, EPSILONS)]

SMALL_PAIR = load_sample(DEFAULT_SAMPLE, rows=60, seed=1)
ARROW = TableArrow(0, 1, "a", "b", 30, Direction.X_TO_Y, 0.1, 0.9, 0.99, 3.5, 0.9, 0.001, 2.0)

BUILDERS: dict[str, Callable[[], Chart]] = {
    "scatter": lambda: scatter(MEASURED),
    "residuals": lambda: residuals(MEASURED, Direction.Y_TO_X),
    "run_grid": lambda: run_grid(RUNS, Direction.X_TO_Y),
    "run_margins": lambda: run_margins(RUNS, 0.1, reach_of(0.1, 0.01)),
    "trade_off": lambda: trade_off(1.0, 1e-6),
    "flip_rates": lambda: flip_rates("Kendall: flips", EPSILONS, EPSILONS / 20, [SEEN] * 61, 1.0, 200),
    "iqr_shares": lambda: iqr_shares(EPSILONS, IQR_CURVE.shares, 1.0),
    "rates_over_m": lambda: rates_over_m("Kendall", [RateOverM(m, 0.3, SEEN, 0.1) for m in (10, 100)], 1_000, 0.1),
    "correctness": lambda: correctness(
        "x", "Kendall", Axis("ε", -2, 1, log=True), EPSILONS, CURVES, Mark(1, 0.9, "it")
    ),
    "private_margin": lambda: private_margin("Kendall", 0.1, -0.2, 0.4, 0.95),
    "accuracy_chart": lambda: accuracy_chart("Kendall", POINTS[:2], CEILING, SEEN, 1.0),
    "cloud": lambda: cloud(MEASURED.pair.x[:50], MEASURED.pair.y[:50], ("cause", "effect")),
    "one_way_fit": lambda: one_way_fit(SMALL, Direction.X_TO_Y),
    "moved_row": lambda: moved_row(np.arange(5.0), np.arange(5.0), (1.0, 1.0), (2.0, 3.0)),
    "middle_half": lambda: middle_half(list(range(20)), 4.0, 14.0, 3, 20.0),
    "pass_curve": lambda: pass_curve(1.0, 1e-6, 5),
    "false_pass": lambda: false_pass(0.1, 1e-3),
    "jump_bars": lambda: jump_bars(
        "HSIC", [("median bandwidth", Jump(0.0, 0.5, 0.1)), ("public", Jump(0.0, 0.05, 0.1))]
    ),
    "survival": lambda: survival(2.0, 0.9),
    "smooth_curve": lambda: smooth_curve(smoothing(moved_by(200, 1.0), "kendall", SmoothNoise(0.5, 1e-6)), "Kendall"),
    "cast_votes": lambda: cast_votes(move_one(SMALL_PAIR, 3.0, SETTINGS), SETTINGS.vote_limit),
    "arrow_matrix": lambda: arrow_matrix([(0, HOSTILE), (1, "b")], [ARROW], 1.0),
    "loss_curves": lambda: loss_curves(scale_rules(11, 0.2), 0.2),
}


def test_dots_beyond_an_axis_lie_at_its_edge_and_are_counted_there():
    margins = [-3.0, -0.2, 0.1, 2.0, 5.0]
    runs = [Run(k, (), margin, private_direction(margin), None) for k, margin in enumerate(margins, 1)]
    figure = run_margins(runs, 0.1, 1.0).figure
    notes = [one.text for one in figure.layout.annotations]
    assert notes == ["◂ 1 run beyond", "▸ 2 runs beyond"]
    assert max(abs(x) for trace in figure.data for x in trace.x) == 1.0
    far = replace(MEASURED.fit.scored.y_to_x, residual_scaled=MEASURED.fit.scored.y_to_x.residual_scaled - 4.0)
    fit = replace(MEASURED.fit, scored=replace(MEASURED.fit.scored, y_to_x=far))
    chart = residuals(replace(MEASURED, fit=fit), Direction.Y_TO_X)
    notes = [one.text for one in chart.figure.layout.annotations]
    assert notes[0] == f"▾ {int((chart.table['residual'] < -5.0).sum())} rows beyond"
    assert chart.figure.data[0].y.min() == -5.0
    assert chart.table["residual"].min() < -5.0


def test_a_chart_on_a_slide_leaves_its_letters_to_the_page_and_cannot_be_moved():
    chart = run_margins(RUNS, 0.1, 1.0)
    slide = chart.for_a_slide()
    assert slide.figure.layout.title.font.size is None
    assert min(shape.label.font.size for shape in slide.figure.layout.shapes if shape.label.text) >= 18
    assert slide.figure.data[0].marker.size > chart.figure.data[0].marker.size
    assert (slide.config["staticPlot"], "staticPlot" in chart.config) == (True, False)


@pytest.mark.parametrize(
    "x",
    [
        np.tile([-1e308, 1e308], 100),
        np.linspace(-1.0, 1.0, 200) * 1.79e308,
        np.linspace(1.0, 1.79, 200) * 1e308,
        np.r_[np.linspace(-1.0, 1.0, 198), -1.79e308, 1.79e308],
        np.full(200, 1.7e308),
        np.linspace(-1.0, 1.0, 200) * 1e39,  # beyond single precision
    ],
    ids=["two values", "the whole range", "positive", "outliers", "constant", "1e39"],
)
def test_values_near_the_end_of_the_doubles_are_drawn_finite(x: np.ndarray) -> None:
    y = np.random.default_rng(0).permutation(x)
    measured = measure(Pair("huge", "x", "y", x, y), Settings(score="kendall"))
    for chart in (scatter(measured), *(residuals(measured, one) for one in (Direction.X_TO_Y, Direction.Y_TO_X))):
        drawn = [np.asarray(values, float) for trace in chart.figure.data for values in (trace.x, trace.y)]
        assert all(np.isfinite(values).all() for values in drawn)
        for axis in (chart.figure.layout.xaxis, chart.figure.layout.yaxis):
            assert np.isfinite(axis.range[1] - axis.range[0])
        assert ("in units of 1e+10" in chart.figure.layout.xaxis.title.text) == (np.abs(x).max() > 1e300)
    assert set(scatter(measured).table["x"]) <= set(x)


def test_points_keep_the_digits_that_tell_them_apart() -> None:
    x = 1.6e9 + np.arange(200.0)  # seconds, beyond what single precision resolves
    drawn = scatter(measure(Pair("clock", "x", "y", x, np.sin(x)), Settings(score="kendall"))).figure.data[0]
    assert np.unique(drawn.x).size == drawn.x.size


def chart_functions() -> set[str]:
    """Return the name of every public function of the figure modules that returns a chart."""
    modules = [
        importlib.import_module(f"privcause_core.figures.{info.name}")
        for info in pkgutil.iter_modules(privcause_core.figures.__path__)
    ]
    return {
        name
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
        and not name.startswith("_")
        and inspect.signature(function).return_annotation is Chart
    }


def test_every_chart_function_is_walked() -> None:
    assert chart_functions() == set(BUILDERS)


@pytest.fixture(scope="module")
def built() -> dict[str, Chart]:
    return {name: build() for name, build in BUILDERS.items()}


@pytest.mark.parametrize("name", BUILDERS)
def test_every_trace_names_its_colour(built: dict[str, Chart], name: str) -> None:
    for trace in built[name].figure.data:
        filled = getattr(trace, "fillcolor", None)
        drawn = [getattr(trace, part).color for part in ("line", "marker") if getattr(trace, part, None)]
        assert filled or any(color is not None for color in drawn), trace


@pytest.mark.parametrize("name", BUILDERS)
def test_every_axis_is_fixed_and_titled(built: dict[str, Chart], name: str) -> None:
    layout = built[name].figure.layout
    assert layout.title.text
    for axis in (layout.xaxis, layout.yaxis):
        assert axis.autorange is False
        assert len(axis.range) == 2
        named = axis.ticktext or isinstance(built[name].figure.data[0].y[0], str)  # categories say what they are
        assert axis.title.text or axis.showticklabels is False or named


@pytest.mark.parametrize("name", BUILDERS)
def test_every_chart_has_a_takeaway_and_a_table_of_equal_columns(built: dict[str, Chart], name: str) -> None:
    one = built[name]
    assert len(one.alt) > 30
    assert one.alt.endswith(".")
    lengths = {len(column) for column in one.table.values()}
    assert len(lengths) == 1
    assert lengths != {0}
    assert one.config["showSendToCloud"] is False
    assert one.config["toImageButtonOptions"]["format"] == "svg"


@pytest.mark.parametrize("name", BUILDERS)
def test_no_chart_sends_more_than_two_thousand_points_a_trace(built: dict[str, Chart], name: str) -> None:
    for trace in built[name].figure.data:
        assert trace.x is None or len(trace.x) <= 2_000


def test_hostile_names_stay_literal_in_titles_and_out_of_table_headers() -> None:
    x = np.linspace(-1, 1, 60)
    one = scatter(measure(Pair("p", "=1+1", HOSTILE, x, x**3 + 0.1 * np.sin(40 * x)), Settings()))
    title = one.figure.layout.yaxis.title.text
    assert "<b>" not in title
    assert "$" not in title
    assert title.replace("<br>", " ") == f"Y: {plotly_text(HOSTILE)}"
    assert not {"=1+1", HOSTILE} & set(one.table)


def test_axis_titles_are_broken_into_lines_that_fit_a_phone(built: dict[str, Chart]) -> None:
    for one in built.values():
        for axis, most in ((one.figure.layout.xaxis, frame.LINE_ALONG), (one.figure.layout.yaxis, frame.LINE_UP)):
            assert all(len(line) <= most or " " not in line for line in (axis.title.text or "").split("<br>"))
    long = frame.framed(
        [], "t", Axis("margin: positive where the true scores point the right way", 0, 1), Axis("", 0, 1)
    )
    assert long.layout.xaxis.title.text.count("<br>") == 1


def test_legends_hang_from_the_lower_edge_clear_of_the_axis_title(built: dict[str, Chart]) -> None:
    for one in built.values():
        legend = one.figure.layout.legend
        assert (legend.yref, legend.yanchor, legend.y) == ("container", "bottom", 0)


def test_decades_are_plain_numbers_until_they_get_long() -> None:
    near, far = (frame.framed([], "t", Axis("x", low, 1, log=True), Axis("", 0, 1)) for low in (-2, -10))
    assert near.layout.xaxis.exponentformat == "none"
    assert far.layout.xaxis.exponentformat == "power"


@pytest.mark.parametrize("truth", [Direction.X_TO_Y, Direction.Y_TO_X])
def test_a_dots_colour_is_its_arrow_whichever_is_true_and_the_legend_marks_the_true_one(truth: Direction) -> None:
    traces = {trace.name.split(":")[0]: trace for trace in run_grid(RUNS, truth).figure.data}
    assert traces["x → y"].marker.color == frame.TRUE
    assert traces["y → x"].marker.color == frame.PRIVATE
    marked = {arrow for arrow, trace in traces.items() if trace.name.endswith("the noise-free arrow")}
    assert marked == {"x → y" if truth is Direction.X_TO_Y else "y → x"}


def test_both_arrows_are_in_the_legend_even_if_no_run_printed_one() -> None:
    sure = first_runs(judge(MEASURED, SETTINGS.with_(epsilon=1e4)).of("kendall"), SETTINGS)
    names = {trace.name for trace in run_grid(sure, Direction.X_TO_Y).figure.data}
    assert names == {"x → y: 100, the noise-free arrow", "y → x: 0, flipped"}


def test_without_a_true_arrow_the_dots_tell_none() -> None:
    chart = run_grid(RUNS, Direction.UNDECIDED)
    assert "outcome" not in chart.table
    assert not any("true" in trace.name or "flipped" in trace.name for trace in chart.figure.data)


def test_long_names_are_shortened_and_blanks_joined() -> None:
    assert len(plotly_text("n" * 500)) == 60
    assert plotly_text("two\nlines") == "two lines"


def test_epsilon_moves_marks_but_no_axis() -> None:
    first, second = (
        flip_rates("Kendall: flips", EPSILONS, EPSILONS / 20, [SEEN] * 61, epsilon, 200).figure for epsilon in (0.1, 5)
    )
    assert first.layout.xaxis == second.layout.xaxis
    assert first.layout.yaxis == second.layout.yaxis
    assert first.layout.shapes != second.layout.shapes


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.0, "less than 0.1 %"), (0.004, "0.4 %"), (0.37, "37 %"), (0.973, "97 %"), (0.995, "99.5 %"),
     (1.0, "more than 99.9 %")],
)  # fmt: skip
def test_shares_are_said_without_false_certainty(share: float, said: str) -> None:
    assert percent(share) == said
    cell = said.replace("less than", "under").replace("more than", "over")
    assert short_percent(share) == cell.replace(" ", "\u00a0")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("color", [frame.TRUE, frame.PRIVATE, frame.THEORY, frame.CHANCE, frame.PURPLE])
def test_marks_stand_out_from_both_backgrounds(color: str, theme: str) -> None:
    config = Path(__file__).parents[2] / ".streamlit" / "config.toml"
    background = tomllib.loads(config.read_text(encoding="utf-8"))["theme"][theme]["backgroundColor"]
    assert contrast(color, background) >= 3.0


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two #RRGGBB colours."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    channels = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
