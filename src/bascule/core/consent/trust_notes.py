"""What a session says of its folder's own files that do not count: ignored settings, and trust that ended."""

import hashlib
from collections.abc import Iterable

from bascule.core.settings.reading import SettingProblem
from bascule.model.blocks import Block, InfoBlock
from bascule.model.ids import BlockId, RunId
from bascule.model.said import Said

IGNORED = "Settings of this folder were ignored"
IGNORED_TEXT = (
    "In {folder}:\n{problems}\n"
    "The session works without them. A folder's own file can only tighten what you allow; "
    "your settings.toml can change anything."
)
TRUST_ENDED = "trust.ended"
ENDED = "This folder is no longer trusted"
ENDED_TEXT = (
    "From the next prompt on, {agent} works without the folder's own configuration: without its MCP servers, "
    "skills and instructions, and with the model and effort of your own settings. What this conversation has "
    "already read from those files, such as AGENTS.md, is still part of it; {agent} will be asked not to "
    "follow it any more. To be without it, start a new session."
)


def ended_block(name: str, agent: str, run: RunId | None, at_ms: int) -> InfoBlock:
    return InfoBlock(
        id=BlockId(name),
        run=run,
        at_ms=at_ms,
        title=ENDED,
        text=ENDED_TEXT.format(agent=agent),
        said=Said("trust.ended", {"agent": agent}),
    )


def has_just_ended(blocks: Iterable[Block], latest: RunId | None) -> bool:
    """No prompt was sent since the trust ended."""
    return any(
        isinstance(block, InfoBlock)
        and block.said is not None
        and block.said.code == TRUST_ENDED
        and block.run == latest
        for block in blocks
    )


def ignored_block(folder: str, ignored: Iterable[SettingProblem], run: RunId | None, at_ms: int) -> InfoBlock:
    """Named by what it says, so that the log has it once."""
    problems = "\n".join(f"- {problem}" for problem in ignored)
    digest = hashlib.sha256(problems.encode("utf-8", "backslashreplace")).hexdigest()[:12]
    return InfoBlock(
        id=BlockId(f"ignored-settings-{digest}"),
        run=run,
        at_ms=at_ms,
        title=IGNORED,
        text=IGNORED_TEXT.format(folder=folder, problems=problems),
        said=Said("settings.ignored", {"folder": folder, "problems": problems}),
    )
