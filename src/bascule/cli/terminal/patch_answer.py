"""A patch answer on this terminal: chosen hunk by hunk and written after a yes, or how to do that later."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from bascule.cli.terminal.edit_confirmation import NOTHING_CHOSEN, apply_here, choose_here
from bascule.client.link import LinkRefused
from bascule.model.attachments import DiffAttachment
from bascule.model.blocks import Block, ErrorBlock
from bascule.model.ids import RunId, short_id
from bascule.model.protocol import edits
from bascule.model.said import PATCH_UNUSABLE

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.host.terminal import Terminal
    from bascule.model.session import Session


def find_patch(blocks: tuple[Block, ...], runs: set[RunId]) -> Block | None:
    """The latest patch answer, or why there is none, in one of these runs."""
    found = (
        block for block in reversed(blocks) if block.run in runs and (diff_of(block) or is_failure(block))
    )
    return next(found, None)


def diff_of(block: Block) -> DiffAttachment | None:
    return next((one for one in block.attachments if isinstance(one, DiffAttachment)), None)


def is_failure(block: Block | None) -> bool:
    return isinstance(block, ErrorBlock) and block.said is not None and block.said.code == PATCH_UNUSABLE


def how_to_apply(session: "Session", *, demo: bool) -> str:
    """As it can be pasted where this command was begun."""
    where = "" if Path.cwd() == Path(session.workspace) else f" --workspace {shlex.quote(session.workspace)}"
    read, apply = f"bascule session diff {short_id(session.id)}", "bascule diff apply -"
    if demo:
        read, apply, where = f"{read} --demo", f"{apply} --demo", ""
    return f"Apply it in a terminal: {read} | {apply}{where}"


async def offer(link: "Joined", terminal: "Terminal", diff: DiffAttachment, workspace: str) -> edits.Written:
    """Its outcome; a no is rejected, as everywhere."""
    try:
        prepared = await link.call("edits.prepared", edits.DiffRef(diff_id=diff.diff_id))
        part = await choose_here(link, terminal, prepared)
    except LinkRefused as refused:
        return edits.Written(status="error", summary=refused.message)
    if part is None:
        return edits.Written(status="rejected", summary=NOTHING_CHOSEN)
    return await apply_here(link, terminal, part, workspace)
