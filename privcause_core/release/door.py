"""The one door to a private output: validate, charge, draw, record, return."""

import json
import platform
import secrets
from dataclasses import replace
from datetime import datetime
from importlib.metadata import version

import numpy as np

from privcause_core.errors import LedgerError, ParameterError
from privcause_core.fits.anm import AnmFit
from privcause_core.fits.halves import SeededDeal
from privcause_core.ledger import Amount, Cohort, Ledger, Split, cohort_of_pair
from privcause_core.ledger.cohort import IndexArray
from privcause_core.noise.secure import SecureNoise
from privcause_core.pair import Pair
from privcause_core.protection.choice import coverage
from privcause_core.release.certificate import certificate_json, receipt_of
from privcause_core.release.plan import Plan
from privcause_core.release.quote import Terms, quote
from privcause_core.release.receipt import Receipt
from privcause_core.scores import get_score
from privcause_core.settings import Settings
from privcause_core.verdicts.outcome import Refused, Released
from privcause_core.version import __version__


def new_entry() -> str:
    """Return a fresh unguessable entry id (192 random bits, safe in a URL)."""
    return secrets.token_urlsafe(24)


def release(
    plan: Plan,
    pair: Pair,
    ledger: Ledger,
    *,
    now: datetime,
    cohort: Cohort | None = None,
    budget: Amount | None = None,
    entry: str | None = None,
) -> Receipt:
    """Spend the plan's cost and return its private outputs; a refusal by the stability test costs as much.

    The plan and the row counts are judged first and the budget charged next, in one transaction; only then are the
    data fitted, scored and noised. A crash after the charge loses budget, never privacy.

    Parameters
    ----------
    plan : Plan
    pair : Pair
    ledger : Ledger
    now : datetime
        Time of the release, with its time zone.
    cohort : Cohort, optional
        The whole table the pair comes from (``cohort_of_table``); its own two columns if it came alone.
    budget : Amount, optional
        Fixed by the table's first release; see ``Ledger.charge``.
    entry : str, optional
        From ``new_entry``, drawn up before the click: a second click with the same id charges and draws nothing and
        gets the stored result.

    Raises
    ------
    DataError, ParameterError
        If the plan does not suit the table's size or the account; nothing was charged or drawn.
    BudgetExceededError
        If the cost does not fit; nothing was charged or drawn.
    LedgerError
        If the ledger cannot be used, or refuses; nothing was drawn that anyone could see.
    """
    if now.tzinfo is None:
        raise ParameterError("Expected the time of a release with its time zone.")
    pair = _with_plain_names(pair)
    priced = quote(plan, pair.rows)
    entry = entry or new_entry()
    charged = ledger.charge(
        entry, cohort or cohort_of_pair(pair), priced.cost, _purpose(plan, pair), now=now,
        split=_fixed_split(plan, pair), budget=budget,
    )  # fmt: skip
    if not charged:
        return stored_receipt(ledger, entry)
    receipt = Receipt(
        entry, now.isoformat(timespec="seconds"), plan, pair.name, pair.x_name, pair.y_name, pair.rows,
        _versions(), _draw(priced.terms, pair, plan.settings),
    )  # fmt: skip
    _record(ledger, receipt)
    return receipt


def stored_receipt(ledger: Ledger, entry: str) -> Receipt:
    """Return an earlier release by its entry id; draws nothing.

    Raises
    ------
    LedgerError
        If there is no such entry, or its result was never recorded.
    """
    outcome = ledger.outcome(entry)
    if outcome is None:
        raise LedgerError(
            "This release was charged but its result is not recorded: it is still being drawn, or was interrupted; "
            "the budget stays spent."
        )
    return receipt_of(json.loads(outcome))


def _fixed_split(plan: Plan, pair: Pair) -> tuple[Split, IndexArray] | None:
    """Return the split that the account keeps for ever; None where training rows are protected as well."""
    if coverage(plan.settings).every_row:
        return None
    return Split(plan.seed, plan.test_share), scored_rows(pair.rows, plan)


def scored_rows(rows: int, plan: Plan) -> IndexArray:
    """Return the test half that ``fit_anm`` will score, as row numbers among the complete rows."""
    return SeededDeal(plan.seed).halves(rows, plan.test_share).test


def _purpose(plan: Plan, pair: Pair) -> dict[str, object]:
    return {"pair": pair.name, "x": pair.x_name, "y": pair.y_name, "rows": pair.rows, **plan.to_dict()}


def _draw(terms: tuple[Terms, ...], pair: Pair, settings: Settings) -> tuple[Released | Refused, ...]:
    pair = _in_doubles(pair)
    fitted = coverage(settings).fit(pair)
    noise = SecureNoise()
    return tuple(_outcome(term, pair, fitted, settings, noise) for term in terms)


def _with_plain_names(pair: Pair) -> Pair:
    """Return the pair with names that every file can hold (a file system's name may be no text at all)."""
    names = {name: getattr(pair, name).encode("utf-8", "replace").decode() for name in ("name", "x_name", "y_name")}
    return replace(pair, **names)


def _in_doubles(pair: Pair) -> Pair:
    """Return the pair with both columns as doubles, so that what a value becomes depends on its own row alone.

    Exploration ranks integers beyond 2^53 exactly, but whether a column counts as integers depends on every row.
    """
    return replace(pair, x=pair.x.astype(np.float64, copy=False), y=pair.y.astype(np.float64, copy=False))


def _outcome(terms: Terms, pair: Pair, fitted: AnmFit, settings: Settings, noise: SecureNoise) -> Released | Refused:
    scores = coverage(settings).compare(get_score(terms.score), pair, fitted)
    return terms.verdict.release_fit(scores, fitted.scored, noise)


def _versions() -> tuple[tuple[str, str], ...]:
    return (("privcause", __version__), ("opendp", version("opendp")), ("python", platform.python_version()))


def _record(ledger: Ledger, receipt: Receipt) -> None:
    try:
        ledger.record(receipt.entry, certificate_json(receipt))
    except LedgerError as error:
        raise LedgerError(f"The budget is spent, but the result could not be recorded and is lost: {error}") from error
