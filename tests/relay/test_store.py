"""The store on both databases: steps together, steps twice, and nodes that are lost."""

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.patience import PATIENCE_S
from tests.relay.postgres import Postgres

from bascule.core.faults import UserError
from bascule.host.processes.tasks import Tasks
from bascule.model.consent.orders import Order, OrderOutcome
from bascule.relay import node as node_module
from bascule.relay.node import Node
from bascule.relay.storage.batch import Needs
from bascule.relay.storage.database import Database, StoreAway
from bascule.relay.storage.machine_steps import AddCode, Enroll, Revoke
from bascule.relay.storage.migrate import list_migrations
from bascule.relay.storage.node_steps import DEAD_MS, Beat, Claim, Connect, ForgetMessages, Lead
from bascule.relay.storage.records import NewCommand
from bascule.relay.storage.relay_store import RelayStore, open_database
from bascule.relay.storage.steps import (
    Admit,
    Admitted,
    Cancel,
    Finish,
    Remember,
    Report,
    SenderLimit,
    Take,
)


@pytest.fixture
def where(tmp_path: Path, database: str) -> str:
    return database or str(tmp_path / "relay.db")


@pytest.fixture
def store(where: str) -> Iterator[RelayStore]:
    store = RelayStore(where)
    yield store
    store.close()


def admit(
    name: str, *, message: str = "", fingerprint: str = "", now_ms: int = 1_000, most: int = 9
) -> Admit:
    order = Order(command_id=name, machine_id="m", user_id="ann", kind="plan", created_at="x", prompt=name)
    return Admit(
        messages=(("chat", message or name),),
        new=NewCommand(order=order, platform="chat", language="en", fingerprint=fingerprint),
        now_ms=1_000,
        repeat_ms=500,
        most_waiting=most,
        node="n1",
    )


def finish(name: str, *, machine: str = "m", node: str = "n1", summary: str = "done") -> Finish:
    outcome = OrderOutcome(command_id=name, machine_id=machine, status="ok", summary=summary, created_at="x")
    return Finish(outcome=outcome, machine=machine, now_ms=2_000, node=node)


async def test_steps_that_wait_together_see_each_other(store: RelayStore) -> None:
    """In one transaction, as if each had had its own."""
    steps = [
        admit("c1", fingerprint="f"),
        admit("c1", message="other"),  # the connection broke after it was stored: it finds itself
        admit("c2", message="c1"),
        admit("c3", fingerprint="f"),
        admit("c4", most=1),
        admit("c5"),
    ]
    ends = await asyncio.gather(*(store.run(step) for step in steps))
    assert [end.refusal for end in ends] == [None, None, "seen", "repeated", "full", None]
    assert [end.command.seq for end in ends if end.command] == [1, 1, 2]
    _, done, again, *_ = await asyncio.gather(
        store.run(Take(command_id="c1", machine="m", now_ms=1)),
        store.run(finish("c1")),
        store.run(finish("c1", summary="another")),
        store.run(finish("c5", machine="thief")),
        store.run(Report(command_id="c1", now_ms=3)),
        store.run(Report(command_id="c1", now_ms=4)),
        store.run(Cancel(command_id="c1", actor="x", now_ms=5)),
    )
    assert done is not None
    assert again is None
    stored = await store.find_command("c1")
    assert stored is not None
    assert stored.outcome is not None
    assert (stored.state, stored.outcome.summary, stored.reported) == ("done", "done", 1)
    lines = [line.step for line in reversed(await store.read_audit(50, command_id="c1"))]
    assert lines == ["created", "taken", "outcome", "reported"]
    assert [one.id for one in await store.list_open(["m"])] == ["c5"]
    head, broken = await asyncio.to_thread(store.verify)
    assert (head.seq, broken) == (8, None)  # also of the message that came twice


async def test_what_one_step_raises_is_its_own(store: RelayStore) -> None:
    class Broken:
        def needs(self) -> Needs:
            return Needs()

        def run(self, _batch: object) -> None:
            raise UserError("not this one")

    ends = await asyncio.gather(
        store.run(admit("c1")), store.run(Broken()), store.run(admit("c2")), return_exceptions=True
    )
    assert [type(end).__name__ for end in ends] == ["Admitted", "UserError", "Admitted"]
    assert [one.id for one in await store.list_open(["m"])] == ["c1", "c2"]


async def test_a_lost_node_has_one_heir(postgres: Postgres) -> None:
    """Its outcomes are reported by another, its sockets are forgotten, and it finds out."""
    where = postgres.make_database()
    store = RelayStore(where)
    old, new = Node(store, "old"), Node(store, "new")
    lost: list[str] = []
    old.on_lost.append(lambda: lost.append("old"))
    await old.join()
    await store.run(Connect(machine="m", node="old", connection="k", now_ms=1))
    assert await store.run(Lead(name="bot", node="old"))
    await store.run(admit("c1"))
    await store.run(finish("c1", node="old"))
    db = open_database(where)
    db.execute("UPDATE nodes SET seen_ms = seen_ms - ?", (DEAD_MS + 1,))
    db.close()
    await new.join()
    assert [one.id for one in await store.list_unreported("new")] == ["c1"]
    assert not await store.is_connected("m")
    assert await store.run(Lead(name="bot", node="new"))
    await old.beat()
    assert lost == ["old"]
    assert not await store.run(Lead(name="bot", node="old"))
    await new.leave()
    assert await store.run(Beat(node="old"))
    assert [one.id for one in await store.list_unreported("old")] == ["c1"]
    store.close()


async def test_a_node_that_cannot_do_what_it_leads_hands_it_to_another(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as one that does not reach WeCom. The only node tries on."""
    monkeypatch.setattr(node_module, "BEAT_S", 0.02)
    store = RelayStore(postgres.make_database())
    cut_off, other = Node(store, "cut off"), Node(store, "other")
    await cut_off.join()
    tries: asyncio.Queue[str] = asyncio.Queue()

    async def fail() -> None:
        tries.put_nowait("cut off")

    async def work() -> None:
        tries.put_nowait("other")
        await asyncio.Future()

    async with Tasks() as tasks, asyncio.timeout(PATIENCE_S):
        tasks.start("the lead of one", cut_off.lead("bot", fail))
        assert [await tries.get(), await tries.get()] == ["cut off", "cut off"]
        await other.join()
        tasks.start("the lead of the other", other.lead("bot", work))
        while await tries.get() != "other":
            pass
        assert not await store.run(Lead(name="bot", node="cut off"))
    assert tries.empty()
    store.close()


async def test_the_node_that_leads_a_chat_reports_its_outcomes(store: RelayStore) -> None:
    await store.run(admit("c1"))
    await store.run(finish("c1", node="n1"))
    await store.run(Claim(node="n2", platforms=("another",)))
    assert await store.list_unreported("n2") == []
    await store.run(Claim(node="n2", platforms=("chat",)))
    assert [one.id for one in await store.list_unreported("n2")] == ["c1"]


async def test_a_restart_reports_at_once_what_was_left(tmp_path: Path) -> None:
    """Several nodes cannot share SQLite: an earlier one is gone."""
    store = RelayStore(str(tmp_path / "relay.db"))
    await Node(store, "old").join()
    await store.run(admit("c1"))
    await store.run(finish("c1", node="old"))
    await Node(store, "new").join()
    assert [one.id for one in await store.list_unreported("new")] == ["c1"]
    store.close()


def test_migrations_are_applied_once_and_a_newer_database_is_refused(where: str) -> None:
    for _ in range(2):
        db = open_database(where)
        names = [row[0] for row in db.query("SELECT name FROM migrations ORDER BY name")]
        db.close()
        assert names == list(list_migrations(db.dialect))
    db = open_database(where)
    db.execute("INSERT INTO migrations VALUES ('9999_later.sql', 1)")
    db.close()
    with pytest.raises(UserError, match="newer version"):
        open_database(where)


def test_the_audit_trail_cannot_be_changed(where: str) -> None:
    store = RelayStore(where)
    store.run_now(admit("c1"))
    store.close()
    for change in ("DELETE FROM audit", "UPDATE audit SET step = 'x'"):
        db: Database = open_database(where)
        with pytest.raises(StoreAway, match="only added to"):
            db.execute(change)
        db.close()


def test_a_file_of_another_program_is_named(tmp_path: Path) -> None:
    (tmp_path / "relay.db").write_bytes(b"not a database, but long enough to look like one" * 100)
    with pytest.raises(UserError, match=r"cannot be used"):
        open_database(str(tmp_path / "relay.db"))
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE commands (x)")
    other.close()
    with pytest.raises(UserError, match=r"cannot be used: table commands already exists"):
        open_database(str(tmp_path / "other.db"))


async def test_steps_wait_while_the_database_is_away_and_are_stored_once(postgres: Postgres) -> None:
    store = RelayStore(postgres.make_database())
    await store.run(admit("c0"))
    loop = asyncio.get_running_loop()
    restarting = loop.run_in_executor(None, postgres.restart)
    ends: list[Admitted] = []
    while not restarting.done():
        ends.append(await store.run(admit(f"c{len(ends) + 1}", most=10_000)))
    ends.append(await store.run(admit(f"c{len(ends) + 1}", most=10_000)))
    assert [end.command.seq for end in ends if end.command] == list(range(2, len(ends) + 2))
    assert (await asyncio.to_thread(store.verify))[1] is None
    store.close()


async def test_all_nodes_count_the_messages_of_a_person_together(where: str, store: RelayStore) -> None:
    limit, other = SenderLimit("chat", "ann", 4), RelayStore(where)
    ends = []
    try:
        for number in range(6):
            step = replace(admit(f"c{number}"), limit=limit)
            ends.append((await (other if number % 2 else store).run(step)).refusal)
        talk = Remember(messages=(("chat", "help"),), now_ms=1_000, limit=limit)
        ends.append((await other.run(talk)).refusal)
        bob = Remember(messages=(("chat", "hi"),), now_ms=1_000, limit=SenderLimit("chat", "bob", 4))
        ends.append((await other.run(bob)).refusal)
        later = Remember(messages=(("chat", "later"),), now_ms=61_000, limit=limit)
        ends.append((await store.run(later)).refusal)
        assert ends == [None, None, None, None, "too_many", "too_many", "too_many", None, None]
        lines = await store.read_audit(9, actor="ann", status="too_many")
        assert [line.step for line in lines] == ["refused"] * 3
        await store.run(ForgetMessages(before_ms=120_000))
    finally:
        other.close()


def enroll_m(store: RelayStore, key: str) -> bool:
    store.run_now(AddCode(machine="m", hashed=key, expires_ms=9_000, now_ms=1_000))
    return store.run_now(Enroll(machine="m", hashed=key, public_key=key, now_ms=1_000))


@pytest.mark.parametrize("end", ["revoked", "left"])
async def test_what_a_machine_had_that_is_gone_ends_and_its_heir_gets_none_of_it(
    store: RelayStore, end: str
) -> None:
    assert enroll_m(store, "first")
    await store.run(admit("c1"))
    await store.run(Take(command_id="c1", machine="m", now_ms=1_000))
    _, _, refused = await asyncio.gather(
        store.run(admit("c2")),
        store.run(Revoke(machine="m", now_ms=2_000, actor="operator", is_left=end == "left")),
        store.run(admit("c3")),
    )
    assert (refused.refusal, await store.list_open(["m"])) == ("revoked", [])
    assert enroll_m(store, "second")
    assert await store.list_open(["m"]) == []
    assert (await store.run(admit("c4"))).refusal is None
    for name in ("c1", "c2"):
        ended = await store.find_command(name)
        assert ended is not None
        assert ended.outcome is not None
        assert (ended.outcome.status, ended.report_node) == ("cancelled", "")
        assert re.match("m (was revoked|left this relay), so this order ends here", ended.outcome.summary)
        steps = [line.step for line in await store.read_audit(9, command_id=name)]
        assert steps[0] == f"machine {end}"
    assert (store.verify()[1], store.find_unrecorded()) == (None, None)


@pytest.mark.parametrize(("gone", "lacks"), [(0, None), (1, "c1"), (2, "c1"), (3, "c1")])
def test_an_end_that_was_removed_from_the_trail_is_noticed(
    tmp_path: Path, gone: int, lacks: str | None
) -> None:
    where = tmp_path / "relay.db"
    store = RelayStore(str(where))
    store.run_now(admit("c1"))
    store.run_now(finish("c1"))
    store.run_now(Report(command_id="c1", now_ms=3_000))
    with closing(sqlite3.connect(where)) as db, db:
        db.execute("DROP TRIGGER audit_stays")
        db.execute("DELETE FROM audit WHERE seq > 3 - ?", (gone,))
    assert (store.verify()[1], store.find_unrecorded()) == (None, lacks)
    store.close()
