"""Whether a certificate claims what its plan costs, and whether anybody known vouches for it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from privcause_core.errors import DataError, LedgerError, ParameterError
from privcause_core.ledger import Ledger
from privcause_core.ledger.signing import is_genuine
from privcause_core.release.certificate import FORMATS, certificate, signed_bytes
from privcause_core.release.reading import receipt_of
from privcause_core.release.receipt import Receipt

KNOWN_KEY, IN_LEDGER = "key", "entry in the ledger"
COMPLETE = "certificate is complete"
PLACES_NAMED = 12


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
    def valid(self) -> bool | None:
        """Return False if a check failed, True if a known key or the ledger vouches for it, None if nobody here can."""
        if any(check.holds is False for check in self.checks):
            return False
        return True if any(check.holds for check in self.checks if check.name in (KNOWN_KEY, IN_LEDGER)) else None


def verify(claimed: Mapping[str, Any], ledger: Ledger | None = None, key: str | None = None) -> Verification:
    """Recompute every claim of a certificate, and ask who vouches for it.

    Anyone can recompute claims, and make up released values that go with them. Only the ledger that issued it, or its
    public key known from elsewhere, tells a certificate from an invention.

    Parameters
    ----------
    claimed : mapping
        The certificate, as read from JSON.
    ledger : Ledger, optional
        Where the entry should be found, word for word.
    key : str, optional
        The holder's public key, hexadecimal, from a source that is trusted.
    """
    try:
        receipt = receipt_of(claimed)
        expected = certificate(receipt)
        json.dumps(claimed, allow_nan=False)
    except (DataError, ParameterError) as error:
        return Verification((Check(COMPLETE, False, str(error)),))
    except (ArithmeticError, LookupError, MemoryError, RecursionError, TypeError, ValueError):
        return Verification((Check(COMPLETE, False, "it holds values that no release has"),))
    differences = list(_differences("", expected, claimed))
    claims = {
        "cost, protection, public facts, and nothing else": tuple(
            {*expected, *map(str, claimed)} - {"releases", "software"}
        ),
        "mechanisms, sensitivities, noise scales and conclusions": ("releases",),
    }
    checks = [_claims_check(name, starts, differences) for name, starts in claims.items()]
    signed_checks = _signature_check(claimed, receipt), _key_check(receipt, ledger, key)
    return Verification((*checks, *signed_checks, _ledger_check(claimed, receipt.entry, ledger)))


def issued_here(claimed: Mapping[str, Any], ledger: Ledger) -> bool:
    """Return whether a certificate claims to be from this ledger: by its key, or by the id of one of its releases."""
    signature = claimed.get("signature")
    if isinstance(signature, Mapping) and str(signature.get("public_key")) in ledger.signers():
        return True
    try:
        ledger.outcome(str(claimed.get("entry")))
    except (LedgerError, UnicodeError):
        return False
    return True


def _signature_check(claimed: Mapping[str, Any], receipt: Receipt) -> Check:
    name, signature = "signature", receipt.signature
    if signature is None:
        if receipt.edition == 2:
            return Check(name, None, f"certificates of format {FORMATS[2]} carry none; only the ledger can tell")
        return Check(name, False, "it is missing")
    if is_genuine(signature, signed_bytes(claimed)):
        return Check(name, True, f"every word as signed with the key {signature.public_key}")
    return Check(name, False, "not of this content: it was changed after it was signed")


def _key_check(receipt: Receipt, ledger: Ledger | None, key: str | None) -> Check:
    if receipt.signature is None:
        return Check(KNOWN_KEY, None, "there is no signature to compare")
    known = {*(() if key is None else (key,)), *(() if ledger is None else ledger.signers())}
    if not known:
        return Check(KNOWN_KEY, None, "no ledger and no public key at hand; not checked: anybody can sign")
    if receipt.signature.public_key in known:
        return Check(KNOWN_KEY, True, "signed with the key that is known here")
    return Check(KNOWN_KEY, False, "signed with a key that is not the one known here")


def _claims_check(name: str, starts: tuple[str, ...], differences: list[str]) -> Check:
    found = [path for path in differences if path.split(".")[0].split("[")[0] in starts]
    named = ", ".join(found[:PLACES_NAMED]) + (", …" if len(found) > PLACES_NAMED else "")
    finding = f"not as recomputed: {named}" if found else "as recomputed"
    return Check(name, not found, finding)


def _ledger_check(claimed: Mapping[str, Any], entry: str, ledger: Ledger | None) -> Check:
    name = IN_LEDGER
    if ledger is None:
        return Check(name, None, "no ledger at hand; not checked")
    try:
        stored = ledger.outcome(entry)
    except LedgerError as error:
        return Check(name, False, str(error))
    except UnicodeError:
        return Check(name, False, "The ledger holds no release of that id.")
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
