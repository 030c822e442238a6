"""Claude's hooks, installed and removed on a person's word; the yes and what followed are recorded."""

import asyncio
import hashlib
from pathlib import Path
from typing import Literal

from bascule.core.watch.hook_lines import EVENTS
from bascule.daemon.consent.manual_actions import ManualActions, ManualQuestion, ManualRequest
from bascule.daemon.surfaces.surfaces import Surface
from bascule.host.config.claude_settings import ClaudeSettings, HooksChange
from bascule.model.asks import ActionSubject
from bascule.model.protocol.hooks import HooksStatus
from bascule.model.said import Said

HooksVerb = Literal["install", "uninstall", "restore"]
TITLES: dict[HooksVerb, str] = {
    "install": "Install hooks in Claude's settings?",
    "uninstall": "Remove Bascule's hooks from Claude's settings?",
    "restore": "Restore Claude's settings from the backup?",
}
APPLIES = "Claude applies this in new sessions, or after a review with /hooks."
OFF = "Claude runs no hooks at all while `disableAllHooks` is true in that file."


class ClaudeHooks:
    def __init__(self, *, root: Path, default: str, manual: ManualActions) -> None:
        self.default = default  # the settings file that Claude reads; empty where no home is known
        self._root = root
        self._manual = manual

    async def status(self, path: Path) -> HooksStatus:
        return await asyncio.to_thread(_describe, ClaudeSettings(path, self._root))

    async def change(self, surface: Surface, path: Path, change: HooksVerb, *, outside: bool) -> HooksStatus:
        """`Declined` after a no; `HooksRefused` where nothing can be changed, before anyone is asked, and
        where a file has changed before the yes."""
        settings = ClaudeSettings(path, self._root)
        planned = await asyncio.to_thread(_plan, settings, change)
        is_done = planned.is_none and (change != "install" or _is_ready(settings, outside))
        if is_done:
            return await self.status(path)
        request = ManualRequest(
            "hooks",
            surface,
            f"{change} hooks in {_name(path, planned)}",
            "",
            hashlib.sha256(planned.after).hexdigest(),
        )
        text = _say(settings, change, planned, outside=outside)

        async def act() -> None:
            await asyncio.to_thread(_carry_out, settings, change, planned, outside)

        question = ManualQuestion(TITLES[change], Said(f"ask.hooks.{change}"), ActionSubject(text=text))
        await self._manual.carry_out(request, question, act)
        return await self.status(path)


def _plan(settings: ClaudeSettings, change: HooksVerb) -> HooksChange:
    match change:
        case "install":
            return settings.plan_install()
        case "uninstall":
            return settings.plan_uninstall()
        case "restore":
            return settings.plan_restore()


def _carry_out(settings: ClaudeSettings, change: HooksVerb, agreed: HooksChange, outside: bool) -> None:
    match change:
        case "install":
            settings.install(outside=outside, agreed=agreed)
        case "uninstall":
            settings.uninstall(agreed=agreed)
        case "restore":
            settings.restore(agreed=agreed)


def _is_ready(settings: ClaudeSettings, outside: bool) -> bool:
    return settings.script.is_file() and settings.watches_outside == outside


def _say(settings: ClaudeSettings, change: HooksVerb, planned: HooksChange, *, outside: bool) -> str:
    file = _name(settings.path, planned)
    made = "" if planned.before is not None else " (a new file)"
    if change == "restore":
        return f"{file} becomes what {settings.backup.name} beside it holds. {APPLIES}"
    if change == "uninstall":
        return f"{file}: the hooks that run {settings.script.name} go; all else stays. {APPLIES}"
    kept = "" if planned.before is None else f" A backup is kept in {settings.backup.name}, once."
    # From inside WSL it cannot be seen whether we run, which a hook looks at outside panes.
    is_everywhere = outside and not settings.is_inside_wsl
    where = f"{'Sessions in any terminal' if is_everywhere else 'Only sessions in panes'} are reported."
    return (
        f"{file}{made}: the command {settings.command} is added for {', '.join(EVENTS)}. "
        f"Everything else in it stays.{kept} {where} {OFF if settings.are_hooks_off() else APPLIES}"
    )


def _name(path: Path, planned: HooksChange) -> str:
    """With the file that is written, where a link leads to it."""
    return str(path) if planned.path == path else f"{path} (in fact {planned.path})"


def _describe(settings: ClaudeSettings) -> HooksStatus:
    return HooksStatus(
        settings=str(settings.path),
        state=settings.read_state(),
        command=settings.command,
        backup=str(settings.backup) if settings.backup.exists() else "",
        outside=settings.watches_outside,
        is_off=settings.are_hooks_off(),
    )
