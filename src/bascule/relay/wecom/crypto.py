"""WeCom's envelope: SHA-1 signature, AES-256-CBC, a length and the receiver's id inside."""

import base64
import binascii
import hashlib
import hmac
import secrets
import struct

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC
from cryptography.hazmat.primitives.padding import PKCS7

from bascule.core.faults import UserError

PAD_BITS = 32 * 8  # WeCom pads to 32 bytes, though AES has 16
RANDOM = 16  # bytes before the length
MAX_CIPHER = 256 * 1024  # characters of base64


BAD_KEY = "wecom.aesKey must be the 43 characters of WeCom's EncodingAESKey"


def read_aes_key(encoded: str) -> bytes | None:
    """As WeCom shows it."""
    try:
        key = base64.b64decode(encoded + "=", validate=True)
    except (binascii.Error, ValueError):
        return None
    return key if len(key) == 32 else None


class ForgedMessage(Exception):
    """It was not made by somebody who has the keys, or not for us."""


class WeComCrypto:
    def __init__(self, token: str, encoding_aes_key: str, receive_id: str) -> None:
        key = read_aes_key(encoding_aes_key)
        if key is None:
            raise UserError(f"{BAD_KEY}.")
        self._token = token
        self._cipher = Cipher(AES(key), CBC(key[:16]))
        self._receive_id = receive_id.encode()

    def sign(self, timestamp: str, nonce: str, encrypted: str) -> str:
        parts = sorted([self._token, timestamp, nonce, encrypted])
        return hashlib.sha1("".join(parts).encode("utf-8", "replace")).hexdigest()  # noqa: S324  # WeCom's own choice

    def decrypt(self, signature: str, timestamp: str, nonce: str, encrypted: str) -> bytes:
        """`ForgedMessage` without a reason, so that a forger learns nothing."""
        expected = self.sign(timestamp, nonce, encrypted)
        if not hmac.compare_digest(expected.encode(), signature.encode("utf-8", "replace")):
            raise ForgedMessage
        return self._open(encrypted)

    def _open(self, encrypted: str) -> bytes:
        try:
            if len(encrypted) > MAX_CIPHER:
                raise ValueError
            data = base64.b64decode(encrypted, validate=True)
            decryptor = self._cipher.decryptor()
            padded = decryptor.update(data) + decryptor.finalize()
            unpadder = PKCS7(PAD_BITS).unpadder()
            plain = unpadder.update(padded) + unpadder.finalize()
            (size,) = struct.unpack_from(">I", plain, RANDOM)
        except (binascii.Error, ValueError, struct.error):
            raise ForgedMessage from None
        message, receiver = plain[RANDOM + 4 : RANDOM + 4 + size], plain[RANDOM + 4 + size :]
        if len(message) != size or not hmac.compare_digest(receiver, self._receive_id):
            raise ForgedMessage
        return message

    def encrypt(self, message: bytes) -> str:
        plain = secrets.token_bytes(RANDOM) + struct.pack(">I", len(message)) + message + self._receive_id
        padder = PKCS7(PAD_BITS).padder()
        encryptor = self._cipher.encryptor()
        data = encryptor.update(padder.update(plain) + padder.finalize()) + encryptor.finalize()
        return base64.b64encode(data).decode()
