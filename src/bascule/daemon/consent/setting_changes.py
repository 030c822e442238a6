"""Changes of settings over the protocol: asked about where they loosen, recorded before they apply."""

import asyncio
import json
from pathlib import Path
from typing import Any

from msgspec import Struct

from bascule.core.settings.effects import find_effect
from bascule.core.settings.reading import SettingsRefused, find_bad_value, needs_yes
from bascule.core.text.visible import visible
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.record import Record
from bascule.daemon.surfaces.surfaces import Surface
from bascule.daemon.workspace_settings import WorkspaceSettings, value_of
from bascule.host.config.settings_writer import SettingWrite, prepare_setting, write_setting
from bascule.host.files.data_folder import Folder
from bascule.host.processes.tasks import whole
from bascule.model.asks import Answer, Choice, Refuse, SettingSubject
from bascule.model.consent.audit import Entry, Outcome
from bascule.model.protocol.setup import ListedSettings, SetSettingParams
from bascule.model.said import Said
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

    async def _change(self, request: SettingRequest) -> Refuse | None:
        change = await self._prepare(request)
        if isinstance(change, Refuse):
            return await self._end(request, "refused", change.why, said=change.said)
        old, new = value_of(change.held, request.row), value_of(change.holds, request.row)
        if not needs_yes(request.row, new, old) and request.surface.origin.is_here:
            return await self._write(request, change, None)
        answer = await self._ask(request, change)
        if answer.choice != YES.id:
            return await self._end(request, "rejected", NOT_CONFIRMED, answer, Said("setting.declined"))
        asked, change = change, await self._prepare(request)  # the file as it is now, after a while
        if isinstance(change, Refuse):
            return await self._end(request, "refused", change.why, answer, change.said)
        if value_of(change.held, request.row) != old or change.path != asked.path:
            return await self._end(request, "refused", CHANGED, answer, Said("setting.changed"))
        return await self._write(request, change, answer)

    async def _prepare(self, request: SettingRequest) -> SettingWrite | Refuse:
        value = request.params.value
        bad = find_bad_value(request.row, value) if value is not None else None
        if bad:
            return Refuse(bad, said=Said("setting.bad"))
        place = Path(request.workspace) if request.workspace else None
        try:
            return await asyncio.to_thread(
                prepare_setting, self._folder, place, request.row, value, request.params.scope
            )
        except SettingsRefused as refused:
            return Refuse(str(refused))

    async def _ask(self, request: SettingRequest, change: SettingWrite) -> Answer:
        subject = SettingSubject(
            key=request.row.shown,
            effect=find_effect(request.row.key, value_of(change.holds, request.row)),
            old=shown(value_of(change.held, request.row)),
            new=shown(value_of(change.holds, request.row)),
            doc=request.row.doc,
            file=str(change.path),
        )
        return await self._asks.ask(
            None, "Change this setting?", subject, (YES, NO), request.surface.who, said=Said("ask.setting")
        )

    async def _write(
        self, request: SettingRequest, change: SettingWrite, answer: Answer | None
    ) -> Refuse | None:
        return await whole(f"write {request.row.shown}", self._write_whole(request, change, answer))

    async def _write_whole(
        self, request: SettingRequest, change: SettingWrite, answer: Answer | None
    ) -> Refuse | None:
        """The record first: a setting that is not recorded does not apply."""
        was = f"in the {request.params.scope}'s file; it was {shown(value_of(change.held, request.row))}"
        async with self._writing:
            try:
                async with self._record.doing(self._entry(request, "started", was, answer)):
                    await asyncio.to_thread(write_setting, change)
            except SettingsRefused as refused:
                return Refuse(str(refused))
            self._settings.forget()
        return None

    async def _end(
        self,
        request: SettingRequest,
        outcome: Outcome,
        why: str,
        answer: Answer | None = None,
        said: Said | None = None,
    ) -> Refuse:
        await self._record.write(self._entry(request, outcome, why, answer))
        return Refuse(why, said=said)

    def _entry(self, request: SettingRequest, outcome: Outcome, why: str, answer: Answer | None) -> Entry:
        return self._record.entry(
            "setting",
            outcome,
            asker=request.surface.who,
            asked=request.asked,
            workspace=request.workspace,
            answer="none" if answer is None else "yes" if answer.choice == YES.id else "no",
            lasts=YES.lasts if answer is not None and answer.choice == YES.id else NO.lasts,
            answered_by=answer,
            ref=answer.ask if answer else "",
            why=why,
        )


def shown(value: Any) -> str:
    """Whole: which commands were added to a list is what somebody will want to know."""
    return visible(json.dumps(value, ensure_ascii=False))
