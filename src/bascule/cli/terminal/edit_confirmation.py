"""A prepared diff on this terminal: the same Ask as on every surface, answered by a yes typed here."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from bascule.cli.terminal.change_review import console_on, show_change
from bascule.cli.terminal.hunk_picker import ShownChange
from bascule.cli.terminal.keyboard import beside
from bascule.cli.terminal.yes_no import ask_yes_no
from bascule.client.link import LinkRefused
from bascule.core.diff.visible import visible
from bascule.model.protocol import edits
from bascule.model.protocol.sync import AnswerParams

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.client.mirror import Mirror
    from bascule.host.terminal import Terminal
    from bascule.model.asks import Ask
    from bascule.model.session import Session

NO_QUESTION = "The question was answered elsewhere, or withdrawn."
FILE, HUNK = "diff --git ", "@@ "  # how they begin; no line of a file stands at the edge


def pieces_of(prepared: edits.Prepared) -> list[ShownChange]:
    """Its files and their hunks, numbered as `edits.select` has them."""
    files = _split(prepared.preview, FILE)[1:]
    pieces = []
    for file, text in zip(prepared.files, files, strict=True):
        head, *hunks = _split(text, HUNK)
        pieces.append(ShownChange(path=file.path, head=head, hunks=tuple(hunks)))
    return pieces


def _split(text: str, mark: str) -> list[str]:
    """What stands before the first line that begins so, and from each such line to the next."""
    parts = [""]
    for line in text.splitlines(keepends=True):
        if line.startswith(mark):
            parts.append("")
        parts[-1] += line
    return parts


async def apply_here(
    link: "Joined",
    terminal: "Terminal",
    mirror: "Mirror",
    prepared: edits.Prepared,
    hear: Callable[[], Awaitable[None]],
) -> edits.Written:
    """`hear` waits for the next news of the session."""
    news, answers = asyncio.Event(), list[edits.Written]()

    async def apply() -> None:
        try:
            answers.append(await link.call("edits.apply", edits.DiffRef(diff_id=prepared.diff_id)))
        except LinkRefused as refused:
            answers.append(edits.Written(status="error", summary=refused.message))
        news.set()

    async def follow() -> None:
        while True:
            await hear()
            news.set()

    link.tasks.start("apply", apply())
    following = link.tasks.start("follow the session", follow())
    yes = f"apply:{prepared.hash}"
    asked = False
    while not answers:
        await news.wait()
        news.clear()
        ask = next((ask for ask in mirror.head().asks if yes in {choice.id for choice in ask.choices}), None)
        if ask is not None and not asked:
            asked = True
            await _answer(link, terminal, mirror.head(), ask, prepared)
    following.cancel()
    return answers[0]


async def _answer(
    link: "Joined", terminal: "Terminal", session: "Session", ask: "Ask", prepared: edits.Prepared
) -> None:
    """Asked in a thread: the daemon may be this very process, and others use it meanwhile."""
    show_change(terminal, prepared.preview)
    additions = sum(file.additions for file in prepared.files)
    deletions = sum(file.deletions for file in prepared.files)
    count = f"{len(prepared.files)} file{'' if len(prepared.files) == 1 else 's'}"
    console_on(terminal).print(
        f"{count}, +{additions} −{deletions} in {visible(session.workspace)}, plan {prepared.hash[:12]}"
    )
    is_yes = await beside(lambda: ask_yes_no(terminal, "Write these changes?"))
    choice = f"apply:{prepared.hash}" if is_yes else "decline"
    try:
        await link.call("ask.answer", AnswerParams(session_id=session.id, ask_id=ask.id, choice=choice))
    except LinkRefused:
        console_on(terminal).print(NO_QUESTION)
