"""Which command line starts a Codex terminal UI. It only binds a pane, and proves no status."""

import re
import shlex
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

MAX_LINE = 20_000  # characters

# The list of seed 003, §9.1.
NO_UI = {
    *(
        "completion",
        "exec",
        "e",
        "review",
        "login",
        "logout",
        "apply",
        "a",
        "mcp",
        "mcp-server",
        "app-server",
    ),
    *("sandbox", "debug", "execpolicy", "cloud", "cloud-tasks", "features"),
    *("responses-api-proxy", "stdio-to-uds"),
}
ENDS_AT_ONCE = {"-h", "--help", "-V", "--version"}
TAKES_VALUE = {
    *("-m", "--model", "-c", "--config", "-C", "--cd", "-p", "--profile", "-s", "--sandbox"),
    *("-a", "--ask-for-approval", "-i", "--image", "--enable", "--disable", "--add-dir"),
    *("--local-provider", "--remote", "--remote-auth-token-env"),
}
FOLDER_FLAGS = ("-C", "--cd")
ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=.*", re.DOTALL)
SESSION_ID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
PROGRAM = re.compile(r"codex(?:\.exe|\.cmd|\.bat)?", re.IGNORECASE)
PACKAGE = re.compile(r"(?:@openai/)?codex(?:@[\w.^~-]+)?")
JOINS = {"&&", ";"}
BREAKS = {"|", "||", "&", "|&", ">", ">>", "<", "(", ")"}
RUNNERS = {"npx", "pnpx", "bunx"}


class CodexStart(NamedTuple):
    how: Literal["start", "resume", "fork"]
    session: str = ""  # only where `resume` names it
    folder: str = ""  # the value of `-C`


def parse_launch(line: str) -> CodexStart | None:
    """None: no terminal UI, as far as the line shows."""
    return parse_words(_find_command(_split(line)))


def parse_words(command: Sequence[str]) -> CodexStart | None:
    """One command, split into its words."""
    words = _without_wrappers(list(command))
    if not words or PROGRAM.fullmatch(_name(words[0])) is None:
        return None
    rest = words[1:]
    if any(word in ENDS_AT_ONCE for word in rest):
        return None
    named = _bare_words(rest)
    if not named:
        return CodexStart("start")
    match named[0]:
        case "resume":
            return CodexStart("resume", next((word for word in named[1:] if SESSION_ID.fullmatch(word)), ""))
        case "fork":
            return CodexStart("fork")
        case _:
            return None


def parse_running(words: Sequence[str]) -> CodexStart | None:
    """Of a process that runs: its words are split for sure, so a prompt of several words is no command."""
    started = parse_words(words)
    named = _bare_words(list(words[1:]))
    has_prompt = is_terminal_ui(words) and bool(named) and len(named[0].split()) > 1
    started = started or (CodexStart("start") if has_prompt else None)
    return started._replace(folder=_find_folder(words)) if started is not None else None


def _find_folder(words: Sequence[str]) -> str:
    """The value of `-C` or `--cd`."""
    for word, after in pairwise([*words, ""]):
        if word in FOLDER_FLAGS:
            return after
        for flag in FOLDER_FLAGS:
            joined = flag + "=" if flag.startswith("--") else flag
            if word.startswith(joined):
                return word.removeprefix(joined).removeprefix("=")
    return ""


def is_terminal_ui(words: Sequence[str]) -> bool:
    """Of a process that has a session open: whether it can be Codex's UI. A prompt may follow its name."""
    for command in (list(words), list(words[1:])):  # also behind an interpreter
        if command and PROGRAM.fullmatch(_name(command[0])) is not None:
            named = _bare_words(command[1:])
            return not named or named[0] not in NO_UI
    return False


def _name(word: str) -> str:
    """The last part of a path, on either system."""
    return re.split(r"[\\/]", word)[-1]


def _split(line: str) -> list[str]:
    if len(line) > MAX_LINE:
        return []
    lexer = shlex.shlex(line, posix=True, punctuation_chars="();<>|&")
    lexer.whitespace_split = True
    if re.search(r"[A-Za-z]:\\", line):
        lexer.escape = ""  # a Windows path
    try:
        return list(lexer)
    except ValueError:
        return []  # quotes without an end


def _find_command(words: list[str]) -> list[str]:
    """After `cd x &&`; nothing of a line whose output goes elsewhere."""
    start = 0
    for at, word in enumerate([*words, ";"]):
        if word in BREAKS:
            return []
        if word in JOINS:
            part = words[start:at]
            if not part or part[0] != "cd":
                return part
            start = at + 1
    return []


def _without_wrappers(words: list[str]) -> list[str]:
    """`A=b`, `env A=b`, `command`, `exec`, and the runners of packages: beyond the seed's first word."""
    while words:
        name = _name(words[0])
        if ASSIGNMENT.fullmatch(words[0]) or name in ("command", "exec", "env"):
            words = words[1:]
        elif name in RUNNERS:
            return _packaged(words[1:])
        elif name in ("pnpm", "yarn", "npm") and words[1:2] in (["dlx"], ["exec"]):
            return _packaged(words[2:])
        else:
            return words
    return []


def _packaged(words: list[str]) -> list[str]:
    while words and words[0] in ("-y", "--yes", "--"):
        words = words[1:]
    if words and PACKAGE.fullmatch(words[0]):
        return ["codex", *words[1:]]
    return []


def _bare_words(words: list[str]) -> list[str]:
    """Without flags and their values, wherever they are."""
    bare, skips = [], False
    for word in words:
        if skips:
            skips = False
        elif word.startswith("-") and word != "-":
            skips = word in TAKES_VALUE
        else:
            bare.append(word)
    return bare
