"""What Codex asks the model: the part of a Responses API request that the script reads."""

import msgspec


class RequestPart(msgspec.Struct, frozen=True):
    """One piece of a message or of a tool's output."""

    type: str = ""
    text: str = ""


class RequestItem(msgspec.Struct, frozen=True):
    """One thing said or done before: a message, a tool call, or what a tool gave back."""

    type: str
    id: str | None = None
    role: str = ""
    phase: str | None = None
    content: str | list[RequestPart] | None = None
    output: str | list[RequestPart] | None = None


class Metadata(msgspec.Struct, frozen=True):
    turn_id: str = ""


class ModelRequest(msgspec.Struct, frozen=True):
    """The conversation so far, and the turn that this answer is for."""

    input: list[RequestItem]
    model: str = ""
    client_metadata: Metadata = Metadata()


def parse_request(body: bytes) -> ModelRequest:
    """Decode a request body; raises msgspec.DecodeError when it is something else."""
    return msgspec.json.decode(body, type=ModelRequest)


def plain_text(content: str | list[RequestPart] | None) -> str:
    if isinstance(content, list):
        return "\n".join(part.text for part in content if part.text)
    return content or ""
