"""The one door to a private output: validate, charge, draw, record, return.

The plan and the row counts are judged first and the budget charged next, in one transaction; only then are the data
fitted, scored and noised. A crash after the charge loses budget, never privacy.
"""

import json
import platform
import secrets
from dataclasses import replace
from datetime import datetime
from functools import cache
from importlib.metadata import version

import numpy as np

from privcause_core.errors import LedgerError, ParameterError
from privcause_core.fits.halves import MIN_TRAINING_ROWS, Deal, SeededDeal
from privcause_core.ledger import Amount, Cohort, Ledger, NewCharge, cohort_of_pair
from privcause_core.loading import Reading
from privcause_core.noise.secure import SecureNoise
from privcause_core.pair import Pair
from privcause_core.protection.choice import coverage
from privcause_core.protection.voting_blocks import count_votes
from privcause_core.release.certificate import certificate_json, signed
from privcause_core.release.counts import Counts, counts_of, hides_completeness
from privcause_core.release.plan import Plan
from privcause_core.release.quote import Terms, quote
from privcause_core.release.reading import receipt_of
from privcause_core.release.receipt import Receipt
from privcause_core.scores import Score, get_score
from privcause_core.settings import Settings
from privcause_core.verdicts.outcome import Refused, Released
from privcause_core.verdicts.propose_test_release import IqrVerdict
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
    reading: Reading | None = None,
) -> Receipt:
    """Spend the plan's cost and return its private outputs; a refusal by the stability test costs as much.

    Parameters
    ----------
    now : datetime
        Time of the release, with its time zone.
    cohort : Cohort, optional
        The whole table the pair comes from (``cohort_of_table``); its own two columns if it came alone.
    budget : Amount, optional
        Fixed by the table's first release; see ``NewCharge``.
    entry : str, optional
        From ``new_entry``, drawn up before the click: another click with it draws nothing and gets the stored result.
    reading : Reading, optional
        How the file was read, if that was declared beforehand; one that was found by looking at cells is not stated.

    Raises
    ------
    DataError, ParameterError, BudgetExceededError
        If the plan does not suit the table's size or the account, or its cost does not fit; nothing was charged.
    LedgerError
        If the ledger cannot be used, or refuses; nothing was drawn that anyone could see.
    """
    pair, whose = _with_plain_names(pair), cohort or cohort_of_pair(pair)
    counts = counts_of(whose, plan)
    charge = _stating(reading, _charge(plan, pair, counts, entry or new_entry(), now, budget))
    deal = ledger.charge(whose, charge, suits=lambda found: _check_sizes(plan, whose, counts, found))
    if deal is None:
        return stored_receipt(ledger, charge.entry)
    return _recorded(ledger, _drawn(plan, pair, *_as_dealt(plan, whose, counts, deal), deal, charge, reading))


def _stating(reading: Reading | None, charge: NewCharge) -> NewCharge:
    return replace(charge, purpose={**charge.purpose, "reading": reading.to_dict()}) if reading else charge


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


def _as_dealt(plan: Plan, cohort: Cohort, counts: Counts, deal: Deal) -> tuple[Counts, int | None]:
    """Return the counts of the deal, and its seed if it is by places: then complete rows alone were dealt."""
    if isinstance(deal, SeededDeal):
        return Counts(cohort.used.size, cohort.used.size), deal.seed
    return counts.dealt(deal, plan), None


def _check_sizes(plan: Plan, cohort: Cohort, counts: Counts, deal: Deal) -> None:
    quote(plan, _as_dealt(plan, cohort, counts, deal)[0])


def _charge(plan: Plan, pair: Pair, counts: Counts, entry: str, now: datetime, budget: Amount | None) -> NewCharge:
    if now.tzinfo is None:
        raise ParameterError("Expected the time of a release with its time zone.")
    rows = {"rows": counts.rows} | ({} if hides_completeness(plan) else {"complete_rows": counts.complete})
    purpose = {"pair": pair.name, "x": pair.x_name, "y": pair.y_name, **rows, **plan.to_dict()}
    test_share = None if coverage(plan.settings).every_row else plan.settings.test_share
    return NewCharge(entry, quote(plan, counts).cost, purpose, now, test_share, budget)


def _drawn(
    plan: Plan, pair: Pair, counts: Counts, seed: int | None, deal: Deal, charge: NewCharge, reading: Reading | None
) -> Receipt:
    about = charge.entry, charge.now.isoformat(timespec="seconds"), plan, pair.name, pair.x_name, pair.y_name
    outcomes = _draw(plan, counts, _in_doubles(pair), seed, deal)
    return Receipt(*about, counts, _versions(), outcomes, seed, reading=reading)


def _draw(plan: Plan, counts: Counts, pair: Pair, seed: int | None, deal: Deal) -> tuple[Released | Refused, ...]:
    settings = plan.settings if seed is None else plan.settings.with_(seed=seed)
    way, noise = coverage(settings), SecureNoise()
    fitted = cache(lambda: way.fit(pair, deal))  # blocks make fits of their own

    def scores(score: Score) -> tuple[float, float]:
        if way.votes:
            return count_votes(pair, score, settings, deal).against
        if score.counts_incomplete and not _fits(pair, settings, deal):
            return 0.0, 0.0  # every row abstains: a refusal would tell how many rows are complete
        both = way.compare(score, pair, fitted(), deal)
        return both.xy, both.yx

    def outcome(one: Terms) -> Released | Refused:
        if isinstance(one.verdict, IqrVerdict):
            return one.verdict.release(fitted().scored.iqr_columns, noise)
        return one.verdict.release(scores(get_score(one.score)), noise)

    return tuple(outcome(one) for one in quote(plan, counts).terms)


def _fits(pair: Pair, settings: Settings, deal: Deal) -> bool:
    """Return whether both halves have complete rows enough to fit and to score."""
    halves = deal.halves(pair.rows, settings.test_share)
    return halves.train.size >= MIN_TRAINING_ROWS and halves.test.size > 0


def _with_plain_names(pair: Pair) -> Pair:
    """Return the pair with names that every file can hold (a file system's name may be no text at all)."""
    names = {name: getattr(pair, name).encode("utf-8", "replace").decode() for name in ("name", "x_name", "y_name")}
    return replace(pair, **names)


def _in_doubles(pair: Pair) -> Pair:
    """Return the pair with both columns as doubles, so that what a value becomes depends on its own row alone.

    Exploration ranks integers beyond 2^53 exactly, but whether a column counts as integers depends on every row.
    """
    return replace(pair, x=pair.x.astype(np.float64, copy=False), y=pair.y.astype(np.float64, copy=False))


def _versions() -> tuple[tuple[str, str], ...]:
    return (("privcause", __version__), ("opendp", version("opendp")), ("python", platform.python_version()))


def _recorded(ledger: Ledger, receipt: Receipt) -> Receipt:
    try:
        receipt = signed(receipt, ledger)
        ledger.record(receipt.entry, certificate_json(receipt))
    except LedgerError as error:
        raise LedgerError(f"The budget is spent, but the result could not be recorded and is lost: {error}") from error
    return receipt
