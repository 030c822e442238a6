"""Generate the reference pages from the tables they describe; `--check` lists pages that are out of date."""

import argparse
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec

from bascule.agents.codex.events.asks import ASKS, REFUSED_CALLS
from bascule.agents.codex.events.translator import DEBUG_ONLY, HANDLERS, REPEATS
from bascule.cli import VERBS, import_verb
from bascule.core.consent.access import FREE, RULES, Need, Rule
from bascule.core.consent.access_elsewhere import AGENT_REQUESTS, COMMANDS, ROUTES
from bascule.core.consent.access_events import FROM_RELAY, HOOKS, MARKS, ORDERS, SENT, TO_RELAY
from bascule.core.settings.reading import describe_right, show
from bascule.model import asks, blocks, changes, session
from bascule.model.protocol.table import METHODS, Method
from bascule.model.settings import TABLE, Setting, Value, Workspace

sys.path.insert(0, str(Path(__file__).parents[1]))

from tools.typescript import write_fold_tables, write_limits, write_types

HERE = Path(__file__).parents[1]

MAY: dict[Workspace, str] = {"free": "yes", "tighten": "only tighter", "never": "no"}

SETTINGS_HEAD = """\
<!-- Written by tools/gen_reference.py from src/bascule/model/settings.py. Do not edit by hand. -->
# Settings

Your own settings are in `settings.toml` in the data folder (`bascule doctor` shows the path). The first part
of a key is the table, the rest is the name:

```toml
[codex]
command = "codex"
```

A workspace can set some of them in its `.vscode/settings.json`, with the full key:

```json
{ "bascule.codex.sandbox": "read-only" }
```

Your file overrides the defaults, and the workspace overrides your file. A workspace can never name a program
to run or loosen what you allow: where the table says *only tighter*, the choices are listed tightest first,
and a workspace can only choose an earlier one. In `settings.toml`, an unknown key or an invalid
value stops Bascule from starting, with the file and the line. A workspace's own file stops nothing: what is
wrong in it, or not for a workspace to set, is ignored, and each session there says so. Until you
[trust](../explain/trust.md) the folder, only values that tighten something count.

| key | default | description | valid values | can a workspace set it? |
| --- | --- | --- | --- | --- |
"""


CLI_HEAD = """\
<!-- Written by tools/gen_reference.py from src/bascule/cli. Do not edit by hand. -->
# The command line

`bascule VERB --help` shows the same in your terminal. What went wrong is one message on standard error.

| exit code | meaning |
| --- | --- |
| 0 | done, also if the program that reads the output stops reading |
| 1 | failed, refused or declined: a no, an unknown name, a file that can't be read, a failed run |
| 2 | not tried: the command line is wrong, or your approval is needed and there is no terminal to ask on |
| 130 | interrupted with Ctrl+C |

`bascule status` exits with 1 if no daemon is running.
"""

MODEL_HEAD = """\
<!-- Written by tools/gen_reference.py from src/bascule/model. Do not edit by hand. -->
# Sessions, blocks, Asks and Changes

What every surface sees, field by field, as JSON (`bascule ask --json`, `bascule sessions --json`,
`bascule replay --json`). Fields that have their default value are omitted.
"""

WIRE_HEAD = """\
<!-- Written by tools/gen_reference.py from src/bascule/agents/codex. Do not edit by hand. -->
# How each Codex app-server message is handled

A notification that is in none of these tables, or has an unknown shape, is shown under "Other events (debug)"
with its payload. Nothing is dropped silently.

## Notifications that become a block or a status

| method | translated by |
| --- | --- |
{handled}| `codex/event/*` | `legacy.event` |

## Notifications that are not in a log

"For debugging": shown among the agent's notices, under "Other events (debug)".

| method | why |
| --- | --- |
{ignored}
## Requests

| method | answer |
| --- | --- |
{asked}{refused}| `currentTime/read` | the time |
| anything else | an error: not supported |
"""


ACCESS_HEAD = """\
<!-- Written by tools/gen_reference.py from src/bascule/core/consent. Do not edit by hand. -->
# Who may do what

Every way to read, run or write something here: who may use it, through which door, after which Ask, and which
line it leaves in the record. Tests compare these tables with the code; a new method, route, command, agent
request, order, frame, hook or mark without a row fails. [Trust](../explain/trust.md) explains the doors.

"Here" is this machine: a terminal, the program that started `bascule runtime`, or a browser with a pass. A
pass for viewing can only view; a pass for Orders can only submit Orders. From outside, a session
that was joined can be viewed and stopped, and nothing else: its terminal chose what it may do without asking.
"""

PROTOCOL_HEAD = """\
<!-- Written by tools/gen_reference.py from src/bascule/model/protocol. Do not edit by hand. -->
# The protocol

JSON-RPC 2.0, version `0`: one message per line over stdio (`bascule runtime`), one per frame over the
WebSocket (`/ws` of `bascule up`). The first message is `initialize`. Unknown fields are ignored, unknown
methods get error -32601, bad params -32602 with the field. Other codes: -32700 not JSON, -32600 not a
message, -32603 internal error, -32000 refused with the reason, -32001 busy, -32002 run not found, -32003
cancelled by the user, -32004 session not found, -32005 not allowed
for this surface, -32006 answered before or no longer asked.

A surface that sends `supports_session_sync` gets state: `session.watch` returns `session.snapshot`, then
numbered `session.changed` messages on the same ordered channel; a gap or a slow reader leads to a new
snapshot. Asks are part of that state and are answered with `ask.answer`. Any other surface gets events
(`agent.event`, `run.status`, `run.context`) for its session, and questions through `ui.confirm.request`,
`ui.prompt.request` and `ui.pick.request`, one at a time.
"""


def show_default(value: Value) -> str:
    return show(value) if isinstance(value, str | int | bool) else "[" + ", ".join(map(show, value)) + "]"


def write_row(row: Setting) -> str:
    cells = (
        f"`{row.shown}`",
        f"`{show_default(row.default)}`",
        row.doc,
        describe_right(row),
        MAY[row.workspace],
    )
    return f"| {' | '.join(cells)} |\n"


def write_settings() -> str:
    return SETTINGS_HEAD + "".join(map(write_row, TABLE.values()))


def write_cli() -> str:
    """Each verb as its own parser declares it."""
    return CLI_HEAD + "".join(_write_verb(verb, does) for verb, does in VERBS.items())


def _write_verb(verb: str, does: str) -> str:
    module = import_verb(verb)
    parser = argparse.ArgumentParser(prog=verb, add_help=False)
    module.add_arguments(parser)
    nested = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    tables = "".join(
        f"\n### bascule {verb} {choice.dest}\n\n{_as_sentence(choice.help or '')}\n"
        + _write_arguments(action.choices[choice.dest])
        for action in nested
        for choice in action._choices_actions
    )
    examples = getattr(module, "EXAMPLES", "").removeprefix("examples:\n")
    block = f"\n```text\n{textwrap.dedent(examples)}\n```\n" if examples else ""
    own = "" if nested else _write_arguments(parser)
    return f"\n## bascule {verb}\n\n{_as_sentence(does)}\n{own}{tables}{block}"


def _as_sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _write_arguments(parser: argparse.ArgumentParser) -> str:
    unsaid = (argparse.SUPPRESS, "show this help message and exit")
    rows = "".join(_write_option(action) for action in parser._actions if action.help not in unsaid)
    return f"\n| argument | what it does |\n| --- | --- |\n{rows}" if rows else ""


def _write_option(action: argparse.Action) -> str:
    names = ", ".join(f"`{name}`" for name in action.option_strings) or f"`{action.dest.upper()}`"
    value = f" `{action.metavar}`" if action.option_strings and action.metavar else ""
    said = action.help or ""
    unsaid = [str(choice) for choice in action.choices or () if not re.search(rf"\b{choice}\b", said)]
    choices = f" ({', '.join(unsaid)})" if unsaid and not isinstance(action.choices, range) else ""
    return f"| {names}{value} | {said}{choices} |\n"


def write_model() -> str:
    """The structs that surfaces see, as they are written in JSON."""
    parts = [
        ("Session", [session.Session, session.Run, session.Usage, session.LatestDiff, session.Prompt]),
        ("Blocks", [*get_args(blocks.Block), blocks.FileEdit, blocks.PlanStep, blocks.Fact]),
        ("Asks", [asks.Ask, asks.Choice, *get_args(asks.Subject), asks.Question, asks.Answer]),
        ("Changes", list(get_args(changes.Change))),
        ("Of an agent", [session.AgentState, session.Limit, *get_args(changes.AgentChange)]),
    ]
    return MODEL_HEAD + "".join(f"\n## {name}\n{''.join(map(_write_struct, kinds))}" for name, kinds in parts)


def _write_struct(kind: Any) -> str:
    config = kind.__struct_config__
    tag = f" (`{config.tag_field}` is `{config.tag}`)" if config.tag else ""
    doc = (kind.__doc__ or "").strip()
    said = f"\n{doc}\n" if doc and not doc.startswith(f"{kind.__name__}(") else ""
    rows = "".join(f"| `{name}` | {type_} | {default} |\n" for name, type_, default in _fields(kind))
    return f"\n### {kind.__name__}{tag}\n{said}\n| field | type | default |\n| --- | --- | --- |\n{rows}"


def _fields(kind: Any) -> Iterator[tuple[str, str, str]]:
    for field in msgspec.structs.fields(kind):
        value = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        default = "" if field.required else f"`{msgspec.json.encode(value).decode()}`"
        yield field.encode_name, _type_name(field.type), default


def _type_name(annotation: Any) -> str:
    """As a reader of JSON would say it, and the same under every Python."""
    text = str(annotation) if not isinstance(annotation, type) else annotation.__name__
    text = re.sub(r"(?:typing|bascule\.model\.\w+)\.", "", text)
    text = re.sub(r"Optional\[(\w+)\]", r"\1 | None", text)
    text = text.replace(" | ".join(kind.__name__ for kind in get_args(blocks.Block)), "Block")
    return text.replace("|", "\\|")


def write_wire() -> str:
    """How every message that Codex sends is handled."""
    handled = "".join(
        f"| `{method}` | {_first_line(handler)} |\n" for method, (_, handler) in HANDLERS.items()
    )
    ignored = "".join(f"| `{method}` | not shown: {why} |\n" for method, why in REPEATS.items())
    ignored += "".join(f"| `{method}` | for debugging: {why} |\n" for method, why in DEBUG_ONLY.items())
    asked = "".join(f"| `{method}` | an Ask |\n" for method in ASKS)
    refused = "".join(f"| `{method}` | refused: {why} |\n" for method, (_, _, why) in REFUSED_CALLS.items())
    return WIRE_HEAD.format(handled=handled, ignored=ignored, asked=asked, refused=refused)


def _first_line(handler: Any) -> str:
    module = handler.__module__.rpartition(".")[2]
    name = handler.__qualname__.partition(".")[0]
    return f"`{module}.{name}`"


def write_protocol() -> str:
    """Every method with its fields, from the table that the daemon itself reads."""
    parts = [PROTOCOL_HEAD]
    for way in ("surface to daemon", "daemon to surface"):
        parts.append(f"\n## From {way}\n")
        parts += [_write_method(name, spec) for name, spec in METHODS.items() if spec.way == way]
    parts.append("\n## Shared structs\n")
    own = {kind for spec in METHODS.values() for kind in (spec.params, spec.result) if kind}
    shared = [kind for kind in _reachable(own) if kind not in own and kind.__module__.startswith(PROTOCOL)]
    parts += [_write_struct(kind) for kind in sorted(shared, key=lambda kind: kind.__name__)]
    return "".join(parts)


PROTOCOL = "bascule.model.protocol"


def _reachable(roots: set[Any]) -> set[Any]:
    found: set[Any] = set()
    todo = list(roots)
    while todo:
        kind = todo.pop()
        if kind in found or not hasattr(kind, "__struct_fields__"):
            todo += [inner for inner in get_args(kind) if inner not in found]
            continue
        found.add(kind)
        todo += [field.type for field in msgspec.structs.fields(kind)]
    return found


def _write_method(name: str, spec: Method) -> str:
    kind = "notification" if spec.result is None else "request"
    parts = [f"\n### {name} ({kind})\n\n{spec.doc}\n", _write_fields("params", spec.params)]
    if spec.result is not None:
        parts.append(_write_fields("result", spec.result))
    return "".join(parts)


def _write_fields(what: str, kind: Any) -> str:
    rows = "".join(f"| `{name}` | {type_} | {default} |\n" for name, type_, default in _fields(kind))
    if not rows:
        return f"\n{what}: `{{}}`\n"
    return f"\n| {what} | type | default |\n| --- | --- | --- |\n{rows}"


WHO: dict[Need, str] = {
    "look": "every door",
    "ask": "every door",
    "order": "here",
    "answer": "here; from outside an enrolled device, for the kinds in `bascule.devices.answers`",
    "manage": "here",
    "type": "here; from outside an enrolled device, where `bascule.panes.fromOutside` allows it",
}
TYPED = "anyone who can type at this machine"
AGENT = "an agent that we started, or one that was joined"
SENDER = "a relay that was joined, `bascule orders`, or a program here"
RELAY = "the relay that was joined"
HOOK = "a program of this user, once hooks were installed"
PRINTS = "a program in a pane"
SENT_TO: dict[Need, str] = {
    "look": "a surface that may look",
    "answer": "a surface that may answer",
    "type": "a surface that may use panes",
}


def write_access() -> str:
    return "".join(
        [
            ACCESS_HEAD,
            _write_rules("The protocol", "method", RULES, WHO),
            _write_rules(
                "HTTP", "route", ROUTES, {**WHO, "look": "every door; all but the page itself need a key"}
            ),
            _write_rules("Commands", "command", COMMANDS, {"manage": TYPED}),
            _write_rules("What an agent asks for", "request", AGENT_REQUESTS, {"ask": AGENT}),
            _write_rules("Orders", "order", ORDERS, {"order": SENDER}),
            _write_rules("What a relay sends", "frame", FROM_RELAY, {"order": RELAY}),
            _write_rules("What a relay is sent", "frame", TO_RELAY, {"order": RELAY}),
            _write_rules("What Claude's hooks report", "event", HOOKS, {"look": HOOK}),
            _write_rules("What a pane's program marks", "mark", MARKS, {"type": PRINTS}),
            _write_rules("What a surface is sent", "message", SENT, SENT_TO),
        ]
    )


def _write_rules(title: str, what: str, rules: dict[str, Rule], who: Mapping[Need, str]) -> str:
    everybody = dict.fromkeys(FREE, "every connection")
    rows = "".join(
        f"| `{name}` | {everybody.get(name) or who[rule.need]} | {rule.effect} "
        f"| {rule.ask or '-'} | {rule.record or '-'} |\n"
        for name, rule in rules.items()
    )
    head = f"| {what} | who may use it | what it reads, runs or writes | Ask | recorded as |\n"
    return f"\n## {title}\n\n{head}| --- | --- | --- | --- | --- |\n{rows}"


PAGES: dict[str, Callable[[], str]] = {
    "docs/reference/access.md": write_access,
    "docs/reference/settings.md": write_settings,
    "docs/reference/cli.md": write_cli,
    "docs/reference/model.md": write_model,
    "docs/reference/codex-wire.md": write_wire,
    "docs/reference/protocol.md": write_protocol,
    "ui/src/model.gen.ts": write_types,
    "ui/src/fold/tables.gen.ts": write_fold_tables,
    "ui/src/limits.gen.ts": write_limits,
}


def find_stale(root: Path) -> list[str]:
    return [name for name, write in PAGES.items() if _read(root / name) != write()]


def _read(page: Path) -> str:
    return page.read_text(encoding="utf-8") if page.exists() else ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page is out of date")
    parser.add_argument("--into", type=Path, default=HERE, help="the project folder")
    options = parser.parse_args()
    stale = find_stale(options.into)
    if options.check and stale:
        print(f"Stale: {', '.join(stale)}. Run tools/gen_reference.py.", file=sys.stderr)
        return 1
    for name in stale:
        (options.into / name).parent.mkdir(parents=True, exist_ok=True)
        (options.into / name).write_text(PAGES[name](), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
