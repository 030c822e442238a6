"""What a session says of its folder's own files that do not count: ignored settings, and trust that ended."""

import hashlib
from collections.abc import Iterable

from bascule.core.settings.reading import SettingProblem
from bascule.model.blocks import InfoBlock
from bascule.model.ids import BlockId, RunId
from bascule.model.said import Said

IGNORED = "Settings of this folder were ignored"
IGNORED_TEXT = (
    "In {folder}:\n{problems}\n"
    "The session works without them. A folder's own file can only tighten what you allow; "
    "your settings.toml can change anything."
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
