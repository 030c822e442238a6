"""What a device signs to prove itself, how its key is shown to a person, and which names it may have."""

import hashlib

from bascule.model.asks import Refuse
from bascule.model.consent.devices import Device

MAX_NAME = 40  # characters
MAX_DEVICES = 32
MAX_KEY = 1_024  # characters of a public key in base64; a P-256 key has 124
MAX_SIGNATURE = 256
FINGERPRINT_BYTES = 16
GROUP = 4  # digits of a fingerprint that are read at once

OFFER = "bascule device offer 1"  # a signature for one purpose is none for another
PROOF = "bascule device proof 1"


def offer_words(host: str, code: str, key: str) -> bytes:
    """Signed at enrolment: who offers the public half holds the private one."""
    return "\n".join((OFFER, host, code, key)).encode()


def proof_words(host: str, device: str, nonce: str) -> bytes:
    """Signed at each connection. `host` is the name and port that the device itself dialled."""
    return "\n".join((PROOF, host, device, nonce)).encode()


def fingerprint(key: bytes) -> str:
    """Of the key's DER bytes: eight groups of four digits, for two screens to be compared."""
    digits = hashlib.sha256(key).digest()[:FINGERPRINT_BYTES].hex()
    return " ".join(digits[at : at + GROUP] for at in range(0, len(digits), GROUP))


def find_bad_name(name: str, devices: tuple[Device, ...]) -> Refuse | None:
    if not name.strip() or name != name.strip() or len(name) > MAX_NAME or not name.isprintable():
        return Refuse(f"A device's name is 1 to {MAX_NAME} printable characters.")
    if any(name.casefold() in (device.name.casefold(), device.id) for device in devices):
        return Refuse(f"There is a device called {name} already. `bascule devices list` shows it.")
    if len(devices) >= MAX_DEVICES:
        return Refuse(f"{MAX_DEVICES} devices are enrolled, which is the maximum. Revoke one first.")
    return None


def find_device(name_or_id: str, devices: tuple[Device, ...]) -> Device | None:
    """By its id, or by its name however it is capitalised."""
    wanted = name_or_id.casefold()
    return next((one for one in devices if wanted in (one.id, one.name.casefold())), None)
