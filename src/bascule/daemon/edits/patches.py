"""Patch answers: a diff that applies is kept for a look and a yes; any other is asked for once more."""

import logging
from collections.abc import Callable

from bascule.core.faults import UserError
from bascule.core.prompts.prompt_lane import Step
from bascule.core.prompts.prompt_outcome import OfferedDiff
from bascule.core.prompts.purposes import ask_again
from bascule.core.session.growing_text import shorten
from bascule.core.text.counts import counted
from bascule.daemon.agents.roster import Roster
from bascule.daemon.edits.edits import Edits
from bascule.daemon.edits.offered_diffs import MAX_SHOWN_DIFF
from bascule.daemon.prompts.prompts import Prompts
from bascule.daemon.sessions.hub import Hub
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Refuse
from bascule.model.attachments import DiffAttachment, DiffFileSummary, ErrorAttachment
from bascule.model.blocks import AssistantBlock, Block, ErrorBlock
from bascule.model.changes import BlockPut
from bascule.model.ids import BlockId, PromptKey, RunId, SessionId
from bascule.model.protocol.edits import Prepared
from bascule.model.said import PATCH_UNUSABLE, Said
from bascule.model.session import Prompt

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

    def judge(self, session: SessionId, run: RunId, prompt: Prompt, settle: Callable[[], None]) -> None:
        """The answer to that prompt. The session's lane waits for it; `settle` ends the run for those who
        watch."""
        self._tasks.start(f"patch of {run}", self._judge(session, run, prompt, settle))

    async def _judge(
        self, session: SessionId, run: RunId, prompt: Prompt, settle: Callable[[], None]
    ) -> None:
        asked = prompt.asked_in or run
        again: list[Step] = []
        diff: OfferedDiff | Refuse | None = None
        try:
            text = find_answer(self._of_run(session, run))
            found = await self._prepare(session, text)
            if isinstance(found, Refuse) and asked == run:
                is_remote = bool(self._roster.get(session).sender)  # its agent's words are sent away
                again = self._ask_again(session, run, (is_remote and found.remote) or found.why)
            if not again:
                block, diff = self._tell(asked, run, text, found)
                self._hub.apply(session, [BlockPut(block)])
        finally:
            settle()
            self._prompts.move(session, lambda lane: again or lane.accept_end(run, diff))

    async def _prepare(self, session: SessionId, text: str) -> Prepared | Refuse:
        if not text.strip():
            return Refuse(NO_ANSWER)
        try:
            return await self._edits.prepare(session, text)
        except UserError as fault:
            return Refuse(str(fault))

    def _ask_again(self, session: SessionId, run: RunId, why: str) -> list[Step]:
        prompt = Prompt(
            key=PromptKey(f"again:{run}"),
            text=ask_again(shorten(why, MAX_WHY)),
            purpose="patch",
            by="bascule",
            asked_in=run,
        )
        steps = self._roster.change(session, lambda lane: lane.ask_again(prompt))
        log.info("the diff of %s is of no use (%s); asked again: %s", run, why, bool(steps))
        return steps

    def _tell(
        self, asked: RunId, run: RunId, text: str, found: Prepared | Refuse
    ) -> tuple[Block, OfferedDiff | Refuse]:
        """For the log, and for the one who awaits it."""
        if isinstance(found, Refuse):
            remote = self._failed(asked, run, found.remote).text if found.remote else ""
            failed = self._failed(asked, run, found.why)
            return failed, Refuse(failed.text, remote=remote)
        additions = sum(file.additions for file in found.files)
        deletions = sum(file.deletions for file in found.files)
        files = counted(len(found.files), "file")
        short = found.preview[:MAX_SHOWN_DIFF]
        cut = "" if short == found.preview else f" Only its first {MAX_SHOWN_DIFF} characters are shown here."
        title = f"{files}, +{additions} -{deletions}"
        block = AssistantBlock(
            id=BlockId(f"patch:{asked}"),
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
        offered = OfferedDiff(diff_id=found.diff_id, title=title, answer=text, plan=found.hash)
        return block, offered

    def _failed(self, asked: RunId, run: RunId, why: str) -> ErrorBlock:
        again = " It was asked for a second time." if asked != run else ""
        text = f"The answer cannot be used as a diff: {shorten(why, MAX_WHY)}{again} Nothing was written."
        error = ErrorAttachment(code="patch_unusable", message=why, title=USELESS)
        return ErrorBlock(
            id=BlockId(f"patch:{asked}"),
            run=run,
            at_ms=self._now_ms(),
            title=USELESS,
            text=text,
            said=Said(PATCH_UNUSABLE, {"why": shorten(why, MAX_WHY)}),
            attachments=(error,),
        )

    def _of_run(self, session: SessionId, run: RunId) -> list[Block]:
        return [block for block in self._hub.session(session).blocks if block.run == run]


def find_answer(blocks: list[Block]) -> str:
    """What the agent says in the end; what it says on the way is not looked at."""
    answers = [block for block in blocks if isinstance(block, AssistantBlock) and block.text.strip()]
    final = [block for block in answers if block.final]
    return (final or answers)[-1].text if answers else ""
