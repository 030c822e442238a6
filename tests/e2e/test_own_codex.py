"""What the person's own Codex configuration allows, in sessions of ours: nobody else says yes for them."""

from pathlib import Path

import pytest
from tests.e2e.test_order_commands import open_hostile, run

from bascule.demo.outputs import ToolUse
from bascule.model.asks import CommandSubject

pytestmark = pytest.mark.real

RULE = 'prefix_rule(pattern=["touch"], decision="allow")\n'


async def test_a_rule_leads_out_of_no_read_only_run_and_a_reviewer_answers_nothing(tmp_path: Path) -> None:
    async with open_hostile(tmp_path, "deny", rules=RULE) as (setup, model):
        config = tmp_path / "codex" / "config.toml"
        config.write_text(f'approvals_reviewer = "auto_review"\n{config.read_text()}')
        made, other = tmp_path / "made.txt", tmp_path / "other.txt"
        async with setup.run() as live:
            session = await live.begin()
            model.calls = (run(f"touch {made}"),)
            live.say(session, "/plan something")
            await live.until_idle(session)
            assert not made.exists()
            assert len(model.results) == 1, "it was run, and could not get out"
            leaving = {"sandbox_permissions": "require_escalated", "justification": "to see"}
            model.calls = (*model.calls, ToolUse("exec_command", {"cmd": f"mkdir {other}", **leaving}))
            live.say(session, "now for real")
            ask = await live.until_ask(session)
            assert isinstance(ask.subject, CommandSubject)
            assert ask.subject.command == f"mkdir {other}"
            assert not other.exists()


async def test_a_model_sets_no_goal_by_which_codex_would_go_on_by_itself(tmp_path: Path) -> None:
    """Codex would begin one run after the other, also after a stop and when the session is opened again."""
    async with open_hostile(tmp_path, "deny") as (setup, model), setup.run() as live:
        session = await live.begin()
        model.calls = (ToolUse("create_goal", {"objective": "go on for ever"}),)
        live.say(session, "set yourself a goal")
        await live.until_idle(session)
        assert len(live.app.hub.session(session).runs) == 1
        assert not {tool for tool in model.tools if "goal" in tool}
        assert "unsupported call" in model.results[0]
