"""Agents: what an agent can do, and how its program is found and started."""

from typing import Literal

from msgspec import Struct

Capability = Literal[
    "steer", "fork", "compact", "resume", "models", "images", "read_only", "mcp", "skills", "sign_out"
]


class AgentCapabilities(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an agent can do beside taking a prompt, asking and being interrupted.

    What it cannot do is never called, and no surface shows a control for it."""

    steer: bool = True  # take words into a run that is already going
    fork: bool = True
    compact: bool = True  # shorten its own context
    resume: bool = True  # go on with a conversation after its process has ended
    models: bool = True  # offers a choice of models
    images: bool = True
    read_only: bool = True  # a run in which nothing can be written: plans, diffs and Orders need it
    mcp: bool = True  # lists its MCP servers
    skills: bool = True
    sign_out: bool = True


class Launch(Struct, frozen=True, kw_only=True):
    """The program of an agent. The texts are for a person who has to fix something."""

    program: str  # a name to be found on PATH, or a path
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}  # besides what every agent gets
    bundled: str = ""  # "package:function" that gives a path, for where PATH has no such program
    missing: str  # there is no such program
    how_to_get: str = ""
    oldest: tuple[int, int] = (0, 0)  # the first version that can be driven
    check: str = ""  # it runs, and does not speak as it should
    sign_in_args: tuple[str, ...] = ()  # with these it ends with 0 when somebody is signed in
    how_to_sign_in: str = ""
    get_commands: tuple[str, ...] = ()  # any one of them installs it
    sign_in_words: tuple[str, ...] = ()  # after its name; any one of them signs a person in
