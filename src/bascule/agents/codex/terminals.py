"""Commands that outlive their turn: Codex keeps them as background terminals until they are terminated."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from bascule.agents.codex.wire.lists import TerminalsPage
from bascule.core.faults import AgentRefused
from bascule.model.ids import ThreadId

if TYPE_CHECKING:
    from bascule.agents.codex.driver import CodexDriver

MAX_TERMINALS = 200  # Codex keeps 64 of a thread


async def end_terminals(driver: "CodexDriver", thread: ThreadId, items: set[str]) -> None:
    """Of these items alone: what an earlier run left running on purpose goes on."""
    params = {"threadId": thread, "limit": MAX_TERMINALS}
    try:
        page = await driver.call("thread/backgroundTerminals/list", params, TerminalsPage)
    except AgentRefused:
        return  # a Codex that does not know of them has none
    for one in page.data:
        if one.item_id in items:
            with suppress(AgentRefused):  # it ended by itself
                ended = {"threadId": thread, "processId": one.process_id}
                await driver.call("thread/backgroundTerminals/terminate", ended, Any)
