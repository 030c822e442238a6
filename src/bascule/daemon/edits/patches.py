"""Patch answers: a diff that applies is kept for a look and a yes; any other is asked for once more."""

import logging
from collections.abc import Callable

from bascule.core.faults import UserError
from bascule.core.prompts.prompt_lane import Step
from bascule.core.prompts.purposes import AGAIN_BLOCK, ANSWER_BLOCK, ask_again, ordered_purpose, purpose_of
from bascule.core.session.growing_text import shorten
from bascule.daemon.agents.roster import Roster
from bascule.daemon.edits.edits import Edits
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.prompts import Prompts
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Refuse
from bascule.model.attachments import DiffAttachment, DiffFileSummary, ErrorAttachment
from bascule.model.blocks import AssistantBlock, Block, ErrorBlock, RemoteBlock, SystemBlock, UserBlock
from bascule.model.changes import BlockPut
from bascule.model.ids import BlockId, PromptKey, RunId, SessionId
from bascule.model.protocol.edits import Prepared
from bascule.model.session import Prompt

MAX_SHOWN_DIFF = 1_000_000  # characters in the log; the diff itself is kept whole
MAX_WHY = 1_000
NO_ANSWER = "it holds no text."
FITS = "It fits the files as they are. Nothing is written until you apply it."
USELESS = "No diff that can be applied"

log = logging.getLogger("bascule.patches")


class Patches:
    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        edits: Edits,
        prompts: Prompts,
        tasks: Tasks,
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._edits = edits
        self._prompts = prompts
        self._tasks = tasks
        self._now_ms = now_ms

    def wants(self, session: SessionId, run: RunId) -> bool:
        """Whether a diff was asked for in that run."""
        first = next(iter(self._of_run(session, run)), None)
        if isinstance(first, SystemBlock):
            return first.id.startswith(AGAIN_BLOCK)
        if isinstance(first, RemoteBlock):
            return ordered_purpose(first.text) == "patch"
        return isinstance(first, UserBlock) and purpose_of(first.text) == "patch"

    def judge(self, session: SessionId, run: RunId, settle: Callable[[], None]) -> None:
        """The session's lane waits for it; `settle` ends the run for whoever watches."""
        self._tasks.start(f"patch of {run}", self._judge(session, run, settle))

    async def _judge(self, session: SessionId, run: RunId, settle: Callable[[], None]) -> None:
        asked = self._find_first_run(session, run)
        again: list[Step] = []
        try:
            found = await self._prepare(session, run)
            if isinstance(found, Refuse) and asked == run:
                again = self._ask_again(session, run, found.why)
            if not again:
                self._hub.apply(session, [BlockPut(self._told(asked, run, found))])
        finally:
            settle()
            self._prompts.go(session, again or self._roster.lane(session).go_on())

    async def _prepare(self, session: SessionId, run: RunId) -> Prepared | Refuse:
        text = find_answer(self._of_run(session, run))
        if not text.strip():
            return Refuse(NO_ANSWER)
        try:
            return await self._edits.prepare(session, text)
        except UserError as fault:
            return Refuse(str(fault))

    def _ask_again(self, session: SessionId, run: RunId, why: str) -> list[Step]:
        prompt = Prompt(
            key=PromptKey(f"{AGAIN_BLOCK}{run}"), text=ask_again(shorten(why, MAX_WHY)), by="bascule"
        )
        steps = self._roster.lane(session).ask_again(prompt)
        log.info("the diff of %s is of no use (%s); asked again: %s", run, why, bool(steps))
        return steps

    def _told(self, asked: RunId, run: RunId, found: Prepared | Refuse) -> Block:
        if isinstance(found, Refuse):
            return self._failed(asked, run, found.why)
        additions = sum(file.additions for file in found.files)
        deletions = sum(file.deletions for file in found.files)
        files = "1 file" if len(found.files) == 1 else f"{len(found.files)} files"
        short = found.preview[:MAX_SHOWN_DIFF]
        cut = "" if short == found.preview else f" Only its first {MAX_SHOWN_DIFF} characters are shown here."
        title = f"{files}, +{additions} -{deletions}"
        return AssistantBlock(
            id=BlockId(f"{ANSWER_BLOCK}{asked}"),
            run=run,
            at_ms=self._now_ms(),
            text=f"A diff of {title}. {FITS}{cut}",
            status="completed",
            attachments=(
                DiffAttachment(
                    title=title,
                    diff_id=found.diff_id,
                    unified_diff=short,
                    files=tuple(
                        DiffFileSummary(path=file.path, additions=file.additions, deletions=file.deletions)
                        for file in found.files
                    ),
                ),
            ),
        )

    def _failed(self, asked: RunId, run: RunId, why: str) -> ErrorBlock:
        again = " It was asked for a second time." if asked != run else ""
        text = f"The answer cannot be used as a diff: {shorten(why, MAX_WHY)}{again} Nothing was written."
        error = ErrorAttachment(code="patch_unusable", message=why, title=USELESS)
        return ErrorBlock(
            id=BlockId(f"{ANSWER_BLOCK}{asked}"),
            run=run,
            at_ms=self._now_ms(),
            title=USELESS,
            text=text,
            attachments=(error,),
        )

    def _find_first_run(self, session: SessionId, run: RunId) -> RunId:
        """The run in which a person asked; this one, or the one before it."""
        first = next(iter(self._of_run(session, run)), None)
        if isinstance(first, SystemBlock) and first.id.startswith(AGAIN_BLOCK):
            return RunId(first.id.removeprefix(AGAIN_BLOCK))
        return run

    def _of_run(self, session: SessionId, run: RunId) -> list[Block]:
        return [block for block in self._hub.session(session).blocks if block.run == run]


def find_answer(blocks: list[Block]) -> str:
    """What the agent says in the end; what it says on the way is not looked at."""
    told = [block for block in blocks if isinstance(block, AssistantBlock) and block.text.strip()]
    final = [block for block in told if block.final]
    return (final or told)[-1].text if told else ""
