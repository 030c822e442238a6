"""A Claude transcript as blocks: what was said, what was called and what came back. Never a status."""

from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.commands.shell import summarise
from bascule.core.session.growing_text import clip
from bascule.core.watch.logs.log_lines import MAX_OPEN, MAX_SHOWN, make_cut_block, text_of, texts_of
from bascule.core.watch.logs.tail_lines import TailLine
from bascule.core.watch.times import parse_time_ms
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    McpBlock,
    ReasoningBlock,
    RemoteBlock,
    UserBlock,
)
from bascule.model.changes import BlockPut, Change, UsageSet
from bascule.model.ids import BlockId
from bascule.model.session import Usage

# Texts that Claude itself puts among the user's messages.
MARKERS = ("<system-reminder>", "<command-", "<local-command-", "<task-notification>", "Caveat: ")
MAX_PARTS = 1_000  # of one line
MAX_COUNT = 1 << 52  # tokens
MAX_COST = 1e9
CONTEXT = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


class TranscriptLine(Struct, rename="camel"):
    type: str = ""
    timestamp: str = ""
    message: dict[str, Any] = {}
    is_sidechain: bool = False
    is_meta: bool = False
    origin: dict[str, Any] | None = None
    # of a line "cost-state": all of the session so far
    total_cost: float = msgspec.field(default=0.0, name="totalCostUSD")
    has_unknown_model_cost: bool = False
    model_usage: dict[str, Any] = {}


DECODER = msgspec.json.Decoder(TranscriptLine)


class TranscriptBlocks:
    """`feed` lines; Changes come out. Lines of other kinds, also of kinds to come, are skipped."""

    def __init__(self) -> None:
        self._count = 0
        self._open: dict[str, CommandBlock | McpBlock] = {}  # by the id of the tool's use
        self._context_used = 0

    def feed(self, line: TailLine) -> list[Change]:
        self._count += 1
        if line.is_cut:
            return [BlockPut(make_cut_block(BlockId(f"line-{self._count}")))]
        try:
            said = DECODER.decode(line.data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return []
        if said.is_sidechain or said.is_meta:
            return []  # of a sub-agent, or Claude's own
        if said.type == "cost-state":
            return [UsageSet(_read_usage(said, self._context_used))]
        if said.type == "assistant":
            self._context_used = _read_context(said.message.get("usage")) or self._context_used
        at_ms = parse_time_ms(said.timestamp) or None
        content = said.message.get("content")
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        parts = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
        blocks: list[Block] = []
        for number, part in enumerate(parts[:MAX_PARTS]):
            name = BlockId(f"line-{self._count}.{number}")
            match said.type:
                case "user":
                    made = self._take_user(part, name, at_ms, said)
                case "assistant":
                    made = self._take_assistant(part, name, at_ms)
                case _:
                    made = None
            blocks += [made] if made is not None else []
        return [BlockPut(block) for block in blocks]

    def _take_user(
        self, part: dict[str, Any], name: BlockId, at_ms: int | None, said: TranscriptLine
    ) -> Block | None:
        if part.get("type") == "tool_result":
            return self._close(part)
        text = text_of(part.get("text"))
        if not text.strip() or text.lstrip().startswith(MARKERS):
            return None
        shown = clip(text, MAX_SHOWN)[0]
        kind = text_of((said.origin or {}).get("kind"))
        if kind not in ("", "human"):  # another session spoke: not a person, and never their word
            return RemoteBlock(id=name, at_ms=at_ms, text=shown, author=kind[:100])
        return UserBlock(id=name, at_ms=at_ms, text=shown)

    def _take_assistant(self, part: dict[str, Any], name: BlockId, at_ms: int | None) -> Block | None:
        match part.get("type"):
            case "text" if text_of(part.get("text")).strip():
                text = clip(text_of(part.get("text")), MAX_SHOWN)[0]
                return AssistantBlock(id=name, at_ms=at_ms, text=text, status="completed")
            case "thinking" if text_of(part.get("thinking")).strip():
                thought = clip(text_of(part.get("thinking")), MAX_SHOWN)[0]
                return ReasoningBlock(id=name, at_ms=at_ms, raw=(thought,), status="completed")
            case "tool_use":
                return self._open_tool(part, name, at_ms)
            case _:
                return None

    def _open_tool(self, part: dict[str, Any], name: BlockId, at_ms: int | None) -> CommandBlock | McpBlock:
        tool, given = text_of(part.get("name"))[:200], part.get("input")
        command = text_of(given.get("command")) if isinstance(given, dict) and tool == "Bash" else ""
        block: CommandBlock | McpBlock
        if command:
            shown = command[:MAX_SHOWN]
            block = CommandBlock(
                id=name, at_ms=at_ms, command=shown, original=shown, summary=summarise(shown)
            )
        else:
            arguments = msgspec.json.encode(given).decode()[:MAX_SHOWN] if given else ""
            block = McpBlock(id=name, at_ms=at_ms, tool=tool, arguments=arguments)
        if call := text_of(part.get("id")):
            self._open[call] = block
            forget_oldest(self._open, MAX_OPEN)
        return block

    def _close(self, part: dict[str, Any]) -> Block | None:
        block = self._open.pop(text_of(part.get("tool_use_id")), None)
        if block is None:
            return None
        said = clip("\n".join(texts_of(part.get("content"))), MAX_SHOWN)[0]
        failed = part.get("is_error") is True
        status: Literal["failed", "completed"] = "failed" if failed else "completed"
        if isinstance(block, CommandBlock):
            return replace(block, output=said, status=status)
        return replace(block, **{"error" if failed else "result": said}, status=status)


def _read_usage(said: TranscriptLine, context_used: int) -> Usage:
    """What Claude counts itself; a cost only where it knows the price of every model."""
    used = [one for one in said.model_usage.values() if isinstance(one, dict)]
    cached = sum(_count(one.get("cacheReadInputTokens")) for one in used)
    made = sum(_count(one.get("inputTokens")) + _count(one.get("cacheCreationInputTokens")) for one in used)
    output = sum(_count(one.get("outputTokens")) for one in used)
    is_known = not said.has_unknown_model_cost and 0 <= said.total_cost <= MAX_COST
    return Usage(
        context_used=context_used,
        total=min(cached + made + output, MAX_COUNT),
        input=min(cached + made, MAX_COUNT),
        cached=min(cached, MAX_COUNT),
        output=min(output, MAX_COUNT),
        cost_usd=said.total_cost if is_known else 0.0,
    )


def _read_context(usage: object) -> int:
    if not isinstance(usage, dict):
        return 0
    return min(sum(_count(usage.get(name)) for name in CONTEXT), MAX_COUNT)


def _count(value: object) -> int:
    return min(value, MAX_COUNT) if isinstance(value, int) and value > 0 else 0
