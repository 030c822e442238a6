"""Findings: what a machine has of all that is needed, in which version, and how to get the rest."""

import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from msgspec import Struct

from bascule import __version__
from bascule.core.faults import UserError
from bascule.core.settings.reading import SettingsRefused
from bascule.core.text.counts import counted
from bascule.core.text.plain import plain_line
from bascule.host.config.settings_files import read_merged, read_settings
from bascule.host.edits.apply import find_cut_off
from bascule.host.edits.journal import journals_in
from bascule.host.files.data_folder import Folder
from bascule.host.locks.lockfile import find_owner, say_start
from bascule.host.processes.agent_program import describe_missing, find_agent_program
from bascule.host.processes.confinement import find_blindness
from bascule.host.processes.program import SearchPath, find_program
from bascule.host.storage.audit import Audit, audit_in
from bascule.host.storage.salvage import find_broken
from bascule.host.storage.search_index import read_titles
from bascule.host.storage.set_aside import SetAsideSession, aside_path, read_aside
from bascule.host.storage.store import read_unreadable
from bascule.host.storage.store_faults import StoreRefused
from bascule.model.agents import Launch
from bascule.model.protocol.setup import Step
from bascule.model.settings import Settings

VERSION_TIMEOUT_S = 20.0
LITTLE_SPACE = 10 * 1024 * 1024  # bytes
HOLDS_SESSIONS = "The sessions that are set aside are kept in it. Keep it as long as you may want them."
NOT_CHECKED = "whether the network and your account reach the model: `bascule ask hello` shows it"
MORE_RIGHTS = (
    "Start Bascule without `NoNewPrivileges=yes` (systemd), `no-new-privileges` (Docker) or "
    "`allowPrivilegeEscalation: false` (Kubernetes)."
)
FEW_FILES = 16  # that can still be made; a start makes about as many
MAX_NAMED = 5  # files that one finding names
MAX_VERSION = 100  # characters


class Finding(Struct, frozen=True):
    what: str
    state: Literal["ok", "note", "missing"]
    detail: str
    then: str = ""  # what to do about it
    step: Step = ""
    commands: tuple[str, ...] = ()  # any one of them does it
    agent: str = ""  # that it is about


def inspect_machine(
    folder: Folder,
    workspace: Path | None,
    launches: Callable[[Settings], Mapping[str, Launch]],
    search_path: SearchPath,
) -> list[Finding]:
    """With the folder's own settings, and those of the workspace where there is one.

    `launches` names the agents, and how each is started under those settings."""
    programs = _Programs(search_path, workspace)
    disk = _disk(folder)
    return [
        *find_basics(),
        *_folder(folder, workspace),
        *_sandboxes(folder),
        *disk,
        *find_damage(folder.database),
        _record(folder, disk),
        *_cut_off(folder),
        *programs.inspect_agents(_read_launches(folder, workspace, launches)),
        programs.inspect("claude"),
        programs.inspect("git"),
        Finding("not checked", "note", NOT_CHECKED),
    ]


def find_basics() -> list[Finding]:
    python = f"{platform.python_version()} ({sys.executable})"
    system = "-".join((platform.system(), platform.release(), platform.machine()))  # platform() runs `uname`
    return [
        Finding("bascule", "ok", __version__),
        Finding("python", "ok", python),
        Finding("system", "ok" if sys.platform == "linux" else "note", system),
    ]


def _folder(folder: Folder, workspace: Path | None) -> list[Finding]:
    findings = [Finding("data folder", "ok", str(folder.root))]
    owner = find_owner(folder.lock)
    if owner is not None:
        used = f"by {owner.command or 'bascule'}, pid {owner.pid}, since {say_start(owner.started_at)}"
        findings.append(Finding("in use", "note", used))
    try:
        ignored = read_merged(folder, workspace).ignored
    except SettingsRefused as refused:
        detail = "; ".join(map(str, refused.problems))
        then = f"Fix it in {' and '.join(refused.paths)}. Until then nothing starts."
        return [*findings, Finding("settings", "missing", detail, then)]
    where = str(folder.settings) if folder.settings.exists() else "defaults"
    notes = [Finding("ignored setting", "note", str(problem)) for problem in ignored[:MAX_NAMED]]
    return [*findings, Finding("settings", "ok", where), *notes]


def _sandboxes(folder: Folder) -> list[Finding]:
    """Of the daemon that runs, or of one that would be started from here."""
    owner = find_owner(folder.lock)
    why = find_blindness(os.getpid() if owner is None else owner.pid)
    return [Finding("sandboxes", "note", why, MORE_RIGHTS)] if why else []


def _record(folder: Folder, disk: list[Finding]) -> Finding:
    """Quickly: whether it is whole as far as was noted. Every line is proved by `bascule audit --verify`.

    Where the disk is what is wrong, nothing is moved away."""
    audit = Audit(audit_in(folder.root))
    try:
        losses = audit.all_losses()
    except UserError as fault:
        then = disk[0].then if disk else "Move it away to begin a new one; that is noticed."
        return Finding("record", "missing", str(fault), then)
    if losses:
        return Finding("record", "missing", " ".join(losses), "`bascule audit --verify` has details.")
    return Finding("record", "ok", str(audit_in(folder.root)))


def _cut_off(folder: Folder) -> list[Finding]:
    """Files that an edit left half written."""
    return [
        Finding(
            "half-written edit",
            "missing",
            f"{counted(len(journal.records), 'file')} in {journal.workspace}: "
            + ", ".join(record.path for record in journal.records[:MAX_NAMED])
            + (", …" if len(journal.records) > MAX_NAMED else ""),
            "`bascule undo` puts them back, and so does every command that reads or writes files.",
        )
        for journal in find_cut_off(journals_in(folder.root))
    ]


def _disk(folder: Folder) -> list[Finding]:
    """Only what is wrong with it."""
    if not os.access(folder.root, os.W_OK):
        then = "Make it writable, or set BASCULE_HOME to another folder."
        return [Finding("disk", "missing", f"{folder.root} cannot be written", then)]
    free = shutil.disk_usage(folder.root).free
    if free < LITTLE_SPACE:
        detail = f"{free // 1024} KiB are free where {folder.root} is"
        return [Finding("disk", "missing", detail, "Free some space.")]
    if _is_out_of_files(folder.root):
        detail = f"no more files can be made where {folder.root} is, whatever is free"
        return [Finding("disk", "missing", detail, "Delete some files there.")]
    return []


def _is_out_of_files(place: Path) -> bool:
    """Many file systems count them; one that doesn't says that it has none at all."""
    if sys.platform == "win32":
        return False
    counted = os.statvfs(place)
    return counted.f_files > 0 and counted.f_favail < FEW_FILES


def find_damage(database: Path) -> list[Finding]:
    """Sessions that are set aside, and damaged files that are kept."""
    asides = read_aside(aside_path(database))
    findings: list[Finding] = []
    try:
        unreadable = read_unreadable(database)
        titles = read_titles(database, unreadable)
        for session, why in unreadable.items():
            title = titles.get(session, "")
            found = SetAsideSession(session=session, title=title, why=why, where=str(database))
            asides.setdefault(session, found)
    except StoreRefused as refused:
        findings.append(Finding("database", "missing", str(refused)))
    for aside in asides.values():
        named = f"{aside.title} ({aside.session})" if aside.title else aside.session
        kept = "It" if aside.where == str(database) else "What is left of it"
        findings.append(
            Finding(
                "set aside", "missing", f"session {named}: {aside.why}", f"{kept} is kept in {aside.where}."
            )
        )
    holding = {aside.where for aside in asides.values()}
    for path in find_broken(database):
        kept = HOLDS_SESSIONS if str(path) in holding else "It is no longer used. You can delete it."
        findings.append(Finding("damaged database", "note", str(path), kept))
    return findings


def _read_launches(
    folder: Folder, workspace: Path | None, launches: Callable[[Settings], Mapping[str, Launch]]
) -> Mapping[str, Launch]:
    try:
        return launches(read_settings(folder, workspace))
    except UserError:
        return launches(Settings())


def _is_older(version: str, oldest: tuple[int, int]) -> bool:
    """One that names no number is given a try."""
    match = re.search(r"(\d+)\.(\d+)", version)
    return match is not None and (int(match[1]), int(match[2])) < oldest


class _Programs:
    """Each is asked for its version, so none is taken from a folder that an agent may write."""

    def __init__(self, search_path: SearchPath, workspace: Path | None) -> None:
        self._search_path = search_path
        self._environ = search_path.environ if workspace is None else search_path.environ_outside(workspace)

    def inspect(self, name: str) -> Finding:
        path = find_program(name, self._environ)
        if path is None:
            return Finding(name, "note", "not found")
        return Finding(name, "ok", f"{self._version(path)} ({path})")

    def inspect_agents(self, launches: Mapping[str, Launch]) -> list[Finding]:
        return [finding for name, launch in launches.items() for finding in self._agent(name, launch)]

    def _agent(self, name: str, launch: Launch) -> list[Finding]:
        path = find_agent_program(launch, self._environ)
        get = launch.get_commands
        if path is None:
            missing = describe_missing(launch, self._search_path)
            return [Finding(name, "missing", missing, step="install", commands=get, agent=name)]
        version, how = self._version(path), launch.how_to_get
        if not version:
            return [Finding(name, "missing", f"{path} does not run", how, "install", get, agent=name)]
        if _is_older(version, launch.oldest):
            oldest = ".".join(map(str, launch.oldest))
            old = f"{version} ({path}) is too old: {oldest} or newer is needed."
            return [Finding(name, "missing", old, how, "install", get, agent=name)]
        return [Finding(name, "ok", f"{version} ({path})"), *self._sign_in(name, path, launch)]

    def _sign_in(self, name: str, path: Path, launch: Launch) -> list[Finding]:
        if not launch.sign_in_args:
            return []
        done = self._run(path, launch.sign_in_args)
        program = launch.program if find_program(launch.program, self._environ) else shlex.quote(str(path))
        commands = tuple(f"{program} {words}" for words in launch.sign_in_words)
        run = f"Run `{commands[-1]}`. " if commands else ""
        what, how = f"{name} sign-in", f"{run}{launch.how_to_sign_in}"
        if done is None:
            return [Finding(what, "note", "not checked: it gave no answer", how)]
        said = _last_line(done.stdout or done.stderr)
        if done.returncode == 0:
            return [Finding(what, "ok", said or "signed in")]
        return [Finding(what, "note", said or "nobody is signed in", how, "sign_in", commands, agent=name)]

    def _version(self, path: Path) -> str:
        done = self._run(path, ("--version",))
        return plain_line(done.stdout)[:MAX_VERSION] if done is not None and done.returncode == 0 else ""

    def _run(self, path: Path, args: tuple[str, ...]) -> "subprocess.CompletedProcess[str] | None":
        """None: no answer in time, or it does not run."""
        try:
            return subprocess.run(
                [str(path), *args],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=VERSION_TIMEOUT_S,
                stdin=subprocess.DEVNULL,
                env={**os.environ, **self._environ},
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None


def _last_line(text: str) -> str:
    """Warnings come before what was asked for."""
    lines = [line for line in text.splitlines() if line.strip()]
    return plain_line(lines[-1])[:MAX_VERSION] if lines else ""
