"""Each kind of block as the events of a run: numbered, whole, nothing twice."""

import json

import pytest

from bascule.core.diff.show.unified import added, deleted, updated
from bascule.core.events.block_events import MAX_ARGS, Event, diff_text
from bascule.core.events.run_events import NumberedEvent, RunEvents
from bascule.core.events.surface_text import MAX_CONTENT, MAX_LINE
from bascule.model.attachments import DiffAttachment
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    DividerBlock,
    ErrorBlock,
    Fact,
    FileChangeBlock,
    ImageBlock,
    InfoBlock,
    McpBlock,
    PlanBlock,
    PlanStep,
    ReasoningBlock,
    RemoteBlock,
    SystemBlock,
    UserBlock,
    WebSearchBlock,
)
from bascule.model.ids import BlockId, RunId
from bascule.model.session import Run

RUN = Run(id=RunId("r"), started_at_ms=7)
B = BlockId("b")
FILES = (updated("a.py", "@@ -1 +1 @@\n-x\n+y\n"), added("b.py", "new\n"))
DIFF = (
    "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n"
    "diff --git a/b.py b/b.py\n--- /dev/null\n+++ b/b.py\n@@ -0,0 +1,1 @@\n+new\n"
)


def events_of(*blocks: Block) -> list[Event]:
    sent: list[NumberedEvent] = []
    run_events = RunEvents(RUN, own={"mine"}, say=sent.append)
    for block in blocks:
        run_events.tell(block, whole=True)
    assert [one.seq for one in sent] == list(range(len(sent)))
    assert {one.run_id for one in sent} <= {"r"}
    return [one.event for one in sent]


def call(tool: str, args: Event) -> Event:
    return {"type": "tool_call", "tool": tool, "args": args, "tool_call_id": "b"}


def result(tool: str, text: object, *, is_error: bool = False) -> Event:
    made = text if isinstance(text, str) else json.dumps(text, separators=(",", ":"))
    return {
        "type": "tool_result",
        "tool": tool,
        "result": made,
        "tool_call_id": "b",
        "is_error": is_error,
    }


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ([UserBlock(id=BlockId("mine"), text="go")], []),
        (
            [UserBlock(id=B, text="look", images=("a.png", "data:image/png;base64,xx"))],
            [{"type": "hidden_user_message", "content": "look\n[image]\n[image]"}],
        ),
        (
            [RemoteBlock(id=B, text="fix it", author="wecom")],
            [{"type": "hidden_user_message", "content": "[wecom] fix it"}],
        ),
        (
            [
                AssistantBlock(id=B, text="Hel"),
                AssistantBlock(id=B, text="Hello", status="completed", at_ms=9),
                AssistantBlock(id=B, text="Hello", status="completed", at_ms=9),
            ],
            [{"type": "text", "content": "Hello", "timestamp": 9}],
        ),
        ([AssistantBlock(id=B, text="\n", status="completed")], []),
        (
            [
                ReasoningBlock(id=B, summary=("one",)),
                ReasoningBlock(id=B, summary=("one", "two"), raw=("raw",), status="completed"),
            ],
            [{"type": "reasoning", "content": "one\n\ntwo", "timestamp": 7}],
        ),
        ([ReasoningBlock(id=B, status="completed")], []),
        (
            [
                CommandBlock(id=B),
                CommandBlock(id=B, command="ls"),
                CommandBlock(
                    id=B,
                    command="ls",
                    output="\x1b[31ma\x1b[0m\n",
                    status="completed",
                    exit_code=0,
                    duration_ms=3,
                ),
            ],
            [
                call("shell", {"command": "ls"}),
                result(
                    "shell",
                    {
                        "command": "ls",
                        "state": "completed",
                        "exit_code": 0,
                        "stdout": "a\n",
                        "stderr": "",
                        "duration_ms": 3,
                    },
                ),
            ],
        ),
        (
            [CommandBlock(id=B, command="rm x", status="declined")],
            [
                call("shell", {"command": "rm x"}),
                result(
                    "shell",
                    {
                        "command": "rm x",
                        "state": "cancelled",
                        "exit_code": None,
                        "stdout": "(declined)",
                        "stderr": "",
                        "duration_ms": None,
                    },
                    is_error=True,
                ),
            ],
        ),
        (
            [FileChangeBlock(id=B, files=FILES[:1]), FileChangeBlock(id=B, files=FILES, status="completed")],
            [
                call("apply_patch", {"patch": "*** Update File: a.py\n*** Add File: b.py"}),
                result("apply_patch", {"summary": "2 files, +2 -1", "diff": DIFF}),
            ],
        ),
        (
            [FileChangeBlock(id=B, files=(deleted("a", "x\n"),), status="failed", detail="no room")],
            [
                call("apply_patch", {"patch": "*** Delete File: a"}),
                result(
                    "apply_patch",
                    {
                        "summary": "Failed: 1 file, +0 -1\nno room",
                        "diff": "diff --git a/a b/a\n--- a/a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n",
                        "file_path": "a",
                    },
                    is_error=True,
                ),
            ],
        ),
        (
            [
                McpBlock(id=B, server="s", tool="t", arguments='{"q":1}'),
                McpBlock(id=B, server="s", tool="t", arguments='{"q":1}', result="ok", status="completed"),
            ],
            [call("s/t", {"q": 1}), result("s/t", "ok")],
        ),
        (
            [McpBlock(id=B, tool="t", arguments="[1", error="bad", status="completed")],
            [call("t", {"arguments": "[1"}), result("t", "bad", is_error=True)],
        ),
        (
            [WebSearchBlock(id=B), WebSearchBlock(id=B, query="bridges", status="completed")],
            [call("web_search", {"queries": ["bridges"]}), result("web_search", "")],
        ),
        (
            [ImageBlock(id=B, url="data:image/png;base64,xx", caption="A bridge")],
            [call("view_image", {"url": "[image]"}), result("view_image", "A bridge")],
        ),
        (
            [DividerBlock(id=B, at_ms=9, title="Worked for 2s", text="Context compacted")],
            [
                {"type": "compaction_start", "timestamp": 9},
                {"type": "compaction_complete", "timestamp": 9, "compacted": True},
            ],
        ),
        (
            [InfoBlock(id=B, title="Hook", text="said", facts=(Fact("file", "x"),))] * 2,
            [{"type": "text", "content": "Hook: said (file x)", "timestamp": 7}],
        ),
        (
            [ErrorBlock(id=B, title="Lost", text="1/5"), ErrorBlock(id=B, title="Lost", text="2/5")],
            [
                {"type": "text", "content": "Error: Lost: 1/5", "timestamp": 7},
                {"type": "text", "content": "Error: Lost: 2/5", "timestamp": 7},
            ],
        ),
        ([SystemBlock(id=B, title="any title", text="x/y {}", debug=True)], []),
        (
            [PlanBlock(id=B), PlanBlock(id=B, text="# Plan\n")],
            [{"type": "text", "content": "# Plan\n", "timestamp": 7}],
        ),
    ],
)
def test_a_block_as_events(blocks: list[Block], expected: list[Event]) -> None:
    assert events_of(*blocks) == expected


def test_each_update_of_a_plan_is_a_call_with_its_result() -> None:
    first = PlanBlock(id=B, steps=(PlanStep("one", "inProgress"), PlanStep("two", "pending")))
    second = PlanBlock(id=B, steps=(PlanStep("one", "completed"), PlanStep("two", "inProgress")))
    sent = events_of(first, first, second)
    assert [event["tool_call_id"] for event in sent] == ["b#1", "b#1", "b#2", "b#2"]
    assert [event["result"] for event in sent if event["type"] == "tool_result"] == [
        "1. [>] one\n2. [ ] two",
        "1. [x] one\n2. [>] two",
    ]


def test_long_lines_are_wrapped_and_long_texts_cut() -> None:
    command, text = events_of(
        CommandBlock(id=B, command="x", output="y" * 3 * MAX_CONTENT, status="completed"),
        AssistantBlock(id=BlockId("c"), text="é" * MAX_CONTENT, status="completed"),
    )[1:]
    output = json.loads(command["result"])["stdout"]
    for shown in (output, text["content"]):
        assert "characters left out" in shown
        assert max(map(len, shown.split("\n"))) <= MAX_LINE
        assert len(shown.encode()) < 1.01 * MAX_CONTENT


def test_large_arguments_become_cut_text() -> None:
    (event, _) = events_of(
        McpBlock(id=B, tool="t", arguments=json.dumps({"q": "x" * MAX_ARGS}), status="completed")
    )
    assert list(event["args"]) == ["arguments"]
    assert len(event["args"]["arguments"]) < MAX_ARGS + 100


def test_a_diff_hides_nothing_and_says_when_it_was_cut() -> None:
    sly = updated("a\u202eb", "@@ -1 +1 @@\n-x\n+safe()\revil()\n")
    old, new = "a/a<U+202E>b", "b/a<U+202E>b"
    diff = f"diff --git {old} {new}\n--- {old}\n+++ {new}\n@@ -1 +1 @@\n-x\n+safe()<U+000D>evil()\n"
    assert diff_text((sly,)) == (diff, False)
    first, begun, second = DIFF.partition("+y\n")
    cut = (f"{first}{begun}[… {len(second)} characters left out …]\n", True)
    assert diff_text(FILES, len(first) + len(begun) + 5) == cut


def test_a_diff_that_hangs_on_an_answer_is_sent_with_it() -> None:
    diff = DiffAttachment(diff_id="d", unified_diff="--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", files=())
    block = AssistantBlock(
        id=BlockId("patch:r"), run=RunId("r"), text="A diff.", status="completed", attachments=(diff,)
    )
    (text,) = [event["content"] for event in events_of(block) if event["type"] == "text"]
    assert text.startswith("A diff.\n\n```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n\n")
    assert "bascule diff apply" in text
