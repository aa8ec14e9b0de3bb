"""A certificate read back into a receipt, of this edition or the one before."""

import math
from collections.abc import Mapping
from typing import Any

from privcause_core.errors import DataError, ParameterError
from privcause_core.ledger import Signature
from privcause_core.loading import Reading
from privcause_core.release.certificate import FORMATS, SECOND_PLAN
from privcause_core.release.counts import Counts
from privcause_core.release.plan import Plan
from privcause_core.release.quote import quote
from privcause_core.release.receipt import Receipt
from privcause_core.settings import Settings
from privcause_core.text.words import ZERO_IQR
from privcause_core.verdicts.mechanisms import Verdict
from privcause_core.verdicts.outcome import Refused, Released, private_direction
from privcause_core.verdicts.propose_test_release import IqrVerdict, iqr_outcome


def receipt_of(values: Mapping[str, Any]) -> Receipt:
    """Read a certificate back; claims that can be recomputed are ignored here and compared by ``verify``.

    Raises
    ------
    DataError
        If it is not a certificate of a format that this version reads.
    """
    try:
        return _receipt(values)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, DataError | ParameterError):
            raise
        raise DataError("Expected a PrivCause certificate; this file is incomplete or was changed.") from error


def _receipt(values: Mapping[str, Any]) -> Receipt:
    edition = next((number for number, name in FORMATS.items() if values["format"] == name), None)
    if edition is None:
        raise DataError(f"Expected a certificate of format {' or '.join(FORMATS.values())}.")
    plan, seed = _plan_and_seed(values, edition)
    counts, pair, releases = _counts(values["public"]), values["pair"], values["releases"]
    terms = quote(plan, counts).terms
    if len(terms) != len(releases):
        raise DataError("Expected one outcome a score in the certificate.")
    outcomes = tuple(_outcome_of(one.verdict, stated) for one, stated in zip(terms, releases, strict=True))
    return Receipt(
        str(values["entry"]), str(values["time"]), plan, str(pair["name"]), str(pair["x"]), str(pair["y"]),
        counts, tuple(dict(values["software"]).items()), outcomes, seed, edition, _signature(values),
        _reading(values),
    )  # fmt: skip


def _plan_and_seed(values: Mapping[str, Any], edition: int) -> tuple[Plan, int | None]:
    stated = dict(values["plan"])
    if edition > 2:
        seed = values["public"].get("seed_of_places")
        return Plan.from_dict(stated), None if seed is None else int(seed)
    if set(stated) != set(SECOND_PLAN):
        raise DataError(f"Expected a plan with {', '.join(sorted(SECOND_PLAN))}.")
    seed = int(stated.pop("seed"))
    later = Plan.from_settings(Settings()).to_dict()  # what came since stands as it worked then
    return Plan.from_dict({**later, **stated}), seed


def _counts(public: Mapping[str, Any]) -> Counts:
    rows = int(public.get("rows", public.get("complete_rows")))
    complete = int(public.get("complete_rows", rows))
    if complete == rows or "n_test" not in public:
        return Counts(rows, rows)
    halves = int(public["n_train"]), int(public["n_test"])
    if not 0 < complete < rows or sum(halves) != complete:
        raise DataError("Expected row counts that add up in the certificate.")
    return Counts(rows, complete, halves)


def _signature(values: Mapping[str, Any]) -> Signature | None:
    stated = values.get("signature")
    return None if stated is None else Signature(str(stated["public_key"]), str(stated["signature"]))


def _reading(values: Mapping[str, Any]) -> Reading | None:
    stated = values.get("reading")
    return None if stated is None else Reading.from_dict(stated)


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


def _number(value: object) -> float | None:
    if value is None:
        return None
    if value == ZERO_IQR:
        return -math.inf
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError("Expected released values as numbers in the certificate.")
    return float(value)
