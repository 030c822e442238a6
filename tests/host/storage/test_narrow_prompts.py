"""Prompts that an older version stored run no wider than that version would have run them."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bascule.host.storage import schema
from bascule.host.storage.schema import MIGRATIONS
from bascule.host.storage.store import Store
from bascule.host.storage.store_faults import SessionUnreadable
from bascule.model.blocks import UserBlock
from bascule.model.ids import SessionId

PAGE = 4096
ONE = SessionId("s_one")
OLDER = 3  # the last version that knew the purpose of a prompt by its words
# As they were written: without a purpose, which these versions left out of what they stored.
SENDER = '"sender": {"user": "ann", "command_id": "c1"}'
WAITING = [
    ('{"key": "k", "text": "do it"}', "talk"),
    ('{"key": "k", "text": "/patch do it"}', "patch"),
    ('{"key": "k", "text": "/plan do it"}', "plan"),
    ('{"key": "k", "text": "anything", "by": "bascule"}', "patch"),
    (f'{{"key": "k", "text": "@dev patch do it", {SENDER}}}', "patch"),
    (f'{{"key": "k", "text": "@dev plan do it", {SENDER}}}', "plan"),
    (f'{{"key": "k", "text": "do it", {SENDER}}}', "plan"),
    ('{"key": "k", "text": "do it", "purpose": "plan"}', "plan"),
]
UNSENT = [
    ('{"kind":"user","id":"u1","text":"/plan that was sent"}', "talk"),
    ('{"kind":"user","id":"u2","text":"do it","sent":false}', "talk"),
    ('{"kind":"user","id":"u3","text":"/plan do it","sent":false}', "plan"),
    ('{"kind":"user","id":"u4","text":"/patch do it","sent":false}', "patch"),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bascule.db"


def write_as_older(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", MIGRATIONS[:OLDER])
        Store(path).close()
    queue = ",".join(body for body, _ in WAITING)
    head = f'{{"id": "s_one", "workspace": "/home/ann/bridge", "queue": [{queue}]}}'
    with closing(sqlite3.connect(path)) as db, db:
        heads = [("s_bad", b"no JSON"), ("s_one", head.encode())]
        db.executemany("INSERT INTO sessions (id, head, updated_at_ms) VALUES (?, ?, 1)", heads)
        log = [(at, f"u{at}", body.encode()) for at, (body, _) in enumerate(UNSENT, 1)]
        db.executemany("INSERT INTO blocks (session, position, id, body) VALUES ('s_one', ?, ?, ?)", log)


def test_waiting_prompts_get_the_purpose_that_their_words_had(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_as_older(path, monkeypatch)
    for _ in range(2):  # the second time there is nothing to do
        with closing(Store(path)) as store:
            (head,) = store.read_heads()
            assert [prompt.purpose for prompt in head.queue] == [purpose for _, purpose in WAITING]
            assert list(store.unreadable) == ["s_bad"]


def test_unsent_prompts_of_a_log_get_it_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_as_older(path, monkeypatch)
    with closing(Store(path)) as store:
        blocks = store.read_blocks(ONE)
    assert [block.purpose for block in blocks if isinstance(block, UserBlock)] == [
        purpose for _, purpose in UNSENT
    ]


def test_a_damaged_page_costs_the_sessions_on_it_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_as_older(path, monkeypatch)
    with closing(sqlite3.connect(path)) as db, db:
        head = b'{"id": "s_a", "workspace": "/home/ann/bridge"}'
        db.execute("INSERT INTO sessions (id, head, updated_at_ms) VALUES ('s_a', ?, 1)", (head,))
        log = [(at, f"b{at:03}", b"long" * 50) for at in range(100)]
        db.executemany("INSERT INTO blocks (session, position, id, body) VALUES ('s_a', ?, ?, ?)", log)
    data = bytearray(path.read_bytes())
    page = data.rindex(b"long") // PAGE * PAGE
    data[page : page + PAGE] = b"\xff" * PAGE
    path.write_bytes(data)
    with closing(Store(path)) as store:
        (one,) = [head for head in store.read_heads() if head.id == ONE]
        assert [prompt.purpose for prompt in one.queue] == [purpose for _, purpose in WAITING]
        with pytest.raises(SessionUnreadable):
            store.read_blocks(SessionId("s_a"))
