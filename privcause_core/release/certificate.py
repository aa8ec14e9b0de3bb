"""A receipt as a certificate: plain JSON values that anyone can recompute.

It holds typed values, public counts and private outputs; no other number depends on the data.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from privcause_core.fits.public_ridge import residual_shift
from privcause_core.ledger import Ledger, Signature
from privcause_core.protection.choice import coverage
from privcause_core.protection.public_ranges import ByPublicRanges
from privcause_core.release.certainty import Interval, confidence_in_arrow, margin_interval, value_interval
from privcause_core.release.plan import Plan
from privcause_core.release.promise import amount, guarantee, public_counts
from privcause_core.release.quote import Terms
from privcause_core.release.receipt import Receipt
from privcause_core.scores import LaplaceScore, Score, get_score
from privcause_core.text.names import machine_text
from privcause_core.text.words import ZERO_IQR
from privcause_core.verdicts.outcome import Refused, Released
from privcause_core.verdicts.propose_test_release import IqrVerdict

FORMATS = {3: "privcause-certificate/3", 2: "privcause-certificate/2"}
# What the plan of format 2 held; it named a public seed, and knew no setting that came later.
SECOND_PLAN = (
    "scores", "epsilon", "delta", "release", "calibration", "protect", "test_share", "seed", "bin_width", "bandwidth",
    "soft_width", "route", "range_x", "range_y", "ridge", "blocks",
)  # fmt: skip
CONFIDENCE = 0.95
_MECHANISMS = {
    "TwoScoreLaplace": "Laplace noise on each of the two scores",
    "DirectionLaplace": "Laplace noise on the difference of the two scores",
    "IqrVerdict": "propose-test-release on four log-IQRs (Algorithm 4, corrected)",
}
_VOTES = "Laplace noise on the difference of two counts of votes, one vote a block"
ETA_FORMULA = (
    "the most that one training row moves a residual, in scaled units: 8 sqrt(1 - s^2) (1 + F s)/(n lambda), rounded "
    "up, with F = 1/(2 sqrt(lambda)), s = (sqrt(1 + 8 F^2) - 1)/(4 F), n training and m test rows; h is the bandwidth, "
    "or for soft-kendall the soft width"
)


def certificate(receipt: Receipt) -> dict[str, Any]:
    """Return the certificate of a release, ready for JSON (released doubles survive it exactly)."""
    stated = {
        "format": FORMATS[receipt.edition],
        "entry": receipt.entry,
        "time": receipt.time,
        "software": dict(receipt.versions),
        "pair": {"name": receipt.pair_name, "x": receipt.x_name, "y": receipt.y_name},
        "public": public_counts(receipt),
        "plan": plan_of(receipt),
        **({} if receipt.reading is None else {"reading": receipt.reading.to_dict()}),
        "not_used": [name for name in receipt.plan.not_used if name in plan_of(receipt)],
        "guarantee": guarantee(receipt),
        "releases": [
            _terms(terms, receipt) | {"outcome": _outcome(terms, outcome, receipt.edition)}
            for terms, outcome in receipt.results
        ],
    }
    return stated if receipt.signature is None else stated | {"signature": receipt.signature.to_dict()}


def signed(receipt: Receipt, ledger: Ledger) -> Receipt:
    """Return the receipt with the signature of the ledger's key on its certificate."""
    unsigned = replace(receipt, signature=Signature(ledger.public_key(), ""))
    return replace(receipt, signature=ledger.sign(signed_bytes(certificate(unsigned))))


def certificate_json(receipt: Receipt) -> str:
    """Return the certificate as JSON text, the same bytes every time."""
    return machine_text(json.dumps(certificate(receipt), indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def signed_bytes(stated: Mapping[str, Any]) -> bytes:
    """Return what a certificate's signature is over: all of it but the signature, the key included, as canonical JSON.

    Keys sorted, no blanks, ASCII, numbers as Python writes them.
    """
    key = {name: value for name, value in stated["signature"].items() if name != "signature"}
    content = {**stated, "signature": key}
    return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")


def plan_of(receipt: Receipt) -> dict[str, object]:
    """Return the plan as the certificate's edition states it."""
    stated = receipt.plan.to_dict()
    if receipt.edition == 2:
        return {name: stated.get(name, receipt.seed) for name in SECOND_PLAN}
    return stated


def _terms(terms: Terms, receipt: Receipt) -> dict[str, object]:
    verdict, score, plan = terms.verdict, get_score(terms.score), receipt.plan
    n_train, n_test = receipt.counts.sizes(score, plan)
    way = coverage(plan.settings)
    proved = way.verdict(score, n_train, n_test)
    stated: dict[str, object] = {
        "score": terms.score,
        "mechanism": _VOTES if way.votes else _MECHANISMS[type(verdict).__name__],
        "cost": amount(terms.cost),
        "draws": [
            {"statistic": d.statistic, "at_most": d.count, "sensitivity": d.sensitivity, "epsilon": d.epsilon,
             "noise_scale": d.scale}
            for d in terms.draws
        ],
    }  # fmt: skip
    if not isinstance(proved, IqrVerdict):
        stated["sensitivity_formula"] = _formula(score, plan)
        stated["sensitivity_proved"] = proved.sensitivity
    if isinstance(way, ByPublicRanges):
        stated["eta_formula"] = ETA_FORMULA
        stated["eta"] = residual_shift(n_train, plan.settings.ridge)
    if isinstance(verdict, IqrVerdict):
        attribute = verdict.attribute_cost
        stated |= {
            "sensitivity_formula": "1 for a distance to instability; w, the bin width, for a log-IQR within its bin",
            "threshold": verdict.single.threshold,
            "delta_per_release": verdict.delta_per_release,
            "one_column_changed": {"epsilon": attribute.epsilon, "delta": attribute.delta},
        }
    return stated


def _formula(score: Score, plan: Plan) -> str:
    way = coverage(plan.settings)
    if way.votes or not isinstance(score, LaplaceScore):
        return "1 for either count of votes, since one row changes the vote of one block"
    formula = plain_formula(score.sensitivity_formula[plan.settings.calibration])
    return f"the larger of {formula} and {score.overview.training_global}" if way.every_row else formula


def _outcome(terms: Terms, outcome: Released | Refused, edition: int) -> dict[str, object]:
    stated: dict[str, object] = {
        name: {"value": _plain(value), "interval": _interval(value_interval(terms, value, CONFIDENCE))}
        for name, value in zip(terms.verdict.outputs, outcome.values, strict=True)
    }
    if isinstance(outcome, Refused):
        return {"refused": True, "values": stated, "confidence_of_intervals": CONFIDENCE}
    interval = margin_interval(terms, outcome, CONFIDENCE)
    undecided = interval is not None and interval.low <= 0.0 <= interval.high
    return {
        "refused": False,
        "values": stated,
        "margin": {"value": _plain(outcome.margin), "interval": _interval(interval)},
        "direction": str(outcome.direction),
        **({} if edition == 2 else {"undecided": undecided}),
        "confidence_in_direction": confidence_in_arrow(terms, outcome),
        "confidence_of_intervals": CONFIDENCE,
    }


def _plain(value: float | None) -> float | str | None:
    if value is None or math.isfinite(value):
        return value
    return ZERO_IQR if value == -math.inf else "infinite"


def _interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def plain_formula(latex: str) -> str:
    """Return a LaTeX formula of the score registry as plain text."""
    fractions = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)", latex)
    return re.sub(r"\\(left|right)?", "", fractions)
