"""The budget ledger: one SQLite file, one transaction a charge, nothing ever changed or deleted.

Back it up by copying the ledger file and its secret file together while no release runs.
"""

from privcause_core.ledger.account import Account, Charge, Split
from privcause_core.ledger.amount import Amount, decimal_text, total
from privcause_core.ledger.book import DEFAULT_BUDGET, Ledger, default_path
from privcause_core.ledger.cohort import Cohort, cohort_of_pair, cohort_of_table

__all__ = [
    "DEFAULT_BUDGET",
    "Account",
    "Amount",
    "Charge",
    "Cohort",
    "Ledger",
    "Split",
    "cohort_of_pair",
    "cohort_of_table",
    "decimal_text",
    "default_path",
    "total",
]
