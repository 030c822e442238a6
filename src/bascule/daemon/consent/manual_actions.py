"""What a person starts by hand, after an Ask: a typed command, signing an agent out, deleting a session."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.faults import UserError
from bascule.core.session.growing_text import shorten
from bascule.core.settings.reading import SettingsRefused
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.record import Record, hash_command
from bascule.daemon.surfaces.surfaces import Surface
from bascule.daemon.workspace_settings import WorkspaceSettings
from bascule.host.files.confined_path import find_moved
from bascule.host.processes.command import run_shell
from bascule.host.processes.process_register import Register
from bascule.host.processes.tasks import whole
from bascule.model.asks import ActionSubject, Answer, Choice, CommandSubject, Refuse
from bascule.model.consent.audit import Entry, Kind, Outcome
from bascule.model.ids import SessionId
from bascule.model.protocol.runs import ShellExecResult
from bascule.model.said import Said

YES = Choice(id="accept", label="Yes, once", grants=True)
NO = Choice(id="decline", label="No", grants=False)

MAX_SHOWN = 100  # characters of a command in the name of its task
LEFT = "the program that asked had left"
DECLINED = "Not done: the answer was no."
NOT_ALLOWED = (
    "bascule.allowRunTerminal is false, so no command is run. Change it in the settings, "
    "and in .vscode/settings.json where this workspace sets it."
)
SIGN_OUT = "The agent's stored credentials are removed from this machine."


class Declined(UserError):
    """A person said no."""


class ManualRequest(Struct, frozen=True):
    """What was asked for, as the record names it."""

    kind: Kind
    surface: Surface
    asked: str
    workspace: str
    bound_to: str = ""


class ManualQuestion(Struct, frozen=True):
    """What a person is asked before it is done."""

    title: str
    said: Said
    subject: ActionSubject
    yes: Choice = YES


class ManualActions:
    def __init__(
        self, *, asks: Asks, record: Record, settings: WorkspaceSettings, register: Register
    ) -> None:
        self._asks = asks
        self._record = record
        self._settings = settings
        self._register = register

    async def run_shell(
        self, session: SessionId | None, surface: Surface, command: str, cwd: Path, timeout_s: float
    ) -> ShellExecResult | Refuse:
        """`Declined` when the answer is no; what bars it is looked at again after the yes."""
        wish = ManualRequest("shell", surface, command, str(cwd), hash_command(command, str(cwd)))
        if barred := self._find_bar(wish.workspace):
            await self._note(wish, "not_allowed", None, barred)
            return Refuse(barred)
        subject = CommandSubject(command=command, original=command, cwd=wish.workspace)
        answer = await self._asks.ask(
            session, "Run this command here?", subject, (YES, NO), surface.who, said=Said("ask.run_here")
        )
        if answer.choice != YES.id:
            await self._note(wish, "rejected", answer)
            raise Declined(DECLINED)
        if barred := self._find_bar(wish.workspace):
            await self._note(wish, "not_allowed", answer, barred)
            return Refuse(barred)
        stop = asyncio.Event()

        async def run() -> ShellExecResult | Refuse:
            started = await self._record.start(self._entry(wish, "started", answer))
            ran = await run_shell(command, cwd=cwd, timeout_s=timeout_s, register=self._register, stop=stop)
            await self._record.finish(started, *_describe_end(ran, stop))
            return ran

        return await whole(f"run {shorten(command, MAX_SHOWN)}", run(), stop.set)

    def _find_bar(self, workspace: str) -> str:
        if moved := find_moved(workspace):
            return moved.why
        try:
            return "" if self._settings.get(workspace).allow_run_terminal else NOT_ALLOWED
        except SettingsRefused as refused:
            return str(refused)

    async def sign_out(
        self, surface: Surface, agent: str, workspace: str, act: Callable[[], Awaitable[None]]
    ) -> None:
        """`Declined` when the answer is no."""
        request = ManualRequest("logout", surface, f"Sign {agent} out", workspace)
        question = ManualQuestion(
            f"{request.asked}?",
            Said("ask.sign_out", {"agent": agent}),
            ActionSubject(text=SIGN_OUT, said=Said("action.sign_out")),
            replace(YES, label="Yes, sign out", said=Said("choice.sign_out")),
        )
        await self.carry_out(request, question, act, is_whole=False)

    async def carry_out(
        self,
        request: ManualRequest,
        question: ManualQuestion,
        act: Callable[[], Awaitable[None]],
        session: SessionId | None = None,
        find_bar: Callable[[], Refuse | None] = lambda: None,
        is_whole: bool = True,
    ) -> Refuse | None:
        """`Declined` when the answer is no. `find_bar` is asked after a yes. What is whole is finished
        though who asked has left; what waits for an agent is not."""
        answer = await self._asks.ask(
            session,
            question.title,
            question.subject,
            (question.yes, NO),
            request.surface.who,
            said=question.said,
        )
        if answer.choice != YES.id:
            await self._note(request, "rejected", answer)
            raise Declined(DECLINED)
        if barred := find_bar():
            await self._note(request, "refused", answer, barred.why)
            return barred
        doing = self._do(self._entry(request, "started", answer), act)
        await (whole(request.asked, doing) if is_whole else doing)
        return None

    async def _do(self, entry: Entry, act: Callable[[], Awaitable[None]]) -> None:
        async with self._record.doing(entry):
            await act()

    async def _note(
        self, wish: ManualRequest, outcome: Outcome, answer: Answer | None, why: str = ""
    ) -> None:
        await self._record.write(self._entry(wish, outcome, answer, why))

    def _entry(self, wish: ManualRequest, outcome: Outcome, answer: Answer | None, why: str = "") -> Entry:
        return self._record.entry(
            wish.kind,
            outcome,
            asker=wish.surface.who,
            asked=wish.asked,
            workspace=wish.workspace,
            answer="none" if answer is None else "yes" if answer.choice == YES.id else "no",
            answered_by=answer,
            bound_to=wish.bound_to,
            ref=answer.ask if answer else "",
            why=why,
        )


def _describe_end(ran: ShellExecResult | Refuse, stop: asyncio.Event) -> tuple[Outcome, str]:
    if isinstance(ran, Refuse):
        return "failed", ran.why
    how = f"exit code {ran.exit_code}" if ran.signal is None else f"ended by {ran.signal}"
    return ("cancelled", f"{how}: {LEFT}") if stop.is_set() else ("done", how)
