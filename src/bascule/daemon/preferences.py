"""The settings of each workspace: read when their files change, listed with who set them, and changed."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from bascule.core.diff.visible import visible
from bascule.core.settings import SettingsRefused, decode, find_bad_value, parse_jsonc, parse_toml
from bascule.daemon.record import Record
from bascule.host.folder import Folder
from bascule.host.settings import WORKSPACE_FILE, read_settings, read_source, stamp_settings
from bascule.host.settings_file import USER_FILE, write_setting
from bascule.model.asks import Refuse
from bascule.model.audit import Outcome
from bascule.model.protocol.setup import ListedSetting, ListedSettings, SetSettingParams
from bascule.model.settings import PREFIX, TABLE, Setting, Settings

MAX_WORKSPACES = 500  # whose settings are remembered

By = Literal["default", "user", "workspace"]

log = logging.getLogger("bascule.preferences")


class Known(Struct, frozen=True):
    """What was read of a workspace's files, and what they were then."""

    stamp: tuple[object, ...]
    settings: Settings | None  # None: never were they without problems
    refused: SettingsRefused | None = None


class Preferences:
    def __init__(self, folder: Folder, record: Record) -> None:
        self._folder = folder
        self._record = record
        self._read: dict[str, Known] = {}
        self._writing = asyncio.Lock()

    def __call__(self, workspace: str) -> Settings:
        """As the files have it now; while they hold problems, as it was before."""
        known = self._know(workspace)
        return known.settings or self.get(workspace)

    def get(self, workspace: str) -> Settings:
        """As the files have it now, or `SettingsRefused`: what may be done does not rest on the past."""
        known = self._know(workspace)
        if known.refused is not None:
            raise known.refused.with_traceback(None)
        assert known.settings is not None
        return known.settings

    def _know(self, workspace: str) -> Known:
        """Read again when a file has changed; the workspace not used for longest is let go."""
        place = Path(workspace) if workspace else None
        known, stamp = self._read.pop(workspace, None), stamp_settings(self._folder, place)
        if known is None or known.stamp != stamp:
            known = self._read_anew(place, stamp, known.settings if known else None)
        self._read[workspace] = known
        while len(self._read) > MAX_WORKSPACES:
            del self._read[next(iter(self._read))]
        return known

    def _read_anew(self, place: Path | None, stamp: tuple[object, ...], before: Settings | None) -> Known:
        try:
            return Known(stamp, read_settings(self._folder, place))
        except SettingsRefused as refused:
            log.warning("%s", refused)
            return Known(stamp, before, refused)

    async def list(self, workspace: str) -> ListedSettings:
        return await asyncio.to_thread(self._list, workspace)

    async def set(self, workspace: str, params: SetSettingParams, surface: str) -> ListedSettings | Refuse:
        """On record, whatever came of it; what holds from then on is what the files say."""
        row = TABLE.get(params.key.removeprefix(PREFIX))
        if row is None:
            why = f"There is no setting {params.key[:100]}. settings.list names them all."
            asked = f"{params.key} = {_told(params.value)}"
            await self._note("refused", surface, asked, workspace, why)
            return Refuse(why)
        asked = f"{row.shown} = {_told(params.value) if params.value is not None else 'its default'}"
        bad = find_bad_value(row, params.value) if params.value is not None else None
        async with self._writing:
            before = _value(self(workspace), row)
            done = Refuse(bad) if bad else await self._write(workspace, row, params)
            was = f"in the {params.scope}'s file; it was {_told(before)}"
            why = done.why if isinstance(done, Refuse) else was
            outcome: Outcome = "refused" if isinstance(done, Refuse) else "done"
            await self._note(outcome, surface, asked, workspace, why)
            if isinstance(done, Refuse):
                return done
            self._read.clear()  # the user's file counts everywhere
        return await self.list(workspace)

    async def _note(self, outcome: Outcome, surface: str, asked: str, workspace: str, why: str) -> None:
        entry = self._record.entry(
            "setting", outcome, asker=surface, asked=asked, workspace=workspace, why=why
        )
        await self._record.write(entry)

    async def _write(self, workspace: str, row: Setting, params: SetSettingParams) -> Settings | Refuse:
        place = Path(workspace) if workspace else None
        try:
            return await asyncio.to_thread(
                write_setting, self._folder, place, row, params.value, params.scope
            )
        except SettingsRefused as refused:
            return Refuse(str(refused))

    def _list(self, workspace: str) -> ListedSettings:
        place = Path(workspace) if workspace else None
        try:
            settings, problems = read_settings(self._folder, place), tuple[str, ...]()
        except SettingsRefused as refused:
            known = self._read.get(workspace)
            settings = (known.settings if known else None) or Settings()
            problems = tuple(map(str, refused.problems))
        by = {} if problems else self._read_who(place)
        return ListedSettings(
            settings=tuple(_listed(row, settings, by.get(row.key, "default")) for row in TABLE.values()),
            user_file=str(self._folder.settings),
            workspace_file=str(place / WORKSPACE_FILE) if place else "",
            problems=problems,
        )

    def _read_who(self, place: Path | None) -> dict[str, By]:
        user = read_source(USER_FILE, self._folder.settings)
        theirs = read_source(WORKSPACE_FILE, place / WORKSPACE_FILE) if place else None
        by: dict[str, By] = {}
        if user is not None:
            by |= {entry.key: "user" for entry in parse_toml(decode(user.data))}
        if theirs is not None:
            by |= {entry.key: "workspace" for entry in parse_jsonc(decode(theirs.data))}
        return by


def _listed(row: Setting, settings: Settings, by: By) -> ListedSetting:
    return ListedSetting(
        key=row.shown,
        kind=row.kind,
        value=_value(settings, row),
        default=row.default,
        doc=row.doc,
        source=by,
        workspace=row.workspace,
        choices=row.choices,
        least=row.least,
        most=row.most,
    )


def _told(value: Any) -> str:
    """Whole, for the record: which commands were added to a list is what somebody will want to know."""
    return visible(json.dumps(value, ensure_ascii=False))


def _value(settings: Settings, row: Setting) -> Any:
    values = msgspec.to_builtins(settings)
    group, _, name = row.key.rpartition(".")
    return values[group][name] if group else values[name]
