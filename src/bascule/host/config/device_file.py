"""The file of enrolled devices: whole or refused, and for its owner's eyes only."""

import hashlib
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Lock

import msgspec
from msgspec.structs import replace

from bascule.core.consent.devices import MAX_DEVICES
from bascule.core.faults import UserError
from bascule.host.config.signatures import is_key
from bascule.host.files.atomic_file import replace_file
from bascule.model.consent.devices import Device, DeviceFile

NAME = "devices.json"
MAX_FILE = 256 * 1024
MAX_REVOKED = 500  # credentials; the oldest is forgotten first
READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class DevicesRefused(UserError):
    """The file cannot be believed, so no device counts."""


class EnrolledDevices:
    """Read each time: there are few of them, and a revoked one must be gone at once."""

    def __init__(self, root: Path) -> None:
        self._path = root / NAME
        self._changing = Lock()

    def read(self) -> tuple[Device, ...]:
        return self._read().devices

    def is_revoked(self, credential: str) -> bool:
        return _digest(credential) in self._read().revoked

    def _read(self) -> DeviceFile:
        try:
            fd = os.open(self._path, READ)
        except FileNotFoundError:
            return DeviceFile()
        except OSError as fault:
            raise self._refuse(fault.strerror or str(fault)) from None
        with os.fdopen(fd, "rb") as file:
            if sys.platform != "win32" and stat.S_IMODE(os.fstat(fd).st_mode) & 0o077:
                raise self._refuse("others can read or write it")
            return self._parse(file.read(MAX_FILE + 1))

    def _parse(self, content: bytes) -> DeviceFile:
        try:
            file = msgspec.json.decode(content, type=DeviceFile, strict=True)
        except (msgspec.DecodeError, UnicodeDecodeError) as fault:
            raise self._refuse(str(fault)) from None
        devices = file.devices
        ids = {device.id for device in devices}
        if len(content) > MAX_FILE or len(devices) > MAX_DEVICES or len(ids) < len(devices):
            raise self._refuse("it holds too much, or one device twice")
        if not all(device.id and is_key(device.key) for device in devices):
            raise self._refuse("it holds a key that is none")
        return file

    def _refuse(self, why: str) -> DevicesRefused:
        return DevicesRefused(
            f"No device is accepted: {self._path} cannot be used ({why}). "
            "Fix it, or remove it and enrol your devices again."
        )

    def add(self, device: Device) -> None:
        self._change_devices(lambda devices: (*devices, device))

    def remove(self, device: str) -> None:
        self._change_devices(lambda devices: tuple(one for one in devices if one.id != device))

    def see(self, device: str, at_ms: int) -> None:
        """It proved itself."""
        self._change_devices(
            lambda devices: tuple(
                replace(one, seen_at_ms=at_ms) if one.id == device else one for one in devices
            )
        )

    def revoke_credential(self, credential: str) -> None:
        """It opens nothing any more, in this life or a later one."""
        digest = _digest(credential)

        def revoke(file: DeviceFile) -> DeviceFile:
            others = (one for one in file.revoked if one != digest)
            return replace(file, revoked=(*others, digest)[-MAX_REVOKED:])

        self._change(revoke)

    def _change_devices(self, change: Callable[[tuple[Device, ...]], tuple[Device, ...]]) -> None:
        self._change(lambda file: replace(file, devices=change(file.devices)))

    def _change(self, change: Callable[[DeviceFile], DeviceFile]) -> None:
        """One after the other: none writes back what another has just changed."""
        with self._changing:
            try:
                replace_file(self._path, msgspec.json.encode(change(self._read())))
            except OSError as fault:
                raise DevicesRefused(f"{self._path} could not be written: {fault.strerror}.") from None


def _digest(credential: str) -> str:
    return hashlib.sha256(credential.encode()).hexdigest()
