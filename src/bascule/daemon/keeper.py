"""Stores what has changed, at most 250 ms after it did, on a thread of its own."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from sqlite3 import Error as StoreError

from bascule.core.fold import Fold
from bascule.host.store import Saved, Store
from bascule.model.blocks import Block
from bascule.model.changes import BlockGone, BlockPut, Change, Cleared, HistoryPut, RunPut, TextGrew
from bascule.model.ids import BlockId, PromptKey, SessionId

DELAY_S = 0.25

log = logging.getLogger("bascule.keeper")


class Unsaved:
    """One session's difference to what lies on the disk."""

    def __init__(self, fold: Fold, *, stored: bool) -> None:
        self._fold = fold
        self._dirty = not stored
        self._anew = not stored
        self._blocks: dict[BlockId, None] = {}  # in the order in which they were touched
        self._gone: set[BlockId] = set()
        self._keys: tuple[PromptKey, ...] | None = None
        self._position = {block: at for at, block in enumerate(fold.block_ids())}
        self._next_position = len(self._position)
        self._dropped = fold.head().dropped_blocks

    def mark(self, change: Change) -> None:
        self._dirty = True
        match change:
            case TextGrew():
                self._blocks[change.block] = None
            case BlockPut():
                self._blocks[change.block.id] = None
            case BlockGone():
                self._forget(change.block)
            case RunPut():
                self._blocks.update(dict.fromkeys(self._fold.blocks_of(change.run.id)))
            case HistoryPut() | Cleared():
                self._anew = True
            case _:
                pass  # the head says it

    def _forget(self, block: BlockId) -> None:
        """Should it come again, it is the last one."""
        self._gone.add(block)
        self._blocks.pop(block, None)
        self._position.pop(block, None)

    def mark_keys(self, keys: tuple[PromptKey, ...]) -> None:
        self._dirty, self._keys = True, keys

    def take(self) -> Saved | None:
        if not self._dirty:
            return None
        head = self._fold.head()
        if self._anew or head.dropped_blocks != self._dropped:
            self._anew, self._position, self._dropped = True, {}, head.dropped_blocks
            self._next_position = 0
            self._blocks = dict.fromkeys(self._fold.block_ids())
        saved = Saved(
            head=head,
            blocks=tuple(self._placed()),
            gone=tuple(self._gone),
            anew=self._anew,
            keys=self._keys,
        )
        self._dirty, self._anew, self._keys = False, False, None
        self._blocks, self._gone = {}, set()
        return saved

    def _placed(self) -> list[tuple[int, Block]]:
        placed: list[tuple[int, Block]] = []
        for block_id in self._blocks:
            block = self._fold.find_block(block_id)
            if block is not None:
                placed.append((self._place(block_id), block))
        return placed

    def _place(self, block: BlockId) -> int:
        if block not in self._position:
            self._position[block] = self._next_position
            self._next_position += 1
        return self._position[block]


class Keeper:
    """Owns the store and its thread. What could not be written is tried again with the next change."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="bascule-store")
        self._unsaved: dict[SessionId, Unsaved] = {}
        self._failed: list[Saved] = []
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, session: SessionId, fold: Fold, *, stored: bool) -> None:
        self._unsaved[session] = Unsaved(fold, stored=stored)
        if not stored:
            self._soon()

    def mark(self, session: SessionId, change: Change) -> None:
        self._unsaved[session].mark(change)
        if self._timer is None:
            self._soon()

    def mark_keys(self, session: SessionId, keys: tuple[PromptKey, ...]) -> None:
        self._unsaved[session].mark_keys(keys)
        self._soon()

    def read_blocks(self, session: SessionId) -> tuple[Block, ...]:
        return self._thread.submit(self._store.read_blocks, session).result()

    def read_last_prompts(self, session: SessionId) -> tuple[Block, ...]:
        return self._thread.submit(self._store.read_last_prompts, session).result()

    def read_keys(self, session: SessionId) -> tuple[PromptKey, ...]:
        return self._thread.submit(self._store.read_keys, session).result()

    def flush(self) -> None:
        """Hand all differences to the thread; the loop does not wait for the disk."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        fresh = [saved for unsaved in self._unsaved.values() if (saved := unsaved.take()) is not None]
        if fresh or self._failed:
            self._thread.submit(self._write, fresh)

    def _write(self, fresh: list[Saved]) -> None:
        todo = [*self._failed, *fresh]
        try:
            self._store.save(todo)
        except StoreError as broken:
            log.error("the store could not be written: %s", broken)
            self._failed = todo[-1_000:]
        else:
            self._failed = []

    def _soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(DELAY_S, self.flush)

    def close(self) -> None:
        self.flush()
        self._thread.shutdown(wait=True)
        self._store.close()
