"""Test runs: allowed by the settings, asked for with command and folder, run without a shell, on record."""

import asyncio
import shlex
from collections.abc import Callable
from pathlib import Path

from bascule.core.testing import guess_command, parse_command
from bascule.core.text import shorten
from bascule.daemon.desk import Desk
from bascule.daemon.hub import Hub
from bascule.daemon.record import Record
from bascule.daemon.roster import Roster
from bascule.host.command import run_command
from bascule.host.register import Register
from bascule.model.asks import Choice, CommandSubject, Refuse
from bascule.model.audit import Outcome, Reply
from bascule.model.blocks import CommandBlock
from bascule.model.changes import BlockPut
from bascule.model.ids import BlockId, SessionId
from bascule.model.protocol.edits import RanTest
from bascule.model.protocol.runs import ShellExecResult
from bascule.model.settings import Settings

TIMEOUT_S = 300.0
TAIL = 20_000  # characters of the logs that go back

NOT_ALLOWED = "bascule.allowRunTerminal is false here, so no command is run. Change it in settings.toml."
NOT_CONFIRMED = "Nothing was run: it was not confirmed."
NO_COMMAND = "How this project is tested is not known. Name a command, or set defaultTestCommand."


class ProjectTests:
    def __init__(
        self,
        *,
        hub: Hub,
        roster: Roster,
        desk: Desk,
        record: Record,
        settings: Callable[[str], Settings],
        register: Register,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._hub = hub
        self._roster = roster
        self._desk = desk
        self._record = record
        self._settings = settings
        self._register = register
        self._new_id = new_id
        self._now_ms = now_ms

    async def run(self, session: SessionId, command: str, surface: str) -> RanTest:
        """Rejected, not allowed, timed out and failed are told apart; nothing runs without a yes."""
        workspace = self._roster.get(session).workspace
        settings = self._settings(workspace)
        asked = command or settings.default_test_command or await asyncio.to_thread(_guess, workspace)
        if not settings.allow_run_terminal:
            return await self._refused(asked, workspace, surface, "not_allowed", NOT_ALLOWED)
        words = parse_command(asked, settings.test_commands) if asked else Refuse(NO_COMMAND)
        if isinstance(words, Refuse):
            return await self._refused(asked, workspace, surface, "not_allowed", words.why)
        if not await self._confirmed(session, shlex.join(words), workspace):
            return await self._refused(asked, workspace, surface, "rejected", NOT_CONFIRMED, "no")
        return await self._carry_out(session, words, workspace, surface)

    async def _confirmed(self, session: SessionId, command: str, workspace: str) -> bool:
        yes = Choice(id="accept", label="Yes, run it", grants=True)
        no = Choice(id="decline", label="No", grants=False)
        subject = CommandSubject(command=command, original=command, cwd=workspace)
        return (await self._desk.ask(session, "Run the tests?", subject, (yes, no))).choice == yes.id

    async def _carry_out(
        self, session: SessionId, words: tuple[str, ...], workspace: str, surface: str
    ) -> RanTest:
        command = shlex.join(words)
        block = CommandBlock(
            id=BlockId(self._new_id("test")),
            at_ms=self._now_ms(),
            command=command,
            original=command,
            summary=shorten(command, 120),
            cwd=workspace,
        )
        self._hub.apply(session, [BlockPut(block)])
        ran = await run_command(words, cwd=Path(workspace), timeout_s=TIMEOUT_S, register=self._register)
        if isinstance(ran, Refuse):
            self._hub.apply(session, [BlockPut(_ended(block, None, ran.why))])
            return await self._refused(command, workspace, surface, "failed", ran.why, "yes")
        logs = (ran.stdout + ran.stderr)[-TAIL:]
        self._hub.apply(session, [BlockPut(_ended(block, ran, logs))])
        outcome: Outcome = "timed_out" if ran.exit_code is None else "done"
        await self._note(outcome, command, workspace, surface, _how(ran), "yes")
        return RanTest(
            status="ok" if ran.exit_code == 0 else "error",
            summary=f"{command}: exit code {ran.exit_code}"
            if ran.exit_code is not None
            else f"{command}: timed out",
            command=command,
            exit_code=ran.exit_code,
            logs=logs,
            duration_ms=ran.duration_ms,
        )

    async def _refused(
        self, command: str, workspace: str, surface: str, outcome: Outcome, why: str, answer: Reply = "none"
    ) -> RanTest:
        await self._note(outcome, command, workspace, surface, why, answer)
        return RanTest(status="error" if outcome == "failed" else "rejected", summary=why, command=command)

    async def _note(
        self, outcome: Outcome, command: str, workspace: str, surface: str, why: str, answer: Reply
    ) -> None:
        await self._record.write(
            "test", outcome, surface=surface, asked=command, workspace=workspace, answer=answer, why=why
        )


def _how(ran: ShellExecResult) -> str:
    return "timed out" if ran.exit_code is None else f"exit code {ran.exit_code}"


def _ended(block: CommandBlock, ran: ShellExecResult | None, output: str) -> CommandBlock:
    good = ran is not None and ran.exit_code == 0
    return CommandBlock(
        id=block.id,
        at_ms=block.at_ms,
        command=block.command,
        original=block.original,
        summary=block.summary,
        cwd=block.cwd,
        output=output,
        status="completed" if good else "failed",
        exit_code=ran.exit_code if ran else None,
        duration_ms=ran.duration_ms if ran else None,
    )


def _guess(workspace: str) -> str:
    return guess_command({path.name for path in Path(workspace).iterdir()})
