"""A hostile model behind an Order, with a real Codex: what it may run is asked here, refused, or seen."""

import asyncio
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.e2e.live_app import SUITE, SUITE_ID, LiveApp, Setup, of_kind
from tests.e2e.orders.given_orders import entries, give, order, until_session
from tests.e2e.scripted_model import ScriptedModel
from tests.e2e.test_edits_over_protocol import answer
from tests.e2e.test_order_asks import until_closed

from bascule.daemon.orders.order_actions import ALLOWED
from bascule.daemon.orders.order_guard import UNASKED
from bascule.demo.home import prepare_home
from bascule.demo.outputs import ToolUse
from bascule.host.files.data_folder import open_folder
from bascule.model.asks import Ask, CommandSubject
from bascule.model.blocks import CommandBlock
from bascule.model.consent.audit import Entry, Remote

pytestmark = pytest.mark.real

SECRET = "the-content-of-a-file-outside"
VARIABLE = "SOMEBODYS_API_TOKEN"


def run(command: str) -> ToolUse:
    return ToolUse("exec_command", {"cmd": command})


def tries(setup: Setup, port: int) -> list[ToolUse]:
    """To read a file outside of the workspace, to print the environment, to reach the network."""
    code = f"import socket; socket.create_connection(('127.0.0.1', {port}), 2); print('rea' + 'ched')"
    return [
        run(f"cat {setup.project.parent / 'outside.txt'} README.md"),
        run("env"),
        run(f'/usr/bin/python3 -c "{code}"'),
    ]


@asynccontextmanager
async def open_hostile(
    root: Path, commands: str, calls: Sequence[ToolUse] = (), rules: str = ""
) -> AsyncIterator[tuple[Setup, ScriptedModel]]:
    model = ScriptedModel(calls)
    async with model.serving():
        project = root / "project"
        project.mkdir()
        (project / "README.md").write_text("inside\n")
        (root / "outside.txt").write_text(f"{SECRET}\n")
        home = prepare_home(root / "codex", base_url=model.base_url, token="t")
        if rules:
            (root / "codex" / "rules").mkdir()
            (root / "codex" / "rules" / "default.rules").write_text(rules)
        env = {**home, "HOME": str(root), SUITE: SUITE_ID, VARIABLE: SECRET}
        setup = Setup(open_folder(root / "data"), project, env)
        setup.write_settings(orders_commands=f'"{commands}"')
        yield setup, model


def is_over(block: CommandBlock) -> bool:
    return block.status != "inProgress"


async def ran_here(live: LiveApp) -> list[Entry]:
    """Commands on record, each by its end; one may end after the run that began it."""
    await live.until(await until_session(live), lambda seen: all(map(is_over, of_kind(seen, CommandBlock))))
    return [one for one in await entries(live) if one.kind == "command" and one.outcome != "started"]


async def say_yes(live: LiveApp, count: int) -> list[Ask]:
    session = await until_session(live)
    asked: list[Ask] = []
    for _ in range(count):
        ask = await live.until_ask(session)
        asked.append(ask)
        await answer(live, session, ask, "accept")
        await until_closed(live, session, ask.id)
    return asked


async def test_every_command_is_asked_here_and_even_a_yes_shows_nothing_of_the_rest_of_the_machine(
    tmp_path: Path,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        async with open_hostile(tmp_path, "ask") as (setup, model), setup.run() as live:
            model.calls = tuple(tries(setup, server.getsockname()[1]))
            outcome, asked = await asyncio.gather(give(live, order("c-1", "plan", "go")), say_yes(live, 3))
            for ask, call in zip(asked, model.calls, strict=True):
                assert isinstance(ask.subject, CommandSubject)
                assert ask.subject.command == call.arguments["cmd"]
                assert ask.sender == Remote(user="ann", command_id="c-1", via="chat")
                assert [choice.id for choice in ask.choices if choice.grants] == ["accept"]
            assert "inside" in model.results[0]
            assert "No such file" in model.results[0]
            assert "PATH=" in model.results[1]
            assert SECRET not in "".join(model.results)
            assert "reached" not in model.results[2]
            assert outcome.status == "ok"
            assert model.tools == {
                "exec_command",
                "write_stdin",
                "update_plan",
                "request_user_input",
                "apply_patch",
            }
            ran = await ran_here(live)
            # Codex does not always report one that its sandbox stops at once; its yes is recorded
            assert [(entry.answer, entry.outcome) for entry in ran][:2] == [
                ("yes", "failed"),
                ("yes", "done"),
            ]
            yeses = [entry for entry in await entries(live) if (entry.kind, entry.answer) == ("ask", "yes")]
            assert len(yeses) == 3
            assert all(isinstance(entry.who, Remote) and entry.who.user == "ann" for entry in ran)


async def test_a_no_runs_nothing(tmp_path: Path) -> None:
    async with open_hostile(tmp_path, "ask", [run("touch made.txt")]) as (setup, _), setup.run() as live:

        async def say_no() -> None:
            session = await until_session(live)
            ask = await live.until_ask(session)
            no = next(choice.id for choice in ask.choices if not choice.grants)
            await answer(live, session, ask, no)

        await asyncio.gather(give(live, order("c-1", "plan", "go")), say_no())
        assert not (setup.project / "made.txt").exists()
        assert await ran_here(live) == []


async def test_silence_is_a_no_and_the_sender_hears_that_nobody_answered(tmp_path: Path) -> None:
    async with open_hostile(tmp_path, "ask", [run("touch made.txt")]) as (setup, _):
        setup.write_settings(orders_commands='"ask"\nanswerSeconds = 1')
        async with setup.run() as live:
            outcome = await give(live, order("c-1", "plan", "go"))
            unanswered = "Nobody at the machine answered its question in time. Nothing was written."
            assert (outcome.status, outcome.summary) == ("rejected", unanswered)
            assert not (setup.project / "made.txt").exists()


async def test_an_outcome_never_says_that_nothing_was_written_after_a_command_was_allowed(
    tmp_path: Path,
) -> None:
    outside = {"cmd": "touch made.txt", "sandbox_permissions": "require_escalated", "justification": "to try"}
    calls = [ToolUse("exec_command", outside), run("cat README.md")]
    async with open_hostile(tmp_path, "ask", calls) as (setup, _), setup.run() as live:

        async def allow_one_and_cancel() -> None:
            await say_yes(live, 1)
            await live.until_ask(await until_session(live))
            assert await live.app.orders.cancel("c-1") is None

        outcome, _ = await asyncio.gather(give(live, order("c-1", "plan", "go")), allow_one_and_cancel())
        assert (setup.project / "made.txt").exists()
        assert (outcome.status, outcome.summary) == ("cancelled", f"It was cancelled. {ALLOWED}")


async def test_denied_the_agent_has_no_way_to_run_anything(tmp_path: Path) -> None:
    async with open_hostile(tmp_path, "deny") as (setup, model), setup.run() as live:
        model.calls = tuple(tries(setup, 9))
        outcome = await give(live, order("c-1", "plan", "go"))
        assert outcome.status == "ok"
        assert model.tools == {"update_plan", "request_user_input", "apply_patch"}
        assert all("unsupported call" in result for result in model.results)
        session = await until_session(live)
        assert of_kind(live.see(session), CommandBlock) == []


async def test_unasked_commands_read_the_workspace_alone_and_are_recorded(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        async with open_hostile(tmp_path, "read-only") as (setup, model), setup.run() as live:
            model.calls = tuple(tries(setup, server.getsockname()[1]))
            outcome = await give(live, order("c-1", "plan", "go"))
            assert outcome.status == "ok"
            assert "inside" in model.results[0]
            assert SECRET not in "".join(model.results)
            assert "reached" not in model.results[2]
            ran = await ran_here(live)
            assert [(entry.answer, entry.outcome) for entry in ran][:2] == [
                ("none", "failed"),
                ("none", "done"),
            ]


async def test_what_a_rule_of_the_persons_own_lets_through_is_seen_and_stopped(tmp_path: Path) -> None:
    allow = 'prefix_rule(pattern=["cat"], decision="allow")\n'
    outside = run(f"cat {tmp_path / 'outside.txt'} README.md")
    async with (
        open_hostile(tmp_path, "ask", [outside, run("cat README.md")], rules=allow) as (setup, _),
        setup.run() as live,
    ):
        outcome = await give(live, order("c-1", "plan", "go"))
        assert outcome.status == "rejected"
        assert outcome.summary == UNASKED.format(did=f"ran {outside.arguments['cmd']}")
        session = await until_session(live)
        seen = await live.until_idle(session)
        assert seen.runs[-1].outcome == "interrupted"
        assert SECRET not in "".join(block.output for block in of_kind(seen, CommandBlock))
        (ran, *_) = await ran_here(live)
        assert (ran.answer, isinstance(ran.who, Remote)) == ("none", True)
