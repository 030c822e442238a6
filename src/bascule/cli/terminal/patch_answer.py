"""A patch answer on this terminal: chosen hunk by hunk and written after a yes, or how to do that later."""

import shlex
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bascule.cli.terminal.change_review import choose_part
from bascule.cli.terminal.edit_confirmation import apply_here, pieces_of
from bascule.cli.terminal.keyboard import beside
from bascule.client.link import LinkRefused
from bascule.model.attachments import DiffAttachment
from bascule.model.blocks import Block, ErrorBlock
from bascule.model.ids import RunId
from bascule.model.protocol import edits

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.client.mirror import Mirror
    from bascule.host.terminal import Terminal
    from bascule.model.session import Session

ANSWER = "patch:"  # what the id of such a block begins with
NOTHING_CHOSEN = "Nothing was written: nothing of it was chosen."


def find_patch(blocks: tuple[Block, ...], runs: set[RunId]) -> Block | None:
    """The latest patch answer, or why there is none, in one of these runs."""
    found = (block for block in reversed(blocks) if block.id.startswith(ANSWER) and block.run in runs)
    return next(found, None)


def diff_of(block: Block) -> DiffAttachment | None:
    return next((one for one in block.attachments if isinstance(one, DiffAttachment)), None)


def is_failure(block: Block | None) -> bool:
    return isinstance(block, ErrorBlock)


def how_to_apply(session: "Session", *, demo: bool) -> str:
    """As it can be pasted where this command was begun."""
    here = "" if Path.cwd() == Path(session.workspace) else f" --workspace {shlex.quote(session.workspace)}"
    read = f"bascule session diff {session.id[-8:]}{' --demo' if demo else ''}"
    return f"Apply it in a terminal: {read} | bascule diff apply -{here}"


async def offer(
    link: "Joined",
    terminal: "Terminal",
    mirror: "Mirror",
    diff: DiffAttachment,
    hear: Callable[[], Awaitable[None]],
) -> edits.Written:
    """What became of it; a no is rejected, as everywhere."""
    ref = edits.DiffRef(diff_id=diff.diff_id)
    try:
        prepared: edits.Prepared = await link.call("edits.prepared", ref)
        pieces = pieces_of(prepared)
        chosen = await beside(lambda: choose_part(terminal, pieces, "Apply"))
        if not chosen:
            return edits.Written(status="rejected", summary=NOTHING_CHOSEN)
        wanted = edits.SelectParams(diff_id=diff.diff_id, files=chosen)
        prepared = await link.call("edits.select", wanted)
    except LinkRefused as refused:
        return edits.Written(status="error", summary=refused.message)
    return await apply_here(link, terminal, mirror, prepared, hear)
