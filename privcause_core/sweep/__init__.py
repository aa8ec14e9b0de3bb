"""Many pairs times scores, epsilons, calibrations and releases: measured once a pair, in parallel; judged at will."""

from privcause_core.sweep.accuracy import (
    AccuracyPoint,
    Ceiling,
    accuracy,
    always_first,
    ceilings,
    one_sided,
    shuffle_columns,
)
from privcause_core.sweep.gather import gather
from privcause_core.sweep.grid import DEFAULT_EPSILONS, PAPER_SCORES, SweepGrid
from privcause_core.sweep.measured import MeasuredPair, failed_pair
from privcause_core.sweep.rows import SweepRow, judge_pair
from privcause_core.sweep.run import ALL_CORES, run_sweep
from privcause_core.sweep.table import csv_text, sweep_csv, sweep_dict, sweep_warnings

__all__ = [
    "ALL_CORES",
    "DEFAULT_EPSILONS",
    "PAPER_SCORES",
    "AccuracyPoint",
    "Ceiling",
    "MeasuredPair",
    "SweepGrid",
    "SweepRow",
    "accuracy",
    "always_first",
    "ceilings",
    "csv_text",
    "failed_pair",
    "gather",
    "judge_pair",
    "one_sided",
    "run_sweep",
    "shuffle_columns",
    "sweep_csv",
    "sweep_dict",
    "sweep_warnings",
]
