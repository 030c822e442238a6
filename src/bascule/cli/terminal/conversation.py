"""One session on this terminal: prompts go in, blocks and Asks come out."""

import asyncio
import sys
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from rich.text import Text

from bascule.cli import EXIT_FAILED, EXIT_USAGE, VERBS
from bascule.cli.plain_console import PlainConsole
from bascule.cli.terminal.ask_prompt import ask_person, decline
from bascule.cli.terminal.keyboard import Closed, is_terminal, read_answer, read_line
from bascule.cli.terminal.patch_answer import diff_of, find_patch, how_to_apply, is_failure, offer
from bascule.cli.terminal.printer import Printer
from bascule.cli.terminal.render import render
from bascule.cli.terminal.status_words import end_of
from bascule.cli.wording import as_started
from bascule.client.link import LinkRefused
from bascule.core.prompts.slash import Slash, parse_slash
from bascule.core.text.plain import escape_controls, plain_line
from bascule.model.asks import Answer, Ask, TrustSubject
from bascule.model.blocks import InfoBlock, SystemBlock
from bascule.model.changes import Change
from bascule.model.ids import RunId
from bascule.model.protocol.edits import RanTest, RunTestParams
from bascule.model.protocol.runs import RunInput, RunStartParams, RunStartResult, SessionListParams
from bascule.model.protocol.sessions import AnswerParams, SessionRef
from bascule.model.session import Session

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.client.mirror import Mirror

EXIT = {"completed": 0, "failed": 1, "interrupted": 130}
EXIT_TEST = {"ok": 0, "error": 1, "rejected": 1, "cancelled": 130}


class Conversation:
    def __init__(self, link: "Joined", mirror: "Mirror", *, json: bool, known: bool, demo: bool) -> None:
        self._link = link
        self._mirror = mirror
        self._json = json
        self._demo = demo
        self._known = known  # what the session holds already has been seen
        self._console = PlainConsole(stderr=json)
        self._printer = self._open_printer()
        self._noticed: dict[str, InfoBlock | SystemBlock] = {}
        self._tests = False  # a test is asked for or runs
        self._unasked = False  # a question was declined, with no terminal to ask on
        self._left_open: set[str] = set()
        self.was_stopped = False

    @property
    def _offers(self) -> bool:
        """A patch's diff, to be applied here."""
        return not self._json and is_terminal() and self._console.is_terminal

    def _open_printer(self) -> Printer:
        return Printer(self._console, diffs_follow=self._offers)

    @classmethod
    async def begin(
        cls, link: "Joined", session_id: str, *, json: bool = False, known: bool = False, demo: bool = False
    ) -> "Conversation":
        conversation = cls(link, await link.watch(session_id), json=json, known=known, demo=demo)
        conversation._show(await conversation._mirror.news())
        return conversation

    # -- speaking --

    async def say(self, text: str) -> int:
        """One prompt or command, until the agent is done with it and with what is queued behind it."""
        self.was_stopped = False
        await self._answer_all()  # a session that was joined may wait for an answer already
        typed = parse_slash(text)
        if isinstance(typed, Slash) and typed.name == "/test":
            return await self._test(typed.argument)
        before = {run.id for run in self._mirror.head().runs}
        try:
            went = await self._start(text)
        except LinkRefused as refused:
            self._tell(refused.message, "red")
            return EXIT_FAILED
        if went.session_id != self._mirror.session_id:
            await self._switch(went.session_id)
            before = {run.id for run in self._mirror.head().runs}
        await self._follow(RunId(went.run_id) if went.run_id else None)
        if went.unsent:
            await self._catch_up()
            return EXIT_FAILED
        code = self._outcome(before)
        return code or await self._end_patch(before)

    async def _start(self, text: str) -> RunStartResult:
        said = RunInput(type="text", text=text)
        params = RunStartParams(input=said, session_id=self._mirror.session_id, how="queue")
        went: RunStartResult = await self._link.call("run.start", params)
        return went

    async def _test(self, command: str) -> int:
        """Until it has ended, no matter who answers its question."""
        ended: list[RanTest] = []

        async def run() -> None:
            wanted = RunTestParams(session_id=self._mirror.session_id, command=command)
            try:
                ended.append(await self._link.call("test.run", wanted))
            except LinkRefused as refused:
                ended.append(RanTest(status="error", summary=refused.message))
            self._mirror.wake()

        self._tests, self._unasked = True, False
        self._link.tasks.start("test", run())
        while not ended:
            await self._hear()
            await self._answer_all()
        self._tests = False
        await self._catch_up()
        self._tell(ended[0].summary, "dim" if ended[0].status == "ok" else "red")
        if ended[0].status == "rejected" and self._unasked:
            return EXIT_USAGE
        return EXIT_TEST[ended[0].status]

    async def _end_patch(self, before: set[RunId]) -> int:
        """Its diff is offered at a terminal; elsewhere it is said how to apply it."""
        from bascule.host.terminal import person_here

        new = {run.id for run in self._mirror.head().runs} - before
        block = find_patch(self._mirror.session().blocks, new)
        diff = diff_of(block) if block else None
        if diff is None:
            return 1 if is_failure(block) else 0
        if not self._offers:
            self._tell(how_to_apply(self._mirror.head(), demo=self._demo), "dim")
            return 0
        with person_here(stdin_is_taken=False) as terminal:
            if terminal is None:
                self._tell(how_to_apply(self._mirror.head(), demo=self._demo), "dim")
                return 0
            written = await offer(self._link, terminal, diff, self._mirror.head().workspace)
        await self._catch_up()
        if written.status != "ok":
            self._tell(written.summary, "yellow")
        return 1 if written.status == "error" else 0

    async def talk(self) -> int:
        """Line by line until the terminal closes; `/help` says what else there is."""
        head = self._mirror.head()
        self._tell(f"{head.title} ({head.agent})   /help lists commands; an empty line leaves", "dim")
        code = 0
        await self._answer_all()
        while line := await self._read("› "):
            if line == "/rename":
                line = f"/rename {await self._read('Title: ')}"
            code = await self.say(line)
        return code

    async def _read(self, label: str) -> str:
        self._console.print(Text(label, style="bold blue"), end="")
        try:
            return (await read_line()).strip()
        except Closed:
            return ""

    def stop(self) -> bool:
        """False when there is nothing to stop, or it was asked to stop already."""
        if self.was_stopped or not (self._tests or not _rests(self._mirror.head())):
            return False
        self.was_stopped = True
        self._link.tasks.start("interrupt", self._interrupt())
        return True

    async def _interrupt(self) -> None:
        method = "test.cancel" if self._tests else "session.interrupt"
        with suppress(LinkRefused):  # it has ended by itself
            await self._link.call(method, SessionRef(session_id=self._mirror.session_id))

    # -- watching --

    async def _switch(self, session_id: str) -> None:
        await self._link.unwatch(self._mirror)
        self._mirror = await self._link.watch(session_id)
        self._printer, self._known = self._open_printer(), False
        self._show(await self._mirror.news())

    async def _follow(self, run: RunId | None) -> None:
        """Until the agent rests; a command that began no run has been carried out already."""
        self._mirror.wake()
        while True:
            await self._hear()
            await self._answer_all()
            head = self._mirror.head()
            if run is None or (_rests(head) and any(known.id == run for known in head.runs)):
                break
        if not self._json:
            self._printer.finish()
            self._show_notices()

    async def _hear(self) -> None:
        self._show(await self._mirror.news())

    async def _answer_all(self) -> None:
        for ask in self._mirror.head().asks:
            await self._answer(ask)

    async def _catch_up(self) -> None:
        """What was sent before a reply may come after it: the next reply comes after that."""
        await self._link.call("session.list", SessionListParams(limit=1))
        self._mirror.wake()
        await self._hear()
        if not self._json:
            self._printer.finish()

    def _show_notices(self) -> None:
        """What an agent says of itself, once each, when the run is over; not what is only for debugging."""
        for name, notice in self._link.notices.items():
            is_debug = isinstance(notice, SystemBlock) and notice.debug
            if self._noticed.get(name) != notice and not is_debug:
                self._noticed[name] = notice
                self._console.print(render(notice))

    def _outcome(self, before: set[RunId]) -> int:
        new = [run for run in self._mirror.head().runs if run.id not in before]
        if new and (said := end_of(new[-1])):
            self._tell(said, "yellow")
        return EXIT.get(new[-1].outcome, 1) if new else 0

    def _show(self, news: Session | list[Change]) -> None:
        if self._json:
            self._write(news)
        elif isinstance(news, list):
            self._printer.take(news)
        else:
            self._printer.start(news, known=self._known)
            self._known = False  # whatever else is new is to be seen, also after a gap

    def _write(self, news: Session | list[Change]) -> None:
        if isinstance(news, list):
            lines = [{"change": msgspec.to_builtins(change)} for change in news]
        else:
            lines = [{"session": msgspec.to_builtins(news)}]
        for line in lines:
            event = {"session_id": self._mirror.session_id, **line}
            sys.stdout.buffer.write(escape_controls(msgspec.json.encode(event)) + b"\n")
        sys.stdout.buffer.flush()

    # -- Asks --

    async def _answer(self, ask: Ask) -> None:
        self._printer.pause()
        if isinstance(ask.subject, TrustSubject) and not is_terminal():
            self._leave_open(ask)  # it holds up nothing, and a no would be remembered
            return
        if is_terminal():
            answer = await self._answer_by_person(ask)
        else:
            answer = decline(ask)
            self._unasked = True
            self._tell(f"Declined, because there is no terminal to ask on: {ask.title}", "yellow")
        if answer is None:
            self._tell(f"No longer asked: {ask.title}", "yellow")
            return
        try:
            await self._link.call("ask.answer", self._params(answer))
        except LinkRefused as refused:
            self._tell(refused.message, "yellow")

    def _leave_open(self, ask: Ask) -> None:
        if ask.id not in self._left_open:
            self._left_open.add(ask.id)
            self._tell(
                "Running without this folder's own configuration: `bascule trust add` shows it.", "dim"
            )

    def _params(self, answer: Answer) -> AnswerParams:
        return AnswerParams(
            session_id=self._mirror.session_id,
            ask_id=answer.ask,
            choice=answer.choice,
            answers=answer.answers,
            reason=answer.reason,
            shown=answer.shown,
        )

    async def _answer_by_person(self, ask: Ask) -> Answer | None:
        """None when it was answered elsewhere or withdrawn while the person was thinking."""
        from bascule.host.terminal import Terminal

        given: list[Answer] = []
        read = partial(read_answer, Terminal(sys.stdin, sys.stderr if self._json else sys.stdout))

        async def person() -> None:
            given.append(await ask_person(self._console, read, ask))
            self._mirror.wake()

        task = self._link.tasks.start(f"answer to {ask.id}", person())
        meanwhile: list[Session | list[Change]] = []
        while not given and any(ask.id == still.id for still in self._mirror.head().asks):
            meanwhile.append(await self._mirror.news())
        task.cancel()
        await asyncio.wait({task})  # it gives the terminal back
        for news in meanwhile:
            self._show(news)
        self._printer.pause()
        return given[0] if given else None

    def _tell(self, text: str, style: str) -> None:
        said = as_started(plain_line(text), tuple(VERBS), sys.argv)
        self._console.print(Text(said, style=style), soft_wrap=not self._console.is_terminal)


def _rests(head: Session) -> bool:
    """No run is going, and none will begin by itself."""
    running = head.status == "working" or any(run.outcome == "running" for run in head.runs)
    return not running and (not head.queue or head.queue_held)
