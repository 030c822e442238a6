"""Findings: what a machine has of all that is needed, in which version, and how to get the rest."""

import os
import platform
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
from bascule.core.text.plain import plain_line
from bascule.host.config.settings_files import read_settings
from bascule.host.edits.apply import find_cut_off
from bascule.host.edits.journal import journals_in
from bascule.host.files.data_folder import Folder
from bascule.host.processes.agent_program import find_agent_program
from bascule.host.processes.program import find_program
from bascule.host.storage.audit import Audit, audit_in
from bascule.host.storage.lockfile import find_owner
from bascule.host.storage.salvage import find_broken
from bascule.host.storage.set_aside import SetAsideSession, aside_path, read_aside
from bascule.host.storage.store import read_unreadable
from bascule.host.storage.store_faults import StoreRefused
from bascule.model.agents import Launch
from bascule.model.protocol.setup import Step
from bascule.model.settings import Settings

VERSION_TIMEOUT_S = 20.0
LITTLE_SPACE = 10 * 1024 * 1024  # bytes
NOT_CHECKED = "whether the network and your account reach the model: `bascule ask hello` shows it"
MAX_NAMED = 5  # files that one finding names
MAX_VERSION = 100  # characters


class Finding(Struct, frozen=True):
    what: str
    state: Literal["ok", "note", "missing"]
    detail: str
    then: str = ""  # what to do about it
    step: Step = ""
    commands: tuple[str, ...] = ()  # any one of them does it


def inspect_machine(
    folder: Folder, workspace: Path | None, launches: Callable[[Settings], Mapping[str, Launch]]
) -> list[Finding]:
    """With the folder's own settings, and those of the workspace where there is one.

    `launches` names the agents, and how each is started under those settings."""
    return [
        *find_basics(),
        *_folder(folder, workspace),
        *_disk(folder),
        *find_damage(folder.database),
        _record(folder),
        *_cut_off(folder),
        *_agents(folder, workspace, launches),
        _program("claude"),
        _program("git"),
        Finding("not checked", "note", NOT_CHECKED),
    ]


def find_basics() -> list[Finding]:
    python = f"{platform.python_version()} ({sys.executable})"
    return [
        Finding("bascule", "ok", __version__),
        Finding("python", "ok", python),
        Finding("system", "ok" if sys.platform == "linux" else "note", platform.platform()),
    ]


def _folder(folder: Folder, workspace: Path | None) -> list[Finding]:
    findings = [Finding("data folder", "ok", str(folder.root))]
    owner = find_owner(folder.lock)
    if owner is not None:
        used = f"by {owner.command}, pid {owner.pid}, since {owner.started_at}"
        findings.append(Finding("in use", "note", used))
    try:
        read_settings(folder, workspace)
    except UserError as fault:
        return [*findings, Finding("settings", "missing", str(fault), "Correct what is named above.")]
    where = str(folder.settings) if folder.settings.exists() else "defaults"
    return [*findings, Finding("settings", "ok", where)]


def _record(folder: Folder) -> Finding:
    """Quickly: whether it is whole as far as was noted. Every line is proved by `bascule audit --verify`."""
    audit = Audit(audit_in(folder.root))
    try:
        losses = audit.all_losses()
    except UserError as fault:
        return Finding("record", "missing", str(fault), "Move it away to begin a new one; that is noticed.")
    if losses:
        return Finding("record", "missing", " ".join(losses), "`bascule audit --verify` says more.")
    return Finding("record", "ok", str(audit_in(folder.root)))


def _cut_off(folder: Folder) -> list[Finding]:
    """Files that an edit left half written."""
    return [
        Finding(
            "half-written edit",
            "missing",
            f"{len(journal.records)} files in {journal.workspace}: "
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
    if free >= LITTLE_SPACE:
        return []
    detail = f"{free // 1024} KiB are free where {folder.root} is"
    return [Finding("disk", "missing", detail, "Free some space.")]


def find_damage(database: Path) -> list[Finding]:
    """Sessions that are set aside, and damaged files that are kept."""
    asides = read_aside(aside_path(database))
    findings: list[Finding] = []
    try:
        for session, why in read_unreadable(database).items():
            asides.setdefault(session, SetAsideSession(session=session, why=why, where=str(database)))
    except StoreRefused as refused:
        findings.append(Finding("database", "missing", str(refused)))
    for aside in asides.values():
        named = f"{aside.title} ({aside.session})" if aside.title else aside.session
        findings.append(
            Finding("set aside", "missing", f"session {named}: {aside.why}", f"It is kept in {aside.where}.")
        )
    kept = "Nothing reads it any more. Delete it when you no longer want it."
    findings += [Finding("damaged database", "note", str(path), kept) for path in find_broken(database)]
    return findings


def _agents(
    folder: Folder, workspace: Path | None, launches: Callable[[Settings], Mapping[str, Launch]]
) -> list[Finding]:
    try:
        settings = read_settings(folder, workspace)
    except UserError:
        settings = Settings()
    return [finding for name, launch in launches(settings).items() for finding in _agent(name, launch)]


def _agent(name: str, launch: Launch) -> list[Finding]:
    path = find_agent_program(launch, os.environ)
    if path is None:
        return [Finding(name, "missing", launch.missing, step="install", commands=launch.get_commands)]
    version = _version(path)
    if not version:
        return [
            Finding(
                name,
                "missing",
                f"{path} does not run",
                launch.how_to_get,
                step="install",
                commands=launch.get_commands,
            )
        ]
    return [Finding(name, "ok", f"{version} ({path})"), *_sign_in(name, path, launch)]


def _sign_in(name: str, path: Path, launch: Launch) -> list[Finding]:
    if not launch.sign_in_args:
        return []
    done = _run(path, launch.sign_in_args)
    what = f"{name} sign-in"
    if done is None:
        return [Finding(what, "note", "not checked: it gave no answer", launch.how_to_sign_in)]
    said = plain_line(done.stdout or done.stderr)[:MAX_VERSION]
    if done.returncode != 0:
        program = launch.program if find_program(launch.program, os.environ) else shlex.quote(str(path))
        commands = tuple(f"{program} {words}" for words in launch.sign_in_words)
        return [
            Finding(
                what,
                "note",
                said or "nobody is signed in",
                launch.how_to_sign_in,
                step="sign_in",
                commands=commands,
            )
        ]
    return [Finding(what, "ok", said or "signed in")]


def _program(name: str) -> Finding:
    path = find_program(name, os.environ)
    if path is None:
        return Finding(name, "note", "not found")
    return Finding(name, "ok", f"{_version(path)} ({path})")


def _version(path: Path) -> str:
    done = _run(path, ("--version",))
    return plain_line(done.stdout)[:MAX_VERSION] if done is not None and done.returncode == 0 else ""


def _run(path: Path, args: tuple[str, ...]) -> "subprocess.CompletedProcess[str] | None":
    """None: no answer in time, or it does not run."""
    try:
        return subprocess.run(
            [str(path), *args],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=VERSION_TIMEOUT_S,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
