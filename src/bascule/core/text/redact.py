"""Secrets taken out of text that leaves: by their shape, by the name before them, or by their exact value."""

import re
from collections.abc import Callable, Iterable
from typing import Any

GONE = "[redacted]"
MIN_KNOWN = 8  # characters of a value that is looked for as it is
MAX_PEM_LINES = 200  # of one key that comes line by line; one that never ends hides no more than that

# Where a secret may begin: not inside a word, but after what JSON or an address writes for another character.
FRESH = r"(?:(?<![\w-])|(?<=\\[nrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))"
# Between a name and its value, with the quotes and backslashes of text inside of JSON inside of JSON.
QUOTED = r"\\{0,7}[\"']?"
IS = rf"{QUOTED}\s{{0,8}}(?>=>|:=|[:=]|%3[AaDd]|\\u003[AaDd])\s{{0,8}}"
NAME = (
    r"(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|(?:access|private|account|secret)[_-]?key"
    r"|(?<=_)pass|(?<![a-z])pwd(?=\\{0,7}[\"']?\s{0,8}[:=]\s{0,8}\\{0,7}[\"']?[^\s/~$]))"
)
NAMED = ("passw", "passphrase", "secret", "token", "key", "_pass", "pwd")

# Each pattern takes time in proportion to the text: what repeats is bounded, possessive, or matches always.
# Before each, in small letters, words of which every text with such a secret has one: most texts have none.
# Known by their shape, wherever they are:
SHAPES: tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...] = (
    (
        ("-----begin",),
        re.compile(
            r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){0,20000}+"
            r"(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
        ),
        GONE,
    ),
    # AWS
    (
        ("akia", "asia"),
        re.compile(rf"(?:{FRESH}|(?<=[_-]))(A[KS]IA)[A-Z0-9]{{16}}(?![A-Za-z0-9])"),
        rf"\1{GONE}",
    ),
    # a JSON web token
    (("eyj",), re.compile(rf"{FRESH}eyJ[\w-]{{8,}}+\.[\w-]++\.[\w-]*+"), GONE),
    # OpenAI, Anthropic and others
    (("sk-",), re.compile(rf"{FRESH}sk-[\w-]{{8,}}+"), f"sk-{GONE}"),
    (("gh", "_pat_"), re.compile(rf"{FRESH}(gh[pousr]_|github_pat_)\w{{16,}}+"), rf"\1{GONE}"),
    (("glpat-", "npm_"), re.compile(rf"{FRESH}(glpat-|npm_)[\w-]{{16,}}+"), rf"\1{GONE}"),
    # Slack
    (("xox", "xapp-"), re.compile(rf"{FRESH}(xox[baprs]-|xapp-)[\w-]{{8,}}+"), rf"\1{GONE}"),
    (
        ("hooks.slack.com",),
        re.compile(r"(hooks\.slack\.com/(?:services|workflows)/)[\w/-]{8,}+"),
        rf"\1{GONE}",
    ),
    # Stripe
    (("k_live_", "k_test_"), re.compile(rf"{FRESH}([sr]k_(?:live|test)_)\w{{8,}}+"), rf"\1{GONE}"),
    # SendGrid
    (("sg.",), re.compile(rf"{FRESH}(SG\.)[\w-]{{16,200}}+\.[\w-]{{16,}}+"), rf"\1{GONE}"),
    # Hugging Face
    (("hf_",), re.compile(rf"{FRESH}(hf_)[A-Za-z0-9]{{16,}}+"), rf"\1{GONE}"),
    (("age-secret-key-1",), re.compile(rf"{FRESH}(AGE-SECRET-KEY-1)[A-Z0-9]{{16,}}+"), rf"\1{GONE}"),
    # Google: of a signed-in person, and of a program
    (("ya29.",), re.compile(rf"{FRESH}(ya29\.)[\w-]{{8,}}+"), rf"\1{GONE}"),
    (("aiza",), re.compile(rf"{FRESH}AIza[\w-]{{35}}"), f"AIza{GONE}"),
    # an address with a password, or with a long name that can only be a key
    (
        ("@",),
        re.compile(
            r"(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{1,20}:(?:\\{0,7}/){2})[^\s/@:\"']{0,200}:[^\s/@\"']{1,300}@",
            re.IGNORECASE,
        ),
        rf"\1{GONE}@",
    ),
    (
        ("@",),
        re.compile(r"\b(https?:(?:\\{0,7}/){2})[^\s/@:\"'\\?#&=]{16,300}@", re.IGNORECASE),
        rf"\1{GONE}@",
    ),
)
SCHEMES = "bearer|basic|token|digest|negotiate"
# Known by the name before them:
NAMES: tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...] = (
    (
        ("authorization",),
        re.compile(
            rf"(authorization{IS}{QUOTED}(?:(?:{SCHEMES})\s{{1,4}})?)(?!\[redacted\]|(?:{SCHEMES})\s)"
            r"[^\s\"',\\]{8,}+",
            re.IGNORECASE,
        ),
        rf"\1{GONE}",
    ),
    # not the words of a sentence: a key has more than small letters
    (
        ("bearer", "basic"),
        re.compile(r"\b((?i:bearer|basic)\s{1,4})(?=[a-z]{0,200}[A-Z0-9.~+/=_-])[\w.~+/=-]{8,}+"),
        rf"\1{GONE}",
    ),
    (
        ("cookie",),
        re.compile(rf"\b((?:set-)?cookie{QUOTED}:\s?{QUOTED})[^\r\n\"'\\]++", re.IGNORECASE),
        rf"\1{GONE}",
    ),
    # between quotes, to the one that ends it
    (
        NAMED,
        re.compile(
            rf"({NAME}{IS})(\\{{0,7}}[\"'])(?!\[redacted\])(?:(?!\2)(?:\\.|[^\r\n])){{1,400}}+\2",
            re.IGNORECASE,
        ),
        rf"\1\2{GONE}\2",
    ),
    (
        NAMED,
        re.compile(rf"({NAME}{IS}\\{{0,7}})(?=\S)([\"']?)(?!\[redacted\])[^\s\"'`&,;}}\\]++", re.IGNORECASE),
        rf"\1\2{GONE}",
    ),
    # a flag of a command
    (
        NAMED,
        re.compile(
            r"(--?(?:password|passphrase|token|secret|api-key) )(?![\[-])(\\?[\"']?)[^\s\"'\\]{4,}+",
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
    small = text.lower()
    for words, secret, instead in (*SHAPES, *NAMES):
        if any(word in small for word in words):
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
        return any(shape.search(text) for _, shape, _ in SHAPES)


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
