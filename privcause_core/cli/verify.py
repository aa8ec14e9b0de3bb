"""``verify CERTIFICATE``: recompute what a certificate claims, and ask a ledger or a known key who vouches for it."""

import argparse
from dataclasses import asdict
from pathlib import Path

from privcause_core.cli.common import read_certificate, say, say_json
from privcause_core.errors import DataError
from privcause_core.release import Ledger, Verification, checked_key, verify

EXIT_INVALID, EXIT_UNKNOWN = 2, 4
_EXITS = {True: 0, False: EXIT_INVALID, None: EXIT_UNKNOWN}
_MARKS = {True: "ok", False: "FAILED", None: "not checked"}
_SUMS = {
    True: "valid",
    False: "INVALID: it was changed, or is an invention",
    None: "unknown: nothing speaks against it, and nobody known here vouches for it; give --ledger or --key",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("certificate", metavar="CERTIFICATE", help="the certificate's JSON file")
    add_vouching_arguments(parser)
    parser.add_argument("--json", action="store_true")


def add_vouching_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name who may vouch for a certificate."""
    parser.add_argument("--ledger", metavar="PATH", help="the ledger that should know it")
    parser.add_argument("--key", metavar="HEX", help="the data holder's public key, from a source you trust")


def run(args: argparse.Namespace) -> int:
    """Print each check; exit 0 if it is valid, 2 if a check fails, 4 if nobody known vouches for it."""
    result = verified(read_certificate(args.certificate), args)
    if args.json:
        say_json({"valid": result.valid, "checks": [asdict(check) for check in result.checks]})
    else:
        say(*(f"{_MARKS[check.holds]}: {check.name}: {check.finding}" for check in result.checks), _SUMS[result.valid])
    return _EXITS[result.valid]


def verified(certificate: dict[str, object], args: argparse.Namespace) -> Verification:
    """Return the checks of a certificate by the ledger and the key that were named."""
    return verify(certificate, _ledger(args.ledger), None if args.key is None else checked_key(args.key))


def _ledger(path: str | None) -> Ledger | None:
    """Return the named ledger; verifying never creates one, and nobody else's ledger should know the entry."""
    if path is None:
        return None
    if not Path(path).is_file():
        raise DataError(f"There is no ledger at {path}.")
    return Ledger(Path(path))
