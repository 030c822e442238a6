"""Signatures: only the right key, over the right words, as WebCrypto writes them."""

import base64

from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from tests.outside import Key

from bascule.host.config.signatures import is_key, is_signed

KEY = Key()
SIGNED = KEY.sign(b"words")


def spki(key: "ec.EllipticCurvePublicKey | rsa.RSAPublicKey") -> str:
    return base64.b64encode(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()


def test_a_signature_is_for_its_key_and_its_words() -> None:
    assert is_signed(KEY.public, b"words", SIGNED)
    assert not is_signed(KEY.public, b"other words", SIGNED)
    assert not is_signed(Key().public, b"words", SIGNED)


def test_what_is_no_signature_is_a_no() -> None:
    cut = (SIGNED[:-4], SIGNED + "AAAA", "A" * 88, "=" * 9999)
    for wrong in ("", "AAAA", "é", *cut, base64.b64encode(bytes(64)).decode()):
        assert not is_signed(KEY.public, b"words", wrong)


def test_only_p256_keys_are_keys() -> None:
    assert is_key(KEY.public)
    others = [
        spki(ec.generate_private_key(ec.SECP384R1()).public_key()),
        spki(rsa.generate_private_key(65537, 2048).public_key()),
        *("", "AAAA", "é", KEY.public[:-8], "A" * 5000),
    ]
    assert [is_key(other) for other in others] == [False] * len(others)
