"""LISTEN: what another node says is heard at once; while nobody can be heard, rows are looked at instead."""

import asyncio
import logging
from typing import Protocol

import psycopg

from bascule.relay.storage.postgres_database import CHANNEL, CONNECT_S

PAUSE_S = 0.5
QUIET_S = 10.0  # then the connection is tried, so that one that died without a word is noticed

log = logging.getLogger("bascule.relay")


class NewsListener(Protocol):
    async def hear(self, word: str) -> None: ...

    def missed(self) -> None:
        """There may have been news that were not heard."""


async def hear_news(url: str, listener: NewsListener) -> None:
    """Until it is cancelled."""
    while True:
        try:
            await _listen_once(url, listener)
        except psycopg.Error as fault:
            log.warning("news of other nodes cannot be heard: %s", fault)
        await asyncio.sleep(PAUSE_S)


async def _listen_once(url: str, listener: NewsListener) -> None:
    async with await psycopg.AsyncConnection.connect(
        url, autocommit=True, connect_timeout=CONNECT_S
    ) as connection:
        await connection.execute(f"LISTEN {CHANNEL}".encode())
        listener.missed()
        while True:
            async for word in connection.notifies(timeout=QUIET_S):
                await listener.hear(word.payload)
            await connection.execute(b"SELECT 1")
