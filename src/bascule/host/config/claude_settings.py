"""Claude's settings.json, changed in the safe order: read, merged, backed up once, replaced, read again."""

import os
import stat
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from msgspec import Struct

from bascule.core.faults import UserError
from bascule.core.settings.hook_entries import (
    MAX_SIZE,
    HooksState,
    add_hooks,
    find_state,
    has_hooks_off,
    plan_runner,
    remove_hooks,
)
from bascule.host.config.settings_backup import PRIVATE, SettingsBackup
from bascule.host.files.atomic_file import replace_file
from bascule.host.locks.short_lock import Busy, guarded
from bascule.host.machine import IS_WINDOWS
from bascule.host.watch.hook_file import CHOSEN, notify_folder
from bascule.model.asks import Refuse

MARK = "\ufeff"
TRIES = 5  # when somebody else writes the file at the same time
RUNNABLE = 0o700
NEVER = "settings.local.json"


class HooksRefused(UserError):
    """Nothing was changed; the text says why and what to do."""


class ChangedMeanwhile(Exception):
    """Somebody else wrote the file while we were at it."""


class HooksChange(Struct, frozen=True):
    path: Path  # of the file itself, where a link leads to it
    before: bytes | None  # None: there is no file yet
    after: bytes

    @property
    def is_none(self) -> bool:
        """Nothing is to be written, nor an empty file made."""
        return (self.before or b"") == self.after


class ClaudeSettings:
    """One settings file, and the runner that its hooks name."""

    def __init__(self, path: Path, data_root: Path, *, windows: bool = IS_WINDOWS) -> None:
        self.path = path
        self.folder = notify_folder(data_root)
        runner = plan_runner(str(path), str(self.folder), windows=windows)
        self.script = self.folder / runner.script
        self.command = runner.command
        self.is_inside_wsl = runner.is_inside_wsl
        self._backup = SettingsBackup(path, self.folder, self._read)

    @property
    def backup(self) -> Path:
        return self._backup.path

    @property
    def watches_outside(self) -> bool:
        return (self.folder / CHOSEN).is_file()

    def read_state(self) -> HooksState:
        """Partly, where they name a runner that is gone, or that of another data folder."""
        text = self._decode(self._read(self._real())).removeprefix(MARK)
        found = find_state(text)
        if isinstance(found, Refuse):
            raise self._refused(found.why)
        is_whole = self.script.is_file() and add_hooks(text, self.command) == text
        return "partly" if found == "installed" and not is_whole else found

    def are_hooks_off(self) -> bool:
        """Claude runs none, whatever is installed."""
        return has_hooks_off(self._decode(self._read(self._real())).removeprefix(MARK))

    def plan_install(self) -> HooksChange:
        return self._plan(lambda text: add_hooks(text, self.command))

    def plan_uninstall(self) -> HooksChange:
        return self._plan(remove_hooks)

    def plan_restore(self) -> HooksChange:
        backup = self.backup
        saved = self._read(backup)
        if saved is None:
            raise self._refused(
                f"There is no backup {backup.name} beside it, so nothing was changed. "
                f"{self._say_foreign()}`bascule hooks uninstall` removes the hooks."
            )
        if isinstance(find_state(self._decode(saved).removeprefix(MARK)), Refuse):
            raise self._refused(
                f"The backup {backup.name} beside it is not valid settings, so nothing was changed. "
                "`bascule hooks uninstall` removes the hooks."
            )
        real = self._real()
        return HooksChange(real, self._read(real), saved)

    def _say_foreign(self) -> str:
        foreign = self._backup.foreign
        return f"{foreign.name} was not written by Bascule. " if foreign is not None else ""

    # Each of these takes the plan that a person agreed to. Where another follows by now, nothing is written.

    def install(self, *, outside: bool, agreed: HooksChange | None = None) -> None:
        """The runner first: settings never name a missing script."""
        self._check_agreed(self.plan_install(), agreed)
        left = [path for path in (self.script, self.folder / CHOSEN) if not path.exists()]
        self._write_runner(outside=outside)
        try:
            self._retry(self.plan_install, agreed)
        except HooksRefused:
            for path in left:
                path.unlink(missing_ok=True)
            raise

    def uninstall(self, *, agreed: HooksChange | None = None) -> None:
        self._retry(self.plan_uninstall, agreed)
        (self.folder / CHOSEN).unlink(missing_ok=True)

    def restore(self, *, agreed: HooksChange | None = None) -> None:
        self._retry(self.plan_restore, agreed)
        (self.folder / CHOSEN).unlink(missing_ok=True)

    def _check_agreed(self, planned: HooksChange, agreed: HooksChange | None) -> HooksChange:
        if agreed is not None and planned != agreed:
            raise self._refused("It or its backup has changed meanwhile, so nothing was written. Try again.")
        return planned

    def _retry(self, plan: Callable[[], HooksChange], agreed: HooksChange | None) -> None:
        """Again from the start where somebody else wrote meanwhile: neither change is lost."""
        try:
            self.folder.mkdir(mode=RUNNABLE, exist_ok=True)
            with guarded(self.folder / "settings.lock"):
                for _ in range(TRIES):
                    try:
                        self._write(self._check_agreed(plan(), agreed))
                    except ChangedMeanwhile:
                        continue
                    return
        except Busy:
            raise self._refused("Another Bascule is changing it. Try again.") from None
        except OSError as fault:
            raise self._refused(_cannot(fault)) from None
        raise self._refused("Something else keeps changing it, so nothing was changed. Try again.")

    def _write(self, change: HooksChange) -> None:
        if change.is_none:
            return
        _check_writable(change.path)
        change.path.parent.mkdir(mode=RUNNABLE, parents=True, exist_ok=True)
        if change.before is not None:
            self._backup.write(change.before)

        def check() -> None:
            if self._read(change.path) != change.before:
                raise ChangedMeanwhile

        mode = stat.S_IMODE(change.path.stat().st_mode) if change.before is not None else PRIVATE
        replace_file(change.path, change.after, mode=mode, check=check)
        if self._read(change.path) != change.after:
            raise ChangedMeanwhile  # what is there now is somebody else's, and is merged with

    def _write_runner(self, *, outside: bool) -> None:
        try:
            self.folder.mkdir(mode=RUNNABLE, exist_ok=True)
            replace_file(self.script, read_runner(self.script.name), mode=RUNNABLE)
            if outside:
                (self.folder / CHOSEN).touch(PRIVATE)
            else:
                (self.folder / CHOSEN).unlink(missing_ok=True)
        except OSError as fault:
            raise HooksRefused(
                f"The hook script {self.script} cannot be written: {fault.strerror}."
            ) from None

    # -- reading --

    def _plan(self, edit: Callable[[str], str | Refuse]) -> HooksChange:
        real = self._real()
        before = self._read(real)
        text = self._decode(before)
        mark = MARK if text.startswith(MARK) else ""
        edited = self._accept(edit(text.removeprefix(MARK)))
        if before is None and not edited.strip():
            return HooksChange(real, None, b"")
        if before is not None and self.backup.exists() and not self.backup.is_file():
            raise self._refused(
                f"{self.backup.name} beside it is not an ordinary file, so no backup can be kept and nothing "
                "was changed. Move it away, then try again."
            )
        return HooksChange(real, before, (mark + edited).encode())

    def _real(self) -> Path:
        try:
            real = self.path.resolve()
        except (OSError, RuntimeError):
            raise self._refused("It is a link that leads nowhere, so nothing was changed.") from None
        if NEVER in (self.path.name, real.name):
            raise self._refused(f"Hooks belong in settings.json; {NEVER} is not changed.")
        return real

    def _read(self, path: Path) -> bytes | None:
        try:
            if path.is_dir():
                raise self._refused("It is a folder, so nothing was changed.")
            if path.exists() and not path.is_file():
                raise self._refused("It is not an ordinary file, so nothing was changed.")
            with path.open("rb") as file:
                data = file.read(MAX_SIZE + 1)
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise self._refused(_cannot(fault)) from None
        if len(data) > MAX_SIZE:
            raise self._refused(f"It is larger than {MAX_SIZE // 1024 // 1024} MiB, so nothing was changed.")
        return data

    def _decode(self, data: bytes | None) -> str:
        try:
            return (data or b"").decode()
        except UnicodeDecodeError:
            raise self._refused("It is not UTF-8, so nothing was changed. Save it as UTF-8 first.") from None

    def _accept(self, done: str | Refuse) -> str:
        if isinstance(done, Refuse):
            raise self._refused(done.why)
        return done

    def _refused(self, why: str) -> HooksRefused:
        return HooksRefused(f"{self.path}: {why}")


def read_runner(name: str) -> bytes:
    """The script that comes with the package."""
    return (files("bascule.host.watch") / "runner" / name).read_bytes()


def _check_writable(path: Path) -> None:
    """A rename would replace a file that its owner made read-only; that is a no, and is kept to."""
    try:
        is_open = bool(path.stat().st_mode & stat.S_IWUSR) and os.access(path, os.W_OK)
    except FileNotFoundError:
        return
    if not is_open:
        raise PermissionError(13, "it is read-only", str(path))


def _cannot(fault: OSError) -> str:
    return f"{fault.strerror}. Nothing was changed. Check that you can read and write it, then try again."
