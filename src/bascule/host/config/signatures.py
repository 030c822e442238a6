"""Signatures of devices: ECDSA over P-256 with SHA-256, as every browser's WebCrypto makes them."""

import base64
import binascii

from bascule.core.consent.devices import MAX_KEY, MAX_SIGNATURE

SIDE = 32  # bytes of each half of a signature


def is_key(key: str) -> bool:
    """Whether it is the public half of a P-256 key."""
    return _find_key(key) is not None


def is_signed(key: str, words: bytes, signature: str) -> bool:
    """`signature` is r and s side by side, in base64."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256

    public, raw = _find_key(key), decode(signature, MAX_SIGNATURE)
    if public is None or len(raw) != 2 * SIDE:
        return False
    r, s = int.from_bytes(raw[:SIDE]), int.from_bytes(raw[SIDE:])
    try:
        public.verify(encode_dss_signature(r, s), words, ECDSA(SHA256()))
    except InvalidSignature:
        return False
    return True


def decode(text: str, most: int) -> bytes:
    """Empty where it is no base64."""
    try:
        return base64.b64decode(text, validate=True) if len(text) <= most else b""
    except (binascii.Error, ValueError):
        return b""


def _find_key(key: str):  # type: ignore[no-untyped-def]  # the library is loaded when first needed
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    try:
        found = load_der_public_key(decode(key, MAX_KEY))
    except (ValueError, UnsupportedAlgorithm):
        return None
    is_ours = isinstance(found, EllipticCurvePublicKey) and isinstance(found.curve, SECP256R1)
    return found if is_ours else None
