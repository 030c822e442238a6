"""Items become blocks: every kind of item, each with the block that shows it."""

from typing import Any, get_args

import pytest
from tests.agents.codex.listening import Json, Listener

from bascule.agents.codex.events.blocks import MAKERS, MAX_FILES, relative
from bascule.agents.codex.wire import items
from bascule.core.prompts.prompt_context import ContextMark, write_mark
from bascule.core.session.growing_text import MAX_PARTS, MAX_TEXT
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    Fact,
    FileChangeBlock,
    FileEdit,
    ImageBlock,
    InfoBlock,
    McpBlock,
    PlanBlock,
    ReasoningBlock,
    SystemBlock,
    UserBlock,
    WebSearchBlock,
)
from bascule.model.context import ContextPart
from bascule.model.edits import HunkSpan
from bascule.model.ids import BlockId, RunId
from bascule.model.said import Said

I = BlockId("i")  # noqa: E741  # the item that Listener.item() tells
R = RunId("r")
NOISE = "SQBuAHYAbwBrAGUALQBXAGUAYgBSAGUAcQB1AGUAcwB0ACAALQBVAHIAaQAgAGgAdAB0AHAA" * 3


def shown(kind: str, /, *, done: bool = True, thread_cwd: str = "", **item: Any) -> Block:
    listener = Listener()
    if thread_cwd:
        listener.tell_agent("thread/started", thread={"id": "t", "cwd": thread_cwd})
        listener.changes.clear()
    listener.item(kind, done=done, **item)
    return listener.block()


def test_every_kind_of_item_has_a_block_or_is_a_compaction() -> None:
    assert set(get_args(items.ThreadItem)) - set(MAKERS) == {items.ContextCompaction}


# -- what people and agents say --


def test_a_user_message_with_images_and_mentions() -> None:
    content = [
        {"type": "text", "text": "look at", "text_elements": []},
        {"type": "mention", "name": "a.py", "path": "src/a.py"},
        {"type": "skill", "name": "review", "path": ""},
        {"type": "localImage", "path": "/tmp/x.png"},
        {"type": "image", "url": "data:image/png;base64,AA=="},
    ]
    assert shown("userMessage", content=content) == UserBlock(
        id=I,
        run=R,
        text="look at\n@src/a.py\n@review",
        images=("/tmp/x.png", "data:image/png;base64,AA=="),
    )


def text_part(text: str, aside: ContextMark | None = None) -> dict[str, object]:
    span = {"byteRange": {"start": 0, "end": len(text)}, "placeholder": write_mark(aside)} if aside else None
    return {"type": "text", "text": text, "text_elements": [span] if span else []}


def test_what_was_sent_with_a_persons_words_is_only_named() -> None:
    part = ContextPart(kind="file", name="a.py", size=3, whole=3)
    foreign = {"type": "text", "text": "[Image 1]", "text_elements": [{"placeholder": "[Image 1]"}]}
    content = [text_part("look"), text_part("contents of a.py", ContextMark(context=(part,))), foreign]
    assert shown("userMessage", content=content) == UserBlock(
        id=I, run=R, text="look\n[Image 1]", context=(part,)
    )


def test_what_bascule_asked_once_more_is_not_a_persons() -> None:
    content = [text_part("It does not fit.", ContextMark(again=True))]
    assert shown("userMessage", content=content) == SystemBlock(
        id=I, run=R, title="Asked again by Bascule", text="It does not fit."
    )


def test_a_hook_prompt_is_a_system_block() -> None:
    fragments = [{"text": "one", "hookRunId": "h"}, {"text": "two", "hookRunId": "h"}]
    assert shown("hookPrompt", fragments=fragments) == SystemBlock(
        id=I, run=R, title="From a hook", text="one\ntwo", said=Said("hook.prompt")
    )


@pytest.mark.parametrize(("phase", "final"), [("final_answer", True), ("commentary", False), (None, False)])
def test_a_message_knows_whether_it_is_the_answer(phase: str | None, final: bool) -> None:
    assert shown("agentMessage", text="x", phase=phase) == AssistantBlock(
        id=I, run=R, text="x", final=final, status="completed"
    )


def test_a_message_over_the_ceiling_keeps_its_end() -> None:
    block = shown("agentMessage", text="ab" + "x" * MAX_TEXT)
    assert isinstance(block, AssistantBlock)
    assert (len(block.text), block.dropped, block.text[0]) == (MAX_TEXT, 2, "x")


def test_reasoning_has_summary_and_raw_text() -> None:
    assert shown("reasoning", summary=["a", "b"], content=["c"]) == ReasoningBlock(
        id=I, run=R, summary=("a", "b"), raw=("c",), status="completed"
    )
    assert shown("reasoning", done=False) == ReasoningBlock(id=I, run=R)


def test_reasoning_has_only_so_many_parts() -> None:
    block = shown("reasoning", summary=["x"] * (MAX_PARTS + 1), content=[])
    assert isinstance(block, ReasoningBlock)
    assert len(block.summary) == MAX_PARTS


def test_a_plan_item_is_a_plan_of_prose() -> None:
    assert shown("plan", text="1. look") == PlanBlock(id=I, run=R, text="1. look")


# -- commands --


def test_a_command_hides_its_wrapper_and_keeps_the_original() -> None:
    original = "/bin/zsh -lc 'cd /home/dev/demo && make test'"
    block = shown("commandExecution", command=original, cwd="/home/dev/demo", status="inProgress", done=False)
    assert block == CommandBlock(
        id=I, run=R, command="make test", original=original, summary="make test", cwd="/home/dev/demo"
    )


def test_an_unreadable_command_is_summarised_from_its_actions() -> None:
    actions = [
        {"type": "read", "command": "x", "name": "a.py", "path": "/w/a.py"},
        {"type": "listFiles", "command": "x", "path": "src"},
        {"type": "search", "command": "x", "query": "needle", "path": "src"},
        {"type": "unknown", "command": "x"},
    ]
    block = shown("commandExecution", command=NOISE, commandActions=actions, status="completed")
    assert isinstance(block, CommandBlock)
    assert block.summary == "read a.py, list files src, search needle in src"
    assert block.command == NOISE


@pytest.mark.parametrize("status", ["inProgress", "completed", "failed", "declined"])
def test_a_command_has_the_status_that_it_is_sent(status: str) -> None:
    block = shown("commandExecution", command="ls", status=status)
    assert isinstance(block, CommandBlock)
    assert block.status == status


def test_a_commands_output_over_the_ceiling_keeps_its_end() -> None:
    block = shown("commandExecution", command="ls", status="completed", aggregatedOutput="a" + "x" * MAX_TEXT)
    assert isinstance(block, CommandBlock)
    assert (len(block.output), block.dropped) == (MAX_TEXT, 1)


# -- changes --


def test_changes_list_each_file_with_its_diff() -> None:
    changes = [
        {"path": "/w/new.txt", "kind": {"type": "add"}, "diff": "hello\n"},
        {"path": "/w/old.txt", "kind": {"type": "delete"}, "diff": "bye\n"},
        {
            "path": "/w/a.txt",
            "kind": {"type": "update", "move_path": "/w/b.txt"},
            "diff": "@@ -1 +1 @@\n-x\n+y\n",
        },
        {"path": "/elsewhere/c.txt", "kind": {"type": "update", "move_path": None}, "diff": ""},
    ]
    assert shown("fileChange", thread_cwd="/w", changes=changes, status="completed") == FileChangeBlock(
        id=I,
        run=R,
        files=(
            FileEdit(
                path="new.txt",
                change="add",
                diff="@@ -0,0 +1,1 @@\n+hello\n",
                additions=1,
                spans=(HunkSpan(first=1, count=1, old_start=0, new_start=1),),
            ),
            FileEdit(
                path="old.txt",
                change="delete",
                diff="@@ -1,1 +0,0 @@\n-bye\n",
                deletions=1,
                spans=(HunkSpan(first=1, count=1, old_start=1, new_start=0),),
            ),
            FileEdit(
                path="a.txt",
                change="update",
                moved_to="b.txt",
                diff="@@ -1 +1 @@\n-x\n+y\n",
                spans=(HunkSpan(first=1, count=2, old_start=1, new_start=1),),
                additions=1,
                deletions=1,
            ),
            FileEdit(path="/elsewhere/c.txt", change="update"),
        ),
        status="completed",
    )


def test_changes_have_only_so_many_files() -> None:
    change = {"path": "a", "kind": {"type": "add"}, "diff": ""}
    block = shown("fileChange", changes=[change] * (MAX_FILES + 1), status="completed")
    assert isinstance(block, FileChangeBlock)
    assert len(block.files) == MAX_FILES


@pytest.mark.parametrize(
    ("path", "cwd", "short"),
    [
        ("/w/src/a.py", "/w", "src/a.py"),
        ("/w/src/a.py", "/w/", "src/a.py"),
        ("/wide/a.py", "/w", "/wide/a.py"),
        ("src/a.py", "/w", "src/a.py"),
        ("/w/a.py", "", "/w/a.py"),
        ("C:\\w\\src\\a.py", "C:\\w", "src/a.py"),
        ("D:\\w\\a.py", "C:\\w", "D:\\w\\a.py"),
    ],
)
def test_paths_are_written_as_in_the_workspace(path: str, cwd: str, short: str) -> None:
    assert relative(path, cwd) == short


# -- tools --


def test_an_mcp_call_shows_arguments_and_result() -> None:
    content = [{"type": "text", "text": "one"}, {"type": "image", "data": "AA=="}, {"weather": 5}]
    assert shown(
        "mcpToolCall",
        server="s",
        tool="t",
        arguments={"q": "x"},
        status="completed",
        durationMs=7,
        result={"content": content, "structuredContent": None},
    ) == McpBlock(
        id=I,
        run=R,
        server="s",
        tool="t",
        arguments='{"q":"x"}',
        result='one\n[image]\n{"weather":5}',
        status="completed",
        duration_ms=7,
    )


def test_an_mcp_call_that_failed_shows_its_error() -> None:
    block = shown("mcpToolCall", server="s", tool="t", status="failed", error={"message": "no"})
    assert block == McpBlock(id=I, run=R, server="s", tool="t", error="no", status="failed")


def test_a_dynamic_tool_call_is_shown_like_an_mcp_call() -> None:
    block = shown(
        "dynamicToolCall",
        tool="t",
        namespace=None,
        arguments="{}",
        status="failed",
        contentItems=[
            {"type": "inputText", "text": "no tools here"},
            {"type": "inputImage", "imageUrl": "x"},
        ],
        success=False,
    )
    assert block == McpBlock(
        id=I,
        run=R,
        server="client",
        tool="t",
        arguments="{}",
        result="no tools here\n[inputImage]",
        status="failed",
    )


def test_a_function_call_output_is_shown_as_a_tools_result() -> None:
    block = shown("functionCallOutput", name="wait", output={"done": True})
    assert block == McpBlock(id=I, run=R, tool="wait", result='{"done":true}', status="completed")


# -- searches and images --


@pytest.mark.parametrize(
    ("item", "query"),
    [
        ({"query": "bridges", "action": None}, "bridges"),
        ({"query": "", "action": {"type": "search", "query": "bridges"}}, "bridges"),
        ({"query": "", "action": {"type": "search", "queries": ["a", "b"]}}, "a · b"),
        ({"query": "", "action": {"type": "openPage", "url": "https://example.org"}}, "https://example.org"),
        ({"query": "", "action": {"type": "findInPage", "url": None, "pattern": "leaf"}}, "leaf"),
        ({"query": "", "action": {"type": "other"}}, ""),
    ],
)
def test_a_web_search_says_what_was_searched(item: dict[str, Any], query: str) -> None:
    assert shown("webSearch", **item) == WebSearchBlock(id=I, run=R, query=query, status="completed")


def test_a_web_search_goes_from_spinner_to_tick() -> None:
    listener = Listener()
    listener.item("webSearch", done=False, query="")
    assert listener.block() == WebSearchBlock(id=I, run=R)
    listener.item("webSearch", query="bridges")
    assert listener.block() == WebSearchBlock(id=I, run=R, query="bridges", status="completed")


def test_an_image_that_was_looked_at() -> None:
    assert shown("imageView", path="/tmp/x.png") == ImageBlock(id=I, run=R, path="/tmp/x.png")


def test_an_image_that_is_made() -> None:
    item: Json = {"status": "completed", "revisedPrompt": "a bridge", "savedPath": "/tmp/y.png"}
    assert shown("imageGeneration", done=False, **item) == ImageBlock(
        id=I, run=R, path="/tmp/y.png", caption="a bridge", status="inProgress"
    )
    assert shown("imageGeneration", **item) == ImageBlock(
        id=I, run=R, path="/tmp/y.png", caption="a bridge", status="completed"
    )


# -- sub-agents, reviews, waiting --


def test_a_call_to_sub_agents_names_them() -> None:
    block = shown(
        "collabAgentToolCall",
        tool="spawnAgent",
        status="completed",
        prompt="look",
        senderThreadId="t",
        receiverThreadIds=["u", "v"],
        agentsStates={},
    )
    assert block == InfoBlock(
        id=I,
        run=R,
        title="Sub-agent: spawnAgent",
        said=Said("subagent.tool", {"tool": "spawnAgent"}),
        text="look",
        facts=(Fact("agent", "u"), Fact("agent", "v")),
    )


def test_a_call_to_sub_agents_that_was_interrupted_is_cancelled() -> None:
    block = shown("collabAgentToolCall", tool="wait", status="interrupted", receiverThreadIds=[])
    assert block == InfoBlock(
        id=I, run=R, title="Sub-agent: wait", status="cancelled", said=Said("subagent.tool", {"tool": "wait"})
    )


def test_what_a_sub_agent_does_is_shown() -> None:
    block = shown("subAgentActivity", kind="started", agentThreadId="u", agentPath="root/a", model="m")
    assert block == InfoBlock(
        id=I,
        run=R,
        title="Sub-agent started",
        said=Said("subagent.activity", {"kind": "started"}),
        text="root/a",
        facts=(Fact("agent", "u"), Fact("model", "m")),
    )


def test_a_review_is_entered_and_left() -> None:
    entered = shown("enteredReviewMode", review="current changes")
    assert entered == InfoBlock(
        id=I, run=R, title="Review started", text="current changes", said=Said("review.started")
    )
    left = shown("exitedReviewMode", review="looks good")
    assert left == InfoBlock(
        id=I, run=R, title="Review finished", text="looks good", said=Said("review.finished")
    )


def test_waiting_says_how_long_when_it_is_over() -> None:
    assert shown("sleep", done=False, durationMs=65_000) == InfoBlock(
        id=I, run=R, title="Waiting", status="inProgress", said=Said("waiting")
    )
    assert shown("sleep", durationMs=65_000) == InfoBlock(
        id=I, run=R, title="Waited 1m 05s", said=Said("waited", {"ms": 65_000})
    )
