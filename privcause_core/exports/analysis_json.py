"""An analysis as plain JSON values: numbers that do not exist are null, never NaN, and say so in a warning."""

import math
from dataclasses import asdict
from typing import Any

from privcause_core.explore.analysis import Analysis, ScoreAnalysis
from privcause_core.pair import Direction
from privcause_core.text.names import bare
from privcause_core.verdicts.propose_test_release import IqrVerdict
from privcause_core.version import __version__

SCHEMA_VERSION = 1  # of every JSON object that a command writes


def head() -> dict[str, object]:
    """Return how every JSON object of true values begins."""
    return {"schema_version": SCHEMA_VERSION, "version": __version__, "private": False}


def analysis_dict(analysis: Analysis) -> dict[str, Any]:
    """Return the JSON object of ``analyse --json`` (non-private: it holds true scores)."""
    pair, fit = analysis.measurement.pair, analysis.measurement.fit
    missing: list[str] = []
    scores = {score.name: _score_dict(score, analysis, missing) for score in analysis.scores}
    if analysis.measurement.columns_related_p is None:
        missing.append("A column is constant: whether the columns are related cannot be tested.")
    return {
        **head(),
        "pair": pair.name,
        "x": pair.x_name,
        "y": pair.y_name,
        "truth": str(pair.truth) if pair.truth else None,
        "n_train": fit.n_train,
        "n_test": fit.n_test,
        "rows_read": pair.rows_read,
        "rows_used": pair.rows,
        "columns_related_p": analysis.measurement.columns_related_p,
        "warnings": [*map(bare, analysis.warnings), *missing],
        "settings": analysis.settings.to_dict(),
        "scores": scores,
    }


def _score_dict(score: ScoreAnalysis, analysis: Analysis, missing: list[str]) -> dict[str, object]:
    true, verdict = score.true, score.verdict
    settings = analysis.settings
    entry: dict[str, object] = {
        "score_xy": true.score_xy,
        "score_yx": true.score_yx,
        "margin": true.margin,
        "direction": str(true.direction),
        "sensitivity": None if isinstance(verdict, IqrVerdict) else verdict.sensitivity,
        "noise_scale": verdict.noise_scale,
        "probability_flip": score.probability_flip,
        "empirical_flip_rate": score.empirical.rate if score.empirical else None,
        "empirical_low": score.empirical.low if score.empirical else None,
        "empirical_high": score.empirical.high if score.empirical else None,
        "total_epsilon": verdict.cost.epsilon,
        "total_delta": verdict.cost.delta,
        "epsilon_per_draw": verdict.epsilon_per_draw,
        "release": str(settings.release),
        "margin_standard_error": true.doubt.standard_error if true.doubt else None,
        "sampling_z": true.doubt.z if true.doubt else None,
        "tells_arrow": score.tells_arrow,
        "probability_population_agrees": score.probability_population_agrees,
        "least_epsilon": {f"{certainty:.2f}": epsilon for certainty, epsilon in score.least_epsilon},
    }
    if isinstance(verdict, IqrVerdict):
        # Names as in IqrVerdict.outputs: the four log-IQRs of one verdict.
        entry |= {
            "distance_to_instability": dict(zip(verdict.outputs, map(list, true.distances), strict=True)),
            "probability_released": score.shares.released if score.shares else None,
            "shares": asdict(score.shares) if score.shares else None,
            "delta_per_release": verdict.delta_per_release,
            "attribute_epsilon": verdict.attribute_cost.epsilon,
            "attribute_delta": verdict.attribute_cost.delta,
        }
    _note_missing(score, entry, missing)
    return entry


def _note_missing(score: ScoreAnalysis, entry: dict[str, object], missing: list[str]) -> None:
    infinite = [key for key, value in entry.items() if isinstance(value, float) and not math.isfinite(value)]
    for key in infinite:
        entry[key] = None
    if infinite:
        missing.append(f"{score.true.score.title}: an IQR is 0, its log does not exist ({', '.join(infinite)} null).")
    if score.true.doubt is None:
        missing.append(f"{score.true.score.title}: the margin has no standard error, so sampling doubt is unknown.")
    if score.true.direction is Direction.UNDECIDED:
        missing.append(f"{score.true.score.title}: the true verdict is undecided, so there is no arrow to flip.")
