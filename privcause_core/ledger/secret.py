"""The local secret that keys an account's digests, so that a stolen ledger does not confirm guessed data."""

import hashlib
import hmac
import os
import secrets
from pathlib import Path

from privcause_core.errors import LedgerError

SECRET_BYTES = 32


def read_secret(path: Path) -> bytes:
    """Return the secret.

    Raises
    ------
    LedgerError
        If the file is missing, unreadable or not a secret.
    """
    try:
        secret = bytes.fromhex(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        raise LedgerError(
            f"The ledger's secret file {path} is missing; restore it from the backup that goes with the ledger."
        ) from None
    except (OSError, ValueError) as error:
        raise LedgerError(f"The ledger's secret file {path} cannot be read; restore it from the backup.") from error
    if len(secret) != SECRET_BYTES:
        raise LedgerError(f"The ledger's secret file {path} is damaged; restore it from the backup.")
    return secret


def create_secret(path: Path) -> None:
    """Write a fresh secret, readable by its owner only; whole or not at all, and never over an existing one.

    Raises
    ------
    LedgerError
        If the file cannot be written.
    """
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        pass  # another process was first: its secret is the one
    except OSError as error:
        raise LedgerError(f"The ledger's secret file {path} cannot be created: {error.strerror}.") from error
    finally:
        draft.unlink(missing_ok=True)


def keyed_digest(secret: bytes, purpose: str, content: bytes) -> str:
    """Return HMAC-SHA256 of the content under the secret, apart for every purpose."""
    return hmac.new(secret, purpose.encode() + b"\x00" + content, hashlib.sha256).hexdigest()
