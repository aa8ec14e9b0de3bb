"""Timing shared by the benchmarks: best of a few repeats, and memory measured in a fresh process."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    """Return the least wall time of a few runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def fresh_process(code: str) -> tuple[float, float]:
    """Run code (which sets ``elapsed``) in its own interpreter; return (elapsed seconds, peak memory in GB)."""
    tail = "\nfrom tests.benchmarks.timing import peak_gigabytes\nprint(elapsed, peak_gigabytes())"
    done = subprocess.run([sys.executable, "-c", code + tail], check=True, capture_output=True, text=True)
    elapsed, peak = done.stdout.split()[-2:]
    return float(elapsed), float(peak)


def peak_gigabytes() -> float:
    """Return this process's peak memory; Linux's VmHWM, since ru_maxrss also remembers the parent's."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1e6
