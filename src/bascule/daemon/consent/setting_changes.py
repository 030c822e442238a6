"""Changes of settings over the protocol: asked about where they loosen, on record before they hold."""

import asyncio
import json
from pathlib import Path
from typing import Any

from msgspec import Struct

from bascule.core.settings.reading import SettingsRefused, find_bad_value, needs_yes
from bascule.core.text.visible import visible
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.record import Record
from bascule.daemon.surfaces.surfaces import Surface
from bascule.daemon.workspace_settings import WorkspaceSettings, value_of
from bascule.host.config.settings_writer import SettingWrite, prepare_setting, write_setting
from bascule.host.files.data_folder import Folder
from bascule.model.asks import Answer, Choice, Refuse, SettingSubject
from bascule.model.consent.audit import Entry, Outcome
from bascule.model.protocol.setup import ListedSettings, SetSettingParams
from bascule.model.settings import PREFIX, TABLE, Setting

YES = Choice(id="set", label="Yes, change it", grants=True, lasts="always")
NO = Choice(id="decline", label="No", grants=False)

NOT_CONFIRMED = "The setting was not changed: the answer was no."
CHANGED = "The setting changed while the question was open, so nothing was written. Try again."


class SettingRequest(Struct, frozen=True):
    """One call of settings.set."""

    workspace: str
    params: SetSettingParams
    surface: Surface
    row: Setting

    @property
    def asked(self) -> str:
        value = self.params.value
        return f"{self.row.shown} = {shown(value) if value is not None else 'its default'}"


class SettingChanges:
    def __init__(self, *, folder: Folder, settings: WorkspaceSettings, asks: Asks, record: Record) -> None:
        self._folder = folder
        self._settings = settings
        self._asks = asks
        self._record = record
        self._writing = asyncio.Lock()

    async def set(
        self, workspace: str, params: SetSettingParams, surface: Surface
    ) -> ListedSettings | Refuse:
        row = TABLE.get(params.key.removeprefix(PREFIX))
        if row is None:
            why = f"There is no setting {params.key[:100]}. `bascule settings` lists them."
            asked = f"{params.key} = {shown(params.value)}"
            entry = self._record.entry(
                "setting", "refused", asker=surface.who, asked=asked, workspace=workspace, why=why
            )
            await self._record.write(entry)
            return Refuse(why)
        refused = await self._change(SettingRequest(workspace, params, surface, row))
        return refused or await self._settings.list(workspace)

    async def _change(self, wish: SettingRequest) -> Refuse | None:
        change = await self._prepare(wish)
        if isinstance(change, Refuse):
            return await self._end(wish, "refused", change.why)
        old, new = value_of(change.held, wish.row), value_of(change.holds, wish.row)
        if not needs_yes(wish.row, new, old) and wish.surface.origin.is_here:
            return await self._write(wish, change, None)
        answer = await self._ask(wish, change)
        if answer.choice != YES.id:
            return await self._end(wish, "rejected", NOT_CONFIRMED, answer)
        change = await self._prepare(wish)  # the file as it is now, after a while
        if isinstance(change, Refuse):
            return await self._end(wish, "refused", change.why, answer)
        if value_of(change.held, wish.row) != old:
            return await self._end(wish, "refused", CHANGED, answer)
        return await self._write(wish, change, answer)

    async def _prepare(self, wish: SettingRequest) -> SettingWrite | Refuse:
        value = wish.params.value
        bad = find_bad_value(wish.row, value) if value is not None else None
        if bad:
            return Refuse(bad)
        place = Path(wish.workspace) if wish.workspace else None
        try:
            return await asyncio.to_thread(
                prepare_setting, self._folder, place, wish.row, value, wish.params.scope
            )
        except SettingsRefused as refused:
            return Refuse(str(refused))

    async def _ask(self, wish: SettingRequest, change: SettingWrite) -> Answer:
        subject = SettingSubject(
            key=wish.row.shown,
            old=shown(value_of(change.held, wish.row)),
            new=shown(value_of(change.holds, wish.row)),
            doc=wish.row.doc,
            file=str(change.path),
        )
        return await self._asks.ask(None, "Change this setting?", subject, (YES, NO), wish.surface.who)

    async def _write(
        self, wish: SettingRequest, change: SettingWrite, answer: Answer | None
    ) -> Refuse | None:
        """The record first: a setting that is not on record does not hold."""
        was = f"in the {wish.params.scope}'s file; it was {shown(value_of(change.held, wish.row))}"
        async with self._writing:
            try:
                async with self._record.doing(self._entry(wish, "started", was, answer)):
                    await asyncio.to_thread(write_setting, change)
            except SettingsRefused as refused:
                return Refuse(str(refused))
            self._settings.forget()
        return None

    async def _end(
        self, wish: SettingRequest, outcome: Outcome, why: str, answer: Answer | None = None
    ) -> Refuse:
        await self._record.write(self._entry(wish, outcome, why, answer))
        return Refuse(why)

    def _entry(self, wish: SettingRequest, outcome: Outcome, why: str, answer: Answer | None) -> Entry:
        return self._record.entry(
            "setting",
            outcome,
            asker=wish.surface.who,
            asked=wish.asked,
            workspace=wish.workspace,
            answer="none" if answer is None else "yes" if answer.choice == YES.id else "no",
            answered_by=answer,
            ref=answer.ask if answer else "",
            why=why,
        )


def shown(value: Any) -> str:
    """Whole: which commands were added to a list is what somebody will want to know."""
    return visible(json.dumps(value, ensure_ascii=False))
