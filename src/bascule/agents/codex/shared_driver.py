"""A connection to the Codex daemon that a person's terminals share: only what was opened here is ours."""

from typing import Any

from msgspec import Raw

from bascule.agents.codex.driver import CodexDriver
from bascule.agents.codex.events.asks import ASKS
from bascule.agents.codex.events.notices import status_changed, their_rights
from bascule.agents.codex.events.translator import AgentRequest
from bascule.agents.codex.events.turns import turn_started, withdraw_asks
from bascule.agents.codex.wire.params import StatusParams, TurnParams
from bascule.agents.codex.wire.threads import ThreadAnswer
from bascule.agents.driver import Confinement, OnOpened, OpenedThread, Policy
from bascule.core.faults import AgentFault
from bascule.model.agents import AgentCapabilities
from bascule.model.changes import SilenceSet
from bascule.model.ids import ThreadId

# The model, the sandbox and the tools of a conversation are chosen in its terminal.
SHARED = AgentCapabilities(models=False, read_only=False, mcp=False, skills=False, sign_out=False)
NO_START = "A session that a terminal shares can't be cleared or begun here. Create a new session instead."


class SharedCodexDriver(CodexDriver):
    """Joining resumes a conversation with nothing of ours in it, and leaving answers nothing."""

    _ends_with_connection = False  # its terminals may answer, and it goes on

    @property
    def capabilities(self) -> AgentCapabilities:
        return SHARED

    def _flush(self) -> None:
        """What its other conversations do, and its person's account, is not ours to show."""
        entries, agent = self._sink.take()
        entries = [one for one in entries if self._sink.view(one[0]).loaded]
        agent = [one for one in agent if isinstance(one, SilenceSet)]
        if entries or agent:
            self._deliver(entries, agent)

    def _take_request(self, received: AgentRequest) -> None:
        """The rest is left to those who share the daemon: not even a no is said to it."""
        if received.method in ASKS and not isinstance(received.params, Raw):
            thread = getattr(received.params, "thread_id", "")
            if thread and self._sink.view(thread).loaded:
                super()._take_request(received)

    async def start(
        self,
        cwd: str,  # noqa: ARG002
        confinement: Confinement,  # noqa: ARG002
        model: str,  # noqa: ARG002
        on_opened: OnOpened,  # noqa: ARG002
    ) -> OpenedThread:
        raise AgentFault(NO_START)

    async def leave(self, thread: ThreadId) -> None:
        view = self._sink.view(thread)
        withdraw_asks(self._sink, view, "the session was left")
        self._flush()
        view.loaded = False
        await self.call("thread/unsubscribe", {"threadId": thread}, Any)

    async def _confine(self, confinement: Confinement) -> dict[str, object]:  # noqa: ARG002
        return {}

    def _choices(self, policy: Policy, model: str, effort: str) -> dict[str, object]:  # noqa: ARG002
        return {}

    def _look_at_opened(self, answer: ThreadAnswer) -> None:
        """Its terminal's choices, and the turn that was begun before anybody here heard of it."""
        self._sink.put(answer.thread.id, their_rights(answer.sandbox, answer.approval_policy))
        page = answer.initial_turns_page
        going = next((one for one in page.data if one.status == "inProgress"), None) if page else None
        if going is not None:
            turn_started(self._sink, TurnParams(thread_id=answer.thread.id, turn=going))
        if answer.thread.status is not None:
            now = StatusParams(thread_id=answer.thread.id, status=answer.thread.status)
            status_changed(self._sink, now)
