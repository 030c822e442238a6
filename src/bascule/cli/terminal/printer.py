"""A session on a terminal: finished blocks scroll by, what is going on is below them."""

from msgspec.structs import replace
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from bascule.cli.terminal.render import render
from bascule.cli.terminal.status_words import status_word
from bascule.core.session.fold import Fold
from bascule.core.session.status import GOING_ON, shown_status
from bascule.core.session.usage import usage_text
from bascule.core.text.plain import plain, plain_line
from bascule.model.attachments import DiffAttachment
from bascule.model.blocks import Block, PlanBlock, SystemBlock, UserBlock
from bascule.model.changes import BlockPut, Change, TextGrew
from bascule.model.ids import BlockId
from bascule.model.session import Session

PREVIEW_LINES = 8
GROWING = ("text", "output", "progress", "detail")


class Printer:
    """Gets the same as any surface: a snapshot, then Changes."""

    def __init__(self, console: Console, *, diffs_follow: bool = False) -> None:
        """`diffs_follow`: a patch's diff is shown where it is offered, hunk by hunk and whole."""
        self._console = console
        self._diffs_follow = diffs_follow
        self._fold: Fold | None = None
        self._printed: dict[BlockId, Block] = {}
        self._open: dict[BlockId, None] = {}
        self._live = Live(console=console, transient=True, refresh_per_second=8, auto_refresh=False)
        self._watching = console.is_terminal

    def start(self, session: Session, *, known: bool) -> None:
        """`known`: what is there already has been seen, and is not printed again."""
        self._fold = Fold(session)
        for block in session.blocks:
            if known:
                self._printed[block.id] = block
            elif block.id not in self._printed:
                self._finish(block)

    def take(self, news: list[Change]) -> None:
        assert self._fold is not None
        for change in news:
            self._fold.apply(change)
            if isinstance(change, BlockPut):
                self._touch(change.block.id)
            elif isinstance(change, TextGrew):
                self._touch(change.block)
        self._settle()
        self._show()

    def _touch(self, block: BlockId) -> None:
        if block not in self._printed or isinstance(self._printed[block], PlanBlock):
            self._open[block] = None

    def _settle(self) -> None:
        """Print whatever will not change any more."""
        assert self._fold is not None
        for block_id in tuple(self._open):
            block = self._fold.find_block(block_id)
            if block is None:
                del self._open[block_id]
            elif _is_finished(block):
                del self._open[block_id]
                if self._printed.get(block_id) != block:
                    self._finish(block)

    def _finish(self, block: Block) -> None:
        self._printed[block.id] = block
        if not _is_empty(block):
            self._print(render(_without_diffs(block) if self._diffs_follow else block))

    def _print(self, what: RenderableType) -> None:
        self._console.print(what)
        self._console.print()

    def _show(self) -> None:
        if not self._watching:
            return
        if not self._live.is_started:
            self._live.start()
        self._live.update(self._status(), refresh=True)

    def _status(self) -> RenderableType:
        assert self._fold is not None
        head = self._fold.head()
        previews = [_preview(block) for block in self._unfinished()]
        if shown_status(head) not in GOING_ON:
            return Group(*previews)  # a line that stays says how it ended
        usage = f"  {usage_text(head.usage)}" if head.usage else ""
        queue = f"  {len(head.queue)} queued" if head.queue else ""
        line = Spinner("dots", Text(f"{status_word(head)}{usage}{queue}  Ctrl+C stops", style="dim"))
        return Group(*previews, line)

    def _unfinished(self) -> list[Block]:
        assert self._fold is not None
        found = [self._fold.find_block(block) for block in list(self._open)[-3:]]
        return [block for block in found if block is not None and not _is_finished(block)]

    def pause(self) -> None:
        """Give the terminal over, to a question or for good."""
        if self._live.is_started:
            self._live.update(Text(""), refresh=True)
            self._live.stop()
            self._live = Live(console=self._console, transient=True, refresh_per_second=8, auto_refresh=False)

    def finish(self) -> None:
        """The end of a run: nothing stays unprinted, not even what nobody understood."""
        assert self._fold is not None
        self.pause()
        for block_id in tuple(self._open):
            block = self._fold.find_block(block_id)
            del self._open[block_id]
            if block is not None and self._printed.get(block_id) != block:
                self._finish(block)


def _is_finished(block: Block) -> bool:
    if isinstance(block, SystemBlock) and block.id.startswith("other-events"):
        return False  # grows until the run ends
    return getattr(block, "status", "completed") != "inProgress"


def _without_diffs(block: Block) -> Block:
    return replace(
        block, attachments=tuple(a for a in block.attachments if not isinstance(a, DiffAttachment))
    )


def _is_empty(block: Block) -> bool:
    if isinstance(block, UserBlock | SystemBlock):
        return False
    shown = [getattr(block, name, None) for name in ("text", "summary", "raw", "title", "command", "steps")]
    known = [value for value in shown if value is not None]
    return bool(known) and not any(known)


def _preview(block: Block) -> RenderableType:
    """The last lines of what is being written."""
    text = next((value for name in GROWING if (value := getattr(block, name, ""))), "")
    if not text:
        parts = getattr(block, "summary", ())
        text = parts[-1] if isinstance(parts, tuple) and parts else ""
    lines = plain(str(text)[-4_000:]).rstrip().split("\n")[-PREVIEW_LINES:]
    label = plain_line(getattr(block, "summary", "") if hasattr(block, "command") else "")
    return Text("\n".join([*([f"$ {label}"] if label else []), *lines]), style="dim")
