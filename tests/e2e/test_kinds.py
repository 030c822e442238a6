"""Every demo kind, played by a real Codex: the blocks, their order, and how they end."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from tests.e2e.live_app import LiveApp, kinds, last_run, of_kind, of_run, open_setup, replies

from bascule.demo.plays import KINDS, LONG_WORDS, SLOW_WORDS
from bascule.model.blocks import (
    CommandBlock,
    ErrorBlock,
    FileChangeBlock,
    InfoBlock,
    McpBlock,
    PlanBlock,
    ReasoningBlock,
    WebSearchBlock,
)

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="module")]

SAID = "assistant completed"
RAN = "command completed"

EXPECTED = {
    "text": ["user", SAID],
    "reasoning": ["user", "reasoning completed", SAID],
    "command": ["user", SAID, RAN, SAID],
    "approval": ["user", SAID, RAN, SAID],
    "edit": ["user", SAID, RAN, "fileChange completed", SAID],
    "rewrite": ["user", SAID, RAN, SAID],
    "question": ["user", SAID],
    "plan": ["user", "plan", SAID],
    "search": ["user", "webSearch completed", SAID],
    "mcp": ["user", SAID, "mcp completed", "mcp completed", SAID],
    "long": ["user", SAID],
    "slow": ["user", SAID],
    "error": ["user", SAID, "error"],
}

WORDS = {"long": LONG_WORDS, "slow": SLOW_WORDS}  # none is lost


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def live(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[LiveApp]:
    async with open_setup(tmp_path_factory.mktemp("kinds")) as setup, setup.run() as live:
        yield live


@pytest.mark.parametrize("kind", KINDS)
async def test_a_kind_becomes_its_blocks(live: LiveApp, kind: str) -> None:
    session = await live.begin()
    seen = await live.play(session, f"demo:{kind}")

    assert kinds(of_run(seen)) == EXPECTED[kind]
    failed = kind == "error"
    assert (last_run(seen).outcome, seen.status) == ("failed" if failed else "completed", "completed")
    assert failed or (seen.usage and seen.usage.context_used > 0 and seen.usage.context_window == 258_400)
    assert (seen.asks, seen.queue) == ((), ())
    assert len(replies(seen)[-1].split()) >= WORDS.get(kind, 1)


async def test_what_each_kind_tells(live: LiveApp) -> None:
    """Several kinds in one prompt play in order, in one run."""
    order = ["reasoning", "command", "approval", "edit", "plan", "search", "mcp", "question"]
    session = await live.begin()
    seen = await live.play(session, "All of it: " + " ".join(f"demo:{kind}" for kind in order))

    assert kinds(of_run(seen)) == ["user"] + [one for kind in order for one in EXPECTED[kind][1:]]
    (reasoning,) = of_kind(seen, ReasoningBlock)
    assert [part.splitlines()[0] for part in reasoning.summary] == [
        "**Reading the question**",
        "**Choosing an answer**",
    ]
    tests, compiled, read = of_kind(seen, CommandBlock)
    assert tests.command.endswith("-m unittest -v")
    assert tests.exit_code == 0
    assert "\nOK" in tests.output
    assert compiled.original.endswith(" wordkit.py'")
    assert read.summary
    (change,) = of_kind(seen, FileChangeBlock)
    paths = {edit.path for edit in change.files}
    assert len(paths) == 2
    assert "wordkit.py" in paths
    assert change.has_diff
    (plan,) = of_kind(seen, PlanBlock)
    assert {step.status for step in plan.steps} == {"completed"}
    (search,) = of_kind(seen, WebSearchBlock)
    assert search.query == "how does a bascule bridge work"
    define, sign = of_kind(seen, McpBlock)
    assert (define.server, define.tool) == ("demo", "define")
    assert "counterweight" in define.result
    assert sign.result == "Signed by Ann."
    assert replies(seen)[-1] == "You answered:\n\n- leaf: North (Recommended)\n- pace: Slowly"
    assert seen.diff is not None
    assert {edit.path for edit in seen.diff.files} == paths


async def test_a_prompt_without_demo_words_gets_the_list(live: LiveApp) -> None:
    session = await live.begin()
    seen = await live.play(session, "What can you do?")

    (answer,) = replies(seen)
    assert [kind for kind in KINDS if f"`demo:{kind}`" in answer] == list(KINDS)
    (started,) = of_kind(seen, InfoBlock)  # cwd, version and origin
    assert str(live.project) in {fact.value for fact in started.facts}


async def test_a_failed_run_says_why(live: LiveApp) -> None:
    session = await live.begin()
    seen = await live.play(session, "demo:error")

    (error,) = of_kind(seen, ErrorBlock)
    assert "failed on purpose" in error.text
    assert "failed on purpose" in last_run(seen).why
    assert (await live.play(session, "demo:search")).runs[-1].outcome == "completed"
