"""A call that opens an Ask, answered at this terminal: its subject is shown, and y or n is typed."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from bascule.cli import WrongUse
from bascule.cli.terminal.keyboard import beside
from bascule.cli.terminal.yes_no import ask_yes_no
from bascule.cli.wording import fit
from bascule.client.link import LinkRefused
from bascule.core.consent.ask_subjects import show, title_with_plan
from bascule.core.consent.dialogs import find_no, find_yes
from bascule.core.events.surface_text import visible_line
from bascule.core.faults import UserError
from bascule.core.wire import rpc
from bascule.model.asks import Ask
from bascule.model.ids import AskId
from bascule.model.protocol.sessions import AnswerParams, WatchParams
from bascule.model.protocol.setup import AskList, InspectParams, WaitingAsk

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.host.terminal import Terminal

NO_TERMINAL = (
    "This needs your approval, and there is no terminal to ask on. Nothing was changed. "
    "Run it in a terminal, where you can read the question and answer."
)
ELSEWHERE = "Answered on another surface."
TOO_LONG = "It is too long to show here. Answer on the page, or press Ctrl+C to withdraw it."
TOO_LATE_TO_STOP = "Too late to stop: you said yes. Waiting for the result."


class NoTerminal(WrongUse):
    """Nobody can be asked here."""


class ShownQuestion(Struct, frozen=True):
    text: str  # without how it is answered
    whole: bool = True  # else only a surface that shows all of it can say yes


class TerminalDialog(Struct, frozen=True, kw_only=True):
    """How an Ask is put to the person here."""

    show: "Callable[[Terminal, Ask], None]"  # before the question, as long as it may be
    question: Callable[[Ask], ShownQuestion]


async def call_and_answer(
    link: "Joined",
    terminal: "Terminal | None",
    method: str,
    params: object,
    dialog: "TerminalDialog | None" = None,
) -> Any:
    """The result, or `LinkRefused`; the Ask that the call opens, and no other, is put to the person here.

    After their yes this waits to the end, also when it is asked to stop."""
    await link.call("session.watch", WatchParams())
    known = {one.ask.id for one in await _list(link)}
    asked = _Asked(link, terminal, dialog or YES_OR_NO)
    link.on_cards = asked.news.set
    link.tasks.start(method, asked.call(method, params))
    try:
        await asked.run(known)
    except asyncio.CancelledError:
        if not asked.said_yes:
            raise
        _stay()
        assert terminal is not None
        terminal.screen.write(f"{TOO_LATE_TO_STOP}\n")
        terminal.screen.flush()
        await asked.run(known)
    finally:
        link.on_cards = lambda: None
    ended = asked.ended[0]
    if is_lost(ended):
        raise ended
    return ended


def _stay() -> None:
    """What cancelled us was heard, and is not followed."""
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        task.uncancel()


async def _list(link: "Joined") -> tuple[WaitingAsk, ...]:
    listed: AskList = await link.call("ask.list", InspectParams())
    return listed.asks


class _Asked:
    """The call, and the question that waits at this terminal: whichever ends first."""

    def __init__(self, link: "Joined", terminal: "Terminal | None", dialog: TerminalDialog) -> None:
        self._link = link
        self._terminal = terminal
        self._dialog = dialog
        self.news = asyncio.Event()  # the call has ended, a line was typed, or an Ask came or went
        self.ended: list[Any] = []
        self.said_yes = False

    async def call(self, method: str, params: object) -> None:
        try:
            self.ended.append(await self._link.call(method, params))
        except UserError as fault:
            self.ended.append(fault)
        self.news.set()

    async def run(self, known: set[AskId]) -> None:
        """Until the call has ended."""
        while not self.ended:
            await self.news.wait()
            self.news.clear()
            if self.ended or self.said_yes:
                continue
            for one in await _list(self._link):
                if one.yours and one.ask.id not in known:
                    known.add(one.ask.id)
                    await self._answer(one)

    async def _answer(self, one: WaitingAsk) -> None:
        if self._terminal is None:
            raise NoTerminal(NO_TERMINAL)
        terminal, ask = self._terminal, one.ask
        await beside(lambda: self._dialog.show(terminal, ask))
        question = self._dialog.question(ask)
        shown = fit(question.text, terminal.screen)
        if not question.whole:
            terminal.screen.write(f"{shown}{TOO_LONG}\n")
            terminal.screen.flush()
            return
        is_yes = await self._read(terminal, one, shown)
        if is_yes is not None:
            await self._send(terminal, one, is_yes)
        elif not self.ended or not is_lost(self.ended[0]):
            terminal.screen.write(f"{ELSEWHERE}\n")

    async def _read(self, terminal: "Terminal", one: WaitingAsk, question: str) -> bool | None:
        """None: the Ask is no longer open, or the call has ended."""
        typed: list[bool] = []

        async def read() -> None:
            typed.append(await ask_yes_no(terminal, question))
            self.news.set()

        reading = self._link.tasks.start("read the answer", read())
        try:
            while not typed and not self.ended and await self._is_open(one):
                await self.news.wait()
                self.news.clear()
        finally:
            reading.cancel()
            await asyncio.wait({reading})  # it gives the terminal back, and leaves nothing to the shell
            if not typed:
                terminal.screen.write("\n")
                terminal.screen.flush()
        return typed[0] if typed else None

    async def _is_open(self, one: WaitingAsk) -> bool:
        return any(one.ask.id == other.ask.id for other in await _list(self._link))

    async def _send(self, terminal: "Terminal", one: WaitingAsk, is_yes: bool) -> None:
        yes = find_yes(one.ask)
        self.said_yes = yes is not None and is_yes
        choice = yes.id if yes is not None and self.said_yes else find_no(one.ask)
        answer = AnswerParams(session_id=one.session_id, ask_id=one.ask.id, choice=choice)
        try:
            await self._link.call("ask.answer", answer)
        except LinkRefused as refused:
            self.said_yes = False
            if refused.code != rpc.TOO_LATE:
                raise UserError(f"The answer was not taken: {refused.message}") from None
            terminal.screen.write(f"{ELSEWHERE}\n")


def is_lost(ended: object) -> bool:
    """Not an answer of the daemon, whatever it says."""
    return isinstance(ended, UserError) and not isinstance(ended, LinkRefused)


def _show_nothing(_terminal: "Terminal", _ask: Ask) -> None:
    """The question says all of it."""


def _question(ask: Ask) -> ShownQuestion:
    shown = show(ask.subject, preview_shown=False)
    text = "\n".join([visible_line(title_with_plan(ask)), *(f"  {line}" for line in shown.lines), ""])
    return ShownQuestion(text, shown.whole)


YES_OR_NO = TerminalDialog(show=_show_nothing, question=_question)
