"""The copy of a settings file from before our first change; somebody else's `.bak` is never taken for it."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from bascule.host.files.atomic_file import replace_file

PRIVATE = 0o600
WRITTEN = "backups"  # in our own folder: what each backup is known by


class SettingsBackup:
    """`<file>.bak`, or `<file>.bascule.bak` where the first name is taken."""

    def __init__(
        self, settings: Path, folder: Path, read: Callable[[Path], bytes | None]
    ) -> None:  # `read` raises what refuses, and gives None for a file that does not exist
        self._usual = settings.with_name(f"{settings.name}.bak")
        self._other = settings.with_name(f"{settings.name}.bascule.bak")
        self._written = folder / WRITTEN
        self._read = read

    @property
    def path(self) -> Path:
        """Where it is, or would be written."""
        if self._other.exists():
            return self._other
        return self._other if self._usual.exists() and not self._is_ours() else self._usual

    @property
    def foreign(self) -> Path | None:
        """One that somebody else made."""
        return self._usual if self._usual.exists() and self.path != self._usual else None

    def write(self, data: bytes) -> None:
        """The first time only; whole, or not there at all."""
        path = self.path
        if path.exists():
            return
        if path == self._usual:
            known = self._known() | {self._name(data)}
            replace_file(self._written, "".join(f"{one}\n" for one in sorted(known)).encode(), mode=PRIVATE)
        replace_file(path, data, mode=PRIVATE)

    def _is_ours(self) -> bool:
        if not self._usual.is_file():
            return False
        data = self._read(self._usual)
        return data is not None and self._name(data) in self._known()

    def _known(self) -> set[str]:
        return set((self._read(self._written) or b"").decode(errors="replace").split())

    def _name(self, data: bytes) -> str:
        return hashlib.sha256(bytes(self._usual) + b"\0" + data).hexdigest()
