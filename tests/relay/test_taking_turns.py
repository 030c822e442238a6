"""Nodes on one PostgreSQL take turns: what waits meanwhile is stored together, and news are few."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import psycopg
import pytest
from tests.patience import PATIENCE_S
from tests.relay.postgres import Postgres

from bascule.host.processes.tasks import Tasks
from bascule.relay.storage.audit_chain import AuditLine
from bascule.relay.storage.database import News, Write
from bascule.relay.storage.postgres_database import LOCK, MAX_NEWS, MAX_TOGETHER, _put_together, _say
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import Note


@pytest.fixture
async def tasks() -> AsyncIterator[Tasks]:
    async with Tasks() as running:
        yield running


async def test_steps_that_come_while_another_node_writes_are_one_transaction(
    postgres: Postgres, tasks: Tasks
) -> None:
    url = postgres.make_database()
    store = RelayStore(url)
    commits: list[int] = []

    def note(_lines: "Counter[tuple[str, str]]", steps: int, _seconds: float) -> None:
        commits.append(steps)

    store.watch(note)
    try:
        with psycopg.connect(url, autocommit=True) as other:
            other.execute(f"SELECT pg_advisory_lock({LOCK})".encode())
            first = tasks.start("step", store.run(Note(line=AuditLine(at_ms=1, step="a"))))
            waiting = b"SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            async with asyncio.timeout(PATIENCE_S):
                while not other.execute(waiting).fetchall():
                    await asyncio.sleep(0.01)
            more = [tasks.start("step", store.run(Note(line=AuditLine(at_ms=1, step="b")))) for _ in range(9)]
            await asyncio.sleep(0)
            other.execute(f"SELECT pg_advisory_unlock({LOCK})".encode())
            await asyncio.gather(first, *more)
        assert commits == [10]
        assert store.verify() == (store.verify()[0], None)
    finally:
        store.close()


def test_many_rows_are_few_statements() -> None:
    rows = [(number, str(number)) for number in range(2 * MAX_TOGETHER + 5)]
    sql = "INSERT INTO t VALUES (?, ?) ON CONFLICT DO NOTHING"
    made = list(_put_together(Write(sql, rows)))
    assert [text.count("(?, ?)") for text, _ in made] == [MAX_TOGETHER, MAX_TOGETHER, 4, 1]
    assert all(text.endswith(" ON CONFLICT DO NOTHING") for text, _ in made)
    assert [arg for _, args in made for arg in args] == [value for row in rows for value in row]
    assert list(_put_together(Write("UPDATE t SET a = ?", [(1,), (2,)]))) == [
        ("UPDATE t SET a = ?", (1,)),
        ("UPDATE t SET a = ?", (2,)),
    ]


def test_what_is_for_one_node_is_said_at_once_and_to_it_alone() -> None:
    news = [News("look", "m1", "n-1"), News("keys"), News("look", "m2", "n-1"), News("look", "m3", "n-2")]
    news += [News("look", "m4"), News("held", "m5 c")]
    assert sorted(_say(news)) == [
        ("bascule_relay", "held m5 c"),
        ("bascule_relay", "keys"),
        ("bascule_relay", "look m4"),
        ("bascule_relay_n-1", "look m1 m2"),
        ("bascule_relay_n-2", "look m3"),
    ]
    long = [News("look", f"{number:0200}", "n-1") for number in range(100)]
    said = [text for _, text in _say(long)]
    assert max(len(text) for text in said) <= MAX_NEWS
    assert sum(len(text.split()) - 1 for text in said) == 100
