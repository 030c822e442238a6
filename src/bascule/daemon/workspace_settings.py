"""The settings of each workspace: read when their files change, listed with who set them."""

import asyncio
import logging
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from bascule.core.bounded import forget_oldest
from bascule.core.settings.reading import MergedSettings, SettingProblem, SettingsRefused, decode, parse_toml
from bascule.host.config.settings_files import WORKSPACE_FILE, read_merged, read_source, stamp_settings
from bascule.host.config.settings_writer import USER_FILE
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import Folder
from bascule.model.protocol.setup import ListedSetting, ListedSettings
from bascule.model.settings import TABLE, Setting, Settings

MAX_WORKSPACES = 500  # whose settings are remembered

By = Literal["default", "user", "workspace"]

log = logging.getLogger("bascule.settings")


class ReadSettings(Struct, frozen=True):
    """What was read of a workspace's files, and what they were then."""

    stamp: tuple[object, ...]
    settings: Settings | None  # None: never were they without problems
    ignored: tuple[SettingProblem, ...] = ()  # of the workspace's own file
    refused: SettingsRefused | None = None


class WorkspaceSettings:
    def __init__(self, folder: Folder, trust: TrustStore) -> None:
        self._folder = folder
        self._trust = trust
        self._read: dict[str, ReadSettings] = {}

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

    def find_ignored(self, workspace: str) -> tuple[SettingProblem, ...]:
        """What the workspace's own file gets wrong, or is not for it to say."""
        return self._know(workspace).ignored

    def read_as(self, workspace: str, *, trusted: bool) -> Settings:
        """As if the workspace were trusted, or as if it were not."""
        return read_merged(self._folder, Path(workspace), trusted=trusted).settings

    def _know(self, workspace: str) -> ReadSettings:
        """Read again when a file has changed; the workspace not used for longest is forgotten."""
        place = Path(workspace) if workspace else None
        known, stamp = (
            self._read.pop(workspace, None),
            (*stamp_settings(self._folder, place), self._trust.stamp, self._trust.has_changed(workspace)),
        )
        if known is None or known.stamp != stamp:
            known = self._read_again(place, stamp, known.settings if known else None)
        self._read[workspace] = known
        forget_oldest(self._read, MAX_WORKSPACES)
        return known

    def _read_again(
        self, place: Path | None, stamp: tuple[object, ...], before: Settings | None
    ) -> ReadSettings:
        try:
            merged = read_merged(self._folder, place, self._trust)
        except SettingsRefused as refused:
            log.warning("%s", refused)
            return ReadSettings(stamp, before, refused=refused)
        return ReadSettings(stamp, merged.settings, merged.ignored)

    async def list(self, workspace: str) -> ListedSettings:
        return await asyncio.to_thread(self._list, workspace)

    def forget(self) -> None:
        """A file was written: the user's counts everywhere."""
        self._read.clear()

    def _list(self, workspace: str) -> ListedSettings:
        place = Path(workspace) if workspace else None
        try:
            merged, problems = read_merged(self._folder, place, self._trust), tuple[str, ...]()
        except SettingsRefused as refused:
            known = self._read.get(workspace)
            merged = MergedSettings((known.settings if known else None) or Settings())
            problems = tuple(map(str, refused.problems))
        by = {} if problems else self._read_who(merged)
        return ListedSettings(
            settings=tuple(
                _listed(row, merged.settings, by.get(row.key, "default")) for row in TABLE.values()
            ),
            user_file=str(self._folder.settings),
            workspace_file=str(place / WORKSPACE_FILE) if place else "",
            problems=problems,
            ignored=tuple(map(str, (*merged.ignored, *merged.untrusted))),
        )

    def _read_who(self, merged: MergedSettings) -> dict[str, By]:
        user = read_source(USER_FILE, self._folder.settings)
        by: dict[str, By] = {}
        if user is not None:
            by |= {entry.key: "user" for entry in parse_toml(decode(user.data))}
        return {**by, **dict.fromkeys(merged.taken, "workspace")}


def _listed(row: Setting, settings: Settings, by: By) -> ListedSetting:
    return ListedSetting(
        key=row.shown,
        kind=row.kind,
        value=value_of(settings, row),
        default=row.default,
        doc=row.doc,
        source=by,
        workspace=row.workspace,
        choices=row.choices,
        least=row.least,
        most=row.most,
    )


def value_of(settings: Settings, row: Setting) -> Any:
    """As JSON has it."""
    values = msgspec.to_builtins(settings)
    group, _, name = row.key.rpartition(".")
    return values[group][name] if group else values[name]
