"""test.run: allowed by the settings and the list, asked for with command and folder, run, recorded."""

from tests.e2e.stage import Life, Stage
from tests.e2e.test_edits_over_protocol import answer, open_peer, record

from bascule.model.asks import CommandSubject
from bascule.model.blocks import CommandBlock

COMMAND = "python3 -m unittest -q"


def allow(stage: Stage) -> None:
    written = stage.folder.settings.read_text()
    stage.folder.settings.write_text("allowRunTerminal = true\n" + written)


async def test_nothing_is_run_where_the_settings_do_not_allow_it(life: Life) -> None:
    session = await life.begin()
    async with open_peer(life) as peer:
        done = await peer.call("test.run", {"session_id": session, "command": COMMAND})
    assert (done["status"], "allowRunTerminal is false" in done["summary"]) == ("rejected", True)
    assert record(life) == [("test", "none", "not_allowed")]


async def test_a_test_is_run_after_a_yes_and_gives_its_logs(stage: Stage) -> None:
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        session = await life.begin()
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        ask = await life.until_ask(session)
        assert isinstance(ask.subject, CommandSubject)
        assert (ask.subject.command, ask.subject.cwd) == (COMMAND, str(life.project))
        await answer(life, session, ask, "accept")
        done = await peer.result(call)
        assert (done["status"], done["exit_code"]) == ("ok", 0)
        assert "Ran 5 tests" in done["logs"]
        (block,) = [b for b in life.see(session).blocks if isinstance(b, CommandBlock)]
        assert (block.command, block.status, "Ran 5 tests" in block.output) == (COMMAND, "completed", True)
        assert record(life) == [("ask", "yes", "done"), ("test", "yes", "done")]


async def test_a_no_runs_nothing(stage: Stage) -> None:
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        session = await life.begin()
        call = await peer.begin("test.run", {"session_id": session, "command": COMMAND})
        await answer(life, session, await life.until_ask(session), "decline")
        done = await peer.result(call)
        assert (done["status"], done["summary"]) == ("rejected", "Nothing was run: it was not confirmed.")
        assert record(life) == [("ask", "no", "done"), ("test", "no", "rejected")]


async def test_what_is_not_on_the_list_is_not_even_asked_for(stage: Stage) -> None:
    allow(stage)
    async with stage.life() as life, open_peer(life) as peer:
        session = await life.begin()
        for command in ("rm -rf .", "python3 -m unittest; rm x", "unittest"):
            done = await peer.call("test.run", {"session_id": session, "command": command})
            assert (done["status"], "is not among the test commands" in done["summary"]) == ("rejected", True)
