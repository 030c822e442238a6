"""bridge.json: the relay that this machine joined, and the key by which it is known there."""

import base64
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from bascule.core.faults import UserError
from bascule.host.files.atomic_file import replace_file
from bascule.model.relay_frames import signed_text

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

NAME = "bridge.json"
MAX_FILE = 16 * 1024


class JoinedRelay(Struct, frozen=True, kw_only=True):
    url: str  # https://relay.example
    machine: str
    private_key: str  # raw Ed25519, base64

    def sign(self, challenge: str) -> str:
        return base64.b64encode(self._load_key().sign(signed_text(self.machine, challenge))).decode()

    @property
    def public_key(self) -> str:
        return base64.b64encode(self._load_key().public_key().public_bytes_raw()).decode()

    def _load_key(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(base64.b64decode(self.private_key))


def make_joined(url: str, machine: str) -> JoinedRelay:
    """With a key of its own: no relay can use what was signed for another."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = base64.b64encode(Ed25519PrivateKey.generate().private_bytes_raw()).decode()
    return JoinedRelay(url=url, machine=machine, private_key=key)


class BridgeFile:
    def __init__(self, root: Path) -> None:
        self._path = root / NAME

    def read(self) -> JoinedRelay | None:
        """None: none was joined. `UserError` where the file cannot be believed."""
        try:
            seen = self._path.lstat()
            data = self._path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise UserError(f"{self._path} cannot be read: {fault.strerror}.") from None
        if not stat.S_ISREG(seen.st_mode) or (os.name == "posix" and stat.S_IMODE(seen.st_mode) & 0o077):
            raise UserError(
                f"{self._path} holds a key and can be read by others. Leave the relay, and join again."
            )
        try:
            return msgspec.json.decode(data[:MAX_FILE], type=JoinedRelay)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise UserError(f"{self._path} cannot be read. Leave the relay, and join again.") from None

    def write(self, joined: JoinedRelay) -> None:
        replace_file(self._path, msgspec.json.encode(joined))

    def remove(self) -> bool:
        try:
            self._path.unlink()
        except FileNotFoundError:
            return False
        return True
