"""Prompts: who speaks to an agent next, and what happened to it on the wire."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bascule.agents.driver import Driver, Policy
from bascule.core.consent.answer_check import STOPS
from bascule.core.faults import AgentGone, UserError, code_of
from bascule.core.prompts.prompt_blocks import unsent_block
from bascule.core.prompts.prompt_lane import How, Interrupt, Lane, Start, Steer, Step
from bascule.core.prompts.prompt_outcome import PromptEnd
from bascule.core.prompts.purposes import parse_purpose
from bascule.core.session.growing_text import is_text, shorten
from bascule.core.session.titles import name_by_prompt
from bascule.daemon.agents.roster import Roster
from bascule.daemon.prompts.prompt_contexts import Contexts
from bascule.daemon.prompts.prompt_outcomes import PromptOutcome
from bascule.daemon.sessions.hub import Hub
from bascule.host.processes.tasks import Tasks
from bascule.model.agents import AgentCapabilities
from bascule.model.asks import Answer, Refuse
from bascule.model.attachments import ErrorAttachment
from bascule.model.blocks import ErrorBlock, InfoBlock, Purpose
from bascule.model.changes import BlockGone, BlockPut, Change, StatusSet, TitleSet
from bascule.model.ids import BlockId, PromptKey, RunId, SessionId
from bascule.model.said import Said
from bascule.model.session import Prompt

MAX_PROMPT = 1_000_000  # characters
MAX_IMAGES = 20
MAX_REASON = 300  # characters of a reason in a toast
REASON_S = 5.0  # for the agent to take the reason of a no; then the no goes out without waiting
NO_STEER = "This agent takes no words during a run. Queue the prompt, or wait."
NO_IMAGES = "This agent takes no images. Nothing was sent."
NO_READ_ONLY = "This agent has no read-only runs, so it makes no plans and diffs. Nothing was sent."
DECLINED = "The run was stopped"
UNSENT = "The prompt was not sent, and waits in the queue"

log = logging.getLogger("bascule.prompts")


class Prompts:
    """One worker per session carries out the lane's steps, in order; several sessions go side by side."""

    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        ready: Callable[[SessionId], Awaitable[Driver]],
        policy: Callable[[SessionId, Purpose], Policy],
        contexts: Contexts,
        tasks: Tasks,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._ready = ready  # the session's driver, with its thread loaded
        self._policy = policy  # of a run for that purpose
        self._contexts = contexts
        self._interrupting: set[RunId] = set()
        self._tasks = tasks
        self._new_id = new_id
        self._now_ms = now_ms
        self._steps: dict[SessionId, list[Step]] = {}
        self._workers: dict[SessionId, asyncio.Task[None]] = {}
        self.on_trouble: Callable[[str], None] = lambda _why: None  # an agent is missing, or does not answer

    # -- what people want --

    def submit(
        self, session: SessionId, prompt: Prompt, how: How = "queue", said: str | None = None
    ) -> PromptOutcome | Refuse:
        """Started at once when the agent is free; else queued, or steered into the run."""
        lane, head = self._roster.lane(session), self._roster.get(session)
        barred = find_unfit(prompt) or find_incapable(prompt, head.capabilities, steers=_steers(lane, how))
        is_known = prompt.key in lane.keys
        steps = barred or self._roster.change(session, lambda lane: lane.submit(prompt, how, said))
        if isinstance(steps, Refuse):
            return steps
        if is_known:
            return self.recall(session, prompt.key)
        outcomes = self._roster.outcomes
        outcome = outcomes.find(session, prompt.key) or outcomes.open(session, prompt.key)
        self._hub.keep_keys(session, lane.keys)
        self._go(session, steps)
        return outcome

    def recall(self, session: SessionId, key: PromptKey) -> PromptOutcome:
        """Of a prompt that was sent before; of one that an earlier life of ours took, as its log has it."""
        known = self._roster.outcomes.find(session, key)
        if known is not None:
            return known
        block = next((block for block in self._hub.session(session).blocks if block.id == BlockId(key)), None)
        outcome = PromptOutcome()
        outcome.end(PromptEnd(how="completed", run=block.run if block is not None else None))
        return outcome

    def interrupt(self, session: SessionId) -> None:
        self._move(session, lambda lane: lane.stop())

    def steer_queued(self, session: SessionId, key: PromptKey) -> Refuse | None:
        if not self._roster.is_idle(session) and not self._roster.get(session).capabilities.steer:
            return Refuse(NO_STEER, said=Said("prompt.no_steer"))
        steps = self._roster.change(session, lambda lane: lane.steer_queued(key))
        if isinstance(steps, Refuse):
            return steps
        self._go(session, steps)
        return None

    def edit_queued(self, session: SessionId, key: PromptKey, text: str) -> Refuse | None:
        """Other words may have another purpose."""
        changed = Prompt(key=key, text=text, purpose=parse_purpose(text))
        unfit = find_unfit(changed)
        return unfit or self._roster.change(session, lambda lane: lane.edit(key, text, changed.purpose))

    def move_queued(self, session: SessionId, key: PromptKey, to: int) -> Refuse | None:
        return self._roster.change(session, lambda lane: lane.move(key, to))

    def remove_queued(self, session: SessionId, key: PromptKey) -> Refuse | None:
        return self._roster.change(session, lambda lane: lane.remove(key))

    def release_queue(self, session: SessionId) -> None:
        self._move(session, lambda lane: lane.release())

    async def say_reason(self, session: SessionId, answer: Answer) -> None:
        """The reason of a no, to the agent that still waits for the no: the run's next step knows both.
        One that stops the run begins no other: the log keeps it."""
        if answer.choice == STOPS and not answer.follow_up:
            self._note_reason(session, answer.reason)
            return
        prompt = Prompt(key=PromptKey(self._new_id("reason")), text=answer.reason)
        if answer.choice == STOPS or not self._roster.get(session).capabilities.steer:
            self._move(
                session, lambda lane: lane.say_next(prompt)
            )  # what stops a run, or cannot be steered into it
        else:
            self.submit(session, prompt, "steer")
            if (worker := self._workers.get(session)) is not None:
                await asyncio.wait([worker], timeout=REASON_S)

    def _note_reason(self, session: SessionId, reason: str) -> None:
        block = InfoBlock(
            id=BlockId(self._new_id("reason")),
            run=self._roster.latest_run(session),
            at_ms=self._now_ms(),
            title=DECLINED,
            text=f"Your reason: {reason}",
            said=Said("run.declined", {"reason": reason}),
            status="declined",
        )
        self._hub.apply(session, [BlockPut(block)])

    # -- carrying it out --

    def move(self, session: SessionId, do: Callable[[Lane], list[Step]]) -> None:
        """Tell the lane what the agent did, and take the steps that follow."""
        self._move(session, do)

    def _move(self, session: SessionId, do: Callable[[Lane], list[Step]]) -> None:
        self._go(session, self._roster.change(session, do))

    def _go(self, session: SessionId, steps: list[Step]) -> None:
        if not steps:
            return
        waiting = self._steps.get(session)
        if waiting is not None:
            waiting.extend(steps)
            return
        self._steps[session] = list(steps)
        self._workers[session] = self._tasks.start(f"steps of {session}", self._work(session))

    async def _work(self, session: SessionId) -> None:
        waiting = self._steps[session]
        try:
            while waiting:
                await self._take_step(session, waiting.pop(0))
        finally:
            del self._steps[session], self._workers[session]

    async def _take_step(self, session: SessionId, step: Step) -> None:
        match step:
            case Start():
                await self._start(session, step.prompt)
            case Steer():
                await self._steer(session, step)
            case Interrupt():
                self._tasks.start(f"interrupt of {step.run}", self._interrupt(session, step.run))

    async def _start(self, session: SessionId, prompt: Prompt) -> None:
        begun: list[Change] = [BlockPut(unsent_block(prompt, self._now_ms())), StatusSet("working")]
        self._hub.apply(session, [*begun, *self._name(session, prompt)])
        try:
            driver = await self._ready(session)
            head = self._roster.get(session)
            assert head.thread is not None
            lane = self._roster.lane(session)
            await driver.prompt(
                head.thread,
                prompt,
                policy=self._policy(session, prompt.purpose),
                context=await self._contexts.read(head.workspace, prompt),
                model=head.model,
                effort=head.effort,
                on_named=lane.named,
            )
        except UserError as fault:
            self._not_started(session, prompt, fault)

    def _name(self, session: SessionId, prompt: Prompt) -> list[Change]:
        """The first prompt names a session that nobody has named."""
        if prompt.by != "person" or self._roster.get(session).title_by != "default":
            return []
        name = name_by_prompt(prompt.text)
        return [TitleSet(name, "prompt")] if name else []

    def _not_started(self, session: SessionId, prompt: Prompt, fault: UserError) -> None:
        """The prompt waits in the queue; the log and a toast say why it was not sent."""
        log.warning("a prompt of %s was not sent: %s", session, fault)
        block = ErrorBlock(
            id=BlockId(self._new_id("unsent")),
            run=self._roster.latest_run(session),
            at_ms=self._now_ms(),
            title=UNSENT,
            text=str(fault),
            said=Said("prompt.unsent"),
            attachments=(ErrorAttachment(code=code_of(fault), message=str(fault), title=UNSENT),),
        )
        self.on_trouble(f"{UNSENT}: {shorten(str(fault), MAX_REASON)}")
        self._hub.apply(session, [BlockGone(BlockId(prompt.key)), BlockPut(block), StatusSet("stopped")])
        self._roster.change(session, lambda lane: lane.start_failed(str(fault)))

    async def _steer(self, session: SessionId, step: Steer) -> None:
        self._hub.apply(session, [BlockPut(unsent_block(step.prompt, self._now_ms(), steered=True))])
        try:
            driver = await self._ready(session)
            head = self._roster.get(session)
            assert head.thread is not None
            context = await self._contexts.read(head.workspace, step.prompt)
            await driver.steer(head.thread, step.run, step.prompt, context)
        except UserError as fault:
            log.info("a prompt of %s becomes the next one: %s", session, fault)
            self._hub.apply(session, [BlockGone(BlockId(step.prompt.key))])
            gone = isinstance(fault, AgentGone)
            self._move(session, lambda lane: lane.steer_failed(step.prompt, gone=gone))

    async def _interrupt(self, session: SessionId, run: RunId) -> None:
        """How the run ends is its outcome. Nobody waits: what comes too late is never answered."""
        if run in self._interrupting:
            return
        self._interrupting.add(run)
        try:
            driver = await self._ready(session)
            thread = self._roster.get(session).thread
            if thread is not None and self._roster.lane(session).run == run:
                await driver.interrupt(thread, run)
        except UserError as fault:
            log.info("nothing to interrupt in %s: %s", session, fault)  # it ended by itself first
        finally:
            self._interrupting.discard(run)


def find_unfit(prompt: Prompt) -> Refuse | None:
    """Why a prompt cannot be sent at all."""
    if len(prompt.text) > MAX_PROMPT:
        return Refuse(
            f"The prompt has {len(prompt.text)} characters; {MAX_PROMPT} is the most.",
            said=Said("prompt.long", {"most": MAX_PROMPT}),
        )
    if len(prompt.images) > MAX_IMAGES:
        return Refuse(f"The prompt has {len(prompt.images)} images; {MAX_IMAGES} is the most.")
    if not prompt.text.strip() and not prompt.images:
        return Refuse("The prompt is empty.", said=Said("prompt.empty"))
    if not all(map(is_text, (prompt.key, prompt.text, *prompt.images))):
        return Refuse("The prompt contains bytes that are not text. Write it again.")
    if prompt.sender is not None and prompt.purpose == "talk":
        return Refuse("An order is for a plan or a diff. Nothing was sent.")
    return None


def find_incapable(prompt: Prompt, can: AgentCapabilities, *, steers: bool) -> Refuse | None:
    """Why this agent cannot take it."""
    if steers and not can.steer:
        return Refuse(NO_STEER, said=Said("prompt.no_steer"))
    if prompt.images and not can.images:
        return Refuse(NO_IMAGES, said=Said("prompt.no_images"))
    if prompt.purpose != "talk" and not can.read_only:
        return Refuse(NO_READ_ONLY)
    return None


def _steers(lane: Lane, how: How) -> bool:
    """Into a run: where nothing is going on, it begins one."""
    return how == "steer" and not lane.idle
