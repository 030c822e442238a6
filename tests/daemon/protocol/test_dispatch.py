"""The table of the protocol and the handlers behind it: the same methods, and none that archives."""

import asyncio
import inspect
import json
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.patience import PATIENCE_S

from bascule import __file__ as package
from bascule.cli import VERBS
from bascule.core.consent.access import JOINED_HERE, RULES
from bascule.core.faults import AgentGone
from bascule.core.prompts.slash import COMMANDS
from bascule.core.wire import rpc
from bascule.daemon.app import open_app
from bascule.daemon.protocol.dispatch import DECODERS, HANDLERS, OF_CURRENT
from bascule.daemon.surfaces.surfaces import Surface
from bascule.host.files.data_folder import open_folder
from bascule.model.blocks import UserBlock
from bascule.model.consent.origin import Origin, Scope
from bascule.model.ids import BlockId, RunId, SessionId, ThreadId
from bascule.model.protocol.sessions import DaemonNotice
from bascule.model.protocol.table import METHODS
from bascule.model.session import Elsewhere, Run, Session


def test_every_method_of_the_table_has_its_handler() -> None:
    assert set(HANDLERS) == {name for name, method in METHODS.items() if method.way == "surface to daemon"}


def test_every_name_but_the_first_stands_in_a_namespace() -> None:
    """And none of them is for keys or focus: those stay inside a surface."""
    spaces = {name.rpartition(".")[0] for name in METHODS if name != "initialize"}
    assert spaces <= {
        *(
            "run",
            "session",
            "agent",
            "ask",
            "grants",
            "queue",
            "model",
            "mcp",
            "skills",
            "context",
            "shell",
            "auth",
        ),
        *("ui", "ui.context", "ui.confirm", "ui.prompt", "ui.pick", "edits", "test", "order"),
        *(
            "files",
            "folders",
            "pane",
            "workspace",
            "artifact",
            "history",
            "todos",
            "settings",
            "setup",
            "commands",
            "daemon",
        ),
        *("device", "trust", "board", "hooks"),
    }


def test_codexs_archive_is_never_used() -> None:
    """Codex would move the thread's file to another folder of the person's; see seed 000 §2."""
    assert [name for name in (*METHODS, *COMMANDS, *VERBS) if "archive" in name] == []
    sources = Path(package).parent.rglob("*.py")
    assert [path.name for path in sources if '"thread/archive"' in path.read_text(encoding="utf-8")] == []


# -- an application without an agent: what a surface says, and what it is answered --


@pytest.fixture
async def surface(tmp_path: Path) -> AsyncIterator[Surface]:
    async with open_app(open_folder(tmp_path / "data"), command="tests", env={}) as app:
        yield app.surfaces.connect(Origin(door="stdio"), workspace=str(tmp_path))


async def ask(surface: Surface, frame: bytes) -> Any:
    await surface.feed(frame)
    async with asyncio.timeout(PATIENCE_S):
        [reply] = await surface.frames()
    return json.loads(reply)


async def refused(surface: Surface, method: str, params: bytes = b"{}") -> tuple[int, str]:
    reply = await ask(surface, b'{"id":"1","method":"%s","params":%s}' % (method.encode(), params))
    return reply["error"]["code"], reply["error"]["message"]


async def begin(surface: Surface, name: str = "test") -> Any:
    client = {"name": name, "version": "1"}
    return await ask(surface, rpc.request("0", "initialize", {"protocol_version": "0", "client": client}))


async def test_a_method_that_is_not_there_is_named_but_not_at_length(surface: Surface) -> None:
    code, message = await refused(surface, "x" * 100_000)
    assert (code, len(message) < 200) == (rpc.METHOD_NOT_FOUND, True)


async def test_the_first_message_must_be_initialize(surface: Surface) -> None:
    code, message = await refused(surface, "session.list")
    assert (code, message) == (rpc.INVALID_REQUEST, "The first message of a connection is `initialize`.")
    await begin(surface)
    assert "result" in await ask(surface, rpc.request("1", "session.list", {}))


async def test_a_joined_session_takes_no_prompt_from_another_machine(tmp_path: Path) -> None:
    async with open_app(open_folder(tmp_path / "data"), command="tests", env={}) as app:
        there = Elsewhere(key="codex:t", their_id="t", home=str(tmp_path), joined=True)
        app.hub.add(Session(id=SessionId("s1"), workspace=str(tmp_path), agent="codex", elsewhere=there))
        said = {"session_id": "s1", "input": {"type": "text", "text": "rm -rf /"}, "how": "queue"}
        for device in ("", "d1"):
            outside = app.surfaces.connect(Origin(door="outside", device=device), workspace=str(tmp_path))
            await begin(outside)
            code, message = await refused(outside, "run.start", json.dumps(said).encode())
            assert (code, message) == (rpc.NOT_ALLOWED, JOINED_HERE)
        assert app.hub.session(SessionId("s1")).queue == ()


@pytest.mark.parametrize("method", sorted(OF_CURRENT))
async def test_not_even_where_it_is_the_one_that_was_looked_at_last(tmp_path: Path, method: str) -> None:
    """`session.history` looks at a session, and what names none afterwards means that one."""
    said: dict[str, dict[str, object]] = {
        "run.start": {"input": {"type": "text", "text": "rm -rf /"}, "how": "queue"},
        "model.set": {"provider": "openai", "name": "m"},
        "shell.exec": {"command": "true"},
    }
    async with open_app(open_folder(tmp_path / "data"), command="tests", env={}) as app:
        there = Elsewhere(key="codex:t", their_id="t", home=str(tmp_path), joined=True)
        app.hub.add(Session(id=SessionId("s1"), workspace=str(tmp_path), agent="codex", elsewhere=there))
        outside = app.surfaces.connect(Origin(door="outside"), workspace=str(tmp_path))
        await begin(outside)
        outside.current = SessionId("s1")
        code, message = await refused(outside, method, json.dumps(said.get(method, {})).encode())
        assert (code, message) == (rpc.NOT_ALLOWED, JOINED_HERE)
        assert app.hub.session(SessionId("s1")).queue == ()


@pytest.mark.parametrize("scope", ["look", "full"])
async def test_who_may_only_look_is_shown_what_is_stored_and_starts_no_agent(
    tmp_path: Path, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[SessionId] = []

    async def start(session: SessionId) -> None:
        started.append(session)
        raise AgentGone("There is no agent here.")

    async with open_app(open_folder(tmp_path / "data"), command="tests", env={}) as app:
        monkeypatch.setattr(app.sessions, "ready", start)
        done = Run(id=RunId("r1"), outcome="completed", started_at_ms=1, ended_at_ms=2)
        said = UserBlock(id=BlockId("b1"), run=done.id, text="tidy up")
        session = Session(
            id=SessionId("s1"), workspace=str(tmp_path), agent="codex", thread=ThreadId("t"), hidden=True,
            runs=(done,), blocks=(said,), earlier="more", status="completed",
        )  # fmt: skip
        app.hub.add(session)
        surface = app.surfaces.connect(Origin(door="terminal", scope=scope), workspace=str(tmp_path))
        await begin(surface)
        await surface.feed(b'{"id":"1","method":"session.history","params":{"session_id":"s1"}}')
        async with asyncio.timeout(PATIENCE_S):
            frames = [json.loads(frame) for frame in await surface.frames()]
            while "id" not in frames[-1]:
                frames += [json.loads(frame) for frame in await surface.frames()]
        if scope == "look":
            assert (frames[-1]["result"]["runs"], started) == (1, [])
            assert app.roster.get(SessionId("s1")).hidden, "looking changes nothing"
        else:
            assert started == [SessionId("s1")]


def test_every_method_that_means_the_session_at_hand_is_named() -> None:
    """By their source: what reads it without a session's name goes where the surface looked last."""
    reading = {
        method
        for method, handler in HANDLERS.items()
        if RULES[method].need == "ask" and _means_current(inspect.getmodule(handler), handler)
    }
    assert reading == OF_CURRENT


def _means_current(module: ModuleType | None, handler: Callable[..., object]) -> bool:
    """Itself, or a function of its module that it calls by name."""
    seen: set[str] = set()
    waiting = [handler.__name__]
    while waiting:
        name = waiting.pop()
        seen.add(name)
        source = inspect.getsource(getattr(module, name))
        if re.search(r"surface\.current(?! = )", source):
            return True
        called = set(re.findall(r"\b(\w+)\(", source)) - seen
        waiting += [one for one in called if inspect.isfunction(getattr(module, one, None))]
    return False


async def test_a_client_of_another_version_is_warned(surface: Surface) -> None:
    client = {"name": "test", "version": "1"}
    await surface.feed(rpc.request("0", "initialize", {"protocol_version": "7", "client": client}))
    frames: list[bytes] = []
    async with asyncio.timeout(PATIENCE_S):
        while len(frames) < 2:
            frames += await surface.frames()
    toast, welcome = map(json.loads, frames)
    said = "This daemon speaks version 0 of the protocol, not 7."
    assert (toast["method"], toast["params"]) == ("ui.toast", {"level": "warn", "message": said})
    assert welcome["result"]["protocol_version"] == "0"


@pytest.mark.parametrize("mirrors", [False, True])
async def test_what_is_wrong_already_is_said_to_who_comes_later(tmp_path: Path, *, mirrors: bool) -> None:
    """Who mirrors state gets it with the list."""
    async with open_app(open_folder(tmp_path / "data"), command="tests", env={}) as app:
        app.notices.put(DaemonNotice(id="store", kind="store_full", text="The disk is full."))
        surface = app.surfaces.connect(Origin(door="stdio"))
        params = {
            "protocol_version": "0",
            "client": {"name": "late", "version": "1"},
            "ui_capabilities": {"supports_session_sync": mirrors},
        }
        await surface.feed(rpc.request("0", "initialize", params))
        await surface.feed(rpc.request("1", "daemon.ping", {}))
        frames: list[bytes] = []
        async with asyncio.timeout(PATIENCE_S):
            while not frames or json.loads(frames[-1]).get("id") != "1":
                frames += await surface.frames()
        toasts = [one["params"] for one in map(json.loads, frames) if one.get("method") == "ui.toast"]
        said = [] if mirrors else [{"level": "error", "message": "The disk is full."}]
        assert toasts == said


async def test_a_client_of_our_version_is_not_warned(surface: Surface) -> None:
    assert "result" in await begin(surface)
    assert "result" in await ask(surface, rpc.request("1", "session.list", {}))  # alone: no toast between


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("codelia-tui", "codelia-tui"),
        ("", "stdio"),
        ("\x1b[31mred\x1b[0m\nsecond line", "red second line"),
        ("n" * 500, "n" * 59 + "…"),
    ],
)
async def test_a_client_is_known_by_its_name_made_fit_to_show(
    surface: Surface, name: str, label: str
) -> None:
    welcome = (await begin(surface, name))["result"]
    assert welcome["surface_id"] == f"{label} ({surface.id[-4:]})"
    assert welcome["workspace"] == surface.workspace


@pytest.mark.parametrize(
    ("params", "why"),
    [
        (b'{"session_id":5}', "session_id"),
        (b"{}", "session_id"),
        (b"[1]", "Expected `object`, got `array`"),
        (b'{"session_id":"\xff"}', "utf-8"),
        (b'{"session_id":"s","more":' + b"[" * 900 + b"]" * 900 + b"}", None),
    ],
    ids=["a number", "nothing", "a list", "no text", "deep, and not looked at"],
)
async def test_params_are_read_by_their_struct(surface: Surface, params: bytes, why: str | None) -> None:
    await begin(surface)
    code, message = await refused(surface, "session.open", params)
    if why is None:
        assert code == rpc.SESSION_NOT_FOUND
    else:
        assert (code, message.startswith("session.open: "), why in message) == (
            rpc.INVALID_PARAMS,
            True,
            True,
        )


async def test_no_method_crashes_on_params_that_are_too_deep(
    surface: Surface, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(surface)
    deep = b'{"input":{"type":"text"},"meta":{"a":' + b"[" * 50_000 + b"]" * 50_000 + b"}}"
    await surface.feed(b'{"id":"1","method":"run.start","params":%s}' % deep)
    [reply] = map(json.loads, await surface.frames())
    assert reply["error"]["code"] in (rpc.PARSE_ERROR, rpc.INVALID_PARAMS)
    assert [record for record in caplog.records if record.exc_info] == []


async def test_a_session_that_is_not_there_has_its_code(surface: Surface) -> None:
    await begin(surface)
    code, message = await refused(surface, "session.open", b'{"session_id":"nobody"}')
    assert (code, message) == (
        rpc.SESSION_NOT_FOUND,
        "There is no session nobody. `bascule sessions` lists them.",
    )


def test_every_handler_reads_the_params_that_the_table_names() -> None:
    assert DECODERS.keys() == HANDLERS.keys()
    for method, decoder in DECODERS.items():
        assert decoder.type is METHODS[method].params
