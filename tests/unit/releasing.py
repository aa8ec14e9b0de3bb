"""Small material for the tests of ledger, release and certificate."""

from datetime import UTC, datetime
from decimal import Decimal

import numpy as np

from privcause_core.ledger import NewCharge
from privcause_core.pair import Pair
from privcause_core.release import Amount, Plan
from privcause_core.release.plan import DEFAULT_DELTA
from privcause_core.settings import Settings

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ALL_SCORES = ("spearman", "kendall", "hsic", "iqr")


def amount(epsilon, delta="0"):
    return Amount(Decimal(epsilon), Decimal(delta))


WIDE = amount("1000", "0.1")


def pair(rows=40, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=rows)
    return Pair("trial", "dose", "effect", x, x**3 + rng.normal(size=rows))


def plan(*scores, epsilon="0.1", delta=DEFAULT_DELTA, rows_per_person=1, **knobs):
    return Plan(scores or ("kendall",), Decimal(epsilon), delta, Settings(**knobs), rows_per_person)


def charge(ledger, cohort, cost, *, entry=None, test_share=None, budget=None):
    """Charge a ledger under an id of its own; return the deal."""
    charge.count = getattr(charge, "count", 0) + 1
    return ledger.charge(cohort, NewCharge(entry or f"entry-{charge.count}", cost, {}, NOW, test_share, budget))
