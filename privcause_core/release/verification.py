"""Whether a certificate claims what its plan costs, and whether the ledger knows it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from privcause_core.errors import DataError, LedgerError, ParameterError
from privcause_core.ledger import Ledger
from privcause_core.release.certificate import certificate, receipt_of


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what was compared, whether it holds (None: it could not be made), and what was found."""

    name: str
    holds: bool | None
    finding: str


@dataclass(frozen=True, slots=True)
class Verification:
    """All checks of one certificate."""

    checks: tuple[Check, ...]

    @property
    def valid(self) -> bool:
        """Return whether no check failed."""
        return all(check.holds is not False for check in self.checks)


def verify(claimed: Mapping[str, Any], ledger: Ledger | None = None) -> Verification:
    """Recompute every claim of a certificate from its plan, row count and released values.

    Parameters
    ----------
    claimed : mapping
        The certificate, as read from JSON.
    ledger : Ledger, optional
        Where the entry should be found, word for word.
    """
    try:
        receipt = receipt_of(claimed)
        expected = certificate(receipt)
    except (DataError, ParameterError) as error:
        return Verification((Check("certificate is complete", False, str(error)),))
    except (OverflowError, RecursionError, ValueError):
        return Verification((Check("certificate is complete", False, "it holds values that no release has"),))
    differences = list(_differences("", expected, claimed))
    claims = {
        "cost, protection, public facts, and nothing else": tuple(
            {*expected, *map(str, claimed)} - {"releases", "software"}
        ),
        "mechanisms, sensitivities, noise scales and conclusions": ("releases",),
    }
    checks = [_claims_check(name, starts, differences) for name, starts in claims.items()]
    return Verification((*checks, _ledger_check(claimed, receipt.entry, ledger)))


def _claims_check(name: str, starts: tuple[str, ...], differences: list[str]) -> Check:
    found = [path for path in differences if path.split(".")[0].split("[")[0] in starts]
    finding = f"not as recomputed: {', '.join(found)}" if found else "as recomputed"
    return Check(name, not found, finding)


def _ledger_check(claimed: Mapping[str, Any], entry: str, ledger: Ledger | None) -> Check:
    name = "entry in the ledger"
    if ledger is None:
        return Check(name, None, "no ledger at hand; not checked")
    try:
        stored = ledger.outcome(entry)
    except LedgerError as error:
        return Check(name, False, str(error))
    if stored is None:
        return Check(name, False, "charged, but the ledger holds no result for it")
    same = json.loads(stored) == claimed
    return Check(name, same, "found, word for word" if same else "found, but with other content")


def _differences(path: str, expected: object, claimed: object) -> Iterator[str]:
    """Yield the paths at which two JSON values differ, in kind or in the last digit."""
    if isinstance(expected, dict) and isinstance(claimed, Mapping):
        for key in sorted({*expected, *claimed}):
            where = f"{path}.{key}" if path else str(key)
            yield from _differences(where, expected.get(key, _ABSENT), claimed.get(key, _ABSENT))
    elif isinstance(expected, list) and isinstance(claimed, list) and len(expected) == len(claimed):
        for position, (one, other) in enumerate(zip(expected, claimed, strict=True)):
            yield from _differences(f"{path}[{position}]", one, other)
    elif expected != claimed or isinstance(expected, bool) != isinstance(claimed, bool):
        yield path


_ABSENT = object()
