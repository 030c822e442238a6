"""Codex rollouts: every sequence of the specification and of the field, and what each one proves."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.watch.logs.rollouts import ID, WORDS, call, line, read

from bascule.core.watch.labels import MAX_PATH
from bascule.core.watch.logs.rollout import MAX_OPEN_CALLS, RolloutReader
from bascule.core.watch.logs.tail_lines import TailLine, TailLines
from bascule.core.watch.merge import MEANINGS

PLAYS = Path(__file__).parents[3] / "plays" / "watch"

SEQUENCES = [
    # nothing was asked yet
    ("meta", "unknown"),
    ("meta, started", "unknown"),
    ("meta, agents, environment, developer", "unknown"),
    ("meta, agents, assistant", "unknown"),
    ("meta, instructions, skill, environment, reasoning", "unknown"),
    # legacy files: messages and calls alone
    ("meta, user", "working"),
    ("meta, environment, user", "working"),
    ("meta, user, assistant", "completed"),
    ("meta, user, commentary", "working"),
    ("meta, user, commentary, final", "completed"),
    ("meta, user, empty", "working"),
    ("meta, user, call", "working"),
    ("meta, user, assistant, call", "working"),
    ("meta, user, call, output", "working"),
    ("meta, user, call, output, assistant", "completed"),
    ("meta, user, assistant, call, output", "working"),
    ("meta, user, final, user2", "working"),
    ("meta, user, call, call2, output, final", "working"),
    ("meta, user, call, call2, output, final, output2", "working"),
    ("meta, user, call, call2, output, output2, final", "completed"),
    ("meta, started, user, complete, call", "completed"),  # late
    ("meta, started, user, complete, ask", "completed"),
    ("meta, user, ask", "waiting_user"),
    ("meta, user, ask, answer", "working"),
    ("meta, user, call, ask", "waiting_user"),
    ("meta, user, ask, answer, final", "completed"),
    ("meta, user, ask, aborted", "completed"),
    ("meta, user, shell", "working"),
    ("meta, user, shell, shell done", "working"),
    ("meta, user, shell done", "working"),
    ("meta, user, patch", "working"),
    ("meta, user, patch, patch output, assistant", "completed"),
    ("meta, user, search", "working"),
    ("meta, user, call without id, output without id", "working"),
    ("meta, user, call without id, assistant", "completed"),
    ("meta, user, aborted", "completed"),
    ("meta, user, call, aborted", "completed"),
    ("meta, user, aborted bare, user2", "working"),
    ("meta, user, call, aborted bare, output", "completed"),
    ("meta, user, assistant, shell command", "completed"),
    ("meta, user, assistant, aborted text", "completed"),
    ("meta, user, approval", "working"),
    ("meta, user event, agent event", "completed"),
    # files with turns
    ("meta, started, user", "working"),
    ("meta, started, user, assistant", "working"),  # more may come before the turn's end
    ("meta, started, user, final", "completed"),
    ("meta, started, user, commentary, complete", "completed"),
    ("meta, started, user, call, complete", "completed"),
    ("meta, started, user, user item, agent item, assistant, tokens, complete", "completed"),
    ("meta, started, user, call, aborted text, aborted", "completed"),
    ("meta, started, user, complete, started2", "working"),
    ("meta, started, user, complete, started2, user2, complete2", "completed"),
    ("meta, started, user, started2, user2, complete", "working"),  # the end of an earlier turn
    ("meta, started, user, started2, user2, complete, complete2", "completed"),
    ("meta, started, user, call, complete, output", "completed"),
    ("meta, started, user item", "working"),
    # what cannot be read is skipped
    ("meta, user, garbage, no object, null payload, assistant", "completed"),
    ("garbage, meta, user", "working"),
    # from the middle of a file
    ("output, tokens, complete", "unknown"),
    ("complete, started2, user2", "working"),
]


@pytest.mark.parametrize(("words", "status"), SEQUENCES)
def test_each_sequence_proves_one_status(words: str, status: str) -> None:
    reader = read(*words.split(", "))
    assert reader.status == status
    assert MEANINGS["rollout", reader.evidence] == status


@pytest.mark.parametrize("words", [words for words, _ in SEQUENCES])
def test_the_latest_input_is_the_one_that_counts_whatever_came_before(words: str) -> None:
    """What is put in for the agent (its instructions, the environment) is no input."""
    before = words.split(", ")
    asked = read(*before, "started2", "user2")
    assert (asked.status, asked.signal().title != "") == ("working", True)
    answered = [*before, "started2", "user2", "complete2"]
    for nobodys in ("agents", "environment", "skill", "instructions"):
        assert read(*answered, nobodys).status == "completed"


def test_what_happens_in_the_middle_of_streaming_is_not_known() -> None:
    """Neither a line that is not whole yet nor what is written meanwhile says more than: working."""
    reader, lines = read("meta", "started", "user"), TailLines()
    for meanwhile in ("reasoning", "tokens", "commentary", "agent item"):
        reader.feed(TailLine(WORDS[meanwhile]))
        assert reader.status == "working"
    final = WORDS["final"] + b"\n"
    for at in range(len(final)):
        assert reader.status == "working"
        for one in lines.feed(final[at : at + 1]):
            reader.feed(one)
    assert reader.status == "completed"


def read_recording(name: str) -> list[TailLine]:
    return [TailLine(one) for one in (PLAYS / name).read_bytes().splitlines()]


def statuses(name: str) -> list[str]:
    """Without repeats."""
    reader, seen = RolloutReader(), ["unknown"]
    for one in read_recording(name):
        reader.feed(one)
        if reader.status != seen[-1]:
            seen.append(reader.status)
    return seen


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("codex-0.166-rollout.jsonl", ["unknown", "working", "completed"]),
        ("codex-0.166-rollout-exec.jsonl", ["unknown", "working", "completed"]),
        (
            "codex-0.166-rollout-tui.jsonl",
            ["unknown", "working", "completed", "working", "completed", "working", "completed"],
        ),
    ],
)
def test_recorded_rollouts_go_through_the_right_statuses(name: str, expected: list[str]) -> None:
    assert statuses(name) == expected


def test_a_recorded_rollout_tells_who_and_where() -> None:
    reader = RolloutReader()
    for one in read_recording("codex-0.166-rollout-tui.jsonl"):
        reader.feed(one)
    signal = reader.signal()
    assert (signal.session, signal.cwd, signal.title) == (ID, "/home/dev/xproj", "please RUNTOOL")
    assert signal.at_ms > 1_794_807_000_000


def test_an_open_call_says_what_is_done_and_a_question_what_is_asked() -> None:
    assert read("meta", "user", "call").signal().doing == "make test"
    assert read("meta", "user", "call", "ask").signal().doing == "Which one?"
    assert read("meta", "user", "call", "output").signal().doing == ""


def test_sub_agents_and_title_threads_are_not_shown() -> None:
    assert read("subagent meta", "user").signal().hidden
    assert read("title meta", "user").signal().hidden
    assert not read("meta", "user").signal().hidden


def test_the_first_meta_names_the_session_of_a_fork() -> None:
    forked = read("meta", "subagent meta", "user")
    assert forked.session == ID
    assert not forked.signal().hidden


def test_an_overlong_output_still_ends_its_call() -> None:
    lines = TailLines(max_line=400)
    long = json.dumps(
        {
            "timestamp": "2026-11-16T05:43:17.394Z",
            "type": "response_item",
            "payload": {"type": "function_call_output", "call_id": "c1", "output": "x" * 5_000},
        }
    ).encode()
    reader = read("meta", "user", "call")
    cut = lines.feed(long + b"\n")
    assert [one.is_cut for one in cut] == [True]
    reader.feed(cut[0])
    assert reader.evidence == "tool output"


def test_open_calls_have_a_ceiling() -> None:
    reader = read("meta", "user")
    for number in range(MAX_OPEN_CALLS + 10):
        reader.feed(TailLine(call(f"x{number}")))
    assert len(reader._open) == MAX_OPEN_CALLS
    assert reader.status == "working"


def test_escape_sequences_never_reach_a_title() -> None:
    reader = read("meta")
    evil = json.dumps({"message": "\x1b]0;owned\x07hello\u202e there", "type": "user_message"})
    reader.feed(TailLine(b'{"type": "event_msg", "payload": ' + evil.encode() + b"}"))
    assert reader.signal().title == "hello<U+202E> there"


# -- order, duplication, tearing --

word_lists = st.lists(st.sampled_from(sorted(WORDS)), max_size=30)


@given(word_lists, st.data())
def test_a_file_read_in_any_pieces_proves_the_same(words: list[str], data: st.DataObject) -> None:
    whole = b"".join(WORDS[word] + b"\n" for word in words)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=12)))
    lines, torn = TailLines(), RolloutReader()
    for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        for one in lines.feed(whole[start:end]):
            torn.feed(one)
    once = read(*words)
    assert (torn.signal(), torn.status) == (once.signal(), once.status)


@given(word_lists)
def test_a_line_sent_twice_in_a_row_changes_nothing(words: list[str]) -> None:
    twice = [word for word in words for _ in range(2)]
    assert read(*twice).status == read(*words).status


@given(word_lists)
def test_every_status_is_in_the_table_and_nothing_raises(words: list[str]) -> None:
    reader = read(*words)
    assert ("rollout", reader.evidence) in MEANINGS
    assert reader.has_input or reader.status == "unknown"


@given(st.lists(st.binary(max_size=200), max_size=20))
def test_bytes_that_are_no_rollout_prove_nothing(pieces: list[bytes]) -> None:
    reader, lines = RolloutReader(), TailLines(max_line=100)
    for piece in pieces:
        for one in lines.feed(piece):
            reader.feed(one)
        assert lines.waiting <= 100
    assert reader.status == "unknown"


def test_texts_that_are_far_too_long_are_cut_as_they_are_read() -> None:
    long = "/a\rb\n" + "x" * 100_000
    meta = {"id": ID, "cwd": long, "git": {"branch": long}}
    asked = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": long}]}
    reader = RolloutReader()
    reader.feed(TailLine(line("session_meta", meta)))
    reader.feed(TailLine(line("response_item", asked)))
    signal = reader.signal()
    assert (len(signal.cwd), signal.branch, signal.title) == (MAX_PATH, "/a\rb", "b")
