"""The sweep of this session: which pairs, what is measured already, and the run that can be stopped and resumed.

What is found of the bundled samples, public as they are, serves every session; of an upload nothing does.
"""

from collections.abc import Hashable
from contextlib import closing
from dataclasses import dataclass, field

import streamlit as st

from pages.shared import session, state
from privcause_core.loading import Loaded, Rejected, Table
from privcause_core.pair import Pair
from privcause_core.protection.choice import coverage
from privcause_core.protection.public_ranges import ByPublicRanges
from privcause_core.samples import load_sample, samples
from privcause_core.scores import all_scores
from privcause_core.settings import Protection, Settings
from privcause_core.sweep import ALL_CORES, MeasuredPair, SweepGrid, failed_pair, gather, run_sweep, shuffle_columns
from privcause_core.text.names import isolated

# Moving these measures nothing anew.
JUDGED_ONLY = ("score", "epsilon", "delta", "release", "calibration", "draws", "draw_seed")
WORKERS_FROM_ROWS = 100_000  # below it, measuring here is quicker than starting worker processes


@dataclass(slots=True, eq=False)
class SweepJob:
    """Pairs to measure, and what is found so far (kept for as long as the session remembers the job).

    Attributes
    ----------
    token : tuple
        Tells it from every other job of the session.
    about : str
        Where the pairs come from.
    remarks : tuple of str
        What loading had to say.
    found : dict
        Measurements by pair name.
    running : bool
        False while stopped by the visitor.
    """

    token: Hashable
    about: str
    pairs: list[Pair]
    rejected: list[Rejected]
    remarks: tuple[str, ...]
    settings: Settings
    found: dict[str, MeasuredPair] = field(default_factory=dict)
    running: bool = True

    @property
    def finished(self) -> bool:
        """Return whether every pair is measured."""
        return len(self.found) == len(self.pairs)

    @property
    def measured(self) -> list[MeasuredPair]:
        """Return what is found so far in the order of the pairs, then what could not be loaded."""
        known = [self.found[pair.name] for pair in self.pairs if pair.name in self.found]
        return known + [failed_pair(one.name, one.reason) for one in self.rejected]

    def stop(self) -> None:
        """Measure no further pair."""
        self.running = False

    def resume(self) -> None:
        """Go on with the pairs that are left."""
        self.running = True


def settings() -> Settings:
    """Return the sidebar's settings; public ranges are one pair's own, so that way protects test rows only here."""
    chosen = state.settings()
    return chosen.with_(protect=Protection.TEST_ROWS) if isinstance(coverage(chosen), ByPublicRanges) else chosen


def job(shuffle: int | None) -> SweepJob:
    """Return the job for the current data, shuffle seed and settings, as far as it has come in this session."""
    standard = Settings()
    measured_by = settings().with_(**{name: getattr(standard, name) for name in JUDGED_ONLY})
    token = ("sweep", state.get().dataset.token, shuffle, measured_by)

    def make() -> SweepJob:
        about, pairs, rejected, remarks, bundled = _pairs()
        ordered = pairs if shuffle is None else shuffle_columns(pairs, shuffle)
        public = ("sweep", shuffle, measured_by)
        found: dict[str, MeasuredPair] = session.remember_public(public, dict) if bundled else {}
        return SweepJob(token, about, ordered, rejected, remarks, measured_by, found)

    return state.remember(token, make)


def advance(one: SweepJob) -> None:
    """Measure what is left, with progress and a stop button; a rerun (any click) ends the loop and keeps the rest."""
    grid = SweepGrid(scores=tuple(score.name for score in all_scores()))
    jobs = ALL_CORES if sum(pair.rows for pair in one.pairs) >= WORKERS_FROM_ROWS else 1
    box = st.empty()
    with box.container():
        bar = st.progress(0.0, text="")
        st.button("Stop", key="sweep_stop", icon=":material/stop_circle:", on_click=one.stop)
        _tell(bar, one)
        with closing(run_sweep(one.pairs, one.settings, grid, jobs=jobs, done=one.found)) as results:
            for result in results:
                one.found[result.pair] = result
                _tell(bar, one)
    box.empty()


def _tell(bar: st.delta_generator.DeltaGenerator, one: SweepJob) -> None:
    done, total = len(one.found), len(one.pairs)
    bar.progress(done / total, text=f"Measuring both directions: {done} of {total} pairs")


def _pairs() -> tuple[str, list[Pair], list[Rejected], tuple[str, ...], bool]:
    """Return the pairs of the upload that is shown, else the bundled samples; what loading had to say; which it is."""
    dataset = state.get().dataset
    about, bundled = "The bundled sample pairs", [load_sample(sample.slug) for sample in samples()]
    if state.get().upload is not dataset:
        return about, bundled, [], (), True
    tables = tuple(item for item in dataset.items if isinstance(item, Table))
    pairs, rejected = gather([Loaded(tables, tuple(item for item in dataset.items if isinstance(item, Pair)))])
    if pairs:
        return f"Pairs of the upload {isolated(dataset.name)}", pairs, rejected, dataset.remarks, False
    reasons = tuple(f"{isolated(one.name)}: {one.reason}" for one in rejected)
    said = f"The upload {isolated(dataset.name)} holds no pair, so the samples stay."
    return about, bundled, [], (said, *reasons), True
