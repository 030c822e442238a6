"""The edits of a run, in its order: those that the agent reported, and those that its commands made."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.diff.make.compare import hunks_between
from bascule.core.diff.make.compose import By, Edit
from bascule.core.diff.read.hunks import Cursor, read_hunks
from bascule.core.diff.refusal import DiffRefused
from bascule.core.text.visible import visible
from bascule.model.blocks import Block, CommandBlock, FileChangeBlock, FileEdit, McpBlock
from bascule.model.edits import Hunk
from bascule.model.ids import BlockId

State = Literal["text", "absent", "binary", "large", "unknown"]

WHY: dict[State, str] = {
    "binary": "it is a binary file",
    "large": "it is too large, or the workspace holds too much",
    "unknown": "it was first seen while the command was already running",
}
RUNNING = "The run is still going: this is what it has changed so far."
NOT_WATCHED = "Only the agent's own edits are shown: what its commands changed was not watched."
NOT_WHOLE = (
    "The workspace has more files than Bascule watches, so changes by commands to the rest are unknown."
)
FAILED = "An edit of this run failed. It may have changed something first."
TOOLS = "Changes by MCP tools are unknown."


class Version(Struct, frozen=True):
    """A file at one moment, as far as it is known."""

    state: State
    data: bytes = b""


class Observed(Struct, frozen=True, kw_only=True):
    """A file before and after a block of the run."""

    block: BlockId
    path: str
    before: Version
    after: Version


def edits_of(blocks: Sequence[Block], observed: Iterable[Observed]) -> tuple[list[Edit], list[str]]:
    """And the names of files whose edit cannot be read."""
    left = list(observed)
    edits: list[Edit] = []
    unreadable: list[str] = []
    for block in blocks:
        here = [one for one in left if one.block == block.id]
        left = [one for one in left if one.block != block.id]
        if isinstance(block, FileChangeBlock) and block.status == "completed":
            for reported in block.files:
                edit = _agent_edit(reported, here)
                if edit is None:
                    unreadable.append(reported.path)
                else:
                    edits.append(edit)
        elif isinstance(block, CommandBlock):
            edits += _command_edits(here)
    return [*edits, *_command_edits(left)], unreadable  # of blocks that the agent sent again under other ids


def _agent_edit(reported: FileEdit, observed: Sequence[Observed]) -> Edit | None:
    over = next((one for one in observed if one.path == reported.path), None)
    if over is not None and reported.change == "add":  # it took the place of another
        return _edit(over, "agent")
    try:
        hunks = _read(reported)
    except DiffRefused:
        return None
    return Edit(path=reported.path, change=reported.change, moved_to=reported.moved_to, hunks=hunks)


def _read(reported: FileEdit) -> tuple[Hunk, ...]:
    lines = reported.diff.split("\n")
    if lines[-1] == "":
        lines.pop()
    hunks = read_hunks(Cursor(lines), reported.path)
    return tuple(replace(hunk, numbers="made", extra=()) for hunk in hunks)  # it is done


def _command_edits(observed: Iterable[Observed]) -> Iterator[Edit]:
    for one in observed:
        if "absent" not in (one.before.state, one.after.state) or one.before != one.after:
            yield _edit(one, "command")


def _edit(one: Observed, by: By) -> Edit:
    change: Literal["add", "delete", "update"] = "update"
    if one.before.state == "absent":
        change = "add"
    elif one.after.state == "absent":
        change = "delete"
    unknown = WHY.get(one.before.state) or WHY.get(one.after.state) or ""
    hunks = () if unknown else hunks_between(one.before.data, one.after.data)
    return Edit(path=one.path, change=change, hunks=hunks, by=by, unknown=unknown)


def notes_of(
    blocks: Sequence[Block],
    *,
    is_running: bool,
    was_watched: bool,
    is_whole: bool,
    unreadable: Sequence[str] = (),
) -> str:
    """What is unknown about this run; empty where everything is."""
    has_commands = any(isinstance(block, CommandBlock) for block in blocks)
    has_failed = any(isinstance(block, FileChangeBlock) and block.status == "failed" for block in blocks)
    notes = (
        (RUNNING, is_running),
        (NOT_WATCHED, has_commands and not was_watched),
        (NOT_WHOLE, has_commands and was_watched and not is_whole),
        (FAILED, has_failed),
        (TOOLS, any(isinstance(block, McpBlock) for block in blocks)),
        (f"Not readable: {', '.join(map(visible, unreadable))}.", bool(unreadable)),
    )
    return " ".join(note for note, holds in notes if holds)
