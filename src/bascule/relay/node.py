"""This process among the nodes: it says that it is alive, and takes over from one that no longer does."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any

from bascule.host.processes.tasks import Tasks
from bascule.relay.storage.database import StoreAway
from bascule.relay.storage.node_steps import DEAD_MS, Beat, HandOver, Lead, Leave
from bascule.relay.storage.relay_store import RelayStore

BEAT_S = 2.0
HAND_OVER_BEATS = 5  # until this node would lead again what it has handed over

log = logging.getLogger("bascule.relay")


class Node:
    def __init__(self, store: RelayStore, name: str = "") -> None:
        self.name = name or f"n-{secrets.token_hex(6)}"
        self._store = store
        self._seen_s = time.monotonic()
        self.on_lost: list[Callable[[], None]] = []

    def is_alive(self) -> bool:
        """As the others see it. One that was stopped for long finds out before it does anything."""
        return (time.monotonic() - self._seen_s) * 1000 < DEAD_MS / 2

    async def join(self) -> None:
        began_s = time.monotonic()
        await self._store.run(Beat(node=self.name, is_first=True))
        self._seen_s = began_s

    async def beat(self) -> None:
        began_s = time.monotonic()
        try:
            is_known = await self._store.run(Beat(node=self.name))
        except StoreAway as fault:
            log.warning("the database is away: %s", fault)
            return
        if is_known:
            self._seen_s = began_s
            return
        log.warning("other nodes took this one for dead; its machines connect again")
        for hear in self.on_lost:
            hear()
        await self.join()

    async def lead(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Does that here while this node leads it, and again whenever it does; until it is cancelled.

        Work that ends by itself cannot be done here: another node has its turn, if there is one."""
        while True:
            if await self._leads(name) and await self._ends_by_itself(name, work):
                await self._hand_over(name)
            await asyncio.sleep(BEAT_S)

    async def _ends_by_itself(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> bool:
        async with Tasks() as tasks:
            doing = tasks.start(f"lead of {name}", work())
            while await self._leads(name):
                ended, _ = await asyncio.wait({doing}, timeout=BEAT_S)
                if ended:
                    return True
        return False

    async def _hand_over(self, name: str) -> None:
        try:
            if not await self._store.run(HandOver(name=name, node=self.name)):
                return
        except StoreAway as fault:
            log.warning("the lead of %s was not handed over: %s", name, fault)
            return
        log.warning("%s cannot be done here, so another node leads it", name)
        await asyncio.sleep(HAND_OVER_BEATS * BEAT_S)

    async def _leads(self, name: str) -> bool:
        try:
            return self.is_alive() and await self._store.run(Lead(name=name, node=self.name))
        except StoreAway:
            return self.is_alive()

    async def leave(self) -> None:
        try:
            await self._store.run(Leave(node=self.name))
        except StoreAway as fault:
            log.warning("others were not notified that this node stops: %s", fault)
