"""A receipt as a certificate: plain JSON values that anyone can recompute, and back.

It holds typed values, public counts and private outputs; no other number depends on the data.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from privcause_core.errors import DataError, ParameterError
from privcause_core.fits.public_ridge import residual_shift
from privcause_core.ledger import Amount, decimal_text
from privcause_core.names import machine_text
from privcause_core.protection.choice import coverage
from privcause_core.protection.public_ranges import ByPublicRanges
from privcause_core.release.certainty import Interval, confidence_in_arrow, margin_interval, value_interval
from privcause_core.release.plan import Plan
from privcause_core.release.quote import Terms, quote
from privcause_core.release.receipt import Receipt
from privcause_core.scores import LaplaceScore, Score, get_score
from privcause_core.verdicts.mechanisms import Verdict
from privcause_core.verdicts.outcome import Refused, Released, private_direction
from privcause_core.verdicts.propose_test_release import IqrVerdict, iqr_outcome

FORMAT = "privcause-certificate/2"
CONFIDENCE = 0.95
ZERO_IQR = "IQR is zero"
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
    return {
        "format": FORMAT,
        "entry": receipt.entry,
        "time": receipt.time,
        "software": dict(receipt.versions),
        "pair": {"name": receipt.pair_name, "x": receipt.x_name, "y": receipt.y_name},
        "public": _public(receipt),
        "plan": receipt.plan.to_dict(),
        "not_used": list(receipt.plan.not_used),
        "guarantee": _guarantee(receipt.plan),
        "releases": [
            _terms(terms, receipt) | {"outcome": _outcome(terms, outcome)} for terms, outcome in receipt.results
        ],
    }


def certificate_json(receipt: Receipt) -> str:
    """Return the certificate as JSON text, the same bytes every time."""
    return machine_text(json.dumps(certificate(receipt), indent=2, ensure_ascii=False, allow_nan=False)) + "\n"


def receipt_of(values: Mapping[str, Any]) -> Receipt:
    """Read a certificate back; claims that can be recomputed are ignored here and compared by ``verify``.

    Raises
    ------
    DataError
        If it is not a certificate of this format.
    """
    try:
        if values["format"] != FORMAT:
            raise DataError(f"Expected a certificate of format {FORMAT}.")
        plan, pair, rows = Plan.from_dict(values["plan"]), values["pair"], int(values["public"]["complete_rows"])
        terms, releases = quote(plan, rows).terms, values["releases"]
        if len(terms) != len(releases):
            raise DataError("Expected one outcome a score in the certificate.")
        outcomes = tuple(_outcome_of(one.verdict, stated) for one, stated in zip(terms, releases, strict=True))
        receipt = Receipt(
            str(values["entry"]), str(values["time"]), plan, str(pair["name"]), str(pair["x"]), str(pair["y"]),
            rows, tuple(dict(values["software"]).items()), outcomes,
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, DataError | ParameterError):
            raise
        raise DataError("Expected a PrivCause certificate; this file is incomplete or was changed.") from error
    return receipt


def _public(receipt: Receipt) -> dict[str, int]:
    priced, rows = receipt.quote, {"complete_rows": receipt.rows}
    if coverage(receipt.plan.settings).votes:
        return rows | {"blocks": receipt.plan.blocks, "rows_in_smallest_block": priced.n_train + priced.n_test}
    return rows | {"n_train": priced.n_train, "n_test": priced.n_test}


def _guarantee(plan: Plan) -> dict[str, object]:
    way = coverage(plan.settings)
    row = way.protected_row
    return {
        **_amount(plan.cost),
        "protected": way.statement,
        "unit": f"one replaced {row}",
        "neighbours": f"data sets that differ by replacing one {row}; the number of rows is fixed and public",
        "public_facts": (
            "which rows are complete, hence their number; the typed plan; the column names; how the file is laid out "
            "(separator, decimal mark, header, which cells are numbers)"
        ),
        "composition": f"basic: {len(plan.scores)} verdict(s), epsilons and deltas add",
    }


def _terms(terms: Terms, receipt: Receipt) -> dict[str, object]:
    verdict, score, plan = terms.verdict, get_score(terms.score), receipt.plan
    way = coverage(plan.settings)
    proved = way.verdict(score, receipt.quote.n_train, receipt.quote.n_test)
    stated: dict[str, object] = {
        "score": terms.score,
        "mechanism": _VOTES if way.votes else _MECHANISMS[type(verdict).__name__],
        "cost": _amount(terms.cost),
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
        stated["eta"] = residual_shift(receipt.quote.n_train, plan.ridge)
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
    formula = plain_formula(score.sensitivity_formula[plan.calibration])
    return f"the larger of {formula} and {score.overview.training_global}" if way.every_row else formula


def _outcome(terms: Terms, outcome: Released | Refused) -> dict[str, object]:
    stated: dict[str, object] = {
        name: {"value": _plain(value), "interval": _interval(value_interval(terms, value, CONFIDENCE))}
        for name, value in zip(terms.verdict.outputs, outcome.values, strict=True)
    }
    if isinstance(outcome, Refused):
        return {"refused": True, "values": stated, "confidence_of_intervals": CONFIDENCE}
    return {
        "refused": False,
        "values": stated,
        "margin": {
            "value": _plain(outcome.margin),
            "interval": _interval(margin_interval(terms, outcome, CONFIDENCE)),
        },
        "direction": str(outcome.direction),
        "confidence_in_direction": confidence_in_arrow(terms, outcome),
        "confidence_of_intervals": CONFIDENCE,
    }


def _outcome_of(verdict: Verdict, release: Mapping[str, Any]) -> Released | Refused:
    stated = release["outcome"]["values"]
    values = tuple(_number(entry["value"]) for entry in stated.values())
    if isinstance(verdict, IqrVerdict):
        return iqr_outcome(values)
    released = [value for value in values if value is not None and math.isfinite(value)]
    if len(released) != len(verdict.outputs):
        raise DataError("Expected finite released values in the certificate.")
    margin = released[-1] - released[0] if len(released) == 2 else released[0]
    return Released(tuple(released), margin, private_direction(margin))


def _amount(amount: Amount) -> dict[str, str]:
    return {"epsilon": decimal_text(amount.epsilon), "delta": decimal_text(amount.delta)}


def _plain(value: float | None) -> float | str | None:
    if value is None or math.isfinite(value):
        return value
    return ZERO_IQR if value == -math.inf else "infinite"


def _number(value: object) -> float | None:
    if value is None:
        return None
    if value == ZERO_IQR:
        return -math.inf
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError("Expected released values as numbers in the certificate.")
    return float(value)


def _interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]


def plain_formula(latex: str) -> str:
    """Return a LaTeX formula of the score registry as plain text."""
    fractions = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)", latex)
    return re.sub(r"\\(left|right)?", "", fractions)
