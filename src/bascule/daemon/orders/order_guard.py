"""What an agent does in an Order's run: commands are asked or refused, and all that ran is recorded."""

import logging
from collections import Counter
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.consent.dialogs import find_no
from bascule.core.faults import UserError
from bascule.core.orders import for_sender, may_ask
from bascule.core.session.growing_text import shorten
from bascule.core.settings.reading import SettingsRefused
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.record import Record, hash_command
from bascule.model.asks import Answer, Ask, CommandSubject, Refuse
from bascule.model.blocks import Block, CommandBlock, McpBlock, WebSearchBlock
from bascule.model.changes import AskClosed, AskOpened, BlockPut, Change, TextGrew
from bascule.model.consent.audit import Entry, Outcome, Remote, Reply
from bascule.model.ids import AskId, BlockId, SessionId
from bascule.model.settings import OrderCommands, Settings

BY_ITSELF = "bascule"  # who answers where a run may not ask
MAX_KNOWN = 1_000  # commands and breaches that are remembered
MAX_SHOWN = 200  # characters of a command
UNASKED = (
    "The agent {did} without asking, so the order was stopped and its answer is not sent. What allows that "
    "is in the agent's own configuration at the machine."
)
RAN: dict[str, Outcome] = {"completed": "done", "failed": "failed", "cancelled": "cancelled"}

log = logging.getLogger("bascule.orders")


class GuardedChange(Struct, frozen=True):
    change: Change
    declined: Ask | None = None  # an Ask that gets its no at once


class OrderGuard:
    """The agent asks by its own rules; what they let through is seen here, and stopped."""

    def __init__(self, *, roster: Roster, record: Record, settings: Callable[[str], Settings]) -> None:
        self._roster = roster
        self._record = record
        self._settings = settings
        self._asked: dict[AskId, Ask] = {}
        self._granted: Counter[tuple[SessionId, str]] = Counter()  # commands with a yes that have not run yet
        self._begun: dict[tuple[SessionId, BlockId], CommandBlock] = {}
        self._noted: dict[tuple[SessionId, BlockId], Entry] = {}
        self._breaches: dict[SessionId, str] = {}
        self._allowed: set[SessionId] = set()  # whose run was allowed a command
        self.interrupt: Callable[[SessionId], None] = lambda _session: None

    def take_breach(self, session: SessionId) -> str:
        """Why the run that just ended was stopped from here; empty where it was not."""
        return self._breaches.pop(session, "")

    def take_allowed(self, session: SessionId) -> bool:
        """Whether the run that just ended was allowed a command, which may have written something."""
        was_allowed = session in self._allowed
        self._allowed.discard(session)
        return was_allowed

    def take(self, session: SessionId, sender: Remote, change: Change) -> GuardedChange:
        """In wire order, before it is applied."""
        match change:
            case AskOpened(ask=ask):
                return self._take_ask(session, sender, ask)
            case AskClosed():
                self._take_answer(session, change)
            case BlockPut(block=block):
                self._take_block(session, sender, block)
            case TextGrew(block=name, field="output"):
                if (begun := self._begun.get((session, name))) is not None:
                    self._check(session, sender, begun)
            case _:
                pass
        return GuardedChange(change)

    def _commands(self, session: SessionId) -> OrderCommands:
        """Settings that cannot be read allow nothing."""
        try:
            return self._settings(self._roster.get(session).workspace).orders.commands
        except SettingsRefused:
            return "deny"

    def _take_ask(self, session: SessionId, sender: Remote, ask: Ask) -> GuardedChange:
        commands = self._commands(session)
        guarded = for_sender(ask, sender, commands)
        self._asked[ask.id] = guarded
        forget_oldest(self._asked, MAX_KNOWN)
        return GuardedChange(AskOpened(guarded), None if may_ask(ask, commands) else guarded)

    def _take_answer(self, session: SessionId, closed: AskClosed) -> None:
        ask = self._asked.pop(closed.ask, None)
        if ask is None or closed.end != "answered" or not isinstance(ask.subject, CommandSubject):
            return
        if any(choice.grants and choice.id == closed.choice for choice in ask.choices):
            self._allowed.add(session)
            self._granted[session, hash_command(ask.subject.original, ask.subject.cwd)] += 1
            forget_oldest(self._granted, MAX_KNOWN)

    def _take_block(self, session: SessionId, sender: Remote, block: Block) -> None:
        match block:
            case CommandBlock(status="inProgress"):
                self._begun[session, block.id] = block
                forget_oldest(self._begun, MAX_KNOWN)
                if block.output:
                    self._check(session, sender, block)
            case CommandBlock(status="completed" | "failed" | "cancelled"):
                self._begun.pop((session, block.id), None)
                if block.exit_code is not None or block.output:
                    self._check(session, sender, block)
            case McpBlock(status="completed" | "failed" | "cancelled"):
                self._check_other(session, sender, block, f"called {block.tool} of {block.server}")
            case WebSearchBlock(status="completed" | "failed" | "cancelled"):
                self._check_other(session, sender, block, f"searched the web for {block.query}")
            case _:
                pass

    def _check(self, session: SessionId, sender: Remote, block: CommandBlock) -> None:
        """A command that ran or runs; its end has a line of its own where its start has one."""
        known = self._noted.get((session, block.id))
        outcome = RAN.get(block.status, "started")
        if known is not None:
            if known.outcome == "started" and outcome != "started":
                self._put(session, block.id, replace(known, outcome=outcome))
            return
        hashed = hash_command(block.original, block.cwd)
        granted = self._granted[session, hashed] > 0
        if granted:
            self._granted[session, hashed] -= 1
        self._put(
            session,
            block.id,
            self._entry(session, sender, block.original, outcome, block.id, granted, hashed),
        )
        if not granted and self._commands(session) != "read-only":
            self._stop(session, f"ran {shorten(block.command, MAX_SHOWN)}")

    def _check_other(
        self, session: SessionId, sender: Remote, block: McpBlock | WebSearchBlock, did: str
    ) -> None:
        """Also where it failed, or was stopped: by then it may have done something."""
        if (session, block.id) in self._noted:
            return
        entry = self._entry(session, sender, did, RAN[block.status], block.id, granted=False)
        self._put(session, block.id, entry)
        if self._commands(session) != "read-only":
            self._stop(session, shorten(did, MAX_SHOWN))

    def _put(self, session: SessionId, name: BlockId, entry: Entry) -> None:
        self._noted[session, name] = entry
        forget_oldest(self._noted, MAX_KNOWN)
        self._record.later(entry)

    def _entry(
        self,
        session: SessionId,
        sender: Remote,
        what: str,
        outcome: Outcome,
        name: BlockId,
        granted: bool,
        hashed: str = "",
    ) -> Entry:
        reply: Reply = "yes" if granted else "none"
        return self._record.entry(
            "command",
            outcome,
            asker=sender,
            asked=what,
            workspace=self._roster.get(session).workspace,
            answer=reply,
            bound_to=hashed,
            ref=name,
        )

    def _stop(self, session: SessionId, did: str) -> None:
        log.warning("an order in %s was stopped: the agent %s without asking", session, did)
        self._breaches.setdefault(session, UNASKED.format(did=did))
        forget_oldest(self._breaches, MAX_KNOWN)
        self.interrupt(session)


async def decline_ask(asks: Asks, session: SessionId, ask: Ask) -> None:
    """By itself, and recorded. Where that fails it stays open: no answer to it is a yes."""
    try:
        refused = await asks.answer(session, Answer(ask=ask.id, choice=find_no(ask), by=BY_ITSELF))
    except UserError as fault:
        refused = Refuse(str(fault))
    if refused is not None:
        log.warning("the Ask %s of an order was not declined: %s", ask.id, refused.why)
