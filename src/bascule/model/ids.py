"""Names of things: one type per kind of id, so that they cannot be mixed up."""

from typing import NewType

SessionId = NewType("SessionId", str)  # ours; survives the agent and the process
ThreadId = NewType("ThreadId", str)  # the agent's own name for the conversation
RunId = NewType("RunId", str)  # the agent's turn id: forks and resumed history speak of it too
BlockId = NewType("BlockId", str)
AskId = NewType("AskId", str)
PromptKey = NewType(
    "PromptKey", str
)  # chosen by the surface; one key is one prompt, however often it is sent


def short_id(id_: str) -> str:
    """Enough of its end to name it: ids begin with the time, so neighbours begin alike."""
    return id_[-8:]
