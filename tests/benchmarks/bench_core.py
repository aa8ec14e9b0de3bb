"""HSIC against the dense formula, the whole analysis, and flip rates over an epsilon grid."""

import numpy as np

from privcause_core.explore.simulation import LaplaceDraws
from privcause_core.scores.hsic import hsic
from privcause_core.settings import ReleaseKind
from tests.benchmarks.timing import fresh_process, seconds

ANALYSE = """
import time
from privcause_core.explore.analysis import analyse
from privcause_core.samples import load_sample
from privcause_core.settings import Settings
pair = load_sample("synthetic-saturation", rows={rows})
start = time.perf_counter()
analyse(pair, Settings(score="all"))
elapsed = time.perf_counter() - start
"""

HSIC = """
import time
import numpy as np
from privcause_core.scores.hsic import hsic
rng = np.random.default_rng(0)
x = rng.normal(size={rows})
r = rng.normal(size={rows})
start = time.perf_counter()
hsic(x, r)
elapsed = time.perf_counter() - start
"""


def dense_hsic(x: np.ndarray, r: np.ndarray) -> float:
    """Return trace(K H L H) / (m-1)^2 by plain numpy, on the same clipped values."""
    k, centred = (np.exp(-0.5 * (np.clip(v, -5, 5)[:, None] - np.clip(v, -5, 5)[None, :]) ** 2) for v in (x, r))
    k -= k.mean(axis=0)
    centred -= centred.mean(axis=1, keepdims=True)
    return float(np.einsum("ij,ji->", k, centred)) / (x.size - 1) ** 2


def run() -> list[tuple[str, str]]:
    rng = np.random.default_rng(0)
    rows = []
    for m in (1_000, 2_000, 4_000):
        x, r = rng.normal(size=m), rng.normal(size=m)
        ratio = seconds(lambda x=x, r=r: dense_hsic(x, r)) / seconds(lambda x=x, r=r: hsic(x, r))
        rows.append((f"HSIC, {m:,} rows: dense numpy / low-rank", f"{ratio:.0f}x"))
    for m in (100_000, 1_000_000):
        elapsed, peak = fresh_process(HSIC.format(rows=m))
        rows.append((f"HSIC low-rank, {m:,} rows", f"{elapsed:.2f} s, peak {peak:.2f} GB"))
    for n in (1_000, 10_000, 100_000, 1_000_000):
        elapsed, peak = fresh_process(ANALYSE.format(rows=n))
        rows.append((f"analyse, every score, {n:,} rows", f"{elapsed:.2f} s, peak {peak:.2f} GB"))
    scales = 0.08 / np.geomspace(0.01, 10, 200)
    elapsed = seconds(lambda: LaplaceDraws.seeded(0, 1_000_000, ReleaseKind.TWO_SCORES).flip_rates(0.05, scales))
    rows.append(("flip rates, 200 epsilons x 1,000,000 draws (drawing included)", f"{elapsed:.2f} s"))
    return rows
