"""Rollouts written for tests: one short word a line."""

import json
from typing import Any

from bascule.core.watch.logs.rollout import RolloutReader
from bascule.core.watch.logs.tail_lines import TailLine

ID = "01a1e2e1-9688-71e0-afcf-a846f82f276f"
AT = "2026-11-16T05:43:17.394Z"


def line(kind: str, payload: dict[str, Any]) -> bytes:
    return json.dumps({"timestamp": AT, "type": kind, "payload": payload}).encode()


def item(**payload: Any) -> bytes:
    return line("response_item", payload)


def event(kind: str, **payload: Any) -> bytes:
    return line("event_msg", {"type": kind, **payload})


def user(text: str) -> bytes:
    return item(type="message", role="user", content=[{"type": "input_text", "text": text}])


def assistant(phase: str | None = None) -> bytes:
    text = [{"type": "output_text", "text": "hello"}]
    return item(type="message", role="assistant", content=text, **({"phase": phase} if phase else {}))


def call(call_id: str, name: str = "exec_command", **given: Any) -> bytes:
    return item(type="function_call", name=name, arguments=json.dumps(given), call_id=call_id)


def output(call_id: str) -> bytes:
    return item(type="function_call_output", call_id=call_id, output="done")


def shell(status: str) -> bytes:
    return item(type="local_shell_call", call_id="s", status=status, action={})


WORDS: dict[str, bytes] = {
    "meta": line("session_meta", {"id": ID, "cwd": "/p", "git": {"branch": "main"}, "source": "cli"}),
    "user": user("Fix the bug"),
    "user2": user("And now the tests"),
    "agents": user("# AGENTS.md instructions for /p\n…"),
    "instructions": user("<user_instructions>be kind</user_instructions>"),
    "environment": user("<environment_context>\n  <cwd>/p</cwd>"),
    "shell command": user("<user_shell_command>ls</user_shell_command>"),
    "skill": user('<skill name="x">'),
    "aborted text": user("<turn_aborted>\nThe user interrupted the previous turn on purpose."),
    "developer": item(type="message", role="developer", content=[{"type": "input_text", "text": "be"}]),
    "assistant": assistant(),
    "commentary": assistant("commentary"),
    "final": assistant("final_answer"),
    "empty": item(type="message", role="assistant", content=[]),
    "call": call("c1", cmd="make test"),
    "output": output("c1"),
    "call2": call("c2", cmd="ls"),
    "output2": output("c2"),
    "call without id": item(type="function_call", name="exec_command", arguments="{}"),
    "output without id": item(type="function_call_output", output=""),
    "ask": call("q1", "request_user_input", questions=[{"question": "Which one?"}]),
    "answer": output("q1"),
    "patch": item(type="custom_tool_call", call_id="p1", name="apply_patch", input="*** Begin Patch"),
    "patch output": item(type="custom_tool_call_output", call_id="p1", output="ok"),
    "shell": shell("in_progress"),
    "shell done": shell("completed"),
    "search": item(type="web_search_call", status="completed", action={}),
    "reasoning": item(type="reasoning", summary=[]),
    "approval": event("exec_approval_request", call_id="c1"),
    "started": event("task_started", turn_id="t1"),
    "started2": event("task_started", turn_id="t2"),
    "complete": event("task_complete", turn_id="t1"),
    "complete2": event("task_complete", turn_id="t2"),
    "aborted": event("turn_aborted", turn_id="t1", reason="interrupted"),
    "aborted bare": event("turn_aborted", reason="interrupted"),
    "user item": event("item_completed", item={"type": "UserMessage", "content": [{"text": "Fix it"}]}),
    "agent item": event("item_completed", item={"type": "AgentMessage", "phase": None, "content": []}),
    "user event": event("user_message", message="Fix the bug"),
    "agent event": event("agent_message", message="hello"),
    "tokens": event("token_count", info={}),
    "garbage": b'{"type": "response_item", "payl',
    "no object": b"[1, 2]",
    "null payload": b'{"type": "event_msg", "payload": null}',
    "subagent meta": line("session_meta", {"id": "sub", "source": {"subagent": "review"}}),
    "title meta": line("session_meta", {"id": "title", "thread_source": "thread_title"}),
}


def read(*words: str) -> RolloutReader:
    reader = RolloutReader()
    for word in words:
        reader.feed(TailLine(WORDS[word]))
    return reader
