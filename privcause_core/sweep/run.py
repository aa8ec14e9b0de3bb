"""Measure many pairs in parallel: one code path, joblib, on this machine's cores or on a Dask cluster."""

import asyncio
import multiprocessing
import socket
from collections.abc import Collection, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from typing import Any
from urllib.parse import urlsplit

import joblib

from privcause_core.errors import DataError, ParameterError
from privcause_core.pair import Pair
from privcause_core.protection.choice import coverage
from privcause_core.scores import get_score
from privcause_core.settings import Settings
from privcause_core.sweep.grid import SweepGrid
from privcause_core.sweep.measured import MeasuredPair, measure_pair

ALL_CORES = -1
CLUSTER_PATIENCE = 600.0  # seconds without any pair coming back; joblib never hears of a task that Dask gave up
CONNECT_SECONDS = 10.0


def run_sweep(
    pairs: Sequence[Pair],
    settings: Settings,
    grid: SweepGrid,
    *,
    jobs: int = ALL_CORES,
    dask: str | None = None,
    done: Collection[str] = (),
) -> Generator[MeasuredPair, None, None]:
    """Yield every pair's measurement as it finishes, in no particular order.

    A measurement depends on its pair and the settings alone (each task splits by the settings' seed), so the set of
    results is the same for any number of workers. Closing the iterator early stops the sweep: pairs already being
    measured are waited for, the others are not started.

    Parameters
    ----------
    pairs : sequence of Pair
        With distinct names. Rows go to the workers in memory, never through files.
    settings : Settings
        Seed, test share, bin width, bandwidth, who is protected; epsilon and the like do not change a measurement.
    grid : SweepGrid
        Its scores are measured.
    jobs : int
        Worker processes; -1 for one a core.
    dask : str, optional
        Address of a Dask scheduler (``tcp://host:port``) to use in place of this machine's cores.
    done : collection of str
        Names of pairs to leave out, for resuming.

    Raises
    ------
    ParameterError
        If two pairs share a name, jobs is 0 or less (but -1), a score cannot protect the rows that the settings want
        protected, or the Dask cluster cannot be used.
    DataError
        If the workers are lost.
    """
    _check(pairs, settings, grid, jobs)
    return _measured([pair for pair in pairs if pair.name not in done], settings, grid.scores, jobs, dask)


def _check(pairs: Sequence[Pair], settings: Settings, grid: SweepGrid, jobs: int) -> None:
    if jobs < 1 and jobs != ALL_CORES:
        raise ParameterError(f"Expected jobs to be at least 1, or -1 for every core, got {jobs}.")
    if len({pair.name for pair in pairs}) < len(pairs):
        raise ParameterError("Expected pairs with distinct names.")
    coverage(settings).check(map(get_score, grid.scores))


def _measured(
    waiting: list[Pair], settings: Settings, scores: tuple[str, ...], jobs: int, dask: str | None
) -> Generator[MeasuredPair, None, None]:
    stopped, came = False, 0

    def tasks() -> Iterator[Any]:
        # Pairs are passed whole: joblib's Dask backend parks bare arrays on one worker, whose death would lose them.
        for pair in waiting:
            if stopped:
                return
            yield joblib.delayed(measure_pair)(pair, settings, scores)

    with _workers(jobs, dask) as parallel:
        results = parallel(tasks())
        try:
            for one in results:  # "yield from" would pass an early close on to joblib, which aborts
                came += 1
                yield one
            if came < len(waiting):  # joblib may end a timed-out run without raising
                raise multiprocessing.TimeoutError
        finally:
            stopped = True
            for _ in results:  # those under way; aborting would kill workers that another sweep may be using
                pass


@contextmanager
def _workers(jobs: int, dask: str | None) -> Iterator[Any]:
    """Set joblib up for this machine or for a cluster, and say plainly how workers can fail."""
    with _cluster(dask) as client:
        backend = {"client": client, "wait_for_workers_timeout": CONNECT_SECONDS}
        with joblib.parallel_config("dask", **backend) if dask else nullcontext():
            parallel = joblib.Parallel(
                jobs,
                return_as="generator_unordered",
                batch_size=1,
                max_nbytes=None,
                timeout=CLUSTER_PATIENCE if dask else None,
            )
        try:
            yield parallel
        except BrokenProcessPool:
            raise DataError("A worker process ended early, perhaps for lack of memory; use fewer jobs.") from None
        except multiprocessing.TimeoutError:
            raise DataError(f"No pair came back from {dask} for {CLUSTER_PATIENCE:g} seconds.") from None
        except TimeoutError:
            raise ParameterError(f"The Dask scheduler at {dask} has no workers; start some.") from None


@contextmanager
def _cluster(address: str | None) -> Iterator[Any]:
    """Connect to a Dask scheduler, if one is asked for."""
    if address is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise ParameterError(
            "A Dask address needs the package distributed: pip install -r requirements-dask.txt."
        ) from None
    if not _answers(address):  # a Dask client that cannot connect leaves threads behind, or waits for ever
        raise ParameterError(f"No Dask scheduler answers at {address!r}; expected tcp://host:port.")
    with Client(address, timeout=CONNECT_SECONDS, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        yield client


def _answers(address: str) -> bool:
    """Say whether a Dask scheduler greets back in time; one that is halted still has a port that listens."""
    from distributed import Security
    from distributed.comm import connect  # type: ignore[attr-defined]

    async def greet() -> None:
        secure = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
        greeting = connect(address, timeout=CONNECT_SECONDS, **secure)  # type: ignore[no-untyped-call]
        channel = await asyncio.wait_for(greeting, CONNECT_SECONDS)
        channel.abort()

    try:
        parts = urlsplit(address)
        if parts.scheme not in ("tcp", "tls") or not parts.hostname or not parts.port:
            return False
        socket.create_connection((parts.hostname, parts.port), CONNECT_SECONDS).close()
        with ThreadPoolExecutor(1) as apart:  # this thread may run an event loop already, as in a notebook
            apart.submit(asyncio.run, greet()).result()
    except Exception:  # noqa: BLE001  (whatever a server that is not Dask does to its parser)
        return False
    return True
