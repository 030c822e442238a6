"""What a person typed: a slash command that is carried out here, or a prompt with its mentions checked."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct

from bascule.core.bounded import forget_oldest
from bascule.core.prompts.mentions import Selection, expand_mentions
from bascule.core.prompts.prompt_lane import How
from bascule.core.prompts.purposes import PURPOSES, parse_purpose
from bascule.core.prompts.slash import COMMANDS, Slash, UnknownSlash, help_text, parse_slash
from bascule.core.session.usage import limits_text, usage_text
from bascule.daemon.agents.pool import AgentPool, place_of
from bascule.daemon.agents.roster import Roster
from bascule.daemon.edits.project_tests import ProjectTests
from bascule.daemon.prompts.prompt_contexts import RequestedContext
from bascule.daemon.prompts.prompt_outcomes import PromptOutcome
from bascule.daemon.prompts.prompts import Prompts
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.sessions import Sessions
from bascule.model.asks import Refuse
from bascule.model.attachments import Attachment, StatusAttachment
from bascule.model.blocks import SystemBlock
from bascule.model.changes import BlockPut
from bascule.model.consent.audit import Asker
from bascule.model.ids import BlockId, PromptKey, SessionId
from bascule.model.said import Said
from bascule.model.session import AgentState, Prompt, Session, Status

STATUS_WORDS: dict[Status, str] = {
    "working": "working",
    "waiting_user": "waiting for you",
    "completed": "done",
    "stopped": "stopped",
    "unknown": "new",
}
MAX_LISTED = 50  # sessions
MAX_WENT = 200  # commands whose outcome is remembered


class TypedPrompt(Struct, frozen=True, kw_only=True):
    text: str
    key: PromptKey
    images: tuple[str, ...] = ()
    how: How = "queue"
    selection: Selection | None = None
    context: RequestedContext = RequestedContext()
    by: str = ""  # the surface
    asker: Asker | None = None  # the same for the record, with its door and pass


class Submitted(Struct, frozen=True):
    """The outcome: the session to look at from now on, and what a run is to be awaited by."""

    session: SessionId
    outcome: PromptOutcome | None = None


Command = Callable[[SessionId, TypedPrompt, str], Coroutine[Any, Any, Submitted | Refuse]]


class Composer:
    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        pool: AgentPool,
        sessions: Sessions,
        prompts: Prompts,
        tests: ProjectTests,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._pool = pool
        self._sessions = sessions
        self._prompts = prompts
        self._tests = tests
        self._new_id = new_id
        self._now_ms = now_ms
        self._checking: WeakValueDictionary[SessionId, asyncio.Lock] = WeakValueDictionary()
        self._going: dict[tuple[SessionId, PromptKey], asyncio.Future[Submitted | None]] = {}  # of commands
        self._commands: dict[str, Command] = {
            "/new": self._new,
            "/resume": self._resume,
            "/test": self._test,
            "/diff": self._diff,
            "/rename": self._rename,
            "/compact": self._compact,
            "/clear": self._clear,
            "/fork": self._fork,
            "/model": self._model,
            "/restart": self._restart,
            "/status": self._status,
            "/help": self._help,
        }

    async def take(self, session: SessionId, typed: TypedPrompt) -> Submitted | Refuse:
        """Whatever is refused has not been sent, and says why."""
        match parse_slash(typed.text):
            case UnknownSlash() as unknown:
                return Refuse(unknown.text)
            case Slash(name=name, argument=argument):
                return await self._command(session, typed, name, argument)
            case None:
                return await self._prompt(session, typed)

    async def _command(
        self, session: SessionId, typed: TypedPrompt, name: str, argument: str
    ) -> Submitted | Refuse:
        head, needs = self._roster.get(session), COMMANDS[name].needs
        if needs is not None and not getattr(head.capabilities, needs):
            title = self._pool.agents.get(head.agent).title
            return Refuse(
                f"{title} cannot do what {name} asks for. Nothing was sent.",
                said=Said("slash.unable", {"name": name, "agent": title}),
            )
        if name in PURPOSES:
            if argument:
                return await self._prompt(session, typed)
            return Refuse(
                f"{name} needs a prompt: {name} {COMMANDS[name].argument}. Nothing was sent.",
                said=Said("slash.needs_prompt", {"name": name}),
            )
        if typed.images:
            return Refuse(
                f"{name} takes no images. Nothing was sent.", said=Said("slash.no_images", {"name": name})
            )
        return await self._once(session, typed, self._commands[name](session, typed, argument))

    async def _test(self, session: SessionId, typed: TypedPrompt, command: str) -> Submitted | Refuse:
        """The question and the result are in the log: nobody waits here."""
        refused = self._tests.find_refusal(session)
        if refused is None:
            self._tests.begin(session, command, typed.asker or typed.by)
        return refused or Submitted(session)

    async def _once(
        self, session: SessionId, typed: TypedPrompt, work: Coroutine[Any, Any, Submitted | Refuse]
    ) -> Submitted | Refuse:
        """A command that is sent again, by a surface that lost its connection, is not done again."""
        lane, key = self._roster.lane(session), typed.key
        lane.remember(key, typed.text)
        going = self._going[session, key] = asyncio.get_running_loop().create_future()
        went: Submitted | Refuse | None = None
        try:
            went = await work
            return went
        finally:
            done = went if isinstance(went, Submitted) else None
            if done is None:
                lane.forget(key)
                del self._going[session, key]
            going.set_result(done)
            self._hub.keep_keys(session, lane.keys)
            forget_oldest(self._going, MAX_WENT, lambda going: going.done())

    async def find_went(self, session: SessionId, key: PromptKey) -> Submitted | None:
        """The outcome of a command, when it is done; None where it was none, or is long past."""
        going = self._going.get((session, key))
        return await asyncio.shield(going) if going is not None else None

    async def edit(
        self, session: SessionId, key: PromptKey, text: str, selection: Selection | None
    ) -> Refuse | None:
        """What waits is checked again: what could not be said as a prompt does not become one by a change."""
        slash = parse_slash(text)
        if isinstance(slash, UnknownSlash):
            return Refuse(slash.text)
        if slash and (slash.name not in PURPOSES or not slash.argument):
            return Refuse(f"{slash.name} cannot wait in the queue: it is not a prompt. Nothing was changed.")
        prompt = await self._expand(session, text, selection)
        return prompt if isinstance(prompt, Refuse) else self._prompts.edit_queued(session, key, prompt)

    async def _expand(self, session: SessionId, text: str, selection: Selection | None) -> str | Refuse:
        """In a thread: a prompt may name thousands of files, on a disk that is slow."""
        workspace = Path(self._roster.get(session).workspace)
        if "@" not in text:
            return text
        return await asyncio.to_thread(
            expand_mentions, text, str(workspace), selection, lambda path: _is_file(workspace / path)
        )

    async def _prompt(self, session: SessionId, typed: TypedPrompt) -> Submitted | Refuse:
        """Prompts of one session stay in order, however long their files take to look up."""
        async with self._checking.setdefault(session, asyncio.Lock()):
            text = await self._expand(session, typed.text, typed.selection)
            return text if isinstance(text, Refuse) else self._submit(session, typed, text)

    def _submit(self, session: SessionId, typed: TypedPrompt, text: str) -> Submitted | Refuse:
        prompt = Prompt(
            key=typed.key,
            text=text,
            images=typed.images,
            context=typed.context.context,
            selected=typed.context.selected,
            purpose=parse_purpose(typed.text),
        )
        outcome = self._prompts.submit(session, prompt, typed.how, typed.text)
        return outcome if isinstance(outcome, Refuse) else Submitted(session, outcome)

    async def _new(self, session: SessionId, _typed: TypedPrompt, _argument: str) -> Submitted | Refuse:
        head = self._roster.get(session)
        return Submitted(await self._sessions.create(head.workspace, agent=head.agent))

    async def _resume(self, session: SessionId, _typed: TypedPrompt, _argument: str) -> Submitted | Refuse:
        """A surface with a list of its own opens that instead."""
        workspace = self._roster.get(session).workspace
        heads = [
            head
            for head in self._hub.conversations()
            if head.workspace == workspace and not head.parent_thread
        ]
        lines = [f"- {head.title} `{head.id}` ({head.status})" for head in heads[:MAX_LISTED]]
        more = [f"- and {len(heads) - MAX_LISTED} more"] if len(heads) > MAX_LISTED else []
        return self._say(session, "Sessions here", "\n".join([*lines, *more]), said=Said("sessions"))

    async def _diff(self, session: SessionId, _typed: TypedPrompt, _argument: str) -> Submitted | Refuse:
        diff = self._roster.get(session).diff
        if diff is None:
            return Refuse("This session has no diff yet.", said=Said("diff.none"))
        return self._say(
            session, "Latest diff", f"```diff\n{diff.unified.rstrip()}\n```", said=Said("diff.latest")
        )

    async def _rename(self, session: SessionId, _typed: TypedPrompt, title: str) -> Submitted | Refuse:
        return await self._sessions.rename(session, title) or Submitted(session)

    async def _compact(self, session: SessionId, _typed: TypedPrompt, _argument: str) -> Submitted | Refuse:
        outcome = await self._sessions.compact(session)
        return outcome if isinstance(outcome, Refuse) else Submitted(session, outcome)

    async def _clear(self, session: SessionId, _typed: TypedPrompt, _argument: str) -> Submitted | Refuse:
        return await self._sessions.clear(session) or Submitted(session)

    async def _fork(self, session: SessionId, _typed: TypedPrompt, _argument: str) -> Submitted | Refuse:
        fork = await self._sessions.fork(session)
        return fork if isinstance(fork, Refuse) else Submitted(fork)

    async def _model(self, session: SessionId, _typed: TypedPrompt, argument: str) -> Submitted | Refuse:
        if not argument:
            head = self._roster.get(session)
            models = await self._sessions.models(place_of(head))
            lines = [
                f"- {'**' if m.name == head.model else ''}{m.name}{'**' if m.name == head.model else ''} "
                f"{m.description} ({', '.join(m.efforts)})"
                for m in models
            ]
            return self._say(session, "Models", "\n".join(lines), said=Said("models"))
        name, _, effort = argument.partition(" ")
        return await self._sessions.set_model(session, name, effort.strip()) or Submitted(session)

    async def _restart(self, session: SessionId, _typed: TypedPrompt, _argument: str) -> Submitted | Refuse:
        place = place_of(self._roster.get(session))
        title = self._pool.agents.get(place.agent).title
        if await self._pool.restart(place, "Restarted with /restart."):
            return self._say(
                session,
                "Restarted",
                f"{title} was ended and starts again.",
                said=Said("restarted", {"agent": title}),
            )
        said = Said("not.running", {"agent": title})
        text = f"{title} is not running here. The next prompt starts it."
        return self._say(session, "Not running", text, said=said)

    async def _status(self, session: SessionId, _typed: TypedPrompt, _argument: str) -> Submitted | Refuse:
        head = self._roster.get(session)
        state = self._pool.state(place_of(head))
        lines = [
            f"- session: {head.id}",
            f"- agent: {'running' if self._pool.is_running(place_of(head)) else 'not running'}",
            f"- status: {STATUS_WORDS[head.status]}",
            f"- model: {head.model} {head.effort}".rstrip() if head.model else "",
            f"- {usage_text(head.usage)}" if head.usage else "",
            f"- limits: {limits_text(state.limits, state.plan)}" if state.limits or state.plan else "",
            f"- account: {state.account}" if state.account else "",
            f"- queue: {len(head.queue)} waiting{' (held)' if head.queue_held else ''}" if head.queue else "",
        ]
        attached = StatusAttachment(title="Status", json=self._figures(head, state))
        return self._say(
            session, "Status", "\n".join(line for line in lines if line), (attached,), Said("status")
        )

    def _figures(self, head: Session, state: AgentState) -> dict[str, Any]:
        """The same for a surface that draws it."""
        policy = self._sessions.policy(head.id)
        return {
            "session": head.id,
            "status": head.status,
            "agent": {"name": head.agent, "running": self._pool.is_running(place_of(head))},
            "account": state.account,
            "model": {"name": head.model, "effort": head.effort},
            "context": msgspec.to_builtins(head.usage),
            "limits": {"plan": state.plan, "windows": msgspec.to_builtins(state.limits)},
            "queue": {"waiting": len(head.queue), "held": head.queue_held},
            "sandbox": {"mode": policy.sandbox, "approvals": policy.approvals},
        }

    async def _help(self, session: SessionId, _typed: TypedPrompt, _argument: str) -> Submitted | Refuse:
        return self._say(session, "Help", help_text(), said=Said("help"))

    def _say(
        self,
        session: SessionId,
        title: str,
        text: str,
        attachments: tuple[Attachment, ...] = (),
        said: Said | None = None,
    ) -> Submitted:
        block = SystemBlock(
            id=BlockId(self._new_id("system")),
            at_ms=self._now_ms(),
            title=title,
            text=text,
            attachments=attachments,
            said=said,
        )
        self._hub.apply(session, [BlockPut(block)])
        return Submitted(session)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # a name that is too long for any
