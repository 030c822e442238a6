"""Panes over the protocol, with real shells on real ptys."""

import asyncio
import base64
import os
import signal
import sys
from pathlib import Path

import psutil
import pytest
from tests.daemon.panes.panes import find_sleeper, machine, surface_of
from tests.patience import PATIENCE_S, until

from bascule.client.link import LinkRefused
from bascule.daemon.panes.pane_terminal import MAX_BEHIND, MAX_KEPT
from bascule.host.processes.agent_descent import AgentDescent
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.consent.origin import Origin
from bascule.model.protocol.panes import (
    AttachPaneParams,
    OpenPaneParams,
    PaneRef,
    PanesParams,
    ResizePaneParams,
    WritePaneParams,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no ptys")

EVERY_BYTE = bytes(range(256)) + "猫🐈é".encode() + "テスト".encode("shift_jis")


async def test_a_shell_is_typed_into_and_its_end_is_seen_and_recorded(tmp_path: Path) -> None:
    async with machine(tmp_path) as app, surface_of(app) as page:
        pane = await page.open(tmp_path)
        await page.type(pane, "echo $((6*7)) $BASCULE_PANE_ID $TERM; tty; pwd\r")
        shown = await page.until_shown(pane, b"/dev/pts/")
        assert f"42 {pane} xterm-256color".encode() in shown
        await page.until_shown(pane, str(tmp_path).encode() + b"\r\n")
        await page.type(
            pane, 'stty -echo; echo "home=$BASCULE_HOME."\r'
        )  # `bascule` there reaches this daemon
        await page.until_shown(pane, f"home={tmp_path / 'data'}.".encode())
        await page.type(pane, "exit 3\r")
        ended = await page.until(pane, state="ended")
        assert ended.exit_code == 3
        with pytest.raises(LinkRefused, match="has ended"):
            await page.type(pane, "x")
    entries = [line.entry for line in Audit(audit_in(tmp_path / "data")).last(10)]
    assert [(one.kind, one.outcome, one.workspace, one.why) for one in entries] == [
        ("pane", "started", str(tmp_path), ""),
        ("pane", "done", str(tmp_path), "exit code 3"),
    ]


async def test_every_byte_arrives_as_it_was_written(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(EVERY_BYTE * 400)
    async with machine(tmp_path) as app, surface_of(app) as page:
        pane = await page.open(tmp_path)
        await page.type(pane, "stty raw -echo; printf BEGIN; cat bytes; printf THE; echo END; stty sane\r")
        shown = await page.until_shown(pane, b"THEEND")
        begun = shown.rindex(b"BEGIN") + len(b"BEGIN")
        assert shown[begun : shown.rindex(b"THEEND")] == EVERY_BYTE * 400


async def test_what_was_typed_arrives_as_it_was_sent(tmp_path: Path) -> None:
    async with machine(tmp_path) as app, surface_of(app) as page:
        pane = await page.open(tmp_path)
        keep = f"head -c {len(EVERY_BYTE) * 100} >got"
        await page.type(pane, f"stty raw -echo; printf REA''DY; {keep}; stty sane; echo SA''NE\r")
        await page.until_shown(pane, b"READY")
        for _ in range(100):
            sent = base64.b64encode(EVERY_BYTE).decode()
            await page.link.call("pane.write", WritePaneParams(pane_id=pane, data=sent))
        await page.until_shown(pane, b"SANE")
        assert (tmp_path / "got").read_bytes() == EVERY_BYTE * 100


async def test_a_reload_shows_what_was_there_and_goes_on_where_it_was(tmp_path: Path) -> None:
    async with machine(tmp_path) as app:
        async with surface_of(app) as page:
            pane = await page.open(tmp_path)
            await page.type(pane, "echo one; echo tw''o\r")
            await page.until_shown(pane, b"two")
            assert page.old == b"", "whoever opens a pane answers what its shell asks a terminal"
            at = page.at[pane]
        async with surface_of(app) as again:
            await again.link.call("pane.attach", AttachPaneParams(pane_id=pane))
            assert b"one\r\ntwo" in await again.until_shown(pane, b"two")
            assert again.old == again.shown[pane], "no terminal answers a query in it again"
            await again.link.call("pane.attach", AttachPaneParams(pane_id=pane, offset=at))
            again.shown.clear()
            again.at.clear()
            await again.type(pane, "echo thr''ee\r")
            shown = await again.until_shown(pane, b"three")
            assert b"two" not in shown
            assert b"three" not in again.old
            assert again.resets == 1  # the first time only


async def test_after_a_restart_the_text_is_left_and_a_shell_starts_again_below_it(tmp_path: Path) -> None:
    async with machine(tmp_path) as app, surface_of(app) as page:
        pane = await page.open(tmp_path)
        await page.until_shown(pane, b"$ ")
        await page.type(pane, "printf '\\033[31mREM''EMBERED\\033[0m\\n'\r")
        await page.until_shown(pane, b"REMEMBERED\x1b[0m\r\n$ ")
    async with machine(tmp_path) as app, surface_of(app) as page:
        listed = (await page.link.call("pane.list", PanesParams())).panes
        assert [(one.pane_id, one.state, one.cwd) for one in listed] == [(pane, "restored", str(tmp_path))]
        assert await page.open(tmp_path, pane_id=pane) == pane
        old = AttachPaneParams(pane_id=pane, offset=10)  # of a page that did not notice the restart
        await page.link.call("pane.attach", old)
        await page.type(pane, "echo ag''ain\r")
        shown = await page.until_shown(pane, b"again")
        assert b"\r\nREMEMBERED" in shown
        assert b"\x1b[31m" not in shown
        await page.link.call("pane.close", PaneRef(pane_id=pane))
    async with machine(tmp_path) as app, surface_of(app) as page:
        assert (await page.link.call("pane.list", PanesParams())).panes == ()


async def test_one_types_at_a_time_and_another_takes_over(tmp_path: Path) -> None:
    async with machine(tmp_path) as app, surface_of(app) as page, surface_of(app) as other:
        pane = await page.open(tmp_path)
        await other.link.call("pane.attach", AttachPaneParams(pane_id=pane))
        await page.type(pane, "echo he''re\r")
        await other.until_shown(pane, b"here")
        with pytest.raises(LinkRefused, match="Take over to type here"):
            await other.type(pane, "x")
        with pytest.raises(LinkRefused, match="is typing in this pane"):
            await other.link.call("pane.resize", ResizePaneParams(pane_id=pane, cols=20, rows=5))
        await other.link.call("pane.drive", PaneRef(pane_id=pane))
        await other.link.call("pane.resize", ResizePaneParams(pane_id=pane, cols=61, rows=17))
        await other.type(pane, "stty size\r")
        await page.until_shown(pane, b"17 61")
        with pytest.raises(LinkRefused, match="Take over"):
            await page.type(pane, "x")
        other.surface.close()
        await page.until(pane, typing="")
        await page.type(pane, "echo mi''ne\r")
        await page.until_shown(pane, b"mine")


async def test_a_flood_waits_for_the_surface_and_ctrl_c_acts_at_once(tmp_path: Path) -> None:
    async with machine(tmp_path) as app, surface_of(app, acks=False) as page:
        pane = await page.open(tmp_path)
        await page.type(pane, "yes\r")
        terminal = app.panes.get(pane)
        while not terminal._is_held:
            page.news.clear()
            await asyncio.wait_for(page.news.wait(), PATIENCE_S)
        assert page.at[pane] <= MAX_BEHIND
        assert terminal.kept.end <= MAX_BEHIND + 1024 * 1024
        await page.type(pane, "\x03")
        page.acks = True
        page.ack(pane)
        await page.type(pane, "echo AF''TER\r")
        await page.until_shown(pane, b"AFTER")
        assert terminal.kept.end < 4 * MAX_BEHIND


async def test_nobody_waits_for_the_slow_one_which_begins_again(tmp_path: Path) -> None:
    async with machine(tmp_path) as app, surface_of(app) as page, surface_of(app, acks=False) as slow:
        pane = await page.open(tmp_path)
        await slow.link.call("pane.attach", AttachPaneParams(pane_id=pane))
        much = MAX_KEPT + MAX_BEHIND
        await page.type(pane, f"yes 0123456789abcdef | head -c {much}; printf THE; echo END\r")
        await page.until_shown(pane, b"THEEND")
        assert slow.at[pane] <= MAX_BEHIND
        slow.acks = True
        slow.ack(pane)
        assert b"THEEND" in await slow.until_shown(pane, b"THEEND")
        assert slow.resets == 2
        assert len(slow.shown[pane]) <= MAX_KEPT


async def test_without_a_surface_a_program_runs_on(tmp_path: Path) -> None:
    async with machine(tmp_path) as app, surface_of(app) as page:
        pane = await page.open(tmp_path)
        await page.link.call("pane.detach", PaneRef(pane_id=pane))
        await page.type(pane, f"yes | head -c {2 * MAX_BEHIND}; touch done\r")
        await page.type(pane, "exit\r")
        await page.until(pane, state="ended")
        assert (tmp_path / "done").exists()


@pytest.mark.parametrize("ours", [signal.SIG_DFL, signal.SIG_IGN], ids=["", "nohup"])
async def test_closing_a_pane_hangs_up_and_forgets(
    tmp_path: Path, ours: signal.Handlers, request: pytest.FixtureRequest
) -> None:
    before = signal.signal(signal.SIGHUP, ours)
    request.addfinalizer(lambda: signal.signal(signal.SIGHUP, before))
    async with machine(tmp_path) as app, surface_of(app) as page:
        pane = await page.open(tmp_path)
        pty = app.panes.get(pane).pty
        assert pty is not None
        await page.type(pane, "sleep 1002\r")
        sleeper = psutil.Process(await find_sleeper(pty.pid, "1002"))
        await page.link.call("pane.close", PaneRef(pane_id=pane))
        assert page.gone == [pane]
        await asyncio.to_thread(psutil.wait_procs, [sleeper], timeout=10)
        assert not sleeper.is_running() or sleeper.status() == psutil.STATUS_ZOMBIE
        with pytest.raises(LinkRefused, match="was closed"):
            await page.link.call("pane.attach", AttachPaneParams(pane_id=pane))


async def test_what_a_person_types_may_use_bascule_and_what_an_agent_runs_may_not(
    tmp_path: Path,
) -> None:
    agent = tmp_path / "agent"
    agent.write_text(
        f"#!{sys.executable}\nimport subprocess; subprocess.run(['/bin/sh', '-c', 'sleep 1000; :'])\n"
    )
    agent.chmod(0o755)
    async with machine(tmp_path) as app, surface_of(app) as page:
        pane = await page.open(tmp_path)
        await page.type(pane, "/bin/sh -c 'sleep 1001; :' & ./agent & echo sta''rted\r")
        await page.until_shown(pane, b"started")
        descent = AgentDescent(app.register)
        pty = app.panes.get(pane).pty
        assert pty is not None
        assert not descent.is_of_a_child(pty.pid)
        typed, run = await find_sleeper(pty.pid, "1001"), await find_sleeper(pty.pid, "1000")
        assert not descent.is_of_a_child(typed)
        assert descent.is_of_a_child(run)
        await page.type(pane, "exec ./agent\r")
        pane_itself = psutil.Process(pty.pid)

        def find_own() -> list[int]:
            return [one.pid for one in pane_itself.children() if "sleep 1000; :" in one.cmdline()]

        await until(find_own, "what the agent started")
        assert descent.is_of_a_child(find_own()[0]), "the pane's own process is a shell no more"


async def test_a_shell_that_the_settings_name_is_not_taken_from_a_folder_that_agents_write(
    tmp_path: Path,
) -> None:
    planted = tmp_path / "project" / "bin" / "mysh"
    planted.parent.mkdir(parents=True)
    planted.write_text("#!/bin/sh\nexec /bin/sh\n")
    planted.chmod(0o700)
    env = {"PATH": f"{planted.parent}:{os.environ['PATH']}"}
    async with machine(tmp_path, env, 'panes.shell = "mysh"\n') as app, surface_of(app) as page:
        before = await page.open(tmp_path)
        app.pool.search_path.exclude([str(tmp_path / "project")])
        after = await page.open(tmp_path)
        assert (page.panes[before].shell, page.panes[after].shell) == ("mysh", "sh")


@pytest.mark.parametrize(
    ("params", "why"),
    [
        (OpenPaneParams(cwd="relative"), "There is no folder"),
        (OpenPaneParams(cwd="/no/such/folder"), "There is no folder"),
        (OpenPaneParams(cwd="/\0"), "There is no folder"),
        (OpenPaneParams(cwd="/", run="a\nb"), "One line"),
        (OpenPaneParams(pane_id="pane_x"), "was closed"),
    ],
)
async def test_what_cannot_be_opened_is_said(tmp_path: Path, params: OpenPaneParams, why: str) -> None:
    async with machine(tmp_path) as app, surface_of(app) as page:
        with pytest.raises(LinkRefused, match=why):
            await page.link.call("pane.open", params)
        assert (await page.link.call("pane.list", PanesParams())).panes == ()


async def test_bad_input_is_refused(tmp_path: Path) -> None:
    async with machine(tmp_path) as app, surface_of(app) as page:
        pane = await page.open(tmp_path)
        with pytest.raises(LinkRefused, match="base64"):
            await page.link.call("pane.write", WritePaneParams(pane_id=pane, data="?"))
        with pytest.raises(LinkRefused, match="bytes at a time"):
            await page.type(pane, "x" * 70_000)
        with pytest.raises(LinkRefused, match="columns and rows"):
            await page.link.call("pane.resize", ResizePaneParams(pane_id=pane, cols=0, rows=5))


async def test_what_is_typed_and_never_read_has_a_ceiling(tmp_path: Path) -> None:
    async with machine(tmp_path) as app, surface_of(app) as page:
        pane = await page.open(tmp_path)
        await page.type(pane, "stty raw -echo; printf REA''DY; sleep 1000\r")
        await page.until_shown(pane, b"READY")
        pty = app.panes.get(pane).pty
        assert pty is not None
        while pty.has_room:
            pty.write(b"x" * 60_000)
        with pytest.raises(LinkRefused, match="not reading"):
            await page.type(pane, "x")


async def test_from_outside_there_is_no_terminal_unless_the_setting_says_so(tmp_path: Path) -> None:
    device = Origin(door="outside", device="d1", device_name="phone")
    async with machine(tmp_path) as app, surface_of(app) as page:
        pane = await page.open(tmp_path)
        with pytest.raises(LinkRefused, match="only be used at the machine itself"):
            async with surface_of(app, device):
                pass
        app.folder.settings.write_text("[panes]\nfromOutside = true\n")
        async with surface_of(app, device) as phone:
            await phone.link.call("pane.attach", AttachPaneParams(pane_id=pane))
            await page.type(pane, "echo vis''ible\r")
            await phone.until_shown(pane, b"visible")
            app.folder.settings.write_text("[panes]\nfromOutside = false\n")
            await page.type(pane, "echo hid''den\r")
            await page.until_shown(pane, b"hidden")
            with pytest.raises(LinkRefused, match="only be used at the machine itself"):
                await phone.link.call("pane.list", PanesParams())
            assert b"hidden" not in phone.shown[pane]
