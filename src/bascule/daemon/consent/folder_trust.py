"""Workspace trust: what a folder's own files make an agent run or obey counts after a yes, never before."""

import asyncio
import logging
import sys
from collections.abc import Callable
from itertools import starmap
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from bascule.agents.driver import FolderFile, FolderRules, RemoteRules
from bascule.core.consent.folder_trust import WORKSPACE_FILE, Inventory, mark_changed
from bascule.core.consent.who import name_who, who_answered
from bascule.core.faults import UserError
from bascule.core.session.growing_text import shorten
from bascule.daemon.consent.asks import MACHINE, Asks
from bascule.daemon.consent.record import Record
from bascule.daemon.consent.trust_effects import TrustEffects
from bascule.daemon.sessions.hub import Hub
from bascule.host.config.trust_store import TrustStore, find_project, read_inventory
from bascule.host.files.confined_path import find_moved
from bascule.host.files.private_places import PrivatePaths, find_temps
from bascule.host.processes.program import SearchPath
from bascule.host.processes.tasks import Tasks, whole
from bascule.model.asks import Answer, Choice, Refuse, TrustSubject
from bascule.model.consent.audit import Asker, Entry, Outcome, Reply
from bascule.model.consent.trust import Decision, FolderNow, TrustedFolder, TrustFinding
from bascule.model.ids import SessionId

CONFIGURATION = (".codex", ".agents", "AGENTS.md", "AGENTS.override.md", ".vscode/settings.json")
RUNS = (".codex", ".agents")  # masked where they are missing, so that nobody makes them
TITLE = "Trust this folder?"
TITLE_CHANGED = "This folder has changed. Trust it again?"
TRUST = Choice(id="trust", label="Trust this folder", grants=True, lasts="always")
REFUSE = Choice(id="refuse", label="Don't trust", grants=False)
TOO_MUCH = "{folder} holds more configuration for agents than Bascule checks, so it cannot be trusted."
CHANGED = "{folder} has changed since it was shown. Check it again."
UNDECIDED = "Nothing was decided about {folder}. `bascule trust list` says what was."
EMPTY = "{folder} holds nothing that an agent would run or follow."
MAX_ASKING = 200  # folders with an open question

log = logging.getLogger("bascule.trust")


class FolderState(Struct, frozen=True):
    """A folder as it is now, and what was decided about it."""

    folder: str
    inventory: Inventory
    decided: TrustedFolder | None  # perhaps about other content

    @property
    def holds(self) -> bool:
        """Whether the decision is about what the folder holds now."""
        return self.decided is not None and self.decided.files == self.inventory.files

    @property
    def trusted(self) -> bool:
        decided = self.decided is not None and self.decided.decision == "trusted"
        return decided and self.holds and not self.inventory.truncated

    @property
    def findings(self) -> tuple[TrustFinding, ...]:
        return mark_changed(self.inventory, self.decided)


class TrustQuestion:
    """One that is open, or answered and not yet decided."""

    def __init__(self, fingerprint: str, session: SessionId) -> None:
        self.fingerprint = fingerprint
        self.session = session
        self.is_asked = False  # the Ask has opened
        self.refused: Refuse | None = None  # the answer did not count
        self.task: asyncio.Task[None] | None = None


class Trust:
    def __init__(
        self,
        *,
        store: TrustStore,
        private: PrivatePaths,
        search_path: SearchPath,
        home: str,
        hub: Hub,
        asks: Asks,
        effects: TrustEffects,
        record: Record,
        tasks: Tasks,
        now_ms: Callable[[], int],
    ) -> None:
        self._store = store
        self._private = private
        self._search_path = search_path
        self._home = home
        self._hub = hub
        self._asks = asks
        self._effects = effects
        self._record = record
        self.reload, self.note_ignored = effects.reload, effects.note_ignored
        self._tasks = tasks
        self._now_ms = now_ms
        self._asking: dict[str, TrustQuestion] = {}  # by folder

    # -- what holds --

    async def look(self, folder: str) -> FolderState:
        """`UserError` where the folder has been swapped for a link to another."""
        if moved := await asyncio.to_thread(find_moved, folder):
            raise UserError(moved.why)
        inventory = self._store.leave_out_own(folder, await self._read_inventory(folder))
        self._store.note_content(folder, inventory.files)
        return FolderState(folder, inventory, self._store.find(folder))

    async def _read_inventory(self, folder: str) -> Inventory:
        return await asyncio.to_thread(read_inventory, Path(folder), self._home)

    async def rules(self, standing: FolderState, remote_commands: bool | None = None) -> FolderRules:
        """`remote_commands`: of a conversation for somebody remote, whether its agent may ask to run any."""
        found, trusted = standing.inventory, standing.trusted
        return FolderRules(
            trusted=trusted,
            files=tuple(starmap(FolderFile, found.contents.items())) if trusted else (),
            folders=found.folders,
            skills=() if trusted else found.skills,
            all_skills_off=found.truncated and not trusted,
            readable=await asyncio.to_thread(self._private.readable_in, Path(standing.folder)),
            protected=await asyncio.to_thread(self._find_protected, standing.folder),
            programs=await asyncio.to_thread(lambda: self._search_path.folders),
            path=self._search_path.whole if self._search_path.text != self._search_path.whole else "",
            tmp_writable=await asyncio.to_thread(self._private.is_temp_free),
            writable=not await asyncio.to_thread(self._private.lies_below, Path(standing.folder)),
            remote=None if remote_commands is None else await self._remote(standing.folder, remote_commands),
        )

    async def _remote(self, folder: str, commands: bool) -> RemoteRules:
        readable = await asyncio.to_thread(self._private.readable_remotely, Path(folder))
        hidden = await asyncio.to_thread(self._private.hidden_remotely, Path(folder))
        return RemoteRules(readable=readable, hidden=hidden, commands=commands)

    def _find_protected(self, workspace: str) -> tuple[str, ...]:
        """What an agent would run without a question in a trusted folder: no command changes or makes it.

        In the workspace itself Codex does so by itself. Nor does one change programs outside."""
        trusted = [Path(one.folder) for one in self._store.list() if one.decision == "trusted"]
        places = dict.fromkeys(place for folder in trusted for place in find_project(folder))
        others = [place for place in places if str(place) != workspace]
        files = [place / name for place in others for name in CONFIGURATION]
        writable = [Path(workspace), *map(Path, find_temps())]
        below = [place for place in others if any(place.is_relative_to(area) for area in writable)]
        made = [place / name for place in below for name in RUNS]
        programs = [Path(sys.prefix), *map(Path, self._search_path.folders)]
        made += [place for place in programs if any(area in place.parents for area in writable)]
        there = [path for path in files if path.exists() and not path.is_symlink()]
        return tuple(dict.fromkeys(map(str, [*there, *made])))

    def list(self) -> tuple[TrustedFolder, ...]:
        return self._store.list()

    async def compare(self, decided: TrustedFolder) -> FolderNow:
        """Whether what was decided still counts for what the folder holds."""
        try:
            standing = await self.look(decided.folder)
        except UserError:
            return "changed"  # a link is in its place
        if standing.inventory.is_empty:
            return "gone"
        counts = standing.trusted if decided.decision == "trusted" else standing.holds
        return "same" if counts else "changed"

    # -- asking --

    def consider(self, session: SessionId, standing: FolderState) -> None:
        """Ask in that session, once for each content of a folder. The session works on without an answer.
        Where it is for Orders, nobody is asked: a sender causes no question about trust.

        `standing` may be older than an answer that came meanwhile."""
        standing = FolderState(standing.folder, standing.inventory, self._store.find(standing.folder))
        folder, print_ = standing.folder, standing.inventory.fingerprint
        asked = self._asking.get(folder)
        if asked is not None and (asked.fingerprint != print_ or standing.holds):
            if asked.task is not None:
                asked.task.cancel()  # the question was about something else
            del self._asking[folder]
        elif asked is not None:
            return
        if standing.inventory.is_empty or standing.holds or len(self._asking) >= MAX_ASKING:
            return
        head = self._hub.find(session)
        if head is None or not head.sender:
            self._begin(session, standing)

    async def ask_again(self, folder: str) -> Refuse | None:
        """About a folder that was decided about: so that a person can change their mind."""
        if self._store.find(folder) is None:
            return Refuse(UNDECIDED.format(folder=folder))
        standing = await self.look(folder)
        if standing.inventory.is_empty:
            return Refuse(EMPTY.format(folder=folder))
        if folder not in self._asking:
            self._begin(None, standing)
        return None

    def _begin(self, session: SessionId | None, standing: FolderState) -> None:
        """Without a session under "This machine"."""
        folder, print_ = standing.folder, standing.inventory.fingerprint
        question = self._asking[folder] = TrustQuestion(print_, session or MACHINE)
        asking = self._ask(session, standing, question)
        question.task = self._tasks.start(f"ask whether to trust {folder}", asking)

    async def _ask(self, session: SessionId | None, standing: FolderState, question: TrustQuestion) -> None:
        found = standing.inventory
        subject = TrustSubject(
            folder=standing.folder,
            findings=standing.findings,
            more=int(found.truncated),
            fingerprint=found.fingerprint,
        )
        choices = (REFUSE,) if found.truncated else (TRUST, REFUSE)
        try:
            title = TITLE_CHANGED if standing.decided is not None and not standing.holds else TITLE
            question.is_asked = True
            answer = await self._asks.ask(session, title, subject, choices, workspace=standing.folder)
            decision: Decision = "trusted" if answer.choice == TRUST.id else "refused"
            refused = await self.decide(standing.folder, found.fingerprint, decision, answer)
            if refused is not None:
                question.refused = refused
                log.warning("%s", refused.why)
                wish = f"trust {standing.folder}"
                await self._note(standing.folder, answer, wish, "refused", why=refused.why)
        except UserError as fault:
            question.refused = Refuse(str(fault))
            log.warning("%s was not decided about: %s", standing.folder, fault)
        finally:
            if self._asking.get(standing.folder) is question:
                del self._asking[standing.folder]

    async def answered(self, folder: str) -> Refuse | None:
        """Until the open question about the folder is answered; why the answer does not count, if so."""
        asked = self._asking.get(folder)
        if asked is None or asked.task is None:
            return None
        await asyncio.wait([asked.task])
        return asked.refused

    async def decided(self, folder: str) -> None:
        """Until an answer that was given about the folder is recorded and counts; not for an answer."""
        asked = self._asking.get(folder)
        if asked is None or asked.task is None or not asked.is_asked or self._is_open(asked, folder):
            return
        await asyncio.wait([asked.task])

    def _is_open(self, question: TrustQuestion, folder: str) -> bool:
        head = self._hub.find(question.session)
        subjects = [ask.subject for ask in head.asks] if head is not None else []
        return any(isinstance(subject, TrustSubject) and subject.folder == folder for subject in subjects)

    # -- deciding --

    async def decide(
        self, folder: str, fingerprint: str, decision: Decision, by: Asker | Answer
    ) -> Refuse | None:
        return await whole(f"decide about {folder}", self._decide(folder, fingerprint, decision, by))

    async def _decide(
        self, folder: str, fingerprint: str, decision: Decision, by: Asker | Answer
    ) -> Refuse | None:
        """For the content that was shown; recorded before it counts."""
        standing = await self.look(folder)
        found = standing.inventory
        if found.fingerprint != fingerprint:
            return Refuse(CHANGED.format(folder=folder))
        if found.truncated and decision == "trusted":
            return Refuse(TOO_MUCH.format(folder=folder))
        why = "; ".join(f"{finding.path}: {finding.text}" for finding in found.findings)
        trusted = decision == "trusted"
        said: Reply = "yes" if trusted else "no"
        entry = self._entry(folder, by, f"trust {folder}", "started", said, fingerprint, shorten(why, 2_000))
        async with self._record.doing(replace(entry, lasts="always"), "done" if trusted else "rejected"):
            self._store.put(
                TrustedFolder(
                    folder=folder,
                    decision=decision,
                    files=found.files,
                    decided_at_ms=self._now_ms(),
                    by=_name(by),
                )
            )
        if trusted:
            self._effects.begin(folder)
        else:
            self._effects.end(folder, standing.decided)
        return None

    async def revoke(self, folder: str, by: Asker) -> Refuse | None:
        """The next use of the folder asks again."""
        return await whole(f"revoke trust of {folder}", self._revoke(folder, by))

    async def _revoke(self, folder: str, by: Asker) -> Refuse | None:
        before = self._store.find(folder)
        if before is None:
            return Refuse(UNDECIDED.format(folder=folder))
        async with self._record.doing(self._entry(folder, by, f"revoke trust of {folder}")):
            self._store.remove(folder)
        self._effects.end(folder, before)
        return None

    async def renew_settings(self, before: FolderState) -> None:
        """After a person set a workspace setting here: the settings count as they are now.

        That makes no folder a trusted one, and vouches for no setting that somebody else left in the file."""
        digest = (await self._read_inventory(before.folder)).files.get(WORKSPACE_FILE)
        if digest is None:
            return
        if WORKSPACE_FILE not in before.inventory.files:
            self._store.put_own_settings(before.folder, digest)
        elif before.trusted and before.decided is not None:
            await self._trust_settings(before.decided, digest)

    async def _trust_settings(self, decided: TrustedFolder, digest: str) -> None:
        """Our own writing does not undo a person's trust."""
        changed = replace(decided, files={**decided.files, WORKSPACE_FILE: digest})
        standing = await self.look(decided.folder)
        if standing.inventory.files == changed.files != decided.files:
            asked = f"trust {decided.folder} with the setting that was changed here"
            await self._note(decided.folder, decided.by, asked, print_=standing.inventory.fingerprint)
            self._store.put(replace(changed, decided_at_ms=self._now_ms()))

    async def _note(
        self,
        folder: str,
        by: Asker | Answer,
        asked: str,
        outcome: Outcome = "done",
        print_: str = "",
        why: str = "",
    ) -> None:
        await self._record.write(self._entry(folder, by, asked, outcome, print_=print_, why=why))

    def _entry(
        self,
        folder: str,
        by: Asker | Answer,
        asked: str,
        outcome: Outcome = "started",
        said: Reply = "none",
        print_: str = "",
        why: str = "",
    ) -> Entry:
        return self._record.entry(
            "trust",
            outcome,
            asker=who_answered(by) if isinstance(by, Answer) else by,
            asked=asked,
            workspace=folder,
            answer=said,
            bound_to=print_,
            why=why,
        )


def _name(by: Asker | Answer) -> str:
    match by:
        case Answer():
            return by.by
        case str():
            return by
        case _:
            return name_who(by)
