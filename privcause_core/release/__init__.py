"""Private releases: plan, price, spend, certify. Pages and the command line use nothing else to release."""

from privcause_core.ledger import (
    DEFAULT_BUDGET,
    Account,
    Amount,
    Charge,
    Cohort,
    Ledger,
    cohort_of_pair,
    cohort_of_table,
    decimal_text,
    default_path,
)
from privcause_core.ledger.signing import checked_key
from privcause_core.release.certainty import (
    Interval,
    certainty_for,
    confidence_in_arrow,
    confidence_text,
    margin_interval,
    value_interval,
)
from privcause_core.release.certificate import certificate, certificate_json
from privcause_core.release.counts import Counts, counts_of
from privcause_core.release.door import new_entry, release, stored_receipt
from privcause_core.release.plan import DEFAULT_DELTA, Plan
from privcause_core.release.quote import Draws, Quote, Terms, quote
from privcause_core.release.reading import receipt_of
from privcause_core.release.receipt import Receipt
from privcause_core.release.verification import Check, Verification, verify
from privcause_core.verdicts.outcome import Refused, Released

__all__ = [
    "DEFAULT_BUDGET",
    "DEFAULT_DELTA",
    "Account",
    "Amount",
    "Charge",
    "Check",
    "Cohort",
    "Counts",
    "Draws",
    "Interval",
    "Ledger",
    "Plan",
    "Quote",
    "Receipt",
    "Refused",
    "Released",
    "Terms",
    "Verification",
    "certainty_for",
    "certificate",
    "certificate_json",
    "checked_key",
    "cohort_of_pair",
    "cohort_of_table",
    "confidence_in_arrow",
    "confidence_text",
    "counts_of",
    "decimal_text",
    "default_path",
    "margin_interval",
    "new_entry",
    "quote",
    "receipt_of",
    "release",
    "stored_receipt",
    "value_interval",
    "verify",
]
