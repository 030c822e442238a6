"""A session as events: real wires end with the right messages, and falling behind tells nothing twice."""

import pytest
from tests.core.events.streams import EMPTY, EVERY_PLAY, R, events, lines, said, stream

from bascule.core.diff.show.unified import updated
from bascule.core.events.run_events import NumberedEvent
from bascule.core.events.stream import ContextLeft, EventStream, Message, RunState, percent_left
from bascule.core.session.fold import Fold
from bascule.model.asks import Ask, CommandSubject, FilesSubject, PermissionsSubject
from bascule.model.blocks import (
    AssistantBlock,
    CommandBlock,
    ErrorBlock,
    FileChangeBlock,
    InfoBlock,
    UserBlock,
)
from bascule.model.changes import (
    AskClosed,
    AskOpened,
    BlockPut,
    Change,
    Cleared,
    HistoryPut,
    RunPut,
    TextGrew,
    UsageSet,
)
from bascule.model.ids import AskId, BlockId, PromptKey, RunId, ThreadId
from bascule.model.session import Outcome, Run, Usage

EDIT = updated("a.py", "@@ -1 +1 @@\n-x\n+y\n")


def hear(*changes: Change) -> list[Message]:
    return stream().feed(changes)


def begin(run: RunId = R) -> RunPut:
    return RunPut(Run(id=run, started_at_ms=1))


def end(outcome: Outcome = "completed", why: str = "", run: RunId = R) -> RunPut:
    return RunPut(Run(id=run, outcome=outcome, started_at_ms=1, why=why))


def user(name: str, text: str = "go", run: RunId | None = R, *, steered: bool = False) -> BlockPut:
    return BlockPut(UserBlock(id=BlockId(name), run=run, text=text, steered=steered))


# -- the rules, one by one --


def test_the_first_snapshot_is_history_but_for_the_run_that_is_going() -> None:
    fold = Fold(EMPTY)
    fold.apply_all([begin(), user("u1"), said("old"), end()])
    fold.apply_all([begin(RunId("r2")), user("u2", "now", RunId("r2")), said("new", "n", RunId("r2"))])
    assert EventStream().join(fold.session()) == [
        RunState("r2", "running"),
        NumberedEvent("r2", 0, {"type": "hidden_user_message", "content": "now"}),
        NumberedEvent("r2", 1, {"type": "text", "content": "new", "timestamp": 1}),
    ]


def test_an_own_prompt_is_not_repeated_and_others_are() -> None:
    live = stream()
    live.own(PromptKey("mine"))
    messages = live.feed([begin(), user("mine"), user("mine"), user("theirs", "also", steered=True)])
    assert messages == [
        RunState("r", "running"),
        NumberedEvent("r", 0, {"type": "hidden_user_message", "content": "also"}),
    ]


def test_a_prompt_that_goes_by_another_name_in_the_past_is_not_repeated() -> None:
    live = stream()
    live.feed([begin(), user("mine")])
    page = HistoryPut(blocks=(UserBlock(id=BlockId("item-1"), run=R, text="go"),), runs=(Run(id=R),))
    assert live.feed([page]) == []


def test_a_prompt_that_waits_is_not_shown() -> None:
    waiting = BlockPut(UserBlock(id=BlockId("u"), text="go", sent=False))
    assert lines(hear(begin(), waiting)) == ["running"]


def test_text_is_sent_whole_and_final_repeats_the_last() -> None:
    grew = [TextGrew(BlockId("m"), "text", word, run=R) for word in ("Hel", "lo")]
    assert hear(begin(), *grew, said("Hello"), end()) == [
        RunState("r", "running"),
        NumberedEvent("r", 0, {"type": "text", "content": "Hello", "timestamp": 1}),
        NumberedEvent("r", 1, {"type": "final", "content": "Hello"}),
        RunState("r", "completed"),
    ]


def test_a_run_without_words_ends_with_an_empty_final() -> None:
    assert events(hear(begin(), end())) == [{"type": "final", "content": ""}]


def test_an_interrupted_run_tells_what_there_is_and_then_nothing() -> None:
    command = BlockPut(CommandBlock(id=BlockId("c"), run=R, command="sleep 9"))
    grew = TextGrew(BlockId("m"), "text", "Half a sen", run=R)
    live = stream()
    assert lines(live.feed([begin(), command, grew, end("interrupted", "stopped by you")])) == [
        *("running", "tool_call shell", "tool_result shell failed", "text", "cancelled stopped by you"),
    ]
    assert live.feed([said("late"), begin(), end(), AskOpened(ask()), UsageSet(usage(50))]) == []


def test_a_note_after_the_answer_waits_so_that_final_follows_its_text() -> None:
    hook = BlockPut(InfoBlock(id=BlockId("h"), run=R, title="Hook stop"))
    assert [event.get("content") for event in events(hear(begin(), said("done"), hook, end()))] == [
        *("done", "done", "Hook stop")
    ]
    more = hear(begin(), said("one"), hook, said("two", "n"), end("failed"))
    assert [event["content"] for event in events(more)] == ["one", "Hook stop", "two"]


def test_a_message_that_was_cut_off_comes_before_the_one_that_took_its_place() -> None:
    half = BlockPut(AssistantBlock(id=BlockId("h"), run=R, text="Sail"))
    assert [event["content"] for event in events(hear(begin(), half, said("Now this"), end()))] == [
        *("Sail", "Now this", "Now this")
    ]


def test_an_error_is_sent_at_once() -> None:
    lost = BlockPut(ErrorBlock(id=BlockId("e"), run=R, title="Lost the line"))
    assert events(hear(begin(), said("one"), lost))[-1]["content"] == "Error: Lost the line"


def test_what_belongs_to_no_run_is_sent_in_the_one_that_is_going() -> None:
    note = BlockPut(InfoBlock(id=BlockId("i"), title="Archived by another client"))
    assert hear(note) == []
    assert events(hear(begin(), note)) == [
        {"type": "text", "content": "Archived by another client", "timestamp": 1}
    ]


def test_a_run_that_is_cleared_away_is_over() -> None:
    live = stream()
    live.feed([begin()])
    assert live.feed([Cleared(ThreadId("t"))]) == [RunState("r", "cancelled", "The session was cleared.")]
    live.feed([begin(RunId("r2"))])
    assert live.join(EMPTY) == [RunState("r2", "cancelled", "The session was cleared.")]


def test_older_pages_of_the_past_are_not_news() -> None:
    live = stream()
    live.feed([begin(), end()])
    old = Run(id=RunId("old"), outcome="completed")
    page = HistoryPut(
        blocks=(AssistantBlock(id=BlockId("o"), run=old.id, text="x"),), runs=(old,), older=True
    )
    assert live.feed([page]) == []
    fold = Fold(EMPTY)
    fold.apply_all([begin(), end(), page, begin(RunId("r3")), end(run=RunId("r3"))])
    assert [m.run_id for m in live.join(fold.session())] == ["r3", "r3", "r3"]


# -- what is asked --


def ask(name: str = "a", run: RunId | None = R) -> Ask:
    subject = CommandSubject(command="rm x", original="bash -c 'rm x'")
    return Ask(id=AskId(name), title="Run this command?", subject=subject, choices=(), run=run)


def test_a_run_waits_until_the_last_ask_is_closed() -> None:
    opened: list[Change] = [begin(), AskOpened(ask("a")), AskOpened(ask("b", None))]
    closed: list[Change] = [AskClosed(AskId("a"), "answered"), AskClosed(AskId("b"), "withdrawn")]
    heard = [m for m in hear(*opened, *closed) if isinstance(m, RunState)]
    assert lines(heard) == ["running", "awaiting_ui", "running"]


def test_an_edit_is_shown_before_it_is_asked_about() -> None:
    block = BlockPut(FileChangeBlock(id=BlockId("f"), run=R, files=(EDIT,)))
    about = Ask(id=AskId("a"), title="Write?", subject=FilesSubject(files=(EDIT,)), choices=(), run=R)
    diff = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n"
    assert hear(begin(), block, AskOpened(about))[1:] == [
        NumberedEvent(
            "r",
            0,
            {
                "type": "tool_call",
                "tool": "apply_patch",
                "args": {"patch": "*** Update File: a.py"},
                "tool_call_id": "f",
            },
        ),
        NumberedEvent(
            "r",
            1,
            {
                "type": "permission.preview",
                "tool": "apply_patch",
                "tool_call_id": "f",
                "file_path": "a.py",
                "diff": diff,
                "summary": "1 file, +1 -1",
                "truncated": False,
            },
        ),
        NumberedEvent("r", 2, {"type": "permission.ready", "tool": "apply_patch", "tool_call_id": "f"}),
        RunState("r", "awaiting_ui"),
    ]
    unseen = stream(preflight=False).feed([begin(), block, AskOpened(about)])
    assert lines(unseen) == ["running", "tool_call apply_patch", "awaiting_ui"]


def test_an_ask_without_its_block_goes_by_its_own_name() -> None:
    assert events(hear(begin(), AskOpened(ask()))) == [
        {"type": "permission.ready", "tool": "shell", "tool_call_id": "a"}
    ]
    wants = Ask(id=AskId("p"), title="Give?", subject=PermissionsSubject(wants=("net",)), choices=(), run=R)
    assert events(hear(begin(), AskOpened(wants))) == []


# -- how much context is left --


def usage(used: int, window: int | None = 100) -> Usage:
    return Usage(context_used=used, context_window=window)


@pytest.mark.parametrize(
    ("used", "window", "percent"),
    [
        (7395, 258400, 97),
        (0, 100, 100),
        (100, 100, 0),
        (130, 100, 0),
        (-5, 100, 100),
        (5, None, None),
        (5, 0, None),
    ],
)
def test_percent_left(used: int, window: int | None, percent: int | None) -> None:
    assert percent_left(usage(used, window)) == percent


def test_context_is_sent_when_it_changes_and_anew_for_each_run() -> None:
    heard = hear(
        begin(), UsageSet(usage(50)), UsageSet(usage(50)), UsageSet(usage(51)), end(), begin(RunId("r2"))
    )
    assert [m for m in heard if isinstance(m, ContextLeft)] == [
        ContextLeft("r", 50),
        ContextLeft("r", 49),
        ContextLeft("r2", 49),  # a client forgets it when a run starts
    ]


def test_plays_are_where_they_are_looked_for() -> None:
    assert len(EVERY_PLAY) >= 50
