"""Prompts: who speaks to an agent next, and what became of it on the wire."""

import logging
from collections.abc import Awaitable, Callable

from bascule.agents.codex.blocks import ItemPlace, asked_again, ordered
from bascule.agents.codex.driver import CodexDriver
from bascule.agents.codex.saying import READ_ONLY_POLICY, Policy
from bascule.core.faults import AgentGone, UserError, code_of
from bascule.core.prompts.prompt_lane import How, Interrupt, Start, Steer, Step
from bascule.core.prompts.purposes import find_purpose
from bascule.core.session.growing_text import is_text, shorten
from bascule.daemon.agents.roster import Roster
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.prompt_contexts import Contexts
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Answer, Refuse
from bascule.model.attachments import ErrorAttachment
from bascule.model.blocks import ErrorBlock, RemoteBlock, SystemBlock, UserBlock
from bascule.model.changes import BlockGone, BlockPut, StatusSet
from bascule.model.ids import BlockId, PromptKey, RunId, SessionId
from bascule.model.session import Prompt

MAX_PROMPT = 1_000_000  # characters
MAX_IMAGES = 20
MAX_TOLD = 300  # characters of a reason in a toast
UNSENT = "The prompt was not sent, and waits in the queue"

log = logging.getLogger("bascule.prompts")


class Prompts:
    """One worker per session carries out the lane's steps, in order; several sessions go side by side."""

    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        ready: Callable[[SessionId], Awaitable[CodexDriver]],
        policy: Callable[[str], Policy],
        contexts: Contexts,
        tasks: Tasks,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._ready = ready  # the session's driver, with its thread loaded
        self._policy = policy  # of a workspace
        self._contexts = contexts
        self._interrupting: set[RunId] = set()
        self._tasks = tasks
        self._new_id = new_id
        self._now_ms = now_ms
        self._steps: dict[SessionId, list[Step]] = {}
        self.on_trouble: Callable[[str], None] = lambda _why: (
            None
        )  # an agent is not there, or does not answer

    # -- what people want --

    def submit(
        self, session: SessionId, prompt: Prompt, how: How = "queue", said: str | None = None
    ) -> Refuse | None:
        """Started at once when the agent is free; else queued, or steered into the run."""
        lane = self._roster.lane(session)
        steps = find_unfit(prompt) or lane.submit(prompt, how, said)
        if isinstance(steps, Refuse):
            return steps
        self._hub.keep_keys(session, lane.keys)
        self._go(session, steps)
        return None

    def interrupt(self, session: SessionId) -> None:
        self._go(session, self._roster.lane(session).stop())

    def steer_queued(self, session: SessionId, key: PromptKey) -> Refuse | None:
        steps = self._roster.lane(session).steer_queued(key)
        if isinstance(steps, Refuse):
            return steps
        self._go(session, steps)
        return None

    def edit_queued(self, session: SessionId, key: PromptKey, text: str) -> Refuse | None:
        unfit = find_unfit(Prompt(key=key, text=text))
        return self._show(session, unfit or self._roster.lane(session).edit(key, text))

    def move_queued(self, session: SessionId, key: PromptKey, to: int) -> Refuse | None:
        return self._show(session, self._roster.lane(session).move(key, to))

    def remove_queued(self, session: SessionId, key: PromptKey) -> Refuse | None:
        return self._show(session, self._roster.lane(session).remove(key))

    def release_queue(self, session: SessionId) -> None:
        self._go(session, self._roster.lane(session).release())

    def _show(self, session: SessionId, refused: Refuse | None) -> Refuse | None:
        self._roster.publish_queue(session)
        return refused

    def say_reason(self, session: SessionId, answer: Answer) -> None:
        """The reason of a no, to the agent."""
        prompt = Prompt(key=PromptKey(self._new_id("reason")), text=answer.reason)
        lane = self._roster.lane(session)
        if answer.choice == "cancel":
            self._go(session, lane.say_next(prompt))  # that no stops the run: the reason begins the next
        else:
            self.submit(session, prompt, "steer")

    # -- carrying it out --

    def go(self, session: SessionId, steps: list[Step]) -> None:
        """Steps that follow from what the agent did."""
        self._go(session, steps)

    def _go(self, session: SessionId, steps: list[Step]) -> None:
        self._roster.publish_queue(session)
        if not steps:
            return
        waiting = self._steps.get(session)
        if waiting is not None:
            waiting.extend(steps)
            return
        self._steps[session] = list(steps)
        self._tasks.start(f"steps of {session}", self._work(session))

    async def _work(self, session: SessionId) -> None:
        waiting = self._steps[session]
        try:
            while waiting:
                await self._take_step(session, waiting.pop(0))
        finally:
            del self._steps[session]

    async def _take_step(self, session: SessionId, step: Step) -> None:
        match step:
            case Start():
                await self._start(session, step.prompt)
            case Steer():
                await self._steer(session, step)
            case Interrupt():
                self._tasks.start(f"interrupt of {step.run}", self._interrupt(session, step.run))

    async def _start(self, session: SessionId, prompt: Prompt) -> None:
        self._hub.apply(session, [BlockPut(self._said(prompt)), StatusSet("working")])
        try:
            driver = await self._ready(session)
            head = self._roster.get(session)
            assert head.thread is not None
            lane = self._roster.lane(session)
            talk = find_purpose(prompt) == "talk"
            await driver.start_turn(
                head.thread,
                prompt,
                policy=self._policy(head.workspace) if talk else READ_ONLY_POLICY,
                beside=await self._contexts.beside(head.workspace, prompt),
                model=head.model,
                effort=head.effort,
                named=lane.named,
            )
        except UserError as fault:
            self._not_started(session, prompt, fault)

    def _said(self, prompt: Prompt, *, steered: bool = False) -> UserBlock | RemoteBlock | SystemBlock:
        if prompt.by == "bascule":
            return asked_again(BlockId(prompt.key), prompt.text, ItemPlace(at_ms=self._now_ms()))
        if prompt.sender is not None:
            return ordered(BlockId(prompt.key), prompt.text, prompt.sender, ItemPlace(at_ms=self._now_ms()))
        return UserBlock(
            id=BlockId(prompt.key),
            text=prompt.text,
            images=prompt.images,
            at_ms=self._now_ms(),
            steered=steered,
            sent=False,
            context=prompt.context,
        )

    def _not_started(self, session: SessionId, prompt: Prompt, fault: UserError) -> None:
        """The prompt waits in the queue; the log says why it was not sent."""
        log.warning("a prompt of %s was not sent: %s", session, fault)
        self._roster.lane(session).start_failed()
        block = ErrorBlock(
            id=BlockId(self._new_id("unsent")),
            run=self._roster.latest_run(session),
            at_ms=self._now_ms(),
            title=UNSENT,
            text=str(fault),
            attachments=(ErrorAttachment(code=code_of(fault), message=str(fault), title=UNSENT),),
        )
        self.on_trouble(f"{UNSENT}: {shorten(str(fault), MAX_TOLD)}")
        status = StatusSet("stopped" if isinstance(fault, AgentGone) else "completed")
        self._hub.apply(session, [BlockGone(BlockId(prompt.key)), BlockPut(block), status])
        self._roster.publish_queue(session)

    async def _steer(self, session: SessionId, step: Steer) -> None:
        self._hub.apply(session, [BlockPut(self._said(step.prompt, steered=True))])
        try:
            driver = await self._ready(session)
            head = self._roster.get(session)
            assert head.thread is not None
            beside = await self._contexts.beside(head.workspace, step.prompt)
            await driver.steer_turn(head.thread, step.run, step.prompt, beside)
        except UserError as fault:
            log.info("a prompt of %s becomes the next one: %s", session, fault)
            self._hub.apply(session, [BlockGone(BlockId(step.prompt.key))])
            lane = self._roster.lane(session)
            self._go(session, lane.steer_failed(step.prompt, gone=isinstance(fault, AgentGone)))

    async def _interrupt(self, session: SessionId, run: RunId) -> None:
        """How the run ends tells what became of it. Nobody waits: what comes too late is never answered."""
        if run in self._interrupting:
            return
        self._interrupting.add(run)
        try:
            driver = await self._ready(session)
            thread = self._roster.get(session).thread
            if thread is not None and self._roster.lane(session).run == run:
                await driver.interrupt_turn(thread, run)
        except UserError as fault:
            log.info("nothing to interrupt in %s: %s", session, fault)  # it ended by itself first
        finally:
            self._interrupting.discard(run)


def find_unfit(prompt: Prompt) -> Refuse | None:
    """Why a prompt cannot be sent at all."""
    if len(prompt.text) > MAX_PROMPT:
        return Refuse(f"The prompt has {len(prompt.text)} characters; {MAX_PROMPT} is the most.")
    if len(prompt.images) > MAX_IMAGES:
        return Refuse(f"The prompt has {len(prompt.images)} images; {MAX_IMAGES} is the most.")
    if not prompt.text.strip() and not prompt.images:
        return Refuse("The prompt is empty.")
    if not all(map(is_text, (prompt.key, prompt.text, *prompt.images))):
        return Refuse("The prompt holds bytes that are no text. Write it anew.")
    return None
