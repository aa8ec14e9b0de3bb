"""The local secret that keys an account's digests, so that a stolen ledger does not confirm guessed data."""

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from privcause_core.errors import LedgerError
from privcause_core.ledger.once import created_once

SECRET_BYTES = 32
SECRET_FILE, KEY_FILE = "secret file", "signing key"


def read_secret(path: Path, what: str = SECRET_FILE) -> bytes:
    """Return the secret.

    Parameters
    ----------
    path : Path
    what : str
        What to call the file.

    Raises
    ------
    LedgerError
        If the file is missing, unreadable or not a secret.
    """
    try:
        secret = bytes.fromhex(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        raise LedgerError(
            f"The ledger's {what} {path} is missing; restore it from the backup that goes with the ledger."
        ) from None
    except (OSError, ValueError) as error:
        raise LedgerError(f"The ledger's {what} {path} cannot be read; restore it from the backup.") from error
    if len(secret) != SECRET_BYTES:
        raise LedgerError(f"The ledger's {what} {path} is damaged; restore it from the backup.")
    return secret


def create_secret(path: Path, what: str = SECRET_FILE) -> None:
    """Write a fresh secret, readable by its owner only; whole or not at all, and never over an existing one.

    Raises
    ------
    LedgerError
        If the file cannot be written.
    """
    try:
        with created_once(path) as draft, draft.open("w", encoding="ascii") as file:
            file.write(secrets.token_hex(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise LedgerError(f"The ledger's {what} {path} cannot be created: {error.strerror}.") from error


def keyed_digest(secret: bytes, purpose: str, content: bytes) -> str:
    """Return HMAC-SHA256 of the content under the secret, apart for every purpose."""
    return hmac.new(secret, purpose.encode() + b"\x00" + content, hashlib.sha256).hexdigest()
