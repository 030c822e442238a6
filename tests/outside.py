"""The outer door of a daemon in tests: a certificate, a client over TLS, and a device with its key."""

import base64
import ipaddress
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID
from tests.e2e.peer import Peer, Socket
from websockets.asyncio.client import connect
from websockets.typing import Subprotocol

from bascule.core.consent.devices import offer_words, proof_words
from bascule.host.network.listener import Exposure
from bascule.host.processes.tasks import Tasks
from bascule.serve.serving import OuterDoor

CREDENTIAL = "c" * 40


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """Of 127.0.0.1, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "bascule tests")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, SHA256())
    )
    paths = folder / "cert.pem", folder / "key.pem"
    paths[0].write_bytes(certificate.public_bytes(Encoding.PEM))
    paths[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return paths


def make_outside(folder: Path) -> OuterDoor:
    return OuterDoor("127.0.0.1", 0, (), Exposure(CREDENTIAL, *make_certificate(folder)))


def trust(outside: OuterDoor) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=outside.exposure.certificate)


@asynccontextmanager
async def dialled_outside(
    outside: OuterDoor,
    host: str,
    tasks: Tasks,
    headers: dict[str, str] | None = None,
    protocols: tuple[str, ...] = (),
) -> AsyncIterator[Peer]:
    """With the credential, unless other headers are given."""
    async with connect(
        f"wss://{host}/ws",
        ssl=trust(outside),
        additional_headers=headers or {"Authorization": f"Bearer {CREDENTIAL}"},
        subprotocols=[Subprotocol(one) for one in protocols] or None,
        proxy=None,
    ) as socket:
        yield Peer(Socket(socket), tasks)


class Key:
    """What a phone keeps."""

    def __init__(self) -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        spki = self._private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        self.public = base64.b64encode(spki).decode()

    def sign(self, words: bytes) -> str:
        r, s = decode_dss_signature(self._private.sign(words, ec.ECDSA(SHA256())))
        return base64.b64encode(r.to_bytes(32) + s.to_bytes(32)).decode()

    def offer(self, host: str, code: str) -> dict[str, Any]:
        words = offer_words(host, code, self.public)
        return {"code": code, "key": self.public, "signature": self.sign(words)}

    def proof(self, host: str, device: str, nonce: str) -> dict[str, Any]:
        return {"device_id": device, "signature": self.sign(proof_words(host, device, nonce))}
