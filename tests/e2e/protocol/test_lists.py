"""Seed 002, 5.6 to 5.9 and 8: models, MCP servers, skills, and the reserved namespaces."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.e2e.peer import Peer

from bascule.demo.home import CONTEXT_WINDOW, USABLE_PERCENT
from bascule.model.protocol.table import METHODS

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]

USABLE_WINDOW = CONTEXT_WINDOW * USABLE_PERCENT // 100


def is_recent(moment: str) -> bool:
    return timedelta() <= datetime.now(UTC) - datetime.fromisoformat(moment) < timedelta(minutes=10)


# -- 5.6, 5.7: models --


async def test_models_are_listed_for_openai_when_nothing_is_said(peer: Peer, session: str) -> None:
    await peer.play("demo:text", session_id=session)
    answer = await peer.call("model.list")
    assert answer["provider"] == "openai"
    assert answer["current"] in answer["models"]
    assert "details" not in answer


async def test_details_of_models_come_when_asked_for(peer: Peer) -> None:
    answer = await peer.call("model.list", {"include_details": True})
    assert answer["details"].keys() == set(answer["models"])


async def test_the_window_of_a_model_is_known_once_it_was_used(peer: Peer, session: str) -> None:
    run = await peer.start("demo:text", session_id=session)
    await peer.finish(run)
    answer = await peer.call("model.list", {"include_details": True})
    assert answer["details"][answer["current"]]["context_window"] == USABLE_WINDOW


async def test_what_codex_does_not_tell_of_a_model_is_left_out(peer: Peer) -> None:
    answer = await peer.call("model.list", {"include_details": True})
    for details in answer["details"].values():
        assert details.keys() <= {"context_window", "description", "reasoning_efforts"}


async def test_another_provider_has_no_models_here(peer: Peer) -> None:
    answer = await peer.call("model.list", {"provider": "another"})
    assert (answer["provider"], answer["models"]) == ("another", [])


async def test_a_model_is_set_for_openai_when_nothing_is_said(peer: Peer, session: str) -> None:
    await peer.play("demo:text", session_id=session)
    models = (await peer.call("model.list"))["models"]
    answer = await peer.call("model.set", {"name": models[-1]})
    assert (answer["provider"], answer["name"]) == ("openai", models[-1])
    assert (await peer.call("model.list"))["current"] == models[-1]


async def test_a_model_that_is_not_there_is_refused_with_those_that_are(peer: Peer) -> None:
    refused = await peer.refused("model.set", {"name": "no-such-model"})
    assert "no-such-model" in refused.message
    assert (await peer.call("model.list"))["models"][0] in refused.message


# -- 5.8, 5.9: MCP servers and skills --


async def test_mcp_servers_are_listed_also_during_a_run(peer: Peer, session: str) -> None:
    run = await peer.start("demo:slow", session_id=session)
    for params in ({}, {"scope": "loaded"}, {"scope": "configured"}):
        [server] = (await peer.call("mcp.list", params))["servers"]
        assert (server["id"], server["transport"], server["enabled"]) == ("demo", "stdio", True)
        assert (server["state"], server["tools"], server["source"]) == ("ready", 2, "global")
        assert is_recent(server["last_connected_at"])
    assert peer.of_run(run)[-1]["params"].get("status") != "completed"
    await peer.call("run.cancel", {"run_id": run})
    await peer.finish(run)


async def test_skills_are_listed_with_their_fields(peer: Peer) -> None:
    for params in ({}, {"force_reload": True}):
        answer = await peer.call("skills.list", params)
        assert answer.keys() == {"skills", "errors", "truncated"}
        assert answer["skills"]  # those that come with Codex
        for skill in answer["skills"]:
            named = {"id", "name", "description", "path", "dir", "scope", "mtime_ms"}
            assert skill.keys() == named
            assert skill["scope"] in ("repo", "user")


# -- 8: the reserved namespaces --


async def test_the_plan_is_reported_as_todos(peer: Peer, session: str) -> None:
    run = await peer.start("demo:plan", session_id=session)
    await peer.finish(run)
    answer = await peer.call("todos.list", {"session_id": session})
    assert [todo["status"] for todo in answer["todos"]] == ["completed"] * 3
    updates = [
        m["params"]
        for m in peer.heard
        if m.get("method") == "todos.update" and m["params"]["session_id"] == session
    ]
    assert updates[-1] == answer
    assert [todo["status"] for todo in updates[0]["todos"]] == ["inProgress", "pending", "pending"]


async def test_every_reserved_namespace_is_there() -> None:
    namespaces = {name.partition(".")[0] for name in METHODS}
    assert {"artifact", "workspace", "history", "todos"} <= namespaces
