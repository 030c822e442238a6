"""A sentence of ours as a code and its fields: each surface has words for it, in the person's language."""

from msgspec import Struct

AGENT_RETRIES = "agent.retries"  # it met an error and tries again
PATCH_UNUSABLE = "patch.unusable"  # an answer to /patch in which no diff was found that applies


class Said(Struct, frozen=True, omit_defaults=True):
    code: str
    fields: dict[str, str | int] = {}
