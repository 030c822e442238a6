"""A session's past, rebuilt from what Codex itself kept."""

from typing import Any

import msgspec
from tests.agents.codex.listening import dump

from bascule.agents.codex.events.history import history_page
from bascule.agents.codex.wire.threads import TurnsPage
from bascule.core.session.fold import OTHER_EVENTS
from bascule.model.blocks import (
    AssistantBlock,
    CommandBlock,
    DividerBlock,
    ErrorBlock,
    FileChangeBlock,
    SystemBlock,
    UserBlock,
)
from bascule.model.changes import HistoryPut
from bascule.model.ids import BlockId, RunId
from bascule.model.said import Said
from bascule.model.session import Run

R1, R2 = RunId("r1"), RunId("r2")


def page(*turns: dict[str, Any], cursor: str | None = None) -> TurnsPage:
    return msgspec.json.decode(dump({"data": turns, "nextCursor": cursor}), type=TurnsPage)


def turn(name: str, *items: dict[str, Any], status: str = "completed", **more: Any) -> dict[str, Any]:
    return {"id": name, "status": status, "items": items, **more}


def said(name: str, text: str = "x") -> dict[str, Any]:
    return {"type": "userMessage", "id": name, "clientId": None, "content": [{"type": "text", "text": text}]}


def test_a_page_sent_newest_first_reads_oldest_first() -> None:
    answer = {"type": "agentMessage", "id": "m", "text": "hello", "phase": "final_answer"}
    reply = page(turn("r2", said("b")), turn("r1", said("a"), answer, startedAt=5, completedAt=9), cursor="c")
    assert history_page(reply, "/w") == HistoryPut(
        blocks=(
            UserBlock(id=BlockId("a"), run=R1, text="x"),
            AssistantBlock(id=BlockId("m"), run=R1, text="hello", final=True, status="completed"),
            UserBlock(id=BlockId("b"), run=R2, text="x"),
        ),
        runs=(
            Run(id=R1, outcome="completed", started_at_ms=5_000, ended_at_ms=9_000),
            Run(id=R2, outcome="completed"),
        ),
        earlier="c",
    )


def test_an_older_page_says_so_and_the_last_one_has_no_cursor() -> None:
    assert history_page(page(), "/w", older=True) == HistoryPut((), (), older=True)


def test_a_duration_is_more_exact_than_the_seconds() -> None:
    (run,) = history_page(page(turn("r1", startedAt=5, completedAt=6, durationMs=1_234)), "/w").runs
    assert run == Run(id=R1, outcome="completed", started_at_ms=5_000, ended_at_ms=6_234)


def test_the_second_prompt_of_a_run_was_steered() -> None:
    blocks = history_page(page(turn("r1", said("a"), said("b"))), "/w").blocks
    assert [getattr(block, "steered", None) for block in blocks] == [False, True]


def test_a_compaction_of_the_past_is_a_divider() -> None:
    blocks = history_page(page(turn("r1", {"type": "contextCompaction", "id": "c"})), "/w").blocks
    assert blocks == (
        DividerBlock(id=BlockId("c"), run=R1, title="", text="Context compacted", said=Said("compacted")),
    )


def test_a_failed_run_of_the_past_says_why() -> None:
    history = history_page(page(turn("r1", said("a"), status="failed", error={"message": "no"})), "/w")
    assert history.blocks[-1] == ErrorBlock(
        id=BlockId("error:r1"), run=R1, title="The agent met an error", text="no", said=Said("agent.error")
    )
    assert history.runs == (Run(id=R1, outcome="failed", why="no"),)


def test_paths_of_the_past_are_short_too() -> None:
    change = {"path": "/w/a.txt", "kind": {"type": "add"}, "diff": ""}
    item = {"type": "fileChange", "id": "f", "changes": [change], "status": "completed"}
    (block,) = history_page(page(turn("r1", item)), "/w").blocks
    assert isinstance(block, FileChangeBlock)
    assert [edit.path for edit in block.files] == ["a.txt"]


def test_a_run_that_is_still_going_has_open_blocks() -> None:
    item = {"type": "agentMessage", "id": "m", "text": "hal"}
    history = history_page(page(turn("r1", item, status="inProgress")), "/w")
    assert history.blocks == (AssistantBlock(id=BlockId("m"), run=R1, text="hal"),)
    assert history.runs == (Run(id=R1),)


def test_an_item_of_an_unknown_kind_is_shown_and_the_rest_of_the_page_stays_readable() -> None:
    strange = {"type": "hologram", "id": "h", "colour": "blue"}
    command = {"type": "commandExecution", "id": "c", "command": "ls", "status": "completed", "exitCode": 0}
    blocks = history_page(page(turn("r1", strange, command)), "/w").blocks
    assert blocks == (
        SystemBlock(
            id=BlockId("other-events:r1:0"),
            run=R1,
            title=OTHER_EVENTS,
            debug=True,
            said=Said("other.events"),
            text='{"type": "hologram", "id": "h", "colour": "blue"}',
        ),
        CommandBlock(
            id=BlockId("c"),
            run=R1,
            command="ls",
            original="ls",
            summary="ls",
            status="completed",
            exit_code=0,
        ),
    )
