"""Slash commands: what a person types at the very start instead of a prompt."""

from msgspec import Struct

COMMANDS: dict[str, str] = {
    "/new": "start a new session",
    "/diff": "show the latest diff of this session",
    "/rename": "give this session a title: /rename TITLE",
    "/compact": "have the agent shorten its context",
    "/clear": "empty the log and start a fresh conversation",
    "/fork": "go on in a copy of this session",
    "/model": "choose the model: /model NAME [EFFORT]",
    "/status": "context, limits and what is running",
    "/help": "show these commands",
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
    if not text.startswith("/"):
        return None
    name, _, argument = text.partition(" ") if " " in text else (text.strip(), "", "")
    if "/" in name[1:] or "\n" in name:
        return None  # a path, or the beginning of a text
    return Slash(name, argument.strip()) if name in COMMANDS else UnknownSlash(name)


def help_text() -> str:
    return "\n".join(f"- `{name}` {does}" for name, does in COMMANDS.items())
