"""``analyse FILE``: both directions, true and private, for one pair."""

import argparse

from privcause_core.cli.common import (
    add_pair_arguments,
    add_settings_arguments,
    choose_pair,
    load,
    say,
    say_json,
    settings_from,
)
from privcause_core.explore.analysis import Analysis, ScoreAnalysis, analyse, untold
from privcause_core.exports.analysis_json import analysis_dict
from privcause_core.pair import Direction
from privcause_core.protection.choice import coverage
from privcause_core.settings import Settings
from privcause_core.text.names import isolated
from privcause_core.text.words import score_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add_pair_arguments(parser)
    add_settings_arguments(parser)
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print the analysis of one pair."""
    settings = settings_from(args)
    analysis = analyse(choose_pair(load(args.file, args.decimal), args).pair, settings)
    if args.json:
        say_json(analysis_dict(analysis))
    else:
        say(*_lines(analysis))
    return 0


def _lines(analysis: Analysis) -> list[str]:
    pair, settings = analysis.measurement.pair, analysis.settings
    return [
        f"{isolated(pair.name)}: X = {isolated(pair.x_name)}, Y = {isolated(pair.y_name)}; {_rows(analysis)}",
        f"A verdict costs epsilon {settings.epsilon:g} in all for one {_covers(settings)}.",
        *(f"Note: {warning}" for warning in analysis.warnings),
        "True values below are seen by you; they are not a private release.",
        *(_score_line(score, analysis.measurement.columns_related_p) for score in analysis.scores),
    ]


def _rows(analysis: Analysis) -> str:
    fit, settings, rows = analysis.measurement.fit, analysis.settings, analysis.measurement.pair.rows
    if coverage(settings).votes:
        return f"{rows} rows vote in {settings.blocks} blocks of {rows // settings.blocks}"
    return f"{fit.n_train} rows train, {fit.n_test} are scored"


def _covers(settings: Settings) -> str:
    if coverage(settings).every_row:
        return "row, whichever it is; every row is protected"
    return "test row; training rows are not protected"


def _score_line(score: ScoreAnalysis, related_p: float | None) -> str:
    true = score.true
    head = f"{true.score.title:>12}: {score_text(true.score_xy, 6)} against {score_text(true.score_yx, 6)}, "
    if true.direction is Direction.UNDECIDED:
        return head + "undecided"
    seen = f", seen in {score.empirical.rate:.1%} of the simulated runs" if score.empirical else ""
    refused = f", refused in {1.0 - score.shares.released:.1%}" if score.shares else ""
    flips = f"the private arrow flips in {score.probability_flip:.1%} of runs"
    why = untold(true, related_p)
    doubt = f"; no arrow to tell, neither direction can be ruled out: {why.rstrip('.')}" if why else ""
    return f"{head}noise-free arrow {true.direction}; {flips}{refused}{seen}{doubt}"
