"""``verify CERTIFICATE``: recompute what a certificate claims; with a ledger at hand, look its entry up."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from privcause_core.cli.common import say, say_json
from privcause_core.errors import DataError
from privcause_core.release import Ledger, default_path, verify

EXIT_INVALID = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("certificate", metavar="CERTIFICATE", help="the certificate's JSON file")
    parser.add_argument("--ledger", metavar="PATH", help="the ledger that should know it")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    """Print each check; exit 2 if one fails."""
    ledger = _ledger(args.ledger)
    result = verify(_certificate(Path(args.certificate)), ledger)
    if args.json:
        say_json({"valid": result.valid, "checks": [asdict(check) for check in result.checks]})
    else:
        marks = {True: "ok", False: "FAILED", None: "not checked"}
        say(*(f"{marks[check.holds]}: {check.name}: {check.finding}" for check in result.checks))
    return 0 if result.valid else EXIT_INVALID


def _ledger(path: str | None) -> Ledger | None:
    """Return the named ledger, or the default one where it exists; verifying never creates one."""
    chosen = Path(path) if path else default_path()
    if chosen.is_file():
        return Ledger(chosen)
    if path:
        raise DataError(f"There is no ledger at {path}.")
    return None


def _certificate(path: Path) -> dict[str, object]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError):
        raise DataError(f"Cannot read a certificate from {path}: it is not a JSON file that can be opened.") from None
    if not isinstance(values, dict):
        raise DataError(f"Cannot read a certificate from {path}: expected a JSON object.")
    return values
