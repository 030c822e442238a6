"""Milliseconds to load a long session from the disk, and to store one changed block of it."""

import tempfile
import time
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bascule.core.session.fold import Fold
from bascule.daemon.sessions.unsaved_session import UnsavedSession
from bascule.host.storage.store import BLOCK, Saved, Store
from bascule.model.blocks import Block
from bascule.model.changes import BlockPut
from bascule.model.session import Session
from bench.plays import tell_until
from bench.scale import Figures, Scale, megabytes, milliseconds, spread_percent

STORES = 50  # of one block, in one round


def measure(scale: Scale) -> Figures:
    session = tell_until(scale.blocks)
    with tempfile.TemporaryDirectory() as root:
        path = Path(root, "bench.db")
        storing_all = [time_store_all(path, session) for _ in range(scale.rounds)]
        loading = [time_load(path, session) for _ in range(scale.rounds)]
        storing_one = [time_store_one(path, session) for _ in range(scale.rounds)]
        size = path.stat().st_size
    decoding = [time_decode(session.blocks) for _ in range(scale.rounds)]
    return {
        "blocks": len(session.blocks),
        "database_mb": megabytes(size),
        "load_ms": milliseconds(min(loading)),
        "decode_blocks_ms": milliseconds(min(decoding)),
        "load_ratio_to_decode": round(min(loading) / min(decoding), 2),
        "store_block_ms": milliseconds(min(storing_one)),
        "store_all_ms": milliseconds(min(storing_all)),
        "store_block_ratio_to_all": round(min(storing_one) / min(storing_all), 4),
        "rounds": scale.rounds,
        "load_spread_percent": spread_percent(loading),
        "store_block_spread_percent": spread_percent(storing_one),
    }


def time_store_all(path: Path, session: Session) -> float:
    store = Store(path)
    start = time.perf_counter()
    store.save([Saved(head=session, blocks=tuple(enumerate(session.blocks)), whole=True)])
    seconds = time.perf_counter() - start
    store.close()
    return seconds


def time_load(path: Path, session: Session) -> float:
    """From a closed database to a session in memory that can be advanced."""
    start = time.perf_counter()
    store = Store(path)
    [head] = store.read_heads()
    loaded = Fold(replace(head, blocks=store.read_blocks(head.id)))
    seconds = time.perf_counter() - start
    store.close()
    assert loaded.session().blocks[: len(session.blocks)] == session.blocks
    return seconds


def time_store_one(path: Path, session: Session) -> float:
    """On average: a block in the middle changes, is noted, taken, and written in one transaction."""
    fold = Fold(session)
    unsaved = UnsavedSession(fold, {block.id: at for at, block in enumerate(session.blocks)}, stored=True)
    store = Store(path)
    middle = len(session.blocks) // 2
    changes = [BlockPut(replace(session.blocks[middle], at_ms=number)) for number in range(STORES)]
    start = time.perf_counter()
    for change in changes:
        fold.apply(change)
        unsaved.mark(change)
        saved = unsaved.take()
        assert saved is not None
        store.save([saved])
    seconds = time.perf_counter() - start
    assert store.read_blocks(session.id)[middle] == changes[-1].block
    store.close()
    return seconds / STORES


def time_decode(blocks: tuple[Block, ...]) -> float:
    encoded = [msgspec.json.encode(block) for block in blocks]
    start = time.perf_counter()
    for body in encoded:
        BLOCK.decode(body)
    return time.perf_counter() - start
