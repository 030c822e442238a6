"""LISTEN: what another node says is heard at once; while nobody can be heard, rows are looked at instead."""

import asyncio
import logging
from typing import Protocol

import psycopg
from psycopg import sql

from bascule.relay.storage.postgres_database import CONNECT_S, channel_of

PAUSE_S = 0.5
QUIET_S = 10.0  # then the connection is tried, so that one that died without a word is noticed

log = logging.getLogger("bascule.relay")


class NewsListener(Protocol):
    async def hear(self, word: str) -> None: ...

    def missed(self) -> None:
        """There may have been news that were not heard."""


async def hear_news(url: str, node: str, listener: NewsListener) -> None:
    """What is for this node, and what is for all; until it is cancelled."""
    while True:
        try:
            await _listen_once(url, node, listener)
        except psycopg.Error as fault:
            log.warning("news of other nodes cannot be heard: %s", fault)
        await asyncio.sleep(PAUSE_S)


async def _listen_once(url: str, node: str, listener: NewsListener) -> None:
    async with await psycopg.AsyncConnection.connect(
        url, autocommit=True, connect_timeout=CONNECT_S
    ) as connection:
        for channel in (channel_of(""), channel_of(node)):
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
        listener.missed()
        while True:
            async for word in connection.notifies(timeout=QUIET_S):
                await listener.hear(word.payload)
            await connection.execute(b"SELECT 1")
