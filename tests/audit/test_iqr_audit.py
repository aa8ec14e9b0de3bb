"""Audits of propose-test-release and of the IQR verdict, and of broken twins.

Declared false-alarm rate: 4e-9 for each event of each audit, so under 1e-5 for the whole file.
"""

import math

import numpy as np
import pytest

from privcause_core.scores.iqr import bins, distances_to_instability, log_iqr
from privcause_core.settings import Calibration
from privcause_core.verdicts import propose_test_release
from privcause_core.verdicts.propose_test_release import IqrVerdict, ProposeTestRelease
from tests.audit.auditing import RUNS, BulkNoise, HalvedSensitivity, ReusedDraw, WeakNoise, breaks_promise

pytestmark = pytest.mark.audit

THRESHOLD = 60
WIDTH = 1.0
TOTALS = (0.5, 1.0, 2.0)  # one release costs twice the epsilon of a draw

# Measurements (log IQR, (A_1, A_2)) that one record can turn into each other: distances move by at most 1; log-IQRs in
# a common bin by at most its width; without a common bin all distances are 1.
NEIGHBOURS = {
    "both tests likely": ((0.3, (THRESHOLD + 1, THRESHOLD + 1)), (0.3, (THRESHOLD, THRESHOLD))),
    "one test and the value": ((0.0, (THRESHOLD, 1)), (WIDTH, (THRESHOLD - 1, 1))),
    "no common bin": ((0.3, (1, 1)), (40.0, (1, 1))),
    "zero and positive": ((-math.inf, (1, 1)), (0.3, (1, 1))),
}
CUTS = (-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 20.0)
EVENTS = [
    lambda out: np.isnan(out[:, 0]),
    lambda out: np.isneginf(out[:, 0]),
    *(lambda out, c=c: out[:, 0] > c for c in CUTS),
    *(lambda out, c=c: (out[:, 0] < c) & ~np.isneginf(out[:, 0]) for c in CUTS),
]


class PrintedThreshold(ProposeTestRelease):
    """Broken: 1 + log(1/delta), as printed."""

    @property
    def threshold(self):
        return 1.0 + math.log(1.0 / self.delta)


def outputs(mechanism, measured, noise):
    runs = [mechanism.release_measured(*measured, noise) for _ in range(RUNS)]
    return np.array(runs, dtype=np.float64)[:, None]  # None becomes NaN


def audited(total, sides, kind=ProposeTestRelease, noise=BulkNoise, threshold=THRESHOLD):
    """Audit one release with the delta that gives the corrected threshold."""
    epsilon = total / 2
    mechanism = kind(epsilon, math.exp(-epsilon * (threshold - 1)), WIDTH)
    released = [outputs(mechanism, measured, noise(seed, 3 * RUNS + 1)) for seed, measured in enumerate(sides)]
    return breaks_promise(*released, EVENTS, total, mechanism.delta)


TOTALS_BY_CASE = [
    *((case, total) for case in ("both tests likely", "one test and the value") for total in TOTALS),
    ("no common bin", 1.0),
    ("zero and positive", 1.0),
]


@pytest.mark.parametrize(("case", "total"), TOTALS_BY_CASE)
def test_propose_test_release_keeps_its_promise(case, total):
    assert not audited(total, NEIGHBOURS[case])


@pytest.mark.parametrize("total", TOTALS)
def test_four_fifths_of_the_noise_are_caught(total):
    assert audited(total, NEIGHBOURS["one test and the value"], noise=WeakNoise)


def test_half_the_sensitivity_is_caught():
    assert audited(1.0, NEIGHBOURS["one test and the value"], noise=HalvedSensitivity)


def test_a_value_that_reuses_the_tests_draw_is_caught():
    assert audited(1.0, NEIGHBOURS["one test and the value"], noise=ReusedDraw)


def test_the_printed_threshold_is_caught():
    """Where the per-draw epsilon is below 1, here 1/2, it lets unstable values through."""
    assert audited(1.0, NEIGHBOURS["no common bin"], PrintedThreshold, threshold=15)


def one_row_apart(stable):
    """Return two columns that differ in one row: both in a common bin, or with an IQR of 1 and one of 1e20."""
    if stable:
        column = np.linspace(0.0, math.exp(1.25), 400)
        return column, np.where(np.arange(400) == 350, 1.7, column)
    column = np.repeat([0.0, 1.0, 1e20], [100, 200, 100])
    return column, np.where(np.arange(400) == 299, 1e20, column)


@pytest.mark.parametrize("stable", [True, False])
def test_the_columns_of_the_audit_are_what_they_are_called(stable):
    before, after = one_row_apart(stable)
    assert np.count_nonzero(before != after) == 1
    assert (bins(log_iqr(before), WIDTH) == bins(log_iqr(after), WIDTH)) is stable
    distances = distances_to_instability(before, WIDTH), distances_to_instability(after, WIDTH)
    assert distances == (((86, 12), (85, 11)) if stable else ((1, 1), (1, 1)))


@pytest.fixture
def measured_once(monkeypatch):
    """Let the real verdict measure a column once, not in every run."""
    known = {}
    for name in ("log_iqr", "distances_to_instability"):
        measure = getattr(propose_test_release, name)

        def remembered(values, *rest, name=name, measure=measure):
            key = (name, id(values), *rest)
            if key not in known:
                known[key] = measure(values, *rest)
            return known[key]

        monkeypatch.setattr(propose_test_release, name, remembered)


VERDICT = IqrVerdict(1.0, 4e-3, WIDTH, Calibration.REFINED)
VERDICT_RUNS = 20_000
VERDICT_EVENTS = [
    *(lambda out, k=k: np.isnan(out).sum(axis=1) >= k for k in (1, 2, 4)),
    *(lambda out, k=k: np.isnan(out).sum(axis=1) < k for k in (1, 2, 4)),
    lambda out: (out > 25.0).any(axis=1),
    lambda out: np.nansum(out, axis=1) > 0.0,
    lambda out: np.nansum(out, axis=1) < 0.0,
]


def audited_verdict(stable):
    """Audit the whole verdict on two tables where one record touches all four columns."""
    sides = []
    for seed, column in enumerate(one_row_apart(stable)):
        noise = BulkNoise(seed, 12 * VERDICT_RUNS)
        runs = (VERDICT.release([column] * 4, noise).values for _ in range(VERDICT_RUNS))
        sides.append(np.array(list(runs), dtype=np.float64))  # None becomes NaN
    return breaks_promise(*sides, VERDICT_EVENTS, VERDICT.epsilon, VERDICT.delta)


@pytest.mark.usefixtures("measured_once")
@pytest.mark.parametrize("stable", [True, False], ids=["common bin", "no common bin"])
def test_the_iqr_verdict_keeps_its_promise_for_a_whole_record(stable):
    assert not audited_verdict(stable)


@pytest.mark.usefixtures("measured_once")
def test_the_iqr_verdict_with_the_printed_threshold_is_caught(monkeypatch):
    monkeypatch.setattr(propose_test_release, "ProposeTestRelease", PrintedThreshold)
    assert audited_verdict(stable=False)
