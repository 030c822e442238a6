"""Ed25519: the key pair by which a machine is known, and the one-time code that brings it in."""

import base64
import binascii
import hashlib
import secrets

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from bascule.model.relay_frames import EnrollRequest, JoinCode, signed_text

CODE_LASTS_MS = 15 * 60_000
KEY, SIGNATURE = 32, 64  # bytes


def make_code(url: str, machine: str) -> tuple[str, str]:
    """The code for a person to carry over, and the hash that is kept of its secret."""
    secret = secrets.token_urlsafe(24)
    code = JoinCode(url=url, machine=machine, secret=secret)
    return base64.urlsafe_b64encode(msgspec.json.encode(code)).decode().rstrip("="), hash_secret(secret)


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def is_signed_by(public_key: str, machine: str, challenge: str, signature: str) -> bool:
    key, given = _decode(public_key, KEY), _decode(signature, SIGNATURE)
    if key is None or given is None:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(given, signed_text(machine, challenge))
    except (InvalidSignature, ValueError):
        return False
    return True


def proves_key(request: EnrollRequest) -> bool:
    return is_signed_by(request.public_key, request.machine_id, request.secret, request.signature)


def _decode(text: str, size: int) -> bytes | None:
    try:
        data = base64.b64decode(text, validate=True) if len(text) <= 2 * size else b""
    except (binascii.Error, ValueError):
        return None
    return data if len(data) == size else None
