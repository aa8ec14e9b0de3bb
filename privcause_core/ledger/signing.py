"""The ledger's own Ed25519 key: whoever knows its public half can tell certificates that it signed from all others."""

from dataclasses import dataclass

from privcause_core.errors import LedgerError

ALGORITHM = "Ed25519"


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature and the key to check it with, both hexadecimal."""

    public_key: str
    signature: str

    def to_dict(self) -> dict[str, str]:
        """Return plain JSON values."""
        return {"algorithm": ALGORITHM, "public_key": self.public_key, "signature": self.signature}


def public_key_of(seed: bytes) -> str:
    """Return the public half of the key that 32 secret bytes are."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # only releases need it

    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw().hex()


def sign(seed: bytes, content: bytes) -> Signature:
    """Return the signature of some bytes."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Signature(public_key_of(seed), Ed25519PrivateKey.from_private_bytes(seed).sign(content).hex())


def is_genuine(signature: Signature, content: bytes) -> bool:
    """Return whether the content was signed with the key that the signature names, whoever's that is."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.public_key))
        key.verify(bytes.fromhex(signature.signature), content)
    except (ValueError, InvalidSignature):
        return False
    return True


def checked_key(text: str) -> str:
    """Return a public key as typed or read from a file, in plain hexadecimal.

    Raises
    ------
    LedgerError
        If it is none.
    """
    key = "".join(text.split()).lower()
    if len(key) != 64 or set(key) - set("0123456789abcdef"):
        raise LedgerError("Expected a public key of 64 hexadecimal digits, as a certificate shows it.")
    return key
