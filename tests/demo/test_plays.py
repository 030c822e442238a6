"""Every scene with a real Codex: what the demo model does comes out of Codex as the right events."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.demo.codex_peer import CodexPeer, codex_peer
from tests.demo.scenes import SCENES, prompt, resumed

from bascule.demo.plays import KINDS, LONG_WORDS
from bascule.demo.script import SUMMARY

pytestmark = pytest.mark.real

CODEX = Path(importlib.import_module("codex_cli_bin").bundled_codex_path())  # it carries no types

BEGIN = ["turn/started inProgress", "started userMessage", "completed userMessage"]
NOTE = ["started agentMessage commentary", "completed agentMessage commentary"]
FINAL = [
    "started agentMessage final_answer",
    "completed agentMessage final_answer",
    "turn/completed completed",
]
CUT_OFF = ["turn/completed interrupted"]
THOUGHT = [
    "started reasoning",
    *["item/reasoning/summaryPartAdded"] * 2,
    "completed reasoning",
]
RAN = ["started commandExecution inProgress", "completed commandExecution completed"]
RUN_ASKED = ["started commandExecution inProgress", "ask item/commandExecution/requestApproval"]
RAN_WHEN_ASKED = [*RUN_ASKED, "completed commandExecution completed"]
EDIT_ASKED = [*NOTE, *RAN, "started fileChange inProgress", "ask item/fileChange/requestApproval"]
EDITED = [*EDIT_ASKED, "completed fileChange completed"]
SEARCHED = ["started webSearch", "completed webSearch"]
PLANNED = ["turn/plan/updated"] * 3
DEFINED = [*NOTE, "started mcpToolCall inProgress", "completed mcpToolCall completed"]
SIGN_ASKED = ["started mcpToolCall inProgress", "ask mcpServer/elicitation/request"]
SIGNED = [*SIGN_ASKED, "ask mcpServer/elicitation/request", "completed mcpToolCall completed"]

EXPECTED = {
    "text": [*BEGIN, *FINAL],
    "reasoning": [*BEGIN, *THOUGHT, *FINAL],
    "command": [*BEGIN, *NOTE, *RAN, *FINAL],
    "approval": [*BEGIN, *NOTE, *RAN_WHEN_ASKED, *FINAL],
    "approval-decline": [*BEGIN, *NOTE, *RUN_ASKED, "completed commandExecution declined", *FINAL],
    "approval-cancel": [
        *[*BEGIN, *NOTE, *RUN_ASKED, "completed commandExecution declined", *CUT_OFF],
        *[*BEGIN, *SEARCHED, *FINAL],
    ],
    "approval-withdrawn": [*BEGIN, *NOTE, *RUN_ASKED, *CUT_OFF],
    "edit": [*BEGIN, *EDITED, *FINAL],
    "edit-decline": [*BEGIN, *EDIT_ASKED, "completed fileChange declined", *FINAL],
    "edit-cancel": [*BEGIN, *EDIT_ASKED, *CUT_OFF],  # Codex leaves the item open
    "question": [*BEGIN, "ask item/tool/requestUserInput", *FINAL],
    "question-open": [*BEGIN, "ask item/tool/requestUserInput", *FINAL],
    "plan": [*BEGIN, *PLANNED, *FINAL],
    "plan-mode": [
        *[*BEGIN, "started agentMessage final_answer", "started plan", "completed plan"],
        *["completed agentMessage final_answer", "turn/completed completed"],
    ],
    "search": [*BEGIN, *SEARCHED, *FINAL],
    "mcp": [*BEGIN, *DEFINED, *SIGNED, *FINAL],
    "mcp-decline": [*BEGIN, *DEFINED, *SIGN_ASKED, "completed mcpToolCall failed", *FINAL],
    "error": [*BEGIN, *NOTE, "error", "turn/completed failed"],
    "steer": [
        *[*BEGIN, *NOTE, *RAN_WHEN_ASKED],
        *["started userMessage", "completed userMessage", *NOTE, *NOTE, *PLANNED, *FINAL],
    ],
    "steer-speaking": [
        *[*BEGIN, "started agentMessage final_answer"],  # Codex drops it, and never completes it
        *["started userMessage", "completed userMessage", *FINAL],
    ],
    "interrupt": [
        *[*BEGIN, "started agentMessage final_answer", *CUT_OFF],
        *[*BEGIN, *THOUGHT, *FINAL],
    ],
    "misdirected": [*BEGIN, "started agentMessage final_answer", *CUT_OFF],
    "compact": [
        *[*BEGIN, *THOUGHT, *FINAL],
        "turn/started inProgress",
        *["started contextCompaction", "completed contextCompaction", "turn/completed completed"],
        *[*BEGIN, *SEARCHED, *FINAL],
    ],
    "history": [
        *[*BEGIN, *NOTE, *RAN, *FINAL],
        *[*BEGIN, *EDITED, *NOTE, *DEFINED, *SIGNED, *NOTE, *PLANNED, *NOTE, *SEARCHED, *NOTE],
        *[*THOUGHT, *FINAL],
    ],
    "turn": [
        *[*BEGIN, *THOUGHT, *NOTE, *NOTE, *RAN, *NOTE, *EDITED, *NOTE, *NOTE, *RAN_WHEN_ASKED, *NOTE],
        *FINAL,
    ],
}


@pytest.mark.parametrize("name", SCENES)
async def test_codex_tells_what_the_scene_plays(name: str, tmp_path: Path) -> None:
    async with codex_peer(CODEX, tmp_path, word_delay_s=0.2) as peer:
        await SCENES[name](peer)

    landmarks, expected = peer.landmarks(), EXPECTED[name]
    if name == "misdirected":  # Codex may take the second start into the turn before the interrupt reaches it
        landmarks = [*landmarks[: len(expected) - len(CUT_OFF)], *landmarks[-len(CUT_OFF) :]]
    assert landmarks == expected


async def test_a_prompt_without_demo_words_gets_the_list_of_them(tmp_path: Path) -> None:
    async with codex_peer(CODEX, tmp_path) as peer:
        await prompt("What can you do?")(peer)

    (text,) = peer.texts()
    assert [name for name in KINDS if f"`demo:{name}`" in text] == list(KINDS)


async def test_an_edit_can_be_made_again_and_the_project_stays_sound(tmp_path: Path) -> None:
    async with codex_peer(CODEX, tmp_path) as peer:
        await prompt("demo:edit demo:edit demo:edit demo:edit demo:command")(peer)

    assert [len(item["changes"]) for item in peer.items("fileChange")] == [2, 2, 2, 2]
    assert [item["status"] for item in peer.items("fileChange")] == ["completed"] * 4
    assert "Ran 9 tests" in peer.items("commandExecution")[-1]["aggregatedOutput"]
    assert peer.texts()[-1] == "The tests pass."


async def test_a_sandboxed_command_runs_and_an_allowed_one_writes(tmp_path: Path) -> None:
    async with codex_peer(CODEX, tmp_path) as peer:
        await prompt("demo:command demo:approval")(peer)

    tests, compiled = peer.items("commandExecution")
    assert (tests["exitCode"], compiled["exitCode"]) == (0, 0)
    assert "Ran 5 tests" in tests["aggregatedOutput"]
    assert list((peer.project / "__pycache__").glob("wordkit.*.pyc"))


async def test_answers_reach_the_model(tmp_path: Path) -> None:
    async with codex_peer(CODEX, tmp_path) as peer:
        await prompt("demo:question demo:mcp")(peer)

    answered, _, quoted = peer.texts()
    assert answered == "You answered:\n\n- leaf: North (Recommended)\n- pace: Slowly"
    assert "balanced by a counterweight" in quoted
    assert "Signed by Ann." in quoted


async def test_twenty_thousand_words_arrive_whole(tmp_path: Path) -> None:
    async with codex_peer(CODEX, tmp_path) as peer:
        await prompt("demo:long")(peer)

    deltas = [
        each["params"]["delta"] for each in peer.heard if each.get("method") == "item/agentMessage/delta"
    ]
    (text,) = peer.texts()
    assert "".join(deltas) == text
    assert len(text.split()) == LONG_WORDS


async def test_what_is_steered_in_is_acknowledged(tmp_path: Path) -> None:
    async with codex_peer(CODEX, tmp_path, word_delay_s=0.2) as peer:
        await SCENES["steer-speaking"](peer)

    assert peer.texts() == ["You added: “One more thing”. I take it into account from here on."]
    late_steer, late_interrupt = [each["error"] for each in peer.heard if "error" in each]
    assert late_steer == {"code": -32600, "message": "no active turn to steer"}
    assert late_interrupt == {"code": -32600, "message": "no active turn to interrupt"}


async def test_compaction_gets_a_summary(tmp_path: Path) -> None:
    async with codex_peer(CODEX, tmp_path) as peer:
        await SCENES["compact"](peer)

    (rollout,) = (peer.home / "sessions").rglob("*.jsonl")
    entries = [json.loads(line) for line in rollout.read_text(encoding="utf-8").splitlines()]
    (compacted,) = [entry["payload"]["message"] for entry in entries if entry["type"] == "compacted"]
    assert compacted.endswith(SUMMARY)


async def test_a_thread_goes_on_in_a_new_process(tmp_path: Path) -> None:
    async with codex_peer(CODEX, tmp_path) as first:
        await prompt("demo:command")(first)
    async with codex_peer(CODEX, tmp_path) as second:
        await resumed(first.thread_id)(second)

    assert second.landmarks() == EXPECTED["reasoning"]
    (page,) = _pages(second)
    assert [item["type"] for turn in page["data"] for item in turn["items"]] == [
        *["userMessage", "agentMessage", "commandExecution", "agentMessage"]
    ]


async def test_both_models_are_offered_with_their_efforts(tmp_path: Path) -> None:
    async with codex_peer(CODEX, tmp_path) as peer:
        reply = await peer.call("model/list", {})

    offered = {
        model["id"]: [each["reasoningEffort"] for each in model["supportedReasoningEfforts"]]
        for model in reply["result"]["data"]
    }
    assert offered == {"demo": ["low", "medium", "high"], "demo-small": ["low", "medium", "high"]}


async def test_usage_grows_and_the_context_window_is_the_catalogs(tmp_path: Path) -> None:
    async with codex_peer(CODEX, tmp_path) as peer:
        await prompt("demo:plan")(peer)

    usages = [
        each["params"]["tokenUsage"]
        for each in peer.heard
        if each.get("method") == "thread/tokenUsage/updated"
    ]
    totals = [usage["total"]["totalTokens"] for usage in usages]
    assert totals == sorted(set(totals))
    assert {usage["modelContextWindow"] for usage in usages} == {258_400}


async def test_codex_complains_of_nothing_in_the_demos_configuration(tmp_path: Path) -> None:
    async with codex_peer(CODEX, tmp_path) as peer:
        await prompt("demo:text")(peer)

    complaints = [
        json.dumps(each["params"])
        for each in peer.heard
        if each.get("method") in {"configWarning", "warning", "deprecationNotice", "error"}
    ]
    assert [each for each in complaints if "bubblewrap" not in each and "temporary" not in each] == []


def test_the_recorder_says_how_it_is_used() -> None:
    help_ = subprocess.run(
        [sys.executable, "-m", "tests.demo.record_plays", "--help"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "SCENE" in help_.stdout


def _pages(peer: CodexPeer) -> list[dict[str, list[dict[str, list[dict[str, str]]]]]]:
    results = (each.get("result", {}) for each in peer.heard)
    return [result["initialTurnsPage"] for result in results if "initialTurnsPage" in result]
