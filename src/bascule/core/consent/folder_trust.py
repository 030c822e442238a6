"""What a folder's own files would make an agent run or obey: one readable line each, and a fingerprint."""

import hashlib
import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.session.growing_text import shorten
from bascule.core.settings.reading import UnreadableSettings, decode, parse_jsonc
from bascule.core.text.counts import counted
from bascule.model.consent.trust import FindingKind, Reader, TrustedFolder, TrustFinding
from bascule.model.settings import TABLE

MAX_FILE = 1024 * 1024  # bytes of one file; a longer one is listed as broken
MAX_TEXT = 2_000  # characters of one line; what is longer cannot be shown whole, so nobody can say yes to it
MAX_FINDINGS = 200
MAX_IN_FILE = 50  # findings of one file
WORKSPACE_FILE = ".vscode/settings.json"
# What a project's configuration of Codex may say here. What Codex may do, whom it connects to and what it
# runs after a turn is said by the person's own configuration and by Bascule's settings.
HONOURED = {
    *("mcp_servers", "shell_environment_policy", "web_search", "tools", "tool_output_token_limit"),
    *("model", "model_reasoning_effort", "model_reasoning_summary", "model_verbosity"),
    *("model_context_window", "model_auto_compact_token_limit"),
}
TOO_LONG = (
    "too long to show ({length} characters; all instructions and skills together may have {ceiling}). "
    "Shorten it, then ask again."
)
UNUSED = "not used here"
HANDED = re.compile(r"^/(\.\./)*(\.codex/config\.toml|AGENTS(\.override)?\.md)$")
MAX_FIRST_WORDS = 200  # characters of instructions, in the line that names them
MAX_CONTENT = 200_000  # characters of all instructions and skills of a folder, which are shown whole
FOLLOWED: frozenset[FindingKind] = frozenset(
    {"instructions", "skill"}
)  # what a line names, and content shows
DRIVEN: frozenset[Reader] = frozenset({"codex", "bascule"})  # what is for others is listed only

Parsed = tuple[FindingKind, str]
Table = Mapping[str, Any]


class FoundFile(Struct, frozen=True):
    path: str  # as a finding names it
    data: bytes = b""
    problem: str = ""  # why it could not be read


class Inventory(Struct, frozen=True):
    findings: tuple[TrustFinding, ...] = ()
    files: dict[str, str] = {}  # those that an agent driven here would obey, by their hash
    contents: dict[str, bytes] = {}  # of these, what is handed to an agent once they are trusted
    skills: tuple[str, ...] = ()  # absolute paths
    folders: tuple[str, ...] = ()  # the folder, and those above it up to the root of its project
    truncated: bool = False  # there was more than is looked at: nobody can say yes to it

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(json.dumps(self.files, sort_keys=True).encode()).hexdigest()

    @property
    def is_empty(self) -> bool:
        """Nothing in it that an agent driven here would obey."""
        return not self.files and not self.truncated


def take_inventory(
    found: Iterable[FoundFile],
    *,
    skills: tuple[str, ...] = (),
    folders: tuple[str, ...] = (),
    truncated: bool = False,
) -> Inventory:
    findings: list[TrustFinding] = []
    files: dict[str, str] = {}
    contents: dict[str, bytes] = {}
    more, left = truncated, MAX_CONTENT
    for file in found:
        reader = find_reader(file.path)
        parsed, whole = _parse(file)
        listed = [TrustFinding(kind=k, path=file.path, text=t, reader=reader) for k, t in parsed]
        if reader in DRIVEN and any(kind in FOLLOWED for kind, _ in parsed):
            listed, left = _with_content(listed, file.data, left)
            whole = whole and left >= 0
        findings += listed
        if listed and reader in DRIVEN:
            files[file.path] = hash_file(file)
            if HANDED.search(f"/{file.path}"):
                contents[file.path] = file.data
            more = more or not whole
    more = more or len(findings) > MAX_FINDINGS
    return Inventory(tuple(findings[:MAX_FINDINGS]), files, contents, skills, folders, more)


def _with_content(listed: list[TrustFinding], data: bytes, left: int) -> tuple[list[TrustFinding], int]:
    """All that an agent would follow, and how much more may be shown; less than none: not even this."""
    text = data.decode("utf-8-sig", "replace").strip()
    left -= len(text)
    if left >= 0:
        return [replace(finding, content=text) for finding in listed], left
    long = TOO_LONG.format(length=f"{len(text):,}", ceiling=f"{MAX_CONTENT:,}")
    return [replace(finding, kind="broken", text=f"{finding.text} – {long}") for finding in listed], left


def find_reader(path: str) -> Reader:
    """By the folder that it is in: what lies below .codex is Codex's, whatever it is called."""
    parts = [part for part in path.split("/") if part != ".."]
    if path == WORKSPACE_FILE:
        return "bascule"
    is_claudes = parts[0] == ".claude" or parts in (["CLAUDE.md"], ["CLAUDE.local.md"], [".mcp.json"])
    return "claude" if is_claudes else "codex"


def hash_file(file: FoundFile) -> str:
    """Of our settings only our own keys: an editor writes the rest of that file all the time."""
    if file.problem:
        return hashlib.sha256(f"{file.problem}\0".encode() + file.data).hexdigest()
    if file.path == WORKSPACE_FILE:
        return hash_settings(file.data)
    return hashlib.sha256(file.data).hexdigest()


def hash_settings(data: bytes) -> str:
    try:
        entries = sorted((entry.key, json.dumps(entry.value)) for entry in parse_jsonc(decode(data)))
    except UnreadableSettings:
        return hashlib.sha256(data).hexdigest()
    return hashlib.sha256(json.dumps(entries).encode()).hexdigest()


def mark_changed(inventory: Inventory, before: TrustedFolder | None) -> tuple[TrustFinding, ...]:
    """Which of the findings are in files that are not as they were when it was decided."""
    if before is None:
        return inventory.findings
    same = {path for path, digest in inventory.files.items() if before.files.get(path) == digest}
    return tuple(
        replace(finding, changed=finding.reader in DRIVEN and finding.path not in same)
        for finding in inventory.findings
    )


# -- one file --


def _parse(file: FoundFile) -> tuple[list[Parsed], bool]:
    """What it does, one line each; and whether that is all of it."""
    if file.problem:
        return [("broken", file.problem)], False
    parser = next((parser for pattern, parser in PARSERS if pattern.search(f"/{file.path}")), _script)
    try:
        listed = list(parser(file.data))
    except (ValueError, RecursionError, UnreadableSettings) as fault:  # no UTF-8, no TOML, no JSON
        listed = [("broken", f"cannot be read, so its effect is unknown: {_first_line(fault)}")]
    lines: list[Parsed] = [(kind, " ".join(_spell_lines(kind, text).split())) for kind, text in listed]
    cut = any(kind == "broken" or (len(text) > MAX_TEXT and kind not in FOLLOWED) for kind, text in lines)
    whole = len(lines) <= MAX_IN_FILE and not cut
    kept = [(kind, shorten(text, MAX_TEXT)) for kind, text in lines[:MAX_IN_FILE]]
    if len(lines) > MAX_IN_FILE:
        kept.append(("broken", f"{len(lines) - MAX_IN_FILE} more entries in this file"))
    return kept, whole


def _spell_lines(kind: FindingKind, text: str) -> str:
    """The second line of a script may do what the first does not say, so where it begins is shown."""
    return text if kind in FOLLOWED else text.strip().replace("\r", "\\r").replace("\n", "\\n")


def _first_line(fault: Exception) -> str:
    text = fault.text if isinstance(fault, UnreadableSettings) else str(fault)
    return text.partition("\n")[0] or type(fault).__name__


def _codex_config(data: bytes) -> Iterator[Parsed]:
    config = tomllib.loads(data.decode("utf-8-sig"))
    yield from _servers(_table(config.get("mcp_servers")))
    yield from _unused(_hooks(_table(config.get("hooks"))))
    if "notify" in config:
        yield "hook", f"{UNUSED}: runs after each turn: {_words(config['notify'])}"
    if "shell_environment_policy" in config:
        policy = _short(config["shell_environment_policy"])
        yield "environment", f"changes the environment of commands: {policy}"
    for key in sorted(config.keys() - CODEX_NAMED):
        unused = "" if key in HONOURED else f"{UNUSED}: "
        yield "setting", f"{unused}changes Codex's settings: {key} = {_short(config[key])}"


CODEX_NAMED = {"mcp_servers", "hooks", "notify", "shell_environment_policy"}


def _unused(parsed: Iterable[Parsed]) -> Iterator[Parsed]:
    return ((kind, f"{UNUSED}: {text.removeprefix(f'{UNUSED}: ')}") for kind, text in parsed)


def _hooks_file(data: bytes) -> Iterator[Parsed]:
    whole = _table(json.loads(data.decode("utf-8-sig")))
    yield from _unused(_hooks(_table(whole.get("hooks", whole))))


def _role(data: bytes) -> Iterator[Parsed]:
    return _unused(_codex_config(data))


def _claude_settings(data: bytes) -> Iterator[Parsed]:
    whole = _table(json.loads(data.decode("utf-8-sig")))
    yield from _hooks(_table(whole.get("hooks")))
    if whole.get("env"):
        yield "environment", f"sets environment variables: {', '.join(sorted(_table(whole['env'])))}"
    if whole.get("permissions"):
        yield "rule", f"changes what runs without a question: {_short(whole['permissions'])}"
    others = sorted(whole.keys() - {"hooks", "env", "permissions", "$schema"})
    if others:
        yield "setting", f"changes Claude's settings: {', '.join(others)}"


def _mcp_file(data: bytes) -> Iterator[Parsed]:
    yield from _servers(_table(_table(json.loads(data.decode("utf-8-sig"))).get("mcpServers")))


def _our_settings(data: bytes) -> Iterator[Parsed]:
    """What tightens holds anyway, so nobody is asked about it."""
    for entry in parse_jsonc(decode(data)):
        row = TABLE.get(entry.key)
        if row is None or row.workspace == "free":
            yield "setting", f"sets bascule.{entry.key} to {_short(entry.value)}"


def _servers(servers: Table) -> Iterator[Parsed]:
    for name, server in servers.items():
        known = dict(_table(server))
        if "url" in known:
            does = f'connects to the MCP server "{name}": {known.pop("url")}'
        else:
            command, args = known.pop("command", "?"), known.pop("args", [])
            words = [command, *(args if isinstance(args, list) else [args])]
            does = f'starts the MCP server "{name}": {shlex.join(map(str, words))}'
        # env and cwd decide what the same command does; headers and the rest what it is given
        yield "server", "".join([does, *(f"; {key} = {_short(known[key])}" for key in sorted(known))])


def _hooks(hooks: Table) -> Iterator[Parsed]:
    for event, groups in hooks.items():
        for group in groups if isinstance(groups, list) else [groups]:
            inner = _table(group).get("hooks", [group])
            for hook in inner if isinstance(inner, list) else [inner]:
                known = _table(hook)
                done = known.get("command") or known.get("prompt") or known.get("tool") or _short(hook)
                others = sorted(known.keys() - {"type", "command", "prompt", "tool"})
                more = "".join(f"; {key} = {_short(known[key])}" for key in others)
                yield "hook", f"runs on {event}: {_words(done)}{more}"


def _rules(data: bytes) -> Iterator[Parsed]:
    text = data.decode("utf-8-sig")
    rules = [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
    for rule in rules or ["none"]:
        yield "rule", f"{UNUSED}: says which commands run without a question: {rule}"


def _skill(data: bytes) -> Iterator[Parsed]:
    text = data.decode("utf-8-sig", "replace")
    named = re.search(r"^name:\s*(.+)$", text, re.MULTILINE)
    about = re.search(r"^description:\s*(.+)$", text, re.MULTILINE)
    name, description = named[1] if named else "?", about[1] if about else "no description"
    yield "skill", f'offers the skill "{name}": {description}'


def _instructions(data: bytes) -> Iterator[Parsed]:
    lines = [line for line in data.decode("utf-8-sig", "replace").splitlines() if line.strip()]
    said = shorten(" / ".join(line.strip() for line in lines), MAX_FIRST_WORDS)
    count = counted(len(lines), "line")
    yield "instructions", f"gives the agent instructions ({count}): {said}"


def _script(data: bytes) -> Iterator[Parsed]:
    yield "hook", f"a file that hooks or skills may run ({len(data)} bytes)"


def _table(value: object) -> Table:
    return value if isinstance(value, dict) else {}


def _words(value: object) -> str:
    return shlex.join(map(str, value)) if isinstance(value, list) else str(value)


def _short(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


PARSERS: tuple[tuple[re.Pattern[str], Callable[[bytes], Iterator[Parsed]]], ...] = (
    (re.compile(r"/\.codex/config\.toml$"), _codex_config),
    (re.compile(r"/\.codex/agents/[^/]+\.toml$"), _role),
    (re.compile(r"/\.codex/hooks\.json$"), _hooks_file),
    (re.compile(r"/\.codex/rules/[^/]+$"), _rules),
    (re.compile(r"/\.claude/settings(\.local)?\.json$"), _claude_settings),
    (re.compile(r"/\.mcp\.json$"), _mcp_file),
    (re.compile(r"^/\.vscode/settings\.json$"), _our_settings),
    (re.compile(r"/SKILL\.md$"), _skill),
    (re.compile(r"/(AGENTS(\.override)?|CLAUDE(\.local)?)\.md$"), _instructions),
    (re.compile(r"/(agents|commands|prompts)/[^/]+\.(md|toml)$"), _instructions),
)
