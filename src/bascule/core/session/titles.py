"""What a session is called: by its first prompt; before that by its folder and the end of its id."""

import re
from pathlib import PurePath

from bascule.core.prompts.purposes import PURPOSES
from bascule.core.text.plain import plain
from bascule.model.ids import SessionId, ThreadId, short_id
from bascule.model.session import TitleBy

MAX_NAME = 60  # characters
MAX_READ = 4_000  # of a prompt, which may be a whole file
SHORT_SENTENCE = 8  # characters; a shorter one ("Hi!") says nothing
FORK = " (fork)"
MARKS = re.compile(r"^(?:[#>*+-]+\s+|\d+[.)]\s+|[`~]{3,}\S*\s*)+")  # of Markdown, at the beginning of a line
CODE = re.compile(r"^```.*?(?:^```|\Z)", re.DOTALL | re.MULTILINE)
SENTENCE_END = re.compile(r"(?<=[.!?])\s|(?<=[。！？])")
PURPOSE = re.compile(rf"^(?:{'|'.join(map(re.escape, PURPOSES))})\s+")

# Who may name a session after whom: a person's name stays, and an agent's is better than its first words.
KEEPS: dict[TitleBy, frozenset[TitleBy]] = {
    "default": frozenset(),
    "prompt": frozenset({"prompt"}),
    "agent": frozenset({"prompt"}),
    "person": frozenset({"prompt", "agent"}),
}


def default_title(workspace: str, name: ThreadId | SessionId) -> str:
    """An id begins with its time; its end tells two of one minute apart."""
    return f"{PurePath(workspace).name or workspace} ({short_id(name)})"


def fork_title(title: str) -> str:
    return title if title.endswith(FORK) else title + FORK


def name_by_prompt(text: str) -> str:
    """Its first sentence, cut at a word; empty where it has no words."""
    words = plain(text[:MAX_READ])
    line = _first_line(CODE.sub("", words)) or _first_line(words)
    return _cut(_first_sentence(PURPOSE.sub("", line)))


def _first_line(text: str) -> str:
    lines = (MARKS.sub("", line.strip()) for line in text.split("\n"))
    return next((" ".join(line.split()) for line in lines if any(map(str.isalnum, line))), "")


def _first_sentence(line: str) -> str:
    for end in SENTENCE_END.finditer(line):
        sentence = line[: end.start()]
        if len(sentence) >= SHORT_SENTENCE:
            return sentence.rstrip(".。")
    return line.rstrip(".。 ") or line


def _cut(line: str) -> str:
    if len(line) <= MAX_NAME:
        return line
    cut = line[: MAX_NAME - 1]
    words = cut.rpartition(" ")[0]
    return (words if len(words) > MAX_NAME // 2 else cut).rstrip(" ,;:") + "…"
