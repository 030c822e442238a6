"""The two older approvals, and requests that no person can help with."""

import pytest
from tests.agents.codex.events.asking import (
    EVERY_ASK,
    FOUR,
    LEGACY_COMMAND,
    LEGACY_PATCH,
    NEW_FILE,
    asking,
    choice_ids,
    reply,
)
from tests.agents.codex.listening import NOW_MS, Json, Listener

from bascule.agents.codex.events.asks import REFUSED_CALLS
from bascule.model.asks import (
    CommandSubject,
    FilesSubject,
)

# -- the two legacy approvals --

LEGACY = [
    ("accept", {"decision": "approved"}),
    ("acceptForSession", {"decision": "approved_for_session"}),
    ("decline", {"decision": {"denied": {"rejection": "declined by the user"}}}),
    ("cancel", {"decision": "abort"}),
]


def test_a_legacy_patch_approval_shows_the_files() -> None:
    changes = {"/w/a.txt": {"type": "add", "content": "hi\n"}}
    listener = Listener()
    listener.tell_agent("thread/started", thread={"id": "t", "cwd": "/w"})
    listener.ask(
        LEGACY_PATCH, conversationId="t", callId="c", fileChanges=changes, reason="x", grantRoot="/w"
    )
    ask = listener.open_ask()
    assert (ask.title, ask.subject, ask.reason) == (
        "Write these files?",
        FilesSubject(files=(NEW_FILE,), grant_root="/w"),
        "x",
    )
    assert choice_ids(listener) == FOUR


def test_a_legacy_command_approval_shows_the_command() -> None:
    words = ["bash", "-lc", "cd /w && make"]
    listener = asking(LEGACY_COMMAND, conversationId="t", callId="c", command=words, cwd="/w", parsedCmd=[])
    original = "bash -lc 'cd /w && make'"
    subject = CommandSubject(command="make", original=original, cwd="/w", sandbox="unknown")
    assert (listener.open_ask().title, listener.open_ask().subject) == ("Run this command?", subject)


@pytest.mark.parametrize("method", [LEGACY_PATCH, LEGACY_COMMAND])
@pytest.mark.parametrize(("choice", "expected"), LEGACY)
def test_legacy_decisions_have_words_of_their_own(method: str, choice: str, expected: Json) -> None:
    assert reply(asking(method, **EVERY_ASK[method]), choice) == expected


def test_a_legacy_no_carries_the_reason() -> None:
    listener = asking(LEGACY_COMMAND, **EVERY_ASK[LEGACY_COMMAND])
    assert reply(listener, "decline", reason="not here") == {
        "decision": {"denied": {"rejection": "not here"}}
    }


# -- what a person cannot help with --


def test_a_tool_of_ours_is_refused_with_a_result() -> None:
    listener = asking("item/tool/call", turnId="r", callId="c", tool="x", arguments={})
    (said,) = listener.said
    assert said["result"]["success"] is False
    assert "Bascule offers no tools" in said["result"]["contentItems"][0]["text"]
    assert "refused item/tool/call:" in listener.other_events()


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("account/chatgptAuthTokens/refresh", "codex login"),
        ("attestation/generate", "cannot attest"),
    ],
)
def test_tokens_and_attestation_are_refused_with_the_next_step(method: str, words: str) -> None:
    listener = asking(method, reason="unauthorized")
    (said,) = listener.said
    assert said["error"]["code"] == -32000
    assert words in said["error"]["message"]
    assert f"refused {method}:" in listener.other_events()


@pytest.mark.parametrize("method", sorted(REFUSED_CALLS))
def test_a_refused_request_of_a_strange_shape_is_refused_all_the_same(method: str) -> None:
    listener = Listener()
    listener.ask(method, threadId=5)
    assert len(listener.said) == 1
    assert "refused" in listener.other_events()


def test_current_time_is_sent_in_seconds() -> None:
    listener = asking("currentTime/read")
    assert listener.said == [{"id": 0, "result": {"currentTimeAt": NOW_MS // 1000}}]


def test_an_unknown_request_is_refused_and_shown() -> None:
    listener = asking("hologram/show", colour="blue")
    (said,) = listener.said
    assert (said["id"], said["error"]["code"]) == (0, -32601)
    assert '"colour": "blue"' in listener.other_events()
