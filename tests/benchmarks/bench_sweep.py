"""Many pairs: 99 synthetic pairs x 4 scores x 10 epsilons on 2 cores (target: 60 s, 2 GB over all processes)."""

from tests.benchmarks.timing import fresh_process

SWEEP = """
import time
from dataclasses import replace
import psutil
from privcause_core.samples import load_sample
from privcause_core.settings import Settings
from privcause_core.sweep import SweepGrid, judge_pair, run_sweep

kinds = ("random-curve", "saturation", "linear-non-gaussian", "multiplicative", "heavy-ties")
pairs = [replace(load_sample(f"synthetic-{{kinds[k % 5]}}", rows={rows}, seed=k), name=str(k)) for k in range(99)]
grid, memory, me, rows = SweepGrid(), 0, psutil.Process(), []
start = time.perf_counter()
for one in run_sweep(pairs, Settings(), grid, jobs=2):
    rows += judge_pair(one, Settings(), grid)
    memory = max(memory, sum(p.memory_full_info().pss for p in [me, *me.children(recursive=True)]))
elapsed = time.perf_counter() - start
assert len(rows) == 99 * 4 * 10
print(elapsed, memory / 1e9)
raise SystemExit  # before the usual report, which would count this process alone
"""


def run() -> list[tuple[str, str]]:
    rows = []
    for size in (1_000, 10_000):
        elapsed, peak = fresh_process(SWEEP.format(rows=size))
        label = f"sweep, 99 pairs of {size:,} rows x 4 scores x 10 epsilons"
        rows.append((label, f"{elapsed:.1f} s, peak {peak:.2f} GB"))
    return rows
