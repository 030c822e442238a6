"""Orders given as a bridge does, and what a test reads of them."""

import asyncio

import msgspec
from tests.e2e.live_app import LiveApp
from tests.e2e.peer import Peer
from tests.patience import PATIENCE_S

from bascule.host.clock import now_ms, utc_text
from bascule.host.machine import host_name
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.consent.audit import Entry
from bascule.model.consent.orders import Order, OrderKind, OrderOutcome
from bascule.model.ids import SessionId

PROMPT = "one more function"


SLOW = f"demo:slow {PROMPT}"


NOW = utc_text(now_ms())


def order(name: str, kind: OrderKind, prompt: str = "", *, ref: str = "", user: str = "ann") -> Order:
    return Order(
        command_id=name,
        machine_id=host_name(),
        user_id=user,
        kind=kind,
        prompt=prompt,
        ref_id=ref,
        created_at=NOW,
    )


async def give(live: LiveApp, wanted: Order) -> OrderOutcome:
    return await live.app.orders.take(wanted, str(live.project), "chat")


async def begin(peer: Peer, wanted: Order) -> str:
    """As a bridge does, which does not wait here."""
    return await peer.begin("order.take", {"order": msgspec.to_builtins(wanted)})


async def outcome(peer: Peer, call: str) -> tuple[str, str]:
    result = await peer.result(call)
    return result["status"], result["summary"]


def session_of(live: LiveApp, user: str = "ann") -> SessionId:
    (found,) = [head.id for head in live.app.hub.heads() if head.sender == user]
    return found


async def until_session(live: LiveApp, user: str = "ann") -> SessionId:
    news = asyncio.Event()
    watcher = live.app.hub.watch_list(news)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while all(head.sender != user for head in live.app.hub.heads()):
                await news.wait()
                news.clear()
    finally:
        watcher.close()
    return session_of(live, user)


async def entries(live: LiveApp) -> list[Entry]:
    await live.app.record.written()
    return [line.entry for line in Audit(audit_in(live.app.folder.root)).last(100)]
