"""Slash commands: what a person types at the very start instead of a prompt."""

import re

from msgspec import Struct

from bascule.model.agents import Capability


class Command(Struct, frozen=True):
    argument: str  # as it is shown: NAME [EFFORT]; empty where it takes none
    doc: str
    needs: Capability | None = None  # of the agent


COMMANDS: dict[str, Command] = {
    "/new": Command("", "start a new session"),
    "/resume": Command("", "list the sessions of this workspace"),
    "/plan": Command("PROMPT", "ask for a plan; nothing can be written while it is made", "read_only"),
    "/patch": Command(
        "PROMPT", "ask for a diff to look at and apply; nothing can be written meanwhile", "read_only"
    ),
    "/test": Command("[COMMAND]", "run the project's tests here, after a yes"),
    "/diff": Command("", "show the latest diff of this session"),
    "/rename": Command("TITLE", "give this session a title"),
    "/compact": Command("", "have the agent shorten its context", "compact"),
    "/clear": Command("", "empty the log and start a fresh conversation"),
    "/fork": Command("", "go on in a copy of this session", "fork"),
    "/model": Command("[NAME [EFFORT]]", "choose the model", "models"),
    "/restart": Command("", "end the agent, even a silent one, and start it again"),
    "/status": Command("", "context, limits and what is running"),
    "/help": Command("", "show these commands"),
}


class Slash(Struct, frozen=True):
    name: str  # with its slash
    argument: str = ""


class UnknownSlash(Struct, frozen=True):
    name: str

    @property
    def text(self) -> str:
        return f"{self.name} is not a command. Type /help for the list. Nothing was sent."


def parse_slash(text: str) -> Slash | UnknownSlash | None:
    """None when it is a prompt: only a slash at the very start makes a command."""
    found = re.match(r"(/\S*)(\s*)", text)
    if found is None:
        return None
    name, gap, argument = found[1], found[2], text[found.end() :].strip()
    if "/" in name[1:]:
        return None  # a path
    command = COMMANDS.get(name)
    if "\n" in gap and argument and not (command and command.argument):
        return None  # the beginning of a text
    return Slash(name, argument) if command else UnknownSlash(name)


def help_text() -> str:
    rows = ((f"{name} {command.argument}".strip(), command.doc) for name, command in COMMANDS.items())
    return "\n".join(f"- `{usage}` {does}" for usage, does in rows)
