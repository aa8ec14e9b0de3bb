"""``verify CERTIFICATE``: recompute what a certificate claims; with a ledger at hand, look its entry up."""

import argparse
from dataclasses import asdict
from pathlib import Path

from privcause_core.cli.common import read_certificate, say, say_json
from privcause_core.errors import DataError
from privcause_core.release import Ledger, verify

EXIT_INVALID = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("certificate", metavar="CERTIFICATE", help="the certificate's JSON file")
    parser.add_argument("--ledger", metavar="PATH", help="the ledger that should know it")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print each check; exit 2 if one fails."""
    ledger = _ledger(args.ledger)
    result = verify(read_certificate(args.certificate), ledger)
    if args.json:
        say_json({"valid": result.valid, "checks": [asdict(check) for check in result.checks]})
    else:
        marks = {True: "ok", False: "FAILED", None: "not checked"}
        say(*(f"{marks[check.holds]}: {check.name}: {check.finding}" for check in result.checks))
    return 0 if result.valid else EXIT_INVALID


def _ledger(path: str | None) -> Ledger | None:
    """Return the named ledger; verifying never creates one, and nobody else's ledger should know the entry."""
    if path is None:
        return None
    if not Path(path).is_file():
        raise DataError(f"There is no ledger at {path}.")
    return Ledger(Path(path))
