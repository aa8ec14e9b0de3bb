"""Joint protection from 1,000 to 1,000,000 rows: fits, scores, distances, votes, the lesson's smooth sensitivity."""

from tests.benchmarks.timing import fresh_process

SETUP = """
import time
import numpy as np
from privcause_core.lessons.smooth_sensitivity import SmoothNoise, kendall_local
from privcause_core.protection import public_ranges, voting_blocks
from privcause_core.samples import load_sample
from privcause_core.scores import get_score
from privcause_core.scores.iqr import distances_to_instability
from privcause_core.scores.soft_kendall import soft_tau
from privcause_core.settings import Settings
pair = load_sample("synthetic-saturation", rows={rows})
settings = Settings(range_x="0..10", range_y="-0.5..1.5", blocks=10)
rng = np.random.default_rng(0)
x = rng.normal(size={rows})
r = rng.normal(size={rows})
start = time.perf_counter()
{work}
elapsed = time.perf_counter() - start
"""
WORK = {
    "joint fit, both directions": "public_ranges.fit(pair, settings)",
    "soft Kendall": "soft_tau(x, r, 1.0)",
    "joint distances A_1, A_2": "distances_to_instability(r, 1.0, 1e-3)",
    "ten blocks vote (HSIC)": "voting_blocks.count_votes(pair, get_score('hsic'), settings)",
    "Kendall's smooth sensitivity": "SmoothNoise(0.5, 1e-6).scale(kendall_local(r, 1e-3))",
}
SIZES = (1_000, 10_000, 100_000, 1_000_000)


def run() -> list[tuple[str, str]]:
    rows = []
    for label, work in WORK.items():
        for size in SIZES:
            elapsed, peak = fresh_process(SETUP.format(rows=size, work=work))
            rows.append((f"{label}, {size:,} rows", f"{elapsed:.3f} s, peak {peak:.2f} GB"))
    return rows
