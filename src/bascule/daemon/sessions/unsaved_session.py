"""One session's difference to what lies on the disk, and two such differences as one."""

from collections.abc import Mapping

from msgspec.structs import replace

from bascule.core.session.fold import Fold
from bascule.core.session.status import is_draft
from bascule.host.storage.store import Saved
from bascule.model.blocks import Block
from bascule.model.changes import BlockGone, BlockPut, Change, Cleared, HistoryPut, RunPut, TextGrew
from bascule.model.ids import BlockId, PromptKey


class UnsavedSession:
    """One session's difference to what lies on the disk."""

    def __init__(self, fold: Fold, position: dict[BlockId, int], *, stored: bool) -> None:
        self._fold = fold
        self._dirty = not stored
        self._whole = not stored
        self._blocks: dict[BlockId, None] = {}  # in the order in which they were touched
        self._gone: set[BlockId] = set()
        self._keys: Mapping[PromptKey, str] | None = None
        self._position = position
        self._next_position = max(position.values(), default=-1) + 1
        self._dropped = fold.head().dropped_blocks

    @property
    def is_dirty(self) -> bool:
        return self._dirty

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
                self._whole = True
            case _:
                pass  # the head says it

    def _forget(self, block: BlockId) -> None:
        """Should it come again, it is the last one."""
        self._gone.add(block)
        self._blocks.pop(block, None)
        self._position.pop(block, None)

    def mark_keys(self, keys: Mapping[PromptKey, str]) -> None:
        self._dirty, self._keys = True, keys

    def take(self) -> Saved | None:
        if not self._dirty:
            return None
        head = self._fold.head()
        if is_draft(head) and not self._fold.count_blocks():
            return None  # it is stored with its first prompt
        if self._whole or head.dropped_blocks != self._dropped:
            self._whole, self._position, self._dropped = True, {}, head.dropped_blocks
            self._next_position = 0
            self._blocks = dict.fromkeys(self._fold.block_ids())
        saved = Saved(
            head=head,
            blocks=tuple(self._placed()),
            gone=tuple(self._gone),
            whole=self._whole,
            keys=self._keys,
        )
        self._dirty, self._whole, self._keys = False, False, None
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


def merge_saved(before: Saved, after: Saved) -> Saved:
    """Two differences of one session as one, so that a long failure does not pile them up."""
    keys = before.keys if after.keys is None else after.keys
    if after.whole:
        return replace(after, keys=keys)
    blocks = {block.id: (at, block) for at, block in before.blocks if block.id not in after.gone}
    blocks.update({block.id: (at, block) for at, block in after.blocks})
    gone = tuple(dict.fromkeys([*before.gone, *after.gone]))
    return Saved(head=after.head, blocks=tuple(blocks.values()), gone=gone, whole=before.whole, keys=keys)
