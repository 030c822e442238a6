"""What a line of a Codex rollout says, legacy or paginated, as far as a status needs it."""

import json
import re
from typing import Any, Literal

import msgspec
from msgspec import Struct

from bascule.core.commands.shell import summarise, unwrap
from bascule.core.watch.labels import cut, cut_id, cut_path, make_label
from bascule.core.watch.logs.tail_lines import TailLine
from bascule.core.watch.times import parse_time_ms

# Texts that Codex itself puts among the user's messages.
MARKERS = (
    "# AGENTS.md instructions",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<environment_context>",
    "<user_shell_command>",
    "<turn_aborted>",
    "<skill",
    "<subagent_notification>",
    "<hook_prompt",
)
CALLS = {"function_call", "custom_tool_call", "local_shell_call", "tool_search_call"}
OUTPUTS = {"function_call_output", "custom_tool_call_output", "tool_search_output"}
DONE_ALONE = {"web_search_call", "image_generation_call"}  # no output follows these
INPUT_TOOL = "request_user_input"
TITLE_SOURCES = {"thread_title"}

LineKind = Literal["meta", "started", "prompt", "text", "call", "output", "step", "ended", "named", "other"]


class RolloutLine(Struct, frozen=True, kw_only=True):
    kind: LineKind
    at_ms: int = 0
    id: str = ""  # of a call, a turn or a session
    name: str = ""  # of a tool; why a turn ended; a phase
    text: str = ""
    cwd: str = ""
    branch: str = ""
    hidden: bool = False


class RawLine(Struct):
    type: str = ""
    timestamp: str = ""
    payload: dict[str, Any] = {}


DECODER = msgspec.json.Decoder(RawLine)
HEAD_FIELD = r'"%s"\s*:\s*"([^"\\]{1,200})"'
HEAD_TEXT = re.compile(r'"text"\s*:\s*("(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u]){0,1000})')
USER_ITEM = ["event_msg", "item_completed", "UserMessage"]


def parse_line(line: TailLine) -> RolloutLine | None:
    """None: no line of a rollout. A line without its end still tells which call it answers."""
    if line.is_cut:
        return _parse_head(line.data)
    try:
        raw = DECODER.decode(line.data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    at_ms = parse_time_ms(raw.timestamp)
    match raw.type:
        case "session_meta":
            return _parse_meta(raw.payload, at_ms)
        case "response_item":
            return _parse_item(raw.payload, at_ms)
        case "event_msg":
            return _parse_event(raw.payload, at_ms)
        case _:
            return RolloutLine(kind="other", at_ms=at_ms)


def _parse_head(data: bytes) -> RolloutLine | None:
    head = data[:2_000].decode("utf-8", "replace")
    at_ms = parse_time_ms(_find(head, "timestamp"))
    kinds = re.findall(HEAD_FIELD % "type", head)
    if len(kinds) > 1 and kinds[1] in OUTPUTS:
        return RolloutLine(kind="output", at_ms=at_ms, id=_find(head, "call_id"))
    if len(kinds) > 1 and kinds[1] in CALLS:
        return RolloutLine(kind="call", at_ms=at_ms, id=_find(head, "call_id"), name=_find(head, "name"))
    is_message = kinds[:2] == ["response_item", "message"] and _find(head, "role") == "user"
    if is_message or kinds[:3] == USER_ITEM:
        return _parse_prompt([{"text": _find_text(head)}], at_ms)
    if kinds[:2] == ["event_msg", "task_complete"]:
        return RolloutLine(kind="ended", at_ms=at_ms, name="task_complete", id=_find(head, "turn_id"))
    return RolloutLine(kind="other", at_ms=at_ms) if kinds else None


def _find(head: str, field: str) -> str:
    found = re.search(HEAD_FIELD % field, head)
    return found[1] if found else ""


def _find_text(head: str) -> str | None:
    """As far as it is there. None: what is said is no text."""
    found = HEAD_TEXT.search(head)
    try:
        said = str(json.loads(found[1] + '"', strict=False)) if found else None
    except ValueError:
        return ""
    return said and said.encode(errors="replace").decode()  # half a character may be at its end


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _parse_meta(payload: dict[str, Any], at_ms: int) -> RolloutLine:
    git = payload.get("git")
    source = payload.get("source")
    is_inner = isinstance(source, dict) or _text(payload.get("thread_source")) in TITLE_SOURCES
    return RolloutLine(
        kind="meta",
        at_ms=at_ms,
        id=cut_id(payload.get("id")) or cut_id(payload.get("session_id")),
        cwd=cut_path(payload.get("cwd")),
        branch=cut(git.get("branch")) if isinstance(git, dict) else "",
        hidden=is_inner or payload.get("ephemeral") is True or bool(payload.get("parent_thread_id")),
    )


def _parse_item(payload: dict[str, Any], at_ms: int) -> RolloutLine:
    kind = _text(payload.get("type"))
    call = cut_id(payload.get("call_id")) or (cut_id(payload.get("id")) if kind == "local_shell_call" else "")
    if kind == "message":
        return _parse_message(payload, at_ms)
    if kind == "local_shell_call" and payload.get("status") in ("completed", "incomplete"):
        return RolloutLine(kind="output", at_ms=at_ms, id=call)
    if kind in CALLS:
        doing = _describe_call(payload)
        return RolloutLine(kind="call", at_ms=at_ms, id=call, name=cut(payload.get("name")), text=doing)
    if kind in OUTPUTS:
        return RolloutLine(kind="output", at_ms=at_ms, id=call)
    if kind in DONE_ALONE:
        return RolloutLine(kind="output", at_ms=at_ms)
    return RolloutLine(kind="step" if kind == "reasoning" else "other", at_ms=at_ms)


def _parse_message(payload: dict[str, Any], at_ms: int) -> RolloutLine:
    match payload.get("role"):
        case "user":
            return _parse_prompt(payload.get("content"), at_ms)
        case "assistant" if _texts(payload.get("content")):
            return RolloutLine(kind="text", at_ms=at_ms, name=_text(payload.get("phase")))
        case _:
            return RolloutLine(kind="other", at_ms=at_ms)


def _parse_prompt(content: object, at_ms: int) -> RolloutLine:
    texts = _texts(content)
    typed = [text for text in texts if text.strip() and not text.lstrip().startswith(MARKERS)]
    has_image = isinstance(content, list) and len(content) > len(texts)
    if typed or has_image:
        return RolloutLine(kind="prompt", at_ms=at_ms, text=make_label(typed[0]) if typed else "")
    return RolloutLine(kind="other", at_ms=at_ms)


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    found = [part.get("text") for part in parts if isinstance(part, dict)]
    return [text for text in found if isinstance(text, str)]


def _parse_event(payload: dict[str, Any], at_ms: int) -> RolloutLine:
    turn = cut_id(payload.get("turn_id"))
    match _text(payload.get("type")):
        case "task_started" | "turn_started":
            return RolloutLine(kind="started", at_ms=at_ms, id=turn)
        case "task_complete" | "turn_complete":
            return RolloutLine(kind="ended", at_ms=at_ms, id=turn, name="task_complete")
        case "turn_aborted":
            return RolloutLine(kind="ended", at_ms=at_ms, id=turn, name="turn_aborted")
        case "user_message":
            return _parse_prompt([{"text": payload.get("message")}], at_ms)
        case "agent_message":
            return RolloutLine(kind="text", at_ms=at_ms, name=_text(payload.get("phase")))
        case "thread_name_updated":
            return RolloutLine(kind="named", at_ms=at_ms, text=make_label(payload.get("thread_name")))
        case "item_completed":
            return _parse_turn_item(payload.get("item"), at_ms)
        case _:
            return RolloutLine(kind="other", at_ms=at_ms)


def _parse_turn_item(item: object, at_ms: int) -> RolloutLine:
    """Of the paginated shape. The response item has what a tool did as well."""
    if not isinstance(item, dict):
        return RolloutLine(kind="other", at_ms=at_ms)
    match item.get("type"):
        case "UserMessage":
            return _parse_prompt(item.get("content"), at_ms)
        case "AgentMessage":
            return RolloutLine(kind="text", at_ms=at_ms, name=_text(item.get("phase")))
        case _:
            return RolloutLine(kind="step", at_ms=at_ms)


def _describe_call(payload: dict[str, Any]) -> str:
    name = _text(payload.get("name"))
    try:
        given = json.loads(payload.get("arguments") or "{}")
    except (ValueError, TypeError, RecursionError):
        given = {}
    given = given if isinstance(given, dict) else {}
    if name == INPUT_TOOL:
        return _describe_questions(given)
    command = given.get("cmd") or given.get("command")
    if isinstance(command, list):
        command = " ".join(str(word) for word in command)
    if isinstance(command, str):
        return make_label(summarise(unwrap(cut(command))))
    return make_label(name)


def _describe_questions(given: dict[str, Any]) -> str:
    asked = given.get("questions")
    first = asked[0] if isinstance(asked, list) and asked else {}
    return make_label(first.get("question")) if isinstance(first, dict) else ""
