"""A Codex rollout as blocks, legacy or paginated: its response items, and the turns that they belong to."""

from typing import Any

import msgspec
from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.commands.shell import join_words, summarise, unwrap
from bascule.core.session.growing_text import clip
from bascule.core.watch.logs.log_lines import MAX_OPEN, MAX_SHOWN, make_cut_block, text_of, texts_of
from bascule.core.watch.logs.rollout_lines import CALLS, DECODER, MARKERS, OUTPUTS, RawLine
from bascule.core.watch.logs.tail_lines import TailLine
from bascule.core.watch.times import parse_time_ms
from bascule.model.blocks import (
    AssistantBlock,
    CommandBlock,
    McpBlock,
    ReasoningBlock,
    UserBlock,
    WebSearchBlock,
)
from bascule.model.changes import BlockPut, Change, RunPut
from bascule.model.ids import BlockId, RunId
from bascule.model.session import Run

SHELLS = {"exec_command", "shell", "shell_command", "local_shell", "container.exec"}
OUTPUT_MARK = "\nOutput:\n"  # Codex puts what it measured before it


class RolloutBlocks:
    """`feed` lines; Changes come out. Ids are made of the order of lines: the file's own may repeat."""

    def __init__(self) -> None:
        self._count = 0
        self._run: RunId | None = None
        self._started_ms = 0
        self._open: dict[str, CommandBlock | McpBlock] = {}  # by the id of the call

    def feed(self, line: TailLine) -> list[Change]:
        self._count += 1
        if line.is_cut:
            return [BlockPut(make_cut_block(self._name(), self._run))]
        try:
            raw = DECODER.decode(line.data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return []
        match raw.type:
            case "response_item":
                return self._take_item(raw, parse_time_ms(raw.timestamp) or None)
            case "event_msg":
                return self._take_event(raw.payload, parse_time_ms(raw.timestamp))
            case _:
                return []

    def _name(self) -> BlockId:
        return BlockId(f"line-{self._count}")

    def _take_event(self, payload: dict[str, Any], at_ms: int) -> list[Change]:
        match payload.get("type"):
            case "task_started" | "turn_started":
                self._run = RunId(text_of(payload.get("turn_id")) or f"run-{self._count}")
                self._started_ms = at_ms
                return [RunPut(Run(id=self._run, started_at_ms=at_ms or None))]
            case "task_complete" | "turn_complete":
                return self._end_run("completed", at_ms)
            case "turn_aborted":
                return self._end_run("interrupted", at_ms)
            case _:
                return []

    def _end_run(self, outcome: Any, at_ms: int) -> list[Change]:
        run, self._run = self._run, None
        self._open.clear()
        if run is None:
            return []
        started_ms = self._started_ms or None
        return [RunPut(Run(id=run, outcome=outcome, started_at_ms=started_ms, ended_at_ms=at_ms or None))]

    def _take_item(self, raw: RawLine, at_ms: int | None) -> list[Change]:
        payload = raw.payload
        kind = text_of(payload.get("type"))
        if kind == "message":
            return self._take_message(payload, at_ms)
        if kind == "reasoning":
            parts = tuple(clip(text, MAX_SHOWN)[0] for text in texts_of(payload.get("summary")))
            block = ReasoningBlock(
                id=self._name(), run=self._run, at_ms=at_ms, summary=parts, status="completed"
            )
            return [BlockPut(block)] if parts else []
        if kind in CALLS:
            return self._open_call(payload, at_ms)
        if kind in OUTPUTS:
            return self._close_call(payload)
        if kind == "web_search_call":
            query = _given(payload.get("action")).get("query")
            search = WebSearchBlock(
                id=self._name(), run=self._run, at_ms=at_ms, query=text_of(query), status="completed"
            )
            return [BlockPut(search)]
        return []

    def _take_message(self, payload: dict[str, Any], at_ms: int | None) -> list[Change]:
        texts = [text for text in texts_of(payload.get("content")) if text.strip()]
        match payload.get("role"):
            case "user":
                typed = [text for text in texts if not text.lstrip().startswith(MARKERS)]
                text = clip("\n".join(typed), MAX_SHOWN)[0]
                block = UserBlock(id=self._name(), run=self._run, at_ms=at_ms, text=text)
                return [BlockPut(block)] if typed else []
            case "assistant" if texts:
                said = AssistantBlock(
                    id=self._name(),
                    run=self._run,
                    at_ms=at_ms,
                    text=clip("\n".join(texts), MAX_SHOWN)[0],
                    final=payload.get("phase") == "final_answer",
                    status="completed",
                )
                return [BlockPut(said)]
            case _:
                return []

    def _open_call(self, payload: dict[str, Any], at_ms: int | None) -> list[Change]:
        block = self._make_call(payload, at_ms)
        call = text_of(payload.get("call_id")) or text_of(payload.get("id"))
        if payload.get("type") == "local_shell_call" and payload.get("status") in ("completed", "incomplete"):
            return [BlockPut(replace(block, status="completed"))]
        if call:
            self._open[call] = block
            forget_oldest(self._open, MAX_OPEN)
        return [BlockPut(block)]

    def _make_call(self, payload: dict[str, Any], at_ms: int | None) -> CommandBlock | McpBlock:
        name = text_of(payload.get("name")) or "local_shell"
        command = _find_command(payload)
        if command:
            plain = unwrap(command[:MAX_SHOWN])
            return CommandBlock(
                id=self._name(), run=self._run, at_ms=at_ms, command=plain, original=command[:MAX_SHOWN],
                summary=summarise(plain),
            )  # fmt: skip
        given = text_of(payload.get("arguments")) or text_of(payload.get("input"))
        return McpBlock(
            id=self._name(), run=self._run, at_ms=at_ms, tool=name[:200], arguments=given[:MAX_SHOWN]
        )

    def _close_call(self, payload: dict[str, Any]) -> list[Change]:
        block = self._open.pop(text_of(payload.get("call_id")), None)
        if block is None:
            return []
        said = _find_output(payload.get("output"))
        if isinstance(block, CommandBlock):
            code = _find_exit_code(said)
            shown = clip(said.split(OUTPUT_MARK, 1)[-1], MAX_SHOWN)[0]
            status = "failed" if code else "completed"
            return [BlockPut(replace(block, output=shown, exit_code=code, status=status))]
        return [BlockPut(replace(block, result=clip(said, MAX_SHOWN)[0], status="completed"))]


def _given(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _find_command(payload: dict[str, Any]) -> str:
    if payload.get("type") == "local_shell_call":
        command = _given(payload.get("action")).get("command")
    elif text_of(payload.get("name")) in SHELLS:
        try:
            given = _given(msgspec.json.decode(text_of(payload.get("arguments")) or "{}"))
        except (msgspec.DecodeError, RecursionError):
            return ""
        command = given.get("cmd") or given.get("command")
    else:
        return ""
    if isinstance(command, list):
        return join_words([str(word) for word in command[:1_000]])
    return text_of(command)


def _find_output(output: object) -> str:
    """A text, a text that is JSON of its own, or parts."""
    if isinstance(output, dict):
        output = output.get("content") or output.get("output")
    return "\n".join(texts_of(output))


def _find_exit_code(said: str) -> int | None:
    """As Codex writes it before the output."""
    head = said.split(OUTPUT_MARK, 1)[0]
    for mark in ("Process exited with code ", "Exit code: "):
        if mark in head:
            digits = head.split(mark, 1)[1].split("\n", 1)[0].strip()
            return int(digits) if digits.lstrip("-").isdecimal() and len(digits) < 9 else None
    return None
