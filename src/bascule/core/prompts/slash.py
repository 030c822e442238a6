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
    "/resume": Command("", "list the sessions in this workspace"),
    "/plan": Command("PROMPT", "ask for a plan, in a read-only run", "read_only"),
    "/patch": Command("PROMPT", "ask for a diff to review and apply, in a read-only run", "read_only"),
    "/test": Command("[COMMAND]", "run the project's tests after you approve"),
    "/diff": Command("", "show this session's latest diff"),
    "/rename": Command("TITLE", "rename this session"),
    "/compact": Command("", "compact the agent's context", "compact"),
    "/clear": Command("", "clear the log and start a new conversation"),
    "/fork": Command("", "continue in a copy of this session", "fork"),
    "/model": Command("[NAME [EFFORT]]", "choose the model", "models"),
    "/restart": Command("", "restart the agent, even if it isn't responding"),
    "/status": Command("", "show context, limits and what is running"),
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
