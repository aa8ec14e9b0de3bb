"""The budget ledger: one SQLite file, one transaction a charge, nothing ever changed or deleted.

Back it up by copying the ledger file, its secret file and its signing key together while no release runs.
"""

from privcause_core.ledger.account import Account, Charge, Split
from privcause_core.ledger.amount import Amount, decimal_text, total
from privcause_core.ledger.book import Ledger, default_path
from privcause_core.ledger.bookkeeping import DEFAULT_BUDGET, NewCharge
from privcause_core.ledger.cohort import Cohort, cohort_of_pair, cohort_of_table
from privcause_core.ledger.signing import Signature

__all__ = [
    "DEFAULT_BUDGET",
    "Account",
    "Amount",
    "Charge",
    "Cohort",
    "Ledger",
    "NewCharge",
    "Signature",
    "Split",
    "cohort_of_pair",
    "cohort_of_table",
    "decimal_text",
    "default_path",
    "total",
]
