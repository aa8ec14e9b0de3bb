"""What versions before this one wrote: certificates, a ledger, and the people in it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np

from privcause_core.pair import Pair

GOLDEN = Path(__file__).parent / "golden"
CERTIFICATES = sorted(GOLDEN.glob("certificate-2-*.json"))
_K = np.arange(60)
_X = (_K * 37 % 101).astype(float)
PAIR = Pair("trial", "dose", "effect", _X, _X**3 / 1000 + (_K * 53 % 97) / 10)


def first_ledger(folder):
    """Write the golden ledger as the file that it was dumped from; return its path."""
    path = folder / "ledger.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((GOLDEN / "ledger-1.sql").read_text(encoding="utf-8"))
    path.with_name("ledger.sqlite.secret").write_text((GOLDEN / "ledger-1.secret").read_text(encoding="ascii"))
    return path
