"""What Codex asks the model: the part of a Responses API request that the script reads."""

import msgspec


class Part(msgspec.Struct, frozen=True):
    """One piece of a message or of a tool's output."""

    type: str = ""
    text: str = ""


class Item(msgspec.Struct, frozen=True):
    """One thing said or done before: a message, a tool call, or what a tool gave back."""

    type: str
    id: str | None = None
    role: str = ""
    phase: str | None = None
    content: str | list[Part] | None = None
    output: str | list[Part] | None = None


class Metadata(msgspec.Struct, frozen=True):
    turn_id: str = ""


class Request(msgspec.Struct, frozen=True):
    """The conversation so far, and the turn that this answer is for."""

    input: list[Item]
    model: str = ""
    client_metadata: Metadata = Metadata()


def parse_request(body: bytes) -> Request:
    """Decode a request body; raises msgspec.DecodeError when it is something else."""
    return msgspec.json.decode(body, type=Request)


def plain_text(content: str | list[Part] | None) -> str:
    if isinstance(content, list):
        return "\n".join(part.text for part in content if part.text)
    return content or ""
