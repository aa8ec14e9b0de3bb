"""The same sweep on a real Dask scheduler: a loopback cluster of two worker processes, one of which is killed."""

import contextlib
import os
import signal
import socket
import sys
import threading
import time
from dataclasses import replace

import pytest

from privcause_core.errors import DataError, ParameterError
from privcause_core.samples import load_sample
from privcause_core.settings import Settings
from privcause_core.sweep import SweepGrid, judge_pair, run_sweep

GRID = SweepGrid(epsilons=(0.1, 1.0, 10.0))


def made(number):
    return replace(load_sample("synthetic-saturation", rows=1_000, seed=number), name=f"pair{number}")


@pytest.fixture(scope="module")
def pairs():
    return [made(number) for number in range(16)]


@pytest.fixture(scope="module")
def cluster():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as running:
        yield running


def rows(found, pairs):
    return [row for pair in pairs for row in judge_pair(found[pair.name], Settings(), GRID)]


def test_killing_a_worker_in_mid_run_changes_nothing_in_the_table(cluster, pairs):
    here = {one.pair: one for one in run_sweep(pairs, Settings(), GRID, jobs=1)}
    victim = next(iter(cluster.workers.values())).pid
    there = {}
    for one in run_sweep(pairs, Settings(), GRID, dask=cluster.scheduler_address):
        if not there:
            os.kill(victim, signal.SIGKILL)
        there[one.pair] = one
    assert rows(there, pairs) == rows(here, pairs)
    assert victim not in {worker.pid for worker in cluster.workers.values()}


def test_stopping_early_keeps_what_is_done_and_resumes(cluster, pairs):
    results = run_sweep(pairs, Settings(), GRID, dask=cluster.scheduler_address)
    done = {one.pair: one for one in [next(results)]}
    results.close()
    done |= {one.pair: one for one in run_sweep(pairs, Settings(), GRID, dask=cluster.scheduler_address, done=done)}
    assert len(rows(done, pairs)) == len(pairs) * 4 * 3


def test_a_scheduler_without_workers_is_refused_in_one_sentence(pairs, monkeypatch):
    from distributed import LocalCluster

    monkeypatch.setattr("privcause_core.sweep.run.CONNECT_SECONDS", 1.0)
    with (
        LocalCluster(n_workers=0, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0") as empty,
        pytest.raises(ParameterError, match="has no workers"),
    ):
        list(run_sweep(pairs, Settings(), GRID, dask=empty.scheduler_address))


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\xff" * 64])
def test_a_port_that_listens_but_never_greets_as_dask_does_is_refused_in_one_sentence(pairs, monkeypatch, said):
    """Silent as a halted scheduler is: its port still takes connections."""

    def serve(server):
        with contextlib.suppress(OSError):  # until it is closed
            while True:
                kept.append(server.accept()[0])
                kept[-1].sendall(said)

    kept = []
    monkeypatch.setattr("privcause_core.sweep.run.CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, args=(server,), daemon=True).start()
        with pytest.raises(ParameterError, match="No Dask scheduler answers at 'tcp://"):
            list(run_sweep(pairs, Settings(), GRID, dask=f"tcp://127.0.0.1:{server.getsockname()[1]}"))
        server.shutdown(socket.SHUT_RDWR)
    for connection in kept:
        connection.close()


def test_without_the_package_a_dask_address_is_refused_in_one_sentence(pairs, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ParameterError, match=r"requirements-dask\.txt"):
        list(run_sweep(pairs, Settings(), GRID, dask="tcp://127.0.0.1:8786"))


@pytest.mark.long  # joblib's own timeout, which this waits for, has missed its moment on a busy machine
def test_a_cluster_that_gives_nothing_back_ends_the_sweep_in_one_sentence(cluster, pairs, monkeypatch):
    def asleep(*_):
        time.sleep(60)  # outlasts the patience on any machine; the cluster is closed before

    monkeypatch.setattr("privcause_core.sweep.run.CLUSTER_PATIENCE", 0.2)
    monkeypatch.setattr("privcause_core.sweep.run.measure_pair", asleep)
    with pytest.raises(DataError, match="No pair came back from tcp://"):
        list(run_sweep(pairs[:2], Settings(), GRID, dask=cluster.scheduler_address))
