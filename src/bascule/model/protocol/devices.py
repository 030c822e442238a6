"""device.*: devices whose yes counts here, passes, and how a device proves itself."""

from typing import Literal

from msgspec import Struct

from bascule.model.consent.devices import PassInfo
from bascule.model.consent.origin import Door, Scope


class Access(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a connection may do, for its surface to show; the daemon checks each call by itself."""

    door: Door
    scope: Scope = "full"
    may: tuple[str, ...] = ()  # look, ask, order, answer, manage
    yes_to: tuple[str, ...] = ()  # kinds of Asks to which its yes counts; a no always does, with "answer"
    device: str = ""  # the enrolled device that it proved to be
    device_name: str = ""


class ListedDevice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    device_id: str
    name: str
    fingerprint: str
    enrolled_at_ms: int
    seen_at_ms: int = 0
    connected: int = 0  # surfaces


class DeviceList(Struct, frozen=True, kw_only=True, omit_defaults=True):
    devices: tuple[ListedDevice, ...] = ()
    passes: tuple[PassInfo, ...] = ()
    yes_to: tuple[str, ...] = ()  # `bascule.devices.answers`
    outside: str = ""  # address of the outer door; empty: there is none


class InviteParams(Struct, frozen=True, kw_only=True):
    name: str


class Invited(Struct, frozen=True, kw_only=True):
    """`link` opens once. The Ask to confirm the device's key opens in `session_id`."""

    link: str
    code: str  # for a device that is connected already
    session_id: str
    ends_at_ms: int


class InviteRef(Struct, frozen=True, kw_only=True):
    code: str


class OuterLinkParams(Struct, frozen=True, kw_only=True, omit_defaults=True):
    scope: Literal["full", "look"] = "full"


class OuterLink(Struct, frozen=True, kw_only=True):
    link: str


class RevokeParams(Struct, frozen=True, kw_only=True):
    name: str  # a device by name or id, or a pass by its name


class Revoked(Struct, frozen=True, kw_only=True, omit_defaults=True):
    what: str  # in words
    closed: int = 0  # connections


class OfferParams(Struct, frozen=True, kw_only=True):
    code: str
    key: str  # public: SubjectPublicKeyInfo of an ECDSA P-256 key, DER in base64
    signature: str  # of "bascule device offer 1", host:port, the code and the key, a line each


class ChallengeParams(Struct, frozen=True, kw_only=True):
    pass


class Challenge(Struct, frozen=True, kw_only=True):
    nonce: str  # good once, on this connection


class ProveParams(Struct, frozen=True, kw_only=True):
    device_id: str
    signature: str  # of "bascule device proof 1", host:port, the device's id and the nonce, a line each
