"""Nothing runs, is signed out or loosens without an Ask that is answered and on record, by any surface."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.e2e.live_app import LiveApp
from tests.e2e.peer import Message, Peer
from tests.e2e.test_edits_over_protocol import open_peer

from bascule.core.wire import rpc
from bascule.daemon.consent.asks import MAX_OPEN_EACH, TOO_MANY
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.consent.audit import Entry
from bascule.model.settings import TABLE

ALLOW = {"key": "bascule.allowRunTerminal", "value": True}


@pytest.fixture
async def scene(live: LiveApp) -> AsyncIterator[tuple[LiveApp, Peer]]:
    async with open_peer(live) as peer:
        yield live, peer


def entries(live: LiveApp) -> list[Entry]:
    audit = Audit(audit_in(live.project.parent / "data"))
    assert audit.verify() == []
    return [line.entry for line in audit.last(100)]


def recorded(live: LiveApp) -> list[tuple[str, str, str]]:
    return [(entry.kind, entry.answer, entry.outcome) for entry in entries(live)]


async def waiting(peer: Peer) -> Message:
    """The Ask that is open, once there is one."""
    while not (asks := (await peer.call("ask.list"))["asks"]):
        pass
    found: Message = asks[0]
    return found


# -- typed commands --


async def test_a_typed_command_is_barred_by_the_setting_and_nobody_is_asked(
    scene: tuple[LiveApp, Peer],
) -> None:
    live, peer = scene
    refused = await peer.refused("shell.exec", {"command": "touch ran"})
    assert (refused.code, "bascule.allowRunTerminal is false" in refused.message) == (rpc.FAILED, True)
    assert (await peer.call("ask.list"))["asks"] == []
    assert not (live.project / "ran").exists()
    assert recorded(live) == [("shell", "none", "not_allowed")]


async def test_a_typed_command_runs_after_an_ask_that_every_surface_sees(scene: tuple[LiveApp, Peer]) -> None:
    live, peer = scene
    await peer.confirmed("settings.set", ALLOW)
    async with open_peer(live) as other:
        call = await peer.begin("shell.exec", {"command": "echo here > ran"})
        ask = await waiting(other)
        assert ask["ask"]["subject"]["command"] == "echo here > ran"
        assert not (live.project / "ran").exists()
        given = {"session_id": ask["session_id"], "ask_id": ask["ask"]["id"], "choice": "accept"}
        await other.call("ask.answer", given)
        assert (await peer.result(call))["exit_code"] == 0
    assert (live.project / "ran").read_text() == "here\n"
    asked, started, ran = entries(live)[-3:]
    assert (asked.kind, asked.answer, asked.lasts) == ("ask", "yes", "once")
    assert (started.kind, started.answer, started.outcome) == ("shell", "yes", "started")
    assert (ran.kind, ran.answer, ran.outcome, ran.why) == ("shell", "yes", "done", "exit code 0")
    assert asked.hash == ran.hash
    assert asked.ref == ran.ref


async def test_a_question_is_yours_only_where_you_caused_it(scene: tuple[LiveApp, Peer]) -> None:
    """A command line answers its own question, whoever else asks for something at that moment."""
    live, peer = scene
    await peer.confirmed("settings.set", ALLOW)
    async with open_peer(live) as other:
        await peer.begin("shell.exec", {"command": "mine"})
        await waiting(peer)
        await other.begin("shell.exec", {"command": "theirs"})
        while len(asks := (await peer.call("ask.list"))["asks"]) < 2:
            pass
        assert [ask["yours"] for ask in asks] == [True, False]
        assert [ask["yours"] for ask in (await other.call("ask.list"))["asks"]] == [False, True]


async def test_a_no_to_a_typed_command_is_a_no_and_on_record(scene: tuple[LiveApp, Peer]) -> None:
    live, peer = scene
    await peer.confirmed("settings.set", ALLOW)
    before = len(entries(live))
    with pytest.raises(Exception, match="-32003: Not done: the answer was no"):
        await peer.confirmed("shell.exec", {"command": "touch ran"}, choice="decline")
    assert not (live.project / "ran").exists()
    assert recorded(live)[before:] == [("ask", "no", "done"), ("shell", "no", "rejected")]


async def test_forbidden_while_the_question_is_open_is_forbidden(scene: tuple[LiveApp, Peer]) -> None:
    live, peer = scene
    await peer.confirmed("settings.set", ALLOW)
    call = await peer.begin("shell.exec", {"command": "touch ran"})
    ask = await waiting(peer)
    await peer.call("settings.set", {**ALLOW, "value": False})  # to tighten needs no yes
    given = {"session_id": ask["session_id"], "ask_id": ask["ask"]["id"], "choice": "accept"}
    await peer.call("ask.answer", given)
    with pytest.raises(Exception, match="allowRunTerminal is false"):
        await peer.result(call)
    assert not (live.project / "ran").exists()
    assert recorded(live)[-1] == ("shell", "yes", "not_allowed")


async def test_a_question_whose_surface_leaves_is_withdrawn_and_nothing_runs(live: LiveApp) -> None:
    async with open_peer(live) as peer:
        await peer.confirmed("settings.set", ALLOW)
        await peer.begin("shell.exec", {"command": "touch ran"})
        await waiting(peer)
    async with open_peer(live) as other:
        assert (await other.call("ask.list"))["asks"] == []
    assert not (live.project / "ran").exists()
    await live.app.record.written()
    assert recorded(live)[-1] == ("ask", "none", "withdrawn")


async def test_a_surface_cannot_open_questions_without_end(scene: tuple[LiveApp, Peer]) -> None:
    live, peer = scene
    await peer.confirmed("settings.set", ALLOW)
    for _ in range(MAX_OPEN_EACH):
        await peer.begin("shell.exec", {"command": "true"})
    while len((await peer.call("ask.list"))["asks"]) < MAX_OPEN_EACH:
        pass
    refused = await peer.refused("shell.exec", {"command": "true"})
    assert (refused.code, refused.message) == (rpc.FAILED, TOO_MANY)
    assert (
        len(live.app.roster.get(live.app.asks.open_machine()).asks)
        + len([ask for head in live.app.hub.conversations() for ask in head.asks])
        == MAX_OPEN_EACH
    )


# -- signing out --


@pytest.mark.real
async def test_signing_out_takes_a_yes(scene: tuple[LiveApp, Peer]) -> None:
    live, peer = scene
    cancelled = await peer.confirmed("auth.logout", choice="decline")
    assert cancelled == {"ok": False, "cancelled": True}
    assert recorded(live) == [("ask", "no", "done"), ("logout", "no", "rejected")]
    assert (await peer.confirmed("auth.logout"))["ok"] is True
    assert recorded(live)[2:] == [
        ("ask", "yes", "done"),
        ("logout", "yes", "started"),
        ("logout", "yes", "done"),
    ]


# -- settings --


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("bascule.codex.command", "/tmp/evil"),
        ("bascule.codex.args", ["exec"]),
        ("bascule.codex.sandbox", "workspace-write"),
        ("bascule.testCommands", ["rm"]),
        ("bascule.defaultTestCommand", "rm -rf ."),
        ("bascule.allowRunTerminal", True),
    ],
)
async def test_what_names_a_program_or_loosens_is_asked_with_old_and_new(
    scene: tuple[LiveApp, Peer], key: str, value: object
) -> None:
    live, peer = scene
    file = live.project.parent / "data" / "settings.toml"
    before = file.read_bytes()
    call = await peer.begin("settings.set", {"key": key, "value": value})
    ask = (await waiting(peer))["ask"]
    assert (ask["subject"]["about"], ask["subject"]["key"]) == ("setting", key)
    assert ask["subject"]["old"] != ask["subject"]["new"]
    assert ask["subject"]["file"] == str(file)
    assert file.read_bytes() == before
    place = (await waiting(peer))["session_id"]
    given = {"session_id": place, "ask_id": ask["id"], "choice": "decline"}
    await peer.call("ask.answer", given)
    with pytest.raises(Exception, match="not changed: the answer was no"):
        await peer.result(call)
    assert file.read_bytes() == before
    assert recorded(live) == [("ask", "no", "done"), ("setting", "no", "rejected")]


def test_every_setting_that_names_a_program_is_guarded() -> None:
    guarded = {row.key for row in TABLE.values() if row.guarded}
    assert guarded >= {"codex.command", "codex.args", "testCommands", "defaultTestCommand"}
    assert {row.key for row in TABLE.values() if row.guarded and row.workspace != "never"} == set()


async def test_a_setting_that_is_not_on_record_does_not_hold(scene: tuple[LiveApp, Peer]) -> None:
    live, peer = scene
    data: Path = live.project.parent / "data"
    before = (data / "settings.toml").read_bytes()
    audit = audit_in(data)
    audit.mkdir(exist_ok=True)
    (audit / "audit.lock").unlink(missing_ok=True)
    (audit / "audit.lock").mkdir()  # the record cannot be written
    refused = await peer.refused("settings.set", {"key": "bascule.contextMaxFiles", "value": 3})
    assert "record" in refused.message
    assert (data / "settings.toml").read_bytes() == before


async def test_a_setting_that_changed_while_it_was_asked_about_is_not_written(
    scene: tuple[LiveApp, Peer],
) -> None:
    live, peer = scene
    file = live.project.parent / "data" / "settings.toml"
    call = await peer.begin("settings.set", {"key": "bascule.codex.model", "value": "m"})
    await peer.result(call)  # a model is no matter of trust
    call = await peer.begin("settings.set", {"key": "bascule.defaultTestCommand", "value": "make"})
    ask = await waiting(peer)
    by_hand = 'defaultTestCommand = "true"\n' + file.read_text()
    file.write_text(by_hand)
    given = {"session_id": ask["session_id"], "ask_id": ask["ask"]["id"], "choice": "set"}
    await peer.call("ask.answer", given)
    with pytest.raises(Exception, match="changed while the question was open"):
        await peer.result(call)
    assert file.read_text() == by_hand


# -- the place of questions that belong to no conversation --


async def test_where_the_machine_asks_is_no_conversation(scene: tuple[LiveApp, Peer]) -> None:
    _, peer = scene
    await peer.confirmed("settings.set", ALLOW)
    assert (await peer.call("session.list"))["sessions"] == []
    said = {"input": {"type": "text", "text": "hello"}, "session_id": "machine"}
    assert "not a conversation" in (await peer.refused("run.start", said)).message
    for method in ("session.open", "session.hide", "session.clear", "session.fork", "session.compact"):
        refused = await peer.refused(method, {"session_id": "machine"})
        assert refused.code == rpc.FAILED, method
