"""The import layers and the form of modules: one table, held over the whole source tree."""

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent

MAX_LINES = 400
EMPTY_WORDS = {"common", "helper", "helpers", "manager", "misc", "util", "utils"}

# Modules that one system lacks. What differs between systems sits in host/.
ONE_SYSTEM_ONLY = {
    *("curses", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"),
    *("_winapi", "msvcrt", "nt", "winreg", "winsound"),
}

# What a sans-io module may use of the standard library. Time, ids and bytes are passed in.
PURE = {
    *("__future__", "abc", "array", "base64", "binascii", "bisect", "codecs", "collections", "contextlib"),
    *("copy", "dataclasses", "decimal", "difflib", "enum", "fnmatch", "fractions", "functools", "hashlib"),
    *("heapq", "hmac", "html", "ipaddress", "itertools", "json", "math", "numbers", "operator", "re"),
    *("shlex", "string", "struct", "textwrap", "tomllib", "types", "typing", "unicodedata", "urllib.parse"),
    *("weakref", "zlib", "ntpath", "posixpath"),
    *("pathlib.PurePath", "pathlib.PurePosixPath", "pathlib.PureWindowsPath"),
}
ALL = set(sys.stdlib_module_names) - ONE_SYSTEM_ONLY
TOUCHES_THE_MACHINE = {
    *("open", "input", "print", "exec", "eval", "__import__"),
    *("asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell", "asyncio.subprocess"),
    *("asyncio.open_connection", "asyncio.open_unix_connection", "asyncio.start_server", "asyncio.to_thread"),
    *("asyncio.start_unix_server", "asyncio.get_event_loop", "asyncio.run"),
}


class Layer(NamedTuple):
    ours: tuple[str, ...]
    theirs: tuple[str, ...]
    stdlib: set[str]

    @property
    def is_pure(self) -> bool:
        return "os" not in self.stdlib


# CONTEXT.md shows the first two columns; test_context_shows_this_table compares.
EVERY_LAYER = ("model", "core", "agents", "host", "daemon", "demo", "serve", "client", "tui", "relay")
LAYERS = {
    "model": Layer((), ("msgspec",), PURE),
    "core": Layer(("model",), ("msgspec", "tomlkit"), PURE),
    "agents": Layer(("model", "core"), ("msgspec",), PURE | {"asyncio"}),  # awaits; is handed its streams
    "host": Layer(
        ("model", "core"),
        ("cryptography", "msgspec", "platformdirs", "psutil", "uvicorn", "uvloop", "websockets"),
        ALL | ONE_SYSTEM_ONLY,
    ),
    "daemon": Layer(("model", "core", "agents", "host"), ("msgspec",), ALL),
    "demo": Layer(("model", "core", "host"), ("msgspec", "starlette"), ALL),
    "serve": Layer(("model", "core", "host", "daemon"), ("msgspec", "starlette"), ALL),
    "client": Layer(("model", "core", "host.locks.lockfile", "host.network.dial"), ("msgspec",), ALL),
    "tui": Layer(("model", "core", "client"), ("msgspec", "rich", "textual"), ALL),
    "relay": Layer(
        (
            *("model", "core", "host.clock", "host.files.built_page", "host.network.connections"),
            *("host.network.socket_link", "host.processes.tasks"),
        ),
        ("cryptography", "h11", "msgspec", "prometheus_client", "psycopg", "starlette"),
        ALL,
    ),
    "cli": Layer(EVERY_LAYER, ("msgspec", "platformdirs", "psutil", "rich", "starlette", "uvicorn"), ALL),
}
# `bascule --help` must not pay for a daemon: outside functions a verb imports only what is light.
# Rich is: it is what a verb prints with, and only the verbs that print blocks import those modules.
LIGHT_FOR_CLI = ALL | {
    *("bascule.cli", "bascule.client", "bascule.model", "bascule.core", "bascule.__version__"),
    *("msgspec", "rich"),
}
# The one module besides the agents themselves that knows more of them than bascule.agents.driver.
NAMES_THE_AGENTS = "available_agents.py"
# Modules that belong to no layer, and what they may import of ours.
OUTSIDE = {"__init__.py": set[str](), "__main__.py": {"bascule.cli", "sys"}}


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Imported(NamedTuple):
    line: int
    name: str  # dotted, with the member: "pathlib.PurePath"
    at_top: bool  # runs when the module is loaded


# --- the checks, as pure functions of a source tree -----------------------------------------------


def is_within(name: str, allowed: set[str]) -> bool:
    words = name.split(".")
    return any(".".join(words[:n]) in allowed for n in range(1, len(words) + 1))


def find_imports(tree: ast.Module) -> Iterator[Imported]:
    waiting: list[tuple[ast.AST, bool]] = [(tree, True)]
    while waiting:
        node, at_top = waiting.pop()
        for name in imported_names(node):
            yield Imported(getattr(node, "lineno", 0), name, at_top)
        at_top = at_top and not (isinstance(node, FUNCTIONS) or is_type_checking(node))
        waiting += [
            (inner, at_top) for inner in ast.iter_child_nodes(node) if not isinstance(inner, ast.expr)
        ]


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def imported_names(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=module, names=names, level=level):
            return [f"{'.' * level}{module or ''}.{alias.name}" for alias in names]
        case _:
            return []


def dotted_name(node: ast.expr) -> str:
    """Of a plain name or of a member of one, otherwise nothing."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=member):
            return f"{dotted_name(value)}.{member}"
        case _:
            return ""


def allowed_names(layer_name: str) -> set[str]:
    layer = LAYERS[layer_name]
    ours = {f"bascule.{name}" for name in (layer_name, *layer.ours)}
    return ours | set(layer.theirs) | layer.stdlib | {"bascule.__version__"}


def import_faults(package: Path, path: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    first = path.relative_to(package).parts[0]
    if first not in LAYERS and first not in OUTSIDE:
        yield 1, f"{first} is no layer: put the module into one, or add a row to LAYERS"
        return
    allowed = allowed_names(first) if first in LAYERS else OUTSIDE[first]
    for line, name, at_top in find_imports(tree):
        if not is_within(name, allowed):
            yield line, f"{first} may not import {name}"
        elif first == "cli" and at_top and not is_within(name, LIGHT_FOR_CLI):
            yield line, f"{name} is heavy: import it inside the function that needs it"


def agent_faults(package: Path, path: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Behind the boundary one agent is like another: a single place names those that there are."""
    place = path.relative_to(package)
    if place.parts[0] == "agents" or place.name == NAMES_THE_AGENTS:
        return
    for line, name, _ in find_imports(tree):
        if is_within(name, {"bascule.agents"}) and not is_within(name, {"bascule.agents.driver"}):
            yield line, f"{name} is one agent's own: only {NAMES_THE_AGENTS} names agents"


def purity_faults(package: Path, path: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    layer = LAYERS.get(path.relative_to(package).parts[0])
    if layer is None or not layer.is_pure:
        return
    for node in ast.walk(tree):
        used = [dotted_name(node.func)] if isinstance(node, ast.Call) else imported_names(node)
        for name in TOUCHES_THE_MACHINE.intersection(used):
            yield getattr(node, "lineno", 0), f"{name} touches the machine: that belongs in host"


def form_faults(package: Path, path: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    docstring = ast.get_docstring(tree)
    if docstring is None or not docstring.splitlines()[0].endswith("."):
        yield 1, "the module does not say first what it is, in one line that ends with a full stop"
    for part in path.relative_to(package).with_suffix("").parts:
        for word in EMPTY_WORDS.intersection(part.split("_")):
            yield 1, f"{word!r} says nothing: name the module after the thing it holds"
    lines = len(path.read_text(encoding="utf-8").splitlines())
    if lines > MAX_LINES:
        yield lines, f"{lines} lines, the ceiling is {MAX_LINES}: two modules hide in it"


Check = Callable[[Path, Path, ast.Module], Iterator[tuple[int, str]]]


def find_faults(package: Path, *checks: Check) -> list[str]:
    faults = []
    for path in sorted(package.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
        shown = path.relative_to(package.parent).as_posix()
        faults += [f"{shown}:{line}: {what}" for check in checks for line, what in check(package, path, tree)]
    return faults


# --- the project holds them -----------------------------------------------------------------------


def test_every_import_stays_in_its_layer() -> None:
    assert find_faults(ROOT / "src" / "bascule", import_faults, purity_faults, agent_faults) == []


@pytest.mark.parametrize("folder", ["src/bascule", "bench", "tools"])
def test_every_module_says_what_it_is_and_is_small(folder: str) -> None:
    assert find_faults(ROOT / folder, form_faults) == []


def test_context_shows_this_table() -> None:
    context = (ROOT / "CONTEXT.md").read_text(encoding="utf-8")
    rows = [
        f"| {name} | {' '.join(row.ours) or '-'} | {' '.join(row.theirs)} |" for name, row in LAYERS.items()
    ]
    assert [row for row in rows if row not in context] == []


def test_nobody_imports_the_outermost_layers() -> None:
    outermost = {"serve", "tui", "relay", "cli"}
    importers = {name for name, row in LAYERS.items() if outermost.intersection(row.ours)}
    assert importers == {"cli"}


# --- and the checks can fail ----------------------------------------------------------------------


def faults_of(folder: Path, name: str, source: str) -> list[str]:
    path = folder / "bascule" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    return find_faults(folder / "bascule", import_faults, purity_faults, agent_faults, form_faults)


@pytest.mark.parametrize(
    ("name", "source", "fault"),
    [
        ("model/a.py", "import rich", "model may not import rich"),
        (
            "model/a.py",
            "from bascule.core.session import fold",
            "model may not import bascule.core.session.fold",
        ),
        ("core/a.py", "import time", "core may not import time"),
        ("core/a.py", "from datetime import datetime", "core may not import datetime.datetime"),
        ("core/a.py", "from pathlib import Path", "core may not import pathlib.Path"),
        ("core/a.py", "import asyncio", "core may not import asyncio"),
        ("core/diff/a.py", "import os.path", "core may not import os.path"),
        ("core/a.py", "open('x')", "open touches the machine: that belongs in host"),
        ("core/a.py", "from . import fold", "core may not import ..fold"),
        ("agents/codex/a.py", "import subprocess", "agents may not import subprocess"),
        ("agents/a.py", "asyncio.run(x)", "asyncio.run touches the machine: that belongs in host"),
        ("agents/a.py", "from asyncio import run", "asyncio.run touches the machine: that belongs in host"),
        ("agents/codex/a.py", "from bascule import host", "agents may not import bascule.host"),
        ("host/a.py", "from bascule.daemon.app import App", "host may not import bascule.daemon.app.App"),
        ("daemon/a.py", "def f():\n  import fcntl", "daemon may not import fcntl"),
        ("daemon/a.py", "import uvicorn", "daemon may not import uvicorn"),
        ("daemon/a.py", "from bascule.cli import main", "daemon may not import bascule.cli.main"),
        (
            "daemon/a.py",
            "from bascule.agents.codex.launch import HOME",
            "bascule.agents.codex.launch.HOME is one agent's own: only available_agents.py names agents",
        ),
        (
            "daemon/a.py",
            "from bascule.agents import codex",
            "bascule.agents.codex is one agent's own: only available_agents.py names agents",
        ),
        (
            "cli/a.py",
            "def f():\n  from bascule.agents.codex.events import replay",
            "bascule.agents.codex.events.replay is one agent's own: only available_agents.py names agents",
        ),
        ("demo/a.py", "from bascule.agents import driver", "demo may not import bascule.agents.driver"),
        (
            "client/a.py",
            "from bascule.host.storage import store",
            "client may not import bascule.host.storage.store",
        ),
        ("cli/a.py", "import textual", "cli may not import textual"),
        ("cli/a.py", "import uvicorn", "uvicorn is heavy: import it inside the function that needs it"),
        ("cli/a.py", "import termios", "cli may not import termios"),
        ("__init__.py", "import msgspec", "__init__.py may not import msgspec"),
        ("stray.py", "import os", "stray.py is no layer: put the module into one, or add a row to LAYERS"),
        ("host/file_utils.py", "", "'utils' says nothing: name the module after the thing it holds"),
    ],
)
def test_a_bad_module_is_named_with_its_line(tmp_path: Path, name: str, source: str, fault: str) -> None:
    line = 1 if "utils" in name or name == "stray.py" else 2 + source.count("\n")
    assert faults_of(tmp_path, name, f'"""A thing."""\n{source}\n') == [f"bascule/{name}:{line}: {fault}"]


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("core/a.py", "import msgspec\nfrom pathlib import PurePosixPath\nfrom urllib.parse import quote"),
        ("agents/codex/a.py", "import asyncio\nfrom bascule.core.wire.lines import Lines"),
        ("daemon/a.py", "from bascule.agents.driver import Driver\nfrom bascule.agents import driver"),
        ("daemon/agents/available_agents.py", "from bascule.agents.codex.agent import Codex"),
        ("host/a.py", "import fcntl\nimport psutil"),
        (
            "client/a.py",
            "from bascule.host.locks import lockfile\nfrom bascule.host.network.dial import dial",
        ),
        ("cli/a.py", "import sys\ndef f():\n  import rich\n  from bascule.daemon.app import App"),
        ("cli/a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n  import rich"),
        ("__main__.py", "from bascule.cli import main"),
    ],
)
def test_a_good_module_passes(tmp_path: Path, name: str, source: str) -> None:
    assert faults_of(tmp_path, name, f'"""A thing."""\n{source}\n') == []


@pytest.mark.parametrize("source", ["", "import re", '"""A thing"""', '"""A thing\n\nthat goes on."""'])
def test_a_module_without_its_first_sentence_is_refused(tmp_path: Path, source: str) -> None:
    fault = "the module does not say first what it is, in one line that ends with a full stop"
    assert faults_of(tmp_path, "core/a.py", source) == [f"bascule/core/a.py:1: {fault}"]


def test_a_long_module_is_refused(tmp_path: Path) -> None:
    body = "x = 1\n" * (MAX_LINES - 1)
    assert faults_of(tmp_path, "core/a.py", f'"""A thing."""\n{body}') == []
    fault = f"{MAX_LINES + 1} lines, the ceiling is {MAX_LINES}: two modules hide in it"
    assert faults_of(tmp_path, "core/a.py", f'"""A thing."""\n{body}x = 2\n') == [
        f"bascule/core/a.py:401: {fault}"
    ]
