"""A listener that Codex asks something, and what goes back for an answer."""

from typing import Any

from tests.agents.codex.listening import Json, Listener

from bascule.model.asks import (
    Answer,
)
from bascule.model.blocks import FileEdit
from bascule.model.edits import HunkSpan
from bascule.model.ids import AskId

E0 = AskId("e-0")
NEW_FILE = FileEdit(
    path="a.txt",
    change="add",
    diff="@@ -0,0 +1,1 @@\n+hi\n",
    additions=1,
    spans=(HunkSpan(first=1, count=1, old_start=0, new_start=1),),
)
FOUR = ("accept", "acceptForSession", "decline", "cancel")
COMMAND = "item/commandExecution/requestApproval"
FILES = "item/fileChange/requestApproval"
PERMISSIONS = "item/permissions/requestApproval"
QUESTION = "item/tool/requestUserInput"
ELICITATION = "mcpServer/elicitation/request"
LEGACY_PATCH = "applyPatchApproval"
LEGACY_COMMAND = "execCommandApproval"
RUN_LS: Json = {"turnId": "r", "itemId": "i", "command": "/bin/bash -lc ls", "cwd": "/w"}
EVERY_ASK: dict[str, Json] = {
    COMMAND: RUN_LS,
    FILES: {"turnId": "r", "itemId": "i"},
    PERMISSIONS: {"turnId": "r", "itemId": "i", "cwd": "/w", "permissions": {"network": {"enabled": True}}},
    QUESTION: {"turnId": "r", "itemId": "i", "questions": [{"id": "q", "question": "Which?"}]},
    ELICITATION: {"turnId": "r", "serverName": "s", "mode": "form", "message": "May I?"},
    LEGACY_PATCH: {"conversationId": "t", "callId": "c", "fileChanges": {}},
    LEGACY_COMMAND: {"conversationId": "t", "callId": "c", "command": ["ls"], "cwd": "/w"},
}


def asking(method: str, /, **params: Any) -> Listener:
    listener = Listener()
    listener.begin()
    listener.ask(method, **params)
    return listener


def reply(listener: Listener, choice: str, **answer: Any) -> Any:
    """What goes back when a person chooses this."""
    assert listener.said == [], "nothing is said before a person has spoken"
    assert listener.driver.answer(Answer(ask=E0, choice=choice, **answer)) is None
    (said,) = listener.said
    assert said["id"] == 0
    return said["result"]


def choice_ids(listener: Listener) -> tuple[str, ...]:
    return tuple(choice.id for choice in listener.open_ask().choices)
