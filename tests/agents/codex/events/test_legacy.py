"""`codex/event/*`: seed 001's legacy tables and the de-duplication rules of seed 000 §12.2."""

import base64
from typing import Any

import pytest
from tests.agents.codex.listening import CWD, Listener

from bascule.agents.codex.events.legacy import NOISE
from bascule.model.blocks import (
    CommandBlock,
    FileChangeBlock,
    FileEdit,
    InfoBlock,
    PlanBlock,
    WebSearchBlock,
)
from bascule.model.changes import DiffSet
from bascule.model.edits import HunkSpan
from bascule.model.ids import BlockId, RunId, ThreadId
from bascule.model.said import Said
from bascule.model.session import AgentState, LatestDiff, Limit, Usage

R = RunId("r")
COMMAND = ["/bin/bash", "-lc", "ls -l"]
ORIGINAL = "/bin/bash -lc 'ls -l'"
DIFF = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n"
HUNK = "@@ -1 +1 @@\n-x\n+y\n"
EDITED = FileEdit(
    path="a.txt",
    change="update",
    diff=HUNK,
    additions=1,
    deletions=1,
    spans=(HunkSpan(first=1, count=2, old_start=1, new_start=1),),
)
LEGACY_CHANGES = {"/w/a.txt": {"type": "update", "unified_diff": HUNK, "move_path": None}}
V2_CHANGES = [{"path": "/w/a.txt", "kind": {"type": "update", "move_path": None}, "diff": HUNK}]


def running() -> Listener:
    """A run in a thread whose folder is /w; the notice about the thread is aside."""
    listener = Listener()
    listener.tell_agent("thread/started", thread={"id": "t", "cwd": "/w"})
    listener.begin()
    listener.changes.clear()
    return listener


def exec_end(**more: Any) -> dict[str, Any]:
    ended = {"call_id": "c", "command": COMMAND, "cwd": "/w", "parsed_cmd": [], "exit_code": 0}
    return {**ended, "duration": {"secs": 1, "nanos": 500_000_000}, **more}


# -- commands --


def test_legacy_exec_commands_make_a_command_block() -> None:
    listener = running()
    listener.tell_legacy("exec_command_begin", call_id="c", command=COMMAND, cwd="/w", parsed_cmd=[])
    began = CommandBlock(
        id=BlockId("c"), run=R, command="ls -l", original=ORIGINAL, summary="ls -l", cwd="/w"
    )
    assert listener.block() == began
    chunk = base64.b64encode("né\n".encode()).decode()
    listener.tell_legacy("exec_command_output_delta", call_id="c", stream="stdout", chunk=chunk)
    listener.tell_legacy("terminal_interaction", call_id="c", process_id="1", stdin="q\n")
    block = listener.block()
    assert isinstance(block, CommandBlock)
    assert (block.output, block.stdin) == ("né\n", "q\n")
    listener.tell_legacy("exec_command_end", **exec_end(aggregated_output="né\nend\n"))
    assert listener.block() == CommandBlock(
        id=BlockId("c"),
        run=R,
        command="ls -l",
        original=ORIGINAL,
        summary="ls -l",
        cwd="/w",
        output="né\nend\n",
        stdin="q\n",
        status="completed",
        exit_code=0,
        duration_ms=1_500,
    )


def test_a_legacy_command_that_failed_shows_stdout_and_stderr() -> None:
    listener = running()
    ended = exec_end(exit_code=2, stdout="out\n", stderr="err\n", duration="1.5s")
    listener.tell_legacy("exec_command_end", **ended)
    block = listener.block()
    assert isinstance(block, CommandBlock)
    assert (block.status, block.exit_code, block.output, block.duration_ms) == (
        "failed",
        2,
        "out\nerr\n",
        None,
    )


def test_an_unreadable_legacy_command_is_summarised_from_its_parsed_commands() -> None:
    listener = running()
    noise = "SQBuAHYAbwBrAGUALQBXAGUAYgBSAGUAcQB1AGUAcwB0ACAALQBVAHIAaQAgAGgAdAB0AHAA" * 3
    parsed = [
        {"type": "read", "cmd": "x", "name": "a.py", "path": "src/a.py"},
        {"type": "list_files", "cmd": "x", "path": "src"},
        {"type": "search", "cmd": "x", "query": "needle", "path": None},
        {"type": "unknown", "cmd": "x"},
    ]
    listener.tell_legacy("exec_command_begin", call_id="c", command=[noise], cwd="/w", parsed_cmd=parsed)
    block = listener.block()
    assert isinstance(block, CommandBlock)
    assert block.summary == "read a.py, list files src, search needle"


def test_legacy_exec_repeats_v2_is_ignored() -> None:
    listener = running()
    listener.item("commandExecution", done=False, id="c", command="ls", cwd="/w", status="inProgress")
    before = listener.session()
    listener.tell_legacy("exec_command_begin", call_id="c", command=COMMAND, cwd="/w", parsed_cmd=[])
    listener.tell_legacy("exec_command_output_delta", call_id="c", stream="stdout", chunk="eA==")
    listener.tell_legacy("terminal_interaction", call_id="c", process_id="1", stdin="q\n")
    listener.tell_legacy("exec_command_end", **exec_end())
    assert listener.session() == before


def test_v2_after_legacy_takes_the_block_over() -> None:
    listener = running()
    listener.tell_legacy("exec_command_begin", call_id="c", command=COMMAND, cwd="/w", parsed_cmd=[])
    listener.item("commandExecution", id="c", command="ls", cwd="/w", status="completed", exitCode=0)
    listener.tell_legacy("exec_command_end", **exec_end(exit_code=1))
    block = listener.block()
    assert isinstance(block, CommandBlock)
    assert (block.command, block.status, block.exit_code) == ("ls", "completed", 0)


@pytest.mark.parametrize("chunk", ["not base64!", "é", "abc"])
def test_output_that_is_not_base64_is_shown_as_it_came(chunk: str) -> None:
    listener = running()
    listener.tell_legacy("exec_command_output_delta", call_id="c", stream="stdout", chunk=chunk)
    block = listener.block()
    assert isinstance(block, CommandBlock)
    assert block.output == chunk


# -- numbers --

TOKENS = {
    "total_tokens": 300,
    "input_tokens": 200,
    "cached_input_tokens": 50,
    "output_tokens": 100,
    "reasoning_output_tokens": 10,
}
TOKEN_COUNT = {
    "info": {
        "total_token_usage": TOKENS,
        "last_token_usage": {**TOKENS, "total_tokens": 120},
        "model_context_window": 1_000,
    },
    "rate_limits": {
        "primary": {"used_percent": 12.5, "window_minutes": 300, "resets_at": 99},
        "secondary": None,
        "plan_type": "pro",
    },
}
LIMITED = AgentState(
    workspace=CWD,
    limits=(Limit(name="primary", used_percent=12.5, window_minutes=300, resets_at_s=99),),
    plan="pro",
)


def test_legacy_token_count() -> None:
    listener = running()
    listener.tell_legacy("token_count", **TOKEN_COUNT)
    assert listener.session().usage == Usage(
        context_used=120, context_window=1_000, total=300, input=200, cached=50, output=100, reasoning=10
    )
    assert listener.agent() == LIMITED


def test_a_token_count_without_numbers_changes_nothing() -> None:
    listener = running()
    listener.tell_legacy("token_count", info=None, rate_limits=None)
    assert (listener.changes, listener.agent_changes) == ({}, [])


def test_legacy_mcp_startup_complete_only_failures() -> None:
    listener = running()
    listener.tell_legacy("mcp_startup_complete", ready=["a"], failed=[], cancelled=[])
    assert listener.agent().notices == ()
    failed = [{"server": "b", "error": "exit 1"}]
    listener.tell_legacy("mcp_startup_complete", ready=[], failed=failed, cancelled=["c"])
    assert listener.agent().notices == (
        InfoBlock(
            id=BlockId("mcp-startup"),
            title="MCP servers that did not start",
            text="b: exit 1\nc: cancelled",
            status="failed",
            said=Said("mcp.starts"),
        ),
    )


# -- patches --


def test_patch_apply_alone_makes_a_changes_block() -> None:
    listener = running()
    listener.tell_legacy("patch_apply_begin", call_id="p", auto_approved=True, changes=LEGACY_CHANGES)
    assert listener.block() == FileChangeBlock(id=BlockId("p"), run=R, files=(EDITED,))
    listener.tell_legacy(
        "patch_apply_end", call_id="p", stdout="Success.\n", stderr="", success=True, changes=LEGACY_CHANGES
    )
    assert listener.block() == FileChangeBlock(
        id=BlockId("p"), run=R, files=(EDITED,), detail="Success.", status="completed"
    )


def test_a_patch_that_failed_shows_what_was_said() -> None:
    listener = running()
    listener.tell_legacy(
        "patch_apply_end", call_id="p", stdout="out\n", stderr="no such line\n", success=False, changes={}
    )
    block = listener.block()
    assert isinstance(block, FileChangeBlock)
    assert (block.status, block.detail) == ("failed", "out\nno such line")


def test_patch_apply_joins_the_v2_changes_block() -> None:
    """By the same set of files, whatever the two wires call it."""
    listener = running()
    listener.item("fileChange", done=False, id="v2", changes=V2_CHANGES, status="inProgress")
    listener.tell_legacy("patch_apply_begin", call_id="legacy", auto_approved=True, changes=LEGACY_CHANGES)
    listener.tell_legacy(
        "patch_apply_end", call_id="legacy", stdout="Done.", stderr="", success=True, changes=LEGACY_CHANGES
    )
    listener.item("fileChange", id="v2", changes=V2_CHANGES, status="completed")
    assert listener.block() == FileChangeBlock(
        id=BlockId("v2"), run=R, files=(EDITED,), detail="Done.", status="completed"
    )


def test_patch_apply_of_other_files_is_a_block_of_its_own() -> None:
    listener = running()
    listener.item("fileChange", done=False, id="v2", changes=V2_CHANGES, status="inProgress")
    other = {"b.txt": {"type": "add", "content": "hi\n"}, "c.txt": {"type": "delete", "content": "ho\n"}}
    listener.tell_legacy("patch_apply_begin", call_id="legacy", auto_approved=True, changes=other)
    blocks = [block for block in listener.session().blocks if isinstance(block, FileChangeBlock)]
    assert [[(edit.path, edit.change) for edit in block.files] for block in blocks] == [
        [("a.txt", "update")],
        [("b.txt", "add"), ("c.txt", "delete")],
    ]


def test_a_legacy_patch_that_moves_a_file_says_where_to() -> None:
    listener = running()
    changes = {"/w/a.txt": {"type": "update", "unified_diff": "", "move_path": "/w/sub/b.txt"}}
    listener.tell_legacy("patch_apply_begin", call_id="p", auto_approved=True, changes=changes)
    block = listener.block()
    assert isinstance(block, FileChangeBlock)
    assert block.files == (FileEdit(path="a.txt", change="update", moved_to="sub/b.txt"),)


def test_legacy_turn_diff_is_the_latest_diff_once() -> None:
    listener = running()
    for _ in range(2):
        listener.tell_legacy("turn_diff", unified_diff=DIFF)
    listener.tell("turn/diff/updated", turnId="r", diff=DIFF)
    assert listener.session().diff == LatestDiff(unified=DIFF, files=(EDITED,), run=R)
    assert len([c for c in listener.changes[ThreadId("t")] if isinstance(c, DiffSet)]) == 1
    assert listener.other_events("t") == ""


# -- searches --


def test_web_search_begin_and_end_are_one_card() -> None:
    listener = running()
    listener.tell_legacy("web_search_begin", call_id="s")
    assert listener.block() == WebSearchBlock(id=BlockId("s"), run=R)
    listener.tell_legacy("web_search_end", call_id="s", query="bascule bridges", action={"type": "search"})
    assert listener.block() == WebSearchBlock(
        id=BlockId("s"), run=R, query="bascule bridges", status="completed"
    )
    assert listener.other_events("t") == ""


def test_a_web_search_that_v2_sent_is_not_repeated() -> None:
    listener = running()
    listener.item("webSearch", id="s", query="v2")
    before = listener.session()
    listener.tell_legacy("web_search_begin", call_id="s")
    listener.tell_legacy("web_search_end", call_id="s", query="legacy")
    assert listener.session() == before


# -- noise, and what is not known --


@pytest.mark.parametrize("kind", sorted(NOISE))
@pytest.mark.parametrize("conversation", ["t", None])
def test_legacy_noise_is_ignored(kind: str, conversation: str | None) -> None:
    listener = Listener()
    listener.tell_legacy(kind, conversation, delta="x", message="y")
    assert (listener.changes, listener.agent_changes) == ({}, [])


def test_the_noise_of_the_tables_is_in_the_list() -> None:
    named = {
        *("task_started", "task_complete", "item_started", "item_completed", "user_message"),
        *("agent_message", "agent_message_delta", "agent_message_content_delta", "plan_update"),
    }
    assert named <= NOISE


def test_legacy_plan_update_leaves_the_v2_plan_alone() -> None:
    listener = running()
    listener.tell("turn/plan/updated", turnId="r", plan=[], explanation="v2")
    listener.tell_legacy("plan_update", plan=[], explanation="legacy")
    assert listener.block() == PlanBlock(id=BlockId("plan:r"), run=R, text="v2")


def test_unknown_legacy_goes_to_other_events() -> None:
    listener = running()
    listener.tell_legacy("hologram_shown", colour="blue")
    listener.tell_legacy("hologram_hidden")
    assert listener.other_events("t") == (
        'codex/event/hologram_shown {"type":"hologram_shown","colour":"blue"}\n'
        'codex/event/hologram_hidden {"type":"hologram_hidden"}\n'
    )


def test_a_known_legacy_event_in_a_strange_shape_goes_to_other_events() -> None:
    listener = running()
    listener.tell_legacy("exec_command_end", call_id="c", exit_code="zero")
    assert listener.other_events("t").startswith(
        "codex sent codex/event/exec_command_end in an unknown shape (Expected `int`"
    )


# -- events of no session --


def test_global_legacy_token_count_sets_the_limits() -> None:
    listener = Listener()
    listener.tell_legacy("token_count", None, **TOKEN_COUNT)
    assert listener.changes == {}
    assert listener.agent() == LIMITED


@pytest.mark.parametrize(
    ("kind", "msg"),
    [
        ("exec_command_begin", {"call_id": "c", "command": COMMAND, "cwd": "/w", "parsed_cmd": []}),
        ("exec_command_output_delta", {"call_id": "c", "stream": "stdout", "chunk": "eA=="}),
        ("exec_command_end", exec_end()),
        ("terminal_interaction", {"call_id": "c", "stdin": "x"}),
    ],
)
def test_global_legacy_commands_are_ignored(kind: str, msg: dict[str, Any]) -> None:
    listener = Listener()
    listener.tell_legacy(kind, None, **msg)
    assert (listener.changes, listener.agent_changes) == ({}, [])


def test_global_legacy_mcp_startup_complete_only_failures() -> None:
    listener = Listener()
    listener.tell_legacy("mcp_startup_complete", None, ready=["a"], failed=[], cancelled=[])
    assert listener.agent().notices == ()
    listener.tell_legacy("mcp_startup_complete", None, ready=[], failed=[{"server": "b"}], cancelled=[])
    (notice,) = listener.agent().notices
    assert notice.text == "b: failed"


def test_global_legacy_patches_diffs_and_searches_go_to_other_events() -> None:
    listener = Listener()
    listener.tell_legacy("turn_diff", None, unified_diff="x")
    listener.tell_legacy("web_search_begin", None, call_id="s")
    listener.tell_legacy("patch_apply_begin", None, call_id="p", changes={})
    shown = listener.other_events().splitlines()
    assert ["turn_diff" in shown[0], "web_search_begin" in shown[1], "patch_apply_begin" in shown[2]] == [
        True
    ] * 3


def test_global_legacy_unknown_goes_to_other_events() -> None:
    listener = Listener()
    listener.tell_legacy("hologram_shown", None)
    assert listener.other_events() == 'codex/event/hologram_shown {"type":"hologram_shown"}\n'
