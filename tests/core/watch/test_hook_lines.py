"""Claude's hooks: what each event means, in which order, and lines that are broken."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.core.watch.hook_lines import EVENTS, MAX_LINE, MAX_SESSIONS, HookReader, parse_hook_line

SAYS = {
    "SessionStart": ("completed", ""),
    "SessionStart resume": ("completed", "resume"),
    "SessionStart clear": ("completed", "clear"),
    "SessionStart fork": ("completed", "fork"),
    "SessionStart compact": ("completed", "compact"),
    "SessionStart something-new": ("completed", "something-new"),
    "UserPromptSubmit": ("working", ""),
    "PermissionRequest": ("waiting_user", ""),
    "Notification permission_prompt": ("waiting_user", "permission_prompt"),
    "Notification elicitation_dialog": ("waiting_user", "elicitation_dialog"),
    "Notification idle_prompt": ("waiting_user", "idle_prompt"),
    "Stop": ("completed", ""),
    "Stop background": ("working", ""),
    "StopFailure": ("completed", ""),
    "SessionEnd": ("stopped", ""),
}


def line(word: str, **change: str) -> bytes:
    event, detail = SAYS[word]
    said = {
        "source": "claude",
        "event": event,
        "session_id": "s1",
        "pane_id": "pane-1",
        "timestamp": "2026-11-15T19:12:39.721Z",
        "hook": word.split(maxsplit=1)[0],
        "detail": detail,
        **change,
    }
    return json.dumps(said).encode()


def last_status(*words: str) -> str:
    reader, status = HookReader(), "unknown"
    for word in words:
        signal = reader.feed(line(word))
        status = signal.status if signal else status
    return status


SEQUENCES = [
    ("SessionStart", "completed"),
    ("SessionStart, UserPromptSubmit", "working"),
    ("SessionStart, UserPromptSubmit, PermissionRequest", "waiting_user"),
    ("UserPromptSubmit, Notification permission_prompt", "waiting_user"),
    ("UserPromptSubmit, Notification elicitation_dialog", "waiting_user"),
    ("UserPromptSubmit, Notification idle_prompt", "working"),
    ("UserPromptSubmit, Stop, Notification idle_prompt", "completed"),
    ("UserPromptSubmit, Stop, Notification permission_prompt", "completed"),  # late: the run is over
    ("UserPromptSubmit, PermissionRequest, Notification idle_prompt", "waiting_user"),
    ("UserPromptSubmit, PermissionRequest, Notification permission_prompt, Stop", "completed"),
    ("UserPromptSubmit, Stop", "completed"),
    ("UserPromptSubmit, Stop background", "working"),
    ("UserPromptSubmit, Stop background, Stop", "completed"),
    ("UserPromptSubmit, PermissionRequest, Stop background", "working"),  # a yes was given in between
    ("UserPromptSubmit, Stop background, PermissionRequest", "waiting_user"),
    ("UserPromptSubmit, Stop background, Notification elicitation_dialog", "waiting_user"),  # a task asks
    ("UserPromptSubmit, SessionEnd, Stop background", "stopped"),
    ("UserPromptSubmit, StopFailure", "completed"),
    ("UserPromptSubmit, StopFailure, Notification permission_prompt", "completed"),
    ("UserPromptSubmit, SessionEnd", "stopped"),  # interrupted: no Stop came
    ("UserPromptSubmit, SessionEnd, Notification permission_prompt", "stopped"),
    ("UserPromptSubmit, SessionEnd, Stop", "stopped"),  # late
    ("UserPromptSubmit, SessionEnd, StopFailure", "stopped"),
    ("SessionEnd, SessionStart", "completed"),
    ("SessionEnd, SessionStart resume, Stop", "completed"),
    ("UserPromptSubmit, SessionStart compact", "working"),
    ("UserPromptSubmit, PermissionRequest, SessionStart compact", "waiting_user"),
    ("UserPromptSubmit, SessionStart compact, Stop", "completed"),
    ("SessionStart resume", "completed"),
    ("SessionStart clear", "completed"),
    ("SessionStart fork", "completed"),
    ("SessionStart something-new", "completed"),
    ("Stop, UserPromptSubmit, Notification permission_prompt", "waiting_user"),
]


@pytest.mark.parametrize(("words", "status"), SEQUENCES)
def test_each_sequence_of_events_gives_one_status(words: str, status: str) -> None:
    assert last_status(*words.split(", ")) == status


def test_a_line_carries_the_session_its_pane_and_its_time() -> None:
    signal = HookReader().feed(line("PermissionRequest", cwd="/p"))
    assert signal is not None
    assert (signal.agent, signal.session, signal.pane, signal.cwd) == ("claude", "s1", "pane-1", "/p")
    assert (signal.at_ms, signal.evidence) == (1_794_769_959_721, "PermissionRequest")


def test_the_word_of_the_line_counts_for_an_event_that_is_new() -> None:
    signal = HookReader().feed(line("Stop", hook="PostToolUse", event="working"))
    assert signal is not None
    assert signal.status == "working"


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"{",
        b'{"source": "claude"}',
        b"\xff\xfe",
        line("Stop", source="else"),
        line("Stop", event="sleeping"),
        line("Stop", session_id=""),
        line("Stop", session_id="x" * 201),
        line("Stop", cwd="x" * MAX_LINE),
    ],
)
def test_a_broken_line_is_skipped_and_the_next_one_is_read(broken: bytes) -> None:
    reader = HookReader()
    assert reader.feed(broken) is None
    assert reader.feed(line("Stop")) is not None


def test_sessions_have_a_ceiling() -> None:
    reader = HookReader()
    for number in range(MAX_SESSIONS + 5):
        reader.feed(line("SessionStart", session_id=f"s{number}"))
    assert len(reader._last) == MAX_SESSIONS


@given(st.lists(st.sampled_from(sorted(SAYS)), max_size=20))
def test_an_event_sent_twice_in_a_row_changes_nothing(words: list[str]) -> None:
    assert last_status(*[word for word in words for _ in range(2)]) == last_status(*words)


@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    parse_hook_line(data)


def test_the_events_are_those_that_are_asked_for() -> None:
    assert {word.split()[0] for word in SAYS} == set(EVENTS)
