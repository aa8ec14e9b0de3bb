"""What the first screen draws, as plain numbers: scores, noise at epsilon 1, fixed unit draws, thinned points."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from privcause_core.explore.analysis import Analysis, Measurement, ScoreAnalysis, unrelated, untold
from privcause_core.explore.outcomes import SHOWN_RUNS, first_runs
from privcause_core.explore.simulation import IqrDraws, LaplaceDraws
from privcause_core.pair import Direction, FloatArray, NumberArray
from privcause_core.settings import Settings
from privcause_core.text.names import visible
from privcause_core.verdicts.propose_test_release import IqrVerdict

STEPS = tuple(float(f"{10 ** (k / 20 - 2):.2g}") for k in range(61))  # 0.01 to 10
MOST_POINTS, CURVE_POINTS = 500, 60
LONGEST_NAME = 60
DIGITS, NOISE_DIGITS = 4, 6
SIGNS = {Direction.X_TO_Y: 1, Direction.Y_TO_X: -1, Direction.UNDECIDED: 0, None: 0}


def scene(analysis: Analysis) -> dict[str, object]:
    """Return everything that the browser needs to draw the first screen at any epsilon; ready for JSON."""
    one, measured = analysis.headline, analysis.measurement
    pair = measured.pair
    return _named(analysis) | {
        "hidden": False,
        "arrow": SIGNS[one.true.direction],
        "known": SIGNS[pair.truth],
        "why": " ".join(measured.undecided),
        "doubt": one.true.doubt
        and {"population": one.true.doubt.probability_arrow, "reason": untold(one.true, measured.columns_related_p)},
        "unrelated": unrelated(measured.columns_related_p),
        "points": points(measured),
        "fits": fits(measured),
        "ends": [_short(end) for column in (pair.x, pair.y) for end in (column.min(), column.max())],
        **_noise(one, analysis.settings),
    }


def hidden_scene(analysis: Analysis) -> dict[str, object]:
    """Return what may be drawn while true values are hidden: names, and how many of a hundred runs say what.

    No score, margin, noise or single run is part of it. The caller must have judged with draws of a seed that nobody
    knows. ``counts`` holds (x -> y, y -> x, refused) for each step and, last, for the settings' own epsilon.
    """
    epsilons = (*STEPS, analysis.settings.epsilon)
    return _named(analysis) | {"hidden": True, "arrow": 0, "counts": [_counts(analysis, one) for one in epsilons]}


def _named(analysis: Analysis) -> dict[str, object]:
    one, pair = analysis.headline, analysis.measurement.pair
    return {
        "x": _name(pair.x_name),
        "y": _name(pair.y_name),
        "epsilon": analysis.settings.epsilon,
        "steps": list(STEPS),
        "score": one.true.score.title,
    }


def _counts(analysis: Analysis, epsilon: float) -> list[int]:
    one = analysis.headline
    runs = first_runs(replace(one, verdict=replace(one.verdict, epsilon=epsilon)), analysis.settings)
    arrows = [run.arrow for run in runs]
    return [arrows.count(said) for said in (Direction.X_TO_Y, Direction.Y_TO_X, None)]


def points(measured: Measurement, most: int = MOST_POINTS) -> list[list[float]]:
    """Return at most that many rows as (x, y), each column's range mapped onto [0, 1]."""
    pair = measured.pair
    rows = np.unique(np.linspace(0, pair.rows - 1, min(most, pair.rows)).astype(int))
    return _listed(np.column_stack([_unit(pair.x, pair.x[rows]), _unit(pair.y, pair.y[rows])]))


def fits(measured: Measurement) -> list[list[list[float]]]:
    """Return the regression of y on x and the one of x on y as lines of (x, y) in the range of the rows."""
    pair, fit = measured.pair, measured.fit
    forward = _line(fit.scaling_x.apply(pair.x), fit.scaling_y.apply(pair.y), fit.forward.predict)
    backward = _line(fit.scaling_y.apply(pair.y), fit.scaling_x.apply(pair.x), fit.backward.predict)
    return [_listed(forward), _listed(backward[:, ::-1])]


def leftovers(measured: Measurement, most: int = MOST_POINTS) -> list[list[list[float]]]:
    """Return, for x -> y and y -> x, residuals of test rows against the supposed cause, both on [0, 1].

    The residual's axis runs over five of its usual spreads either way.
    """
    return [
        _listed(np.column_stack([_unit(one.cause, one.cause[rows]), (one.residual_scaled[rows] + 5.0) / 10.0]))
        for one in (measured.fit.scored.x_to_y, measured.fit.scored.y_to_x)
        for rows in (np.unique(np.linspace(0, one.cause.size - 1, min(most, one.cause.size)).astype(int)),)
    ]


def _noise(one: ScoreAnalysis, settings: Settings) -> dict[str, object]:
    """Return the mechanism: what it blurs, the noise scale at epsilon 1, and the first hundred unit draws."""
    true, verdict = one.true, one.verdict
    if isinstance(verdict, IqrVerdict):
        return _tests(one, verdict, settings)
    draws = LaplaceDraws.seeded(settings.draw_seed, settings.draws, verdict.kind)
    two = len(verdict.outputs) > 1
    return {
        "kind": str(verdict.kind),
        "centres": [true.score_xy, true.score_yx] if two else [true.margin],
        "margin": true.margin,
        "scale": replace(verdict, epsilon=1.0).noise_scale,
        "noise": draws.columns[:, :SHOWN_RUNS].round(NOISE_DIGITS).tolist(),
    }


def _tests(one: ScoreAnalysis, verdict: IqrVerdict, settings: Settings) -> dict[str, object]:
    """Return propose-test-release: a run is refused unless each of four outputs passes one of two tests.

    A test passes where share x epsilon x (A - 1) + noise exceeds ``log``, so a run has one least epsilon to answer.
    """
    true, draws = one.true, IqrDraws.seeded(settings.draw_seed, settings.draws)
    values = draws.values[:SHOWN_RUNS]
    noise = values[:, 2] + values[:, 3] - values[:, 0] - values[:, 1]
    share, log = replace(verdict, epsilon=1.0).epsilon_per_draw, -math.log(verdict.delta_per_release)
    least = least_epsilons(np.array(true.distances), draws.tests[:SHOWN_RUNS], log) / share
    finite = math.isfinite(true.margin)
    return {
        "kind": "iqr",
        "centres": [true.margin if finite else 0.0],
        "margin": true.margin if finite else 0.0,
        "endless": not finite,
        "scale": replace(verdict, epsilon=1.0).noise_scale,
        "noise": [
            noise.round(NOISE_DIGITS).tolist(),
            [None if math.isinf(e) else float(f"{e:.6g}") for e in least.tolist()],
        ],
        "distances": [list(pair) for pair in true.distances],
        "share": share,
        "log": log,
    }


def least_epsilons(distances: NumberArray, tests: FloatArray, log: float) -> FloatArray:
    """Return the least epsilon a draw at which each run answers, of shape (runs,); infinite where none does.

    Parameters
    ----------
    distances : array of shape (4, 2)
        A_1 and A_2 of each output.
    tests : array of shape (runs, 4, 2)
        Unit noise of the tests.
    log : float
        log(1/delta) of one release.
    """
    beyond = np.asarray(distances, dtype=np.float64) - 1.0
    needed = log - tests
    with np.errstate(divide="ignore", invalid="ignore"):
        least = np.where(needed < 0.0, 0.0, np.where(beyond > 0.0, needed / beyond, np.inf))
    return np.asarray(least.min(axis=2).max(axis=1))


def _line(cause: FloatArray, effect: FloatArray, predict: Callable[[FloatArray], FloatArray]) -> FloatArray:
    along = np.linspace(cause.min(), cause.max(), CURVE_POINTS)
    return np.column_stack([_unit(cause, along), _unit(effect, predict(along))])


def _unit(column: NumberArray, values: NumberArray) -> FloatArray:
    """Return values mapped so that the column's range is [0, 1]; the middle where it has none, cut at [-1, 2]."""
    low, high = float(column.min()), float(column.max())
    half = high / 2.0 - low / 2.0  # a range may exceed every double
    if half <= 0.0:
        return np.full(np.shape(values), 0.5)
    return np.clip((np.asarray(values, dtype=np.float64) / 2.0 - low / 2.0) / half, -1.0, 2.0)


def _listed(rows: FloatArray) -> list[list[float]]:
    listed: list[list[float]] = rows.round(DIGITS).tolist()
    return listed


def _name(name: str) -> str:
    flat = visible(name)
    return flat if len(flat) <= LONGEST_NAME else f"{flat[: LONGEST_NAME - 1]}…"


def _short(value: float) -> str:
    return f"{value:.3g}"
