"""Test runs: allowed by the settings, asked for with command and folder, run without a shell, recorded."""

import asyncio
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.commands.testing import guess_command, parse_command
from bascule.core.consent.record_words import NOBODY
from bascule.core.faults import UserError
from bascule.core.session.growing_text import shorten
from bascule.core.session.status import GOING_ON
from bascule.core.settings.reading import SettingsRefused
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.answer_wait import AnswerWait
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.record import Record, hash_command
from bascule.daemon.edits.command_output import Output
from bascule.daemon.sessions.hub import Hub
from bascule.host.files.confined_path import find_moved
from bascule.host.processes.command import Ran, run_watched
from bascule.host.processes.process_register import Register
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.store_faults import SessionUnreadable
from bascule.model.asks import Answer, Choice, CommandSubject, Refuse
from bascule.model.attachments import ErrorAttachment, LogsAttachment
from bascule.model.blocks import Block, CommandBlock, Progress
from bascule.model.changes import BlockPut, StatusSet, TextGrew
from bascule.model.consent.audit import Asker, Entry, Outcome
from bascule.model.ids import AskId, BlockId, SessionId
from bascule.model.protocol.edits import RanTest
from bascule.model.said import Said
from bascule.model.settings import Settings

TAIL = 20_000  # characters of the logs that go back

NOT_ALLOWED = (
    "bascule.allowRunTerminal is false here, so no command is run. Change it in settings.toml, "
    "and in .vscode/settings.json where this workspace sets it."
)
BARRED = Said("tests.not_allowed", {"setting": "bascule.allowRunTerminal"})
NOT_CONFIRMED = "Nothing was run: it was not confirmed."
UNANSWERED = "Nobody at the machine confirmed it in time. Nothing was run."
NO_COMMAND = "No test command found. Set `bascule.defaultTestCommand` or name one."
WITHDRAWN = "Nothing was run: it was cancelled before it was confirmed."
CUT_SHORT = "The tests did not run to their end"
NO_RESULT = "The result of the test could not be shown. `bascule logs` says why."
CLOSING = "Bascule was stopped, and the test with it."
LEFT = "Bascule was stopped while this test ran; the next start ended what was left of it."
LEAVING = "Nothing was run: the program that asked no longer waited for an answer."
YES = "accept"
BLOCK = "test"  # what the id of its block begins with

Status = Literal["ok", "error", "rejected", "cancelled"]
STATUS: dict[Outcome, Status] = {"failed": "error", "timed_out": "error", "cancelled": "cancelled"}
OUTCOMES: dict[str, Outcome] = {"itself": "done", "late": "timed_out", "stopped": "cancelled"}
PROGRESS: dict[Outcome, Progress] = {"rejected": "declined", "cancelled": "cancelled", "done": "completed"}


class PendingTest:
    """A test that is asked for or runs."""

    def __init__(self, command: str, workspace: str, asker: Asker) -> None:
        self.command = command
        self.workspace = workspace
        self.asker = asker
        self.answer: Answer | None = None
        self.stopping = asyncio.Event()  # once it is confirmed
        self.stop: Callable[[], object] = lambda: None

    @property
    def is_confirmed(self) -> bool:
        return self.answer is not None and self.answer.choice == YES


class ProjectTests:
    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        asks: Asks,
        record: Record,
        settings: Callable[[str], Settings],
        register: Register,
        tasks: Tasks,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._asks = asks
        self._record = record
        self._settings = settings
        self._register = register
        self._tasks = tasks
        self._new_id = new_id
        self._now_ms = now_ms
        self._going: dict[SessionId, PendingTest] = {}

    async def run(
        self, session: SessionId, command: str, asker: Asker, wait: AnswerWait | None = None
    ) -> "TestEnd":
        """Rejected, not allowed, cancelled, timed out, failed: each by name. Nothing runs without a yes."""
        workspace = self._roster.get(session).workspace
        words = await self._words(workspace, command)
        going = PendingTest(shlex.join(words) if isinstance(words, tuple) else command, workspace, asker)
        if isinstance(words, Refuse):
            return await self._ended(going, "not_allowed", words.why, is_shown=False)
        if session in self._going:
            other = self._going[session].command
            why = f"{other} is being tested in this session, or waits for a yes. Wait, or cancel it first."
            return await self._ended(going, "refused", why, is_shown=False)
        self._going[session] = going
        return await self._ask_and_run(session, words, going, wait or AnswerWait())

    async def _words(self, workspace: str, command: str) -> tuple[str, ...] | Refuse:
        if moved := await asyncio.to_thread(find_moved, workspace):
            return moved
        try:
            settings = self._settings(workspace)
        except SettingsRefused as refused:
            return Refuse(str(refused))
        asked = command or settings.default_test_command or await asyncio.to_thread(_guess, workspace)
        if not settings.allow_run_terminal:
            return Refuse(NOT_ALLOWED, said=BARRED)
        return (
            parse_command(asked, settings.test_commands)
            if asked
            else Refuse(NO_COMMAND, said=Said("tests.no_command", {"setting": "bascule.defaultTestCommand"}))
        )

    def begin(self, session: SessionId, command: str, asker: Asker) -> None:
        """As `run`, for a caller that does not wait: the result is in the log."""
        self._tasks.start(f"test of {session}", self._run_alone(session, command, asker))

    async def _run_alone(self, session: SessionId, command: str, asker: Asker) -> None:
        end = await self.run(session, command, asker)
        if not end.is_shown:
            workspace = self._roster.get(session).workspace
            block = self._block(PendingTest(end.ran.command, workspace, asker))
            self._put(session, block, "rejected", end.ran.summary)

    def find_refusal(self, session: SessionId) -> Refuse | None:
        """Why no test can be begun at all."""
        try:
            allowed = self._settings(self._roster.get(session).workspace).allow_run_terminal
        except SettingsRefused as refused:
            return Refuse(str(refused))
        return None if allowed else Refuse(NOT_ALLOWED, said=BARRED)

    def cancel(self, session: SessionId) -> Refuse | None:
        self._roster.get(session)
        going = self._going.get(session)
        if going is None:
            return Refuse("No test runs in this session.")
        going.stop()
        return None

    def recover(self, left: Iterable[tuple[SessionId, Block]]) -> None:
        """After a crash of ours: a test that ran then runs no more."""
        for session, block in left:
            if isinstance(block, CommandBlock) and block.status == "inProgress":
                try:
                    self._hub.load_now(session)
                except SessionUnreadable:
                    continue
                going = PendingTest(block.original, block.cwd, NOBODY)
                going.answer = Answer(ask=AskId(""), choice=YES, by=NOBODY)  # it ran, so there was a yes
                logs = LogsAttachment(title=block.summary, text=block.output[-TAIL:])
                error = ErrorAttachment(code="cancelled", message=LEFT, title=CUT_SHORT)
                ended = replace(block, status="cancelled", attachments=(logs, error))
                self._hub.apply(session, [BlockPut(ended)])
                self._record.later(self._entry(going, "cancelled", LEFT))

    async def _ask_and_run(
        self, session: SessionId, words: tuple[str, ...], going: PendingTest, wait: AnswerWait
    ) -> "TestEnd":
        """Who asked may leave once it is confirmed: the test goes on."""
        try:
            going.answer = await self._confirm(session, going, wait)
        except asyncio.CancelledError:
            self._record.later(self._entry(going, "withdrawn", LEAVING))
            raise
        finally:
            if not going.is_confirmed:
                del self._going[session]
        if going.answer is None and not wait.gave_up:
            return await self._ended(going, "expired", UNANSWERED, is_shown=False)
        if going.answer is None:
            return await self._ended(going, "cancelled", WITHDRAWN)
        if not going.is_confirmed:
            self._put(session, self._block(going), "rejected", NOT_CONFIRMED)
            return await self._ended(going, "rejected", NOT_CONFIRMED)
        going.stop = going.stopping.set
        ended: asyncio.Future[TestEnd] = asyncio.get_running_loop().create_future()
        self._tasks.start(f"test of {session}", self._carry_out(session, words, going, ended))
        return await asyncio.shield(ended)

    async def _confirm(self, session: SessionId, going: PendingTest, wait: AnswerWait) -> Answer | None:
        """None: it was cancelled first, or nobody answered in time."""
        yes = Choice(id=YES, label="Yes, run it", grants=True, said=Said("choice.test"))
        no = Choice(id="decline", label="No", grants=False)
        subject = CommandSubject(command=going.command, original=going.command, cwd=going.workspace)
        going.stop = wait.give_up
        return await wait.wait(
            lambda: self._asks.ask(
                session, "Run the tests?", subject, (yes, no), going.asker, said=Said("ask.tests")
            )
        )

    async def _carry_out(
        self,
        session: SessionId,
        words: tuple[str, ...],
        going: PendingTest,
        outcome: "asyncio.Future[TestEnd]",
    ) -> None:
        block = self._block(going)
        output = Output(lambda text: self._hub.apply(session, [TextGrew(block.id, "output", text)]))
        noted = False
        try:
            barred = await self._words(going.workspace, going.command)
            if isinstance(barred, Refuse):  # forbidden while the question was open
                self._put(session, block, "not_allowed", barred.why)
                noted = True
                return outcome.set_result(await self._ended(going, "not_allowed", barred.why))
            self._hub.apply(session, [BlockPut(block)])
            timeout_s = self._settings(going.workspace).test_timeout_seconds
            ran = await run_watched(
                words,
                cwd=Path(going.workspace),
                timeout_s=timeout_s,
                register=self._register,
                heard=output.hear,
                stop=going.stopping,
            )
            output.flush()
            result = self._judge(going, ran, timeout_s, output.tail)
            self._show(session, block, result)
            noted = True
            await self._record.write(self._entry(going, result.outcome, result.ran.summary))
            outcome.set_result(result)
        except asyncio.CancelledError:
            if not noted:
                self._put(session, block, "cancelled", CLOSING)
                self._record.later(self._entry(going, "cancelled", CLOSING))
            raise
        finally:
            del self._going[session]
            if not outcome.done():
                outcome.set_exception(UserError(NO_RESULT))
                outcome.exception()  # perhaps nobody waits any more

    def _judge(self, going: PendingTest, ran: Ran | Refuse, timeout_s: float, logs: str) -> "TestEnd":
        command = going.command
        if isinstance(ran, Refuse):
            return TestEnd("failed", RanTest(status="error", summary=ran.why, command=command))
        code = ran.result.exit_code if ran.ended == "itself" else None
        outcome = OUTCOMES[ran.ended]
        how = {
            "done": f"exit code {code}" if code is not None else f"ended by {ran.result.signal}",
            "timed_out": f"timed out after {timeout_s:g} s, and was ended with all that it had started",
            "cancelled": "cancelled, and ended with all that it had started",
        }[outcome]
        summary = f"{command}: {how}"
        return TestEnd(
            outcome,
            RanTest(
                status=STATUS.get(outcome, "ok" if code == 0 else "error"),
                summary=summary,
                command=command,
                exit_code=code,
                logs=logs[-TAIL:],
                duration_ms=ran.result.duration_ms,
            ),
        )

    # -- what is shown --

    def _block(self, going: PendingTest) -> CommandBlock:
        return CommandBlock(
            id=BlockId(self._new_id(BLOCK)),
            at_ms=self._now_ms(),
            command=going.command,
            original=going.command,
            summary=shorten(going.command, 120),
            cwd=going.workspace,
            does="test",
        )

    def _show(self, session: SessionId, block: CommandBlock, result: "TestEnd") -> None:
        """Its output stays as it has grown."""
        ran = result.ran
        title = f"{ran.summary} ({ran.duration_ms / 1000:.1f} s)"
        logs = LogsAttachment(title=title, text=ran.logs)
        bad = ErrorAttachment(code=result.outcome, message=ran.summary, title=CUT_SHORT)
        ended = replace(
            block,
            status=PROGRESS.get(result.outcome, "failed") if ran.status != "error" else "failed",
            exit_code=ran.exit_code,
            duration_ms=ran.duration_ms,
            attachments=(logs,) if result.outcome == "done" else (logs, bad),
        )
        self._hub.apply(session, [BlockPut(ended), *self._status_after(session, ran.status)])

    def _status_after(self, session: SessionId, status: Status) -> list[StatusSet]:
        """What a list shows of a session in which nothing else is going on."""
        is_busy = self._roster.get(session).status in GOING_ON
        if is_busy or status not in ("ok", "error"):
            return []
        return [StatusSet("completed" if status == "ok" else "stopped")]

    def _put(self, session: SessionId, block: CommandBlock, outcome: Outcome, why: str) -> None:
        error = ErrorAttachment(code=outcome, message=why, title="The tests were not run")
        self._hub.apply(
            session, [BlockPut(replace(block, status=PROGRESS.get(outcome, "failed"), attachments=(error,)))]
        )

    async def _ended(
        self, going: PendingTest, outcome: Outcome, why: str, *, is_shown: bool = True
    ) -> "TestEnd":
        await self._record.write(self._entry(going, outcome, why))
        ran = RanTest(status=STATUS.get(outcome, "rejected"), summary=why, command=going.command)
        return TestEnd(outcome, ran, is_shown)

    def _entry(self, going: PendingTest, outcome: Outcome, why: str) -> Entry:
        answer = going.answer
        return self._record.entry(
            "test",
            outcome,
            asker=going.asker,
            asked=going.command,
            workspace=going.workspace,
            answer="none" if answer is None else "yes" if going.is_confirmed else "no",
            answered_by=answer,
            bound_to=hash_command(going.command, going.workspace),
            ref=answer.ask if answer else "",
            why=why,
        )


class TestEnd(Struct, frozen=True):
    outcome: Outcome
    ran: RanTest
    is_shown: bool = True  # the log of the session tells it already


def _guess(workspace: str) -> str:
    try:
        return guess_command({path.name for path in Path(workspace).iterdir()})
    except OSError:
        return ""  # the folder is gone, or closed to us
