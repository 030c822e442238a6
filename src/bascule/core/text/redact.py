"""Secrets taken out of text that leaves: by their shape, by the name before them, or by their exact value."""

import re
from collections.abc import Callable, Iterable
from typing import Any

GONE = "[redacted]"
MIN_KNOWN = 8  # characters of a value that is looked for as it is
MAX_PEM_LINES = 200  # of one key that comes line by line; one that never ends hides no more than that

# Each pattern takes time in proportion to the text: what repeats is bounded, possessive, or matches always.
# Known by their shape, wherever they are:
SHAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,20000}+"
            r"(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
        ),
        GONE,
    ),
    (
        re.compile(r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))(A[KS]IA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
        rf"\1{GONE}",
    ),  # AWS
    (re.compile(r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]++\.[\w-]*+"), GONE),  # a JSON web token
    (re.compile(r"(?<![\w-])sk-[\w-]{8,}+"), f"sk-{GONE}"),  # OpenAI, Anthropic and others
    (re.compile(r"\b(gh[pousr]_|github_pat_)\w{16,}+"), rf"\1{GONE}"),
    (re.compile(r"\b(glpat-|npm_)[\w-]{16,}+"), rf"\1{GONE}"),
    (re.compile(r"\b(xox[baprs]-|xapp-)[\w-]{8,}+"), rf"\1{GONE}"),  # Slack
    (re.compile(r"(hooks\.slack\.com/(?:services|workflows)/)[\w/-]{8,}+"), rf"\1{GONE}"),
    (re.compile(r"\b([sr]k_(?:live|test)_)\w{8,}+"), rf"\1{GONE}"),  # Stripe
    (re.compile(r"\b(SG\.)[\w-]{16,200}+\.[\w-]{16,}+"), rf"\1{GONE}"),  # SendGrid
    (re.compile(r"\b(hf_)[A-Za-z0-9]{16,}+"), rf"\1{GONE}"),  # Hugging Face
    (re.compile(r"\b(AGE-SECRET-KEY-1)[A-Z0-9]{16,}+"), rf"\1{GONE}"),
    (re.compile(r"\b(ya29\.)[\w-]{8,}+"), rf"\1{GONE}"),  # Google, of a signed-in person
    (re.compile(r"\bAIza[\w-]{35}"), f"AIza{GONE}"),  # Google
    (
        re.compile(r"(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{1,20}://)[^\s/@:\"']{0,200}:[^\s/@\"']{1,300}@"),
        rf"\1{GONE}@",
    ),
)
# Known by the name before them:
NAMES: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"(authorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?:bearer|basic|token)\s{1,4})[^\s\"',\\]++",
            re.IGNORECASE,
        ),
        rf"\1{GONE}",
    ),
    # not the words of a sentence: a key has more than small letters
    (re.compile(r"\b((?i:bearer|basic)\s{1,4})(?=[a-z]{0,200}[A-Z0-9.~+/=_-])[\w.~+/=-]{8,}+"), rf"\1{GONE}"),
    (re.compile(r"\b((?:set-)?cookie: ?)[^\r\n\"'\\]++", re.IGNORECASE), rf"\1{GONE}"),
    (
        re.compile(
            r"((?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|(?:access|private|account)[_-]?key"
            r"|(?<=_)pass|(?<![a-z])pwd(?=\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?[^\s/~$]))"
            r"\\?[\"']?\s{0,4}[:=]\s{0,4}\\?)(?=\S)([\"']?)(?!\[redacted\])[^\s\"'`&,;}\\]++",
            re.IGNORECASE,
        ),
        rf"\1\2{GONE}",
    ),
)
# A setting as files of an environment hold it, with a value that is written out and holds a digit:
SETTING = re.compile(
    r"\b[A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN|API_?KEY|(?:ACCESS|PRIVATE|ACCOUNT)_?KEY)"
    r"=[\"']?(?=[^\s0-9\"'$<({`/]{0,200}[0-9])[^\s\"'$<({`/]{8}"
)
BEGIN, END = (
    re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY"),
    re.compile(r"-----END [A-Z ]{0,40}PRIVATE KEY"),
)


def redact(text: str) -> str:
    """The same text without what looks like a secret. Twice is the same as once."""
    for secret, instead in (*SHAPES, *NAMES):
        text = secret.sub(instead, text)
    return text


class Redactor:
    """What looks like a secret, and what is known to be one: our own keys, asked for when they are needed."""

    def __init__(self) -> None:
        self._sources: list[Callable[[], Iterable[str]]] = []

    def watch(self, source: Callable[[], Iterable[str]]) -> None:
        self._sources.append(source)

    def _known(self) -> list[str]:
        """The longest first: a value may be part of another."""
        known = {secret for source in self._sources for secret in source() if len(secret) >= MIN_KNOWN}
        return sorted(known, key=len, reverse=True)

    def redact(self, text: str) -> str:
        for secret in self._known():
            text = text.replace(secret, GONE)
        return redact(text)

    def redact_all(self, value: Any) -> Any:
        """Every text in what JSON can hold."""
        match value:
            case str():
                return self.redact(value)
            case dict():
                return {key: self.redact_all(inner) for key, inner in value.items()}
            case list() | tuple():
                return [self.redact_all(inner) for inner in value]
            case _:
                return value

    def has_secret(self, text: str) -> bool:
        """Surely: by its value or its shape, or as a setting. In a program `password = ask()` is none."""
        if any(secret in text for secret in self._known()) or SETTING.search(text):
            return True
        return any(shape.search(text) for shape, _ in SHAPES)


class PemLines:
    """Fed line by line: a private key is many of them, and only the first and last say so."""

    def __init__(self) -> None:
        self._left = 0

    def feed(self, line: str) -> str:
        if self._left:
            self._left = 0 if END.search(line) else self._left - 1
            return GONE
        if BEGIN.search(line) and not END.search(line):
            self._left = MAX_PEM_LINES
        return line
