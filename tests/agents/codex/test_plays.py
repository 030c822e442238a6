"""Recorded conversations: fed whole, byte by byte, and joined at any point, all end equal."""

import random
from pathlib import Path

import msgspec
import pytest
from tests.agents.codex.listening import CWD, PLAYS, Listener, read_play
from tools.make_golden import CHOSEN, GOLDEN, golden_case

from bascule.agents.codex.events.history import history_page
from bascule.agents.codex.events.translator import DEBUG_ONLY
from bascule.agents.codex.wire.threads import ThreadAnswer
from bascule.core.session.fold import Fold
from bascule.core.session.usage import usage_text
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    DividerBlock,
    ErrorBlock,
    FileChangeBlock,
    InfoBlock,
    McpBlock,
    PlanBlock,
    ReasoningBlock,
    UserBlock,
)
from bascule.model.changes import AskOpened, HistoryPut
from bascule.model.ids import SessionId
from bascule.model.session import Session

EVERY_PLAY = sorted(PLAYS.glob("*.wire"))
SEED = 20_26
VERSIONS = ("0.163", "0.166")

every_play = pytest.mark.parametrize("path", EVERY_PLAY, ids=lambda path: path.stem)
each_version = pytest.mark.parametrize("version", VERSIONS)


def listen(*chunks: bytes) -> Listener:
    listener = Listener()
    for chunk in chunks:
        listener.driver.feed(chunk)
    return listener


def wire(path: Path) -> bytes:
    return b"".join(line + b"\n" for line in read_play(path))


def byte_by_byte(stream: bytes) -> list[bytes]:
    return [stream[at : at + 1] for at in range(len(stream))]


def in_crumbs(stream: bytes) -> list[bytes]:
    cuts = random.Random(SEED)
    chunks, at = [], 0
    while at < len(stream):
        size = cuts.randint(1, 40)
        chunks.append(stream[at : at + size])
        at += size
    return chunks


def play(name: str, version: str = "0.166") -> Listener:
    return listen(wire(PLAYS / f"codex-{version}-{name}.wire"))


def only(listener: Listener) -> Session:
    (session,) = listener.sessions().values()
    return session


def log(session: Session) -> list[Block]:
    """The blocks, info notices aside."""
    return [block for block in session.blocks if not isinstance(block, InfoBlock)]


def kinds(session: Session) -> list[str]:
    return [str(block.__struct_config__.tag) for block in log(session)]


def test_there_are_plays() -> None:
    assert len(EVERY_PLAY) >= 50


@every_play
def test_a_play_ends_the_same_whole_byte_by_byte_and_in_crumbs(path: Path) -> None:
    stream = wire(path)
    whole = listen(stream)
    for chunks in (byte_by_byte(stream), in_crumbs(stream)):
        listener = listen(*chunks)
        assert listener.sessions() == whole.sessions()
        assert listener.agent() == whole.agent()
        assert listener.said == whole.said


@every_play
def test_a_play_ends_the_same_joined_in_the_middle(path: Path) -> None:
    listener = Listener()
    for line in read_play(path):
        listener.feed(line)
    for thread, changes in listener.changes.items():
        whole = listener.session(thread)
        for count in {1, len(changes) // 4, len(changes) // 2, len(changes) - 1}:
            early = Fold(Session(id=SessionId(thread), workspace=CWD))
            early.apply_all(changes[:count])
            snapshot = msgspec.json.decode(msgspec.json.encode(early.session()), type=Session)
            joined = Fold(snapshot)
            joined.apply_all(changes[count:])
            assert joined.session() == whole


@every_play
def test_a_play_holds_nothing_that_is_not_known(path: Path) -> None:
    listener = listen(wire(path))
    first_lines = [line for line in listener.other_events().splitlines() if line[:1].isalpha()]
    strange = [line for line in first_lines if "nobody made" not in line]
    assert [line for line in strange if line.split()[0] not in DEBUG_ONLY] == []
    assert [listener.other_events(thread) for thread in listener.changes] == [""] * len(listener.changes)


@every_play
def test_nothing_of_an_ended_run_is_left_in_progress(path: Path) -> None:
    for session in listen(wire(path)).sessions().values():
        ended = {run.id for run in session.runs if run.outcome != "running"}
        left = [b.id for b in session.blocks if b.run in ended and getattr(b, "status", "") == "inProgress"]
        assert left == []


WHOLE_TURN = [
    *("user", "reasoning", "assistant", "assistant", "command", "assistant", "assistant", "command"),
    *("fileChange", "assistant", "assistant", "command", "assistant", "assistant"),
]


@pytest.mark.parametrize(
    ("name", "version", "expected"),
    [
        (
            "recording",
            "0.166",
            ["user", "reasoning", "assistant", "command", "fileChange", "command", "assistant"],
        ),
        ("turn", "0.163", WHOLE_TURN),
        ("turn", "0.166", WHOLE_TURN),
    ],
)
def test_a_whole_turn(name: str, version: str, expected: list[str]) -> None:
    session = only(play(name, version))
    assert kinds(session) == expected
    (edits,) = [block for block in session.blocks if isinstance(block, FileChangeBlock)]
    assert len(edits.files) == 2
    assert all(edit.diff.startswith("@@ ") for edit in edits.files)
    assert edits.has_diff
    assert session.diff is not None
    assert {edit.path for edit in session.diff.files} == {edit.path for edit in edits.files}
    assert session.status == "completed"
    assert session.usage is not None
    assert usage_text(session.usage).startswith("ctx remaining=")
    assert [run.outcome for run in session.runs] == ["completed"]
    assert {block.run for block in log(session)} == {session.runs[0].id}


@each_version
def test_reasoning_has_summaries(version: str) -> None:
    blocks = [b for b in only(play("reasoning", version)).blocks if isinstance(b, ReasoningBlock)]
    assert blocks
    assert all(block.summary and block.status == "completed" for block in blocks)


@each_version
def test_a_plan_of_prose_is_a_plan_block(version: str) -> None:
    blocks = [b for b in only(play("plan-mode", version)).blocks if isinstance(b, PlanBlock)]
    assert [bool(block.text) for block in blocks] == [True]


@each_version
def test_a_failed_run_says_why(version: str) -> None:
    session = only(play("error", version))
    (error,) = [
        b for b in session.blocks if isinstance(b, ErrorBlock) and b.title == "The agent met an error"
    ]
    (run,) = session.runs
    assert run.outcome == "failed"
    assert run.why
    assert run.why in error.text
    assert error.run == run.id


@each_version
def test_an_interrupted_run_leaves_nothing_turning(version: str) -> None:
    session = only(play("interrupt", version))
    run, after = session.runs
    (answer,) = [b for b in session.blocks if isinstance(b, AssistantBlock) and b.run == run.id]
    assert (run.outcome, answer.status, after.outcome) == ("interrupted", "cancelled", "completed")
    assert answer.text


@each_version
def test_a_compaction_is_one_divider(version: str) -> None:
    (divider,) = [b for b in only(play("compact", version)).blocks if isinstance(b, DividerBlock)]
    assert divider.text == "Context compacted"
    assert divider.title.startswith("Worked for ")


@each_version
def test_what_was_steered_into_a_run_is_marked(version: str) -> None:
    users = [b for b in only(play("steer", version)).blocks if isinstance(b, UserBlock)]
    assert [block.steered for block in users] == [False, True]
    assert len({block.run for block in users}) == 1


@each_version
def test_a_declined_command_is_declined(version: str) -> None:
    session = only(play("approval-decline", version))
    assert session.asks == ()
    assert "declined" in [block.status for block in session.blocks if isinstance(block, CommandBlock)]


@each_version
@pytest.mark.parametrize(
    "name", ["approval", "approval-cancel", "approval-withdrawn", "edit", "mcp", "question"]
)
def test_an_ask_is_opened_and_nothing_is_said_by_itself(name: str, version: str) -> None:
    listener = play(name, version)
    opened = [c for changes in listener.changes.values() for c in changes if isinstance(c, AskOpened)]
    assert opened
    assert all(change.ask.choices for change in opened)
    assert listener.said == []
    assert only(listener).asks == ()


@each_version
def test_a_question_without_an_answer_stays_open(version: str) -> None:
    lines = read_play(PLAYS / f"codex-{version}-question.wire")
    (asked,) = [at for at, line in enumerate(lines) if b"item/tool/requestUserInput" in line]
    session = only(listen(*(line + b"\n" for line in lines[: asked + 1])))
    assert [ask.title for ask in session.asks] == ["The agent has questions"]
    assert session.status == "waiting_user"


@each_version
def test_an_mcp_call_has_its_server_and_its_result(version: str) -> None:
    calls = [block for block in only(play("mcp", version)).blocks if isinstance(block, McpBlock)]
    assert calls
    assert all(call.server and call.tool and call.result and call.status == "completed" for call in calls)


def resumed_page(version: str) -> HistoryPut:
    path = PLAYS / f"codex-{version}-resume.wire"
    (line,) = [line for line in read_play(path) if b'"initialTurnsPage":{' in line]
    answer = msgspec.json.decode(
        msgspec.json.decode(line, type=dict[str, msgspec.Raw])["result"], type=ThreadAnswer
    )
    assert answer.initial_turns_page is not None
    return history_page(answer.initial_turns_page, answer.thread.cwd)


@each_version
def test_history_rebuilds_what_was_seen_live(version: str) -> None:
    """Times are not kept by Codex, and a prompt goes by the item's name instead of ours."""
    live, _fork = play("history", version).sessions().values()
    page = resumed_page(version)
    rebuilt = [str(block.__struct_config__.tag) for block in page.blocks]
    last_runs = {run.id for run in page.runs}
    shown = [b for b in live.blocks if b.run in last_runs and not isinstance(b, InfoBlock | PlanBlock)]
    assert rebuilt == [str(block.__struct_config__.tag) for block in shown]
    assert [texts(block) for block in page.blocks] == [texts(block) for block in shown]
    assert [(run.id, run.outcome) for run in page.runs] == [
        (run.id, run.outcome) for run in live.runs if run.id in last_runs
    ]


def texts(block: Block) -> list[object]:
    names = ("text", "summary", "command", "output", "files", "result", "query", "status")
    return [getattr(block, name, None) for name in names]


@pytest.mark.parametrize("name", CHOSEN)
def test_the_golden_cases_are_what_the_plays_make(name: str) -> None:
    made = golden_case(PLAYS / f"codex-0.166-{name}.wire")
    assert (GOLDEN / f"play-{name}.json").read_bytes() == made, "python -m tools.make_golden"
