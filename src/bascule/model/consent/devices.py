"""Devices whose yes may count here, and the passes by which surfaces came in."""

from typing import Literal

from msgspec import Struct

from bascule.model.consent.origin import Door, Scope


class Device(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Another machine of the same person. The private half of its key never leaves it."""

    id: str
    name: str
    key: str  # the public half: SubjectPublicKeyInfo (DER) of an ECDSA P-256 key, in base64
    enrolled_at_ms: int
    seen_at_ms: int = 0  # when it last proved itself


class DeviceFile(Struct, frozen=True, kw_only=True):
    version: int = 1
    devices: tuple[Device, ...] = ()
    revoked: tuple[str, ...] = ()  # credentials by their SHA-256; the latest last


class PassInfo(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A way in that is open now; none of them outlives the daemon."""

    name: str  # "browser-3f9a1c"
    kind: Literal["browser", "credential"]  # came by a link, or shows the credential of the door
    door: Door
    scope: Scope
    since_ms: int = 0
    seen_at_ms: int = 0
