"""The command a person means: without its shell wrapper, and readable in one line."""

import re
import shlex

from msgspec import Struct

from bascule.core.session.growing_text import shorten
from bascule.model.blocks import CommandKind

SUMMARY_LENGTH = 120

# With options that change nothing of what is run; any other makes it another command, which is shown whole.
WRAPPER = re.compile(
    r"""^\s*(?:
        (?:/(?:usr/)?(?:local/)?bin/|/opt/homebrew/bin/)?(?:ba|z|da|k|fi)?sh\s+(?:-[eilux]+\s+)*?-[eilux]*c
      | (?i:
          (?:[a-z]:\\windows\\(?:[\w.]+\\)*)?(?:
              (?:powershell|pwsh)(?:\.exe)?\s+
              (?:-(?:no(?:profile|logo|ninteractive)|executionpolicy\s+\w+)\s+)*?-c(?:ommand)?
            | (?:ba)?sh\.exe\s+-l?c
            | cmd(?:\.exe)?\s+(?:/[dqs]\s+)*?/c
          )
        )
    )\s+(?P<script>.+)$""",
    re.VERBOSE | re.DOTALL,
)
# A folder in single quotes, or one that no shell would expand: quoted (blanks too) or bare.
CHANGE_FOLDER = re.compile(
    r"""cd[ \t]+(?:'(?P<literal>[^']*)'|"(?P<quoted>[\w./@%+=:, -]+)"|(?P<bare>[\w./@%+=:,-]+))"""
    r"""[ \t]*&&\s*(?P<rest>.+)$""",
    re.DOTALL,
)
KINDS: dict[str, CommandKind] = {"read": "read", "listFiles": "list", "search": "search"}
UNREADABLE_TOKEN = re.compile(r"[A-Za-z0-9+/=_-]{48,}")


class Action(Struct, frozen=True, kw_only=True):
    """What the agent says a part of the command does."""

    kind: str  # read, listFiles, search, or anything else
    what: str = ""
    where: str = ""


def unwrap(command: str, cwd: str = "") -> str:
    """`/bin/zsh -lc 'cd /x && make'` is `make` to a person who is in /x."""
    match = WRAPPER.match(command)
    script = _unquote(match["script"]) if match else command
    return _without_cd(script.strip(), cwd) or command


def join_words(words: list[str]) -> str:
    return shlex.join(words)


def summarise(command: str, actions: tuple[Action, ...] = ()) -> str:
    """One line: the command's beginning, or what it does where nobody could read it."""
    if is_unreadable(command):
        phrases = [words for action in actions if (words := _action_words(action))]
        if phrases:
            return shorten(", ".join(phrases), SUMMARY_LENGTH)
    return shorten(command, SUMMARY_LENGTH)


def kind_of(actions: tuple[Action, ...]) -> tuple[CommandKind, int]:
    """What all of a command does, and how many files it reads; one that does several things is just run."""
    kinds = {KINDS.get(action.kind, "run") for action in actions}
    kind = kinds.pop() if len(kinds) == 1 else "run"
    return kind, len({action.where or action.what for action in actions}) if kind == "read" else 0


def is_unreadable(command: str) -> bool:
    """Mostly Base64-like tokens: long, without a word boundary, mixed in case and digits."""
    noise = sum(len(token) for token in UNREADABLE_TOKEN.findall(command) if _is_noise(token))
    return noise * 2 > len(command)


def _is_noise(token: str) -> bool:
    kinds = (str.isupper, str.islower, str.isdigit)
    return token.count("/") <= len(token) // 16 and all(any(kind(c) for c in token) for kind in kinds)


def _unquote(script: str) -> str:
    try:
        words = shlex.split(script)
    except ValueError:
        return script  # unbalanced: shown as it came
    return words[0] if len(words) == 1 else script


def _without_cd(script: str, cwd: str) -> str:
    """Only where the `cd` leads to the folder that is shown beside the command; else all of it is shown."""
    match = CHANGE_FOLDER.match(script)
    if not (match and cwd):
        return script
    named = match["literal"] or match["quoted"] or match["bare"] or ""
    return match["rest"].strip() if named.rstrip("/") == cwd.rstrip("/") else script


def _action_words(action: Action) -> str:
    match action.kind:
        case "read":
            return f"read {action.what or action.where}".strip()
        case "listFiles":
            return f"list files {action.where}".strip()
        case "search":
            place = f" in {action.where}" if action.where else ""
            return f"search {action.what}{place}" if action.what or place else "search"
        case _:
            return ""
