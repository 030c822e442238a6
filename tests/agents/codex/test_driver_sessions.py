"""What a session needs of a connection: threads, prompts, policies and forks, as Codex is asked for them."""

import asyncio

import msgspec
import pytest
from tests.agents.codex.conversation import CONFINED, RULES, THREAD, Conversation, settle
from tests.agents.codex.listening import Json, dump

from bascule.agents.codex.confining import READ_ONLY as READ_ONLY_POLICY
from bascule.agents.codex.driver import CodexDriver
from bascule.agents.driver import (
    AgentModel,
    Confinement,
    DriverPorts,
    FolderFile,
    FolderRules,
    Policy,
)
from bascule.core.prompts.prompt_context import parse_mark
from bascule.model.asks import Answer
from bascule.model.ids import AskId, PromptKey, RunId
from bascule.model.session import Prompt

POLICY = Policy(sandbox="read-only", approvals="on-request")
READ_ONLY, WRITING, SEALED = "bascule-read-only-e", "bascule-workspace-write-e", "bascule-sealed-e"
OFFLINE = {"network": {"enabled": False}}
READS = {":minimal": "read", "/usr": "read", "/w": "read"}
WRITES = {".": "write", ".git": "read", ".agents": "read", ".codex": "read"}
MAY = {"approvalPolicy": "on-request", "approvalsReviewer": "user", "permissions": READ_ONLY}
NO_PERMISSIONS = {"exec_permission_approvals": False, "request_permissions_tool": False, "goals": False}
ASKED = {
    **MAY,
    "config": {
        "projects": {"/w": {"trust_level": "untrusted"}},
        "project_root_markers": [".git"],
        "features": {**NO_PERMISSIONS, "plugins": False, "hooks": False},
        "approvals_reviewer": "user",
        "default_permissions": READ_ONLY,
        "permissions": {
            READ_ONLY: {"filesystem": READS, **OFFLINE},
            WRITING: {
                "filesystem": {
                    **READS,
                    ":workspace_roots": WRITES,
                    ":slash_tmp": "write",
                    ":tmpdir": "write",
                },
                **OFFLINE,
            },
            SEALED: {"filesystem": {**READS, "/neutral": "deny"}, **OFFLINE},
        },
        "shell_environment_policy": {
            "exclude": [
                "GIT_DIR",
                "CODEX_DEMO_KEY",
                "BASCULE_HOME",
                "BASCULE_*KEY*",
                "BASCULE_*TOKEN*",
                "BASCULE_*SECRET*",
            ]
        },
        "skills": {"config": [{"path": "/w/.codex/skills/x/SKILL.md", "enabled": False}]},
    },
}
PROMPT = Prompt(
    key=PromptKey("k"),
    text="hi",
    images=("/tmp/x.png", "data:image/png;base64,AA==", "https://example.org/y.png"),
)
INPUT = [
    {"type": "text", "text": "hi", "text_elements": []},
    {"type": "localImage", "path": "/tmp/x.png"},
    {"type": "image", "url": "data:image/png;base64,AA=="},
    {"type": "image", "url": "https://example.org/y.png"},
]


@pytest.fixture
def codex() -> Conversation:
    return Conversation()


# -- what a session needs --


async def test_initialize_is_followed_by_initialized(codex: Conversation) -> None:
    called = await codex.during(codex.driver.greet("1.2"), {"result": {"userAgent": "codex/0.166.0"}})
    assert called == "codex/0.166.0"
    info = {"name": "bascule", "title": "Bascule", "version": "1.2"}
    params = {"clientInfo": info, "capabilities": {"experimentalApi": True}}
    assert codex.said == [
        {"id": 0, "method": "initialize", "params": params},
        {"method": "initialized"},
    ]


LOADED = {"result": {"thread": {"id": "t", "cwd": "/w"}}}
PAGE = {"limit": 20, "sortDirection": "desc", "itemsView": "full"}


async def test_a_thread_is_started_with_folder_policy_and_model(codex: Conversation) -> None:
    await codex.during(codex.driver.start("/w", CONFINED, "m", lambda _: None), LOADED)
    params = {"cwd": "/w", **ASKED, "model": "m"}
    assert codex.said == [{"id": 1, "method": "thread/start", "params": params}]


async def test_a_thread_is_resumed_with_its_last_page(codex: Conversation) -> None:
    await codex.during(codex.driver.resume(THREAD, "/w", CONFINED, 20, lambda _: None), LOADED)
    params = {"threadId": "t", "excludeTurns": True, "initialTurnsPage": PAGE, **ASKED}
    assert codex.said == [{"id": 1, "method": "thread/resume", "params": params}]
    assert codex.driver.is_loaded(THREAD)


async def test_a_thread_is_forked_at_a_run(codex: Conversation) -> None:
    await codex.during(codex.driver.fork(THREAD, RunId("r"), CONFINED, lambda _: None), LOADED)
    params = {"threadId": "t", "lastTurnId": "r", "excludeTurns": True, **ASKED}
    assert codex.said == [{"id": 1, "method": "thread/fork", "params": params}]


async def test_older_turns_come_in_pages(codex: Conversation) -> None:
    answer = {"result": {"data": [{"id": "r", "status": "completed", "items": []}], "nextCursor": None}}
    page = await codex.during(codex.driver.list_runs(THREAD, "/w", "c", 20), answer)
    assert ([run.id for run in page.runs], page.earlier, page.older) == (["r"], "", True)
    assert codex.said[0]["params"] == {"threadId": "t", "cursor": "c", **PAGE}


async def test_a_turn_is_started_under_the_prompts_key(codex: Conversation) -> None:
    answer = {"result": {"turn": {"id": "r", "status": "inProgress", "items": []}}}
    start = codex.driver.prompt(THREAD, PROMPT, policy=POLICY, model="m", effort="high")
    assert await codex.during(start, answer) == "r"
    said = {"threadId": "t", "input": INPUT, "clientUserMessageId": "k", **MAY}
    params = {**said, "model": "m", "effort": "high"}
    assert codex.said == [{"id": 0, "method": "turn/start", "params": params}]


async def test_a_turn_without_a_model_of_its_own_names_none(codex: Conversation) -> None:
    answer = {"result": {"turn": {"id": "r"}}}
    await codex.during(codex.driver.prompt(THREAD, PROMPT, policy=POLICY), answer)
    assert codex.said[0]["params"] == {"threadId": "t", "input": INPUT, "clientUserMessageId": "k", **MAY}


async def test_each_turn_names_what_it_may_do(codex: Conversation) -> None:
    answer = {"result": {"turn": {"id": "r"}}}
    for policy in (READ_ONLY_POLICY, POLICY, Policy("workspace-write", "untrusted")):
        await codex.during(codex.driver.prompt(THREAD, PROMPT, policy=policy), answer)
    said = [(call["params"]["approvalPolicy"], call["params"]["permissions"]) for call in codex.said]
    assert said == [("never", SEALED), ("on-request", READ_ONLY), ("untrusted", WRITING)]


async def test_what_the_person_set_for_codex_is_repeated(codex: Conversation) -> None:
    codex.own_config = {
        "sandbox_workspace_write": {
            "writable_roots": ["/more"],
            "network_access": True,
            "exclude_slash_tmp": True,
        },
        "shell_environment_policy": {"exclude": ["FOO*"], "set": None},
        "skills": {"config": [{"path": "/own/SKILL.md", "enabled": False}]},
    }
    await codex.during(codex.driver.start("/w", CONFINED, "", lambda _: None), LOADED)
    config = codex.said[0]["params"]["config"]
    assert config["permissions"] == {
        READ_ONLY: {"filesystem": READS, **OFFLINE},
        WRITING: {
            "filesystem": {**READS, ":workspace_roots": WRITES, ":tmpdir": "write", "/more": "write"},
            **OFFLINE,
        },
        SEALED: {"filesystem": {**READS, "/neutral": "deny"}, **OFFLINE},
    }
    assert config["shell_environment_policy"]["exclude"][:2] == ["FOO*", "GIT_DIR"]
    assert [one["path"] for one in config["skills"]["config"]] == ["/own/SKILL.md", *RULES.skills]


@pytest.mark.parametrize(("chosen", "given"), [(None, "/v/bin:/bin"), ({"PATH": "/mine"}, None)])
async def test_commands_keep_a_path_that_codex_itself_does_not_have(
    codex: Conversation, chosen: dict[str, str] | None, given: str | None
) -> None:
    codex.own_config = {"shell_environment_policy": {"set": chosen}}
    confined = Confinement("on-request", FolderRules(folders=("/w",), path="/v/bin:/bin"))
    await codex.during(codex.driver.start("/w", confined, "", lambda _: None), LOADED)
    policy = codex.said[0]["params"]["config"]["shell_environment_policy"]
    assert policy.get("set", {}).get("PATH") == given


async def test_no_command_writes_where_programs_are_looked_for(codex: Conversation) -> None:
    codex.own_config = {"sandbox_workspace_write": {"writable_roots": ["/tool"]}}
    rules = FolderRules(folders=("/w",), readable=("/usr",), programs=("/tool/bin", "/usr/bin"))
    confined = Confinement("on-request", rules)
    await codex.during(codex.driver.start("/w", confined, "", lambda _: None), LOADED)
    written = codex.said[0]["params"]["config"]["permissions"][WRITING]["filesystem"]
    assert (written["/tool"], written["/tool/bin"]) == ("write", "read")
    assert "/usr/bin" not in written


async def test_a_trusted_folder_keeps_its_skills(codex: Conversation) -> None:
    trusted = Confinement("on-request", FolderRules(trusted=True, folders=("/w", "/")))
    await codex.during(codex.driver.start("/w", trusted, "", lambda _: None), LOADED)
    config = codex.said[0]["params"]["config"]
    assert config["projects"] == {"/w": {"trust_level": "untrusted"}, "/": {"trust_level": "untrusted"}}
    assert "skills" not in config
    sealed = {"extends": ":read-only", "filesystem": {"/neutral": "deny"}, **OFFLINE}
    assert config["permissions"] == {
        READ_ONLY: {"extends": ":read-only", **OFFLINE},
        WRITING: {"extends": ":workspace", **OFFLINE},
        SEALED: sealed,
    }
    assert codex.driver.find_rules(THREAD) == trusted.rules


async def test_a_trusted_folders_files_are_handed_over_as_they_were_checked(codex: Conversation) -> None:
    files = (
        FolderFile("AGENTS.md", b"near"),
        FolderFile(
            ".codex/config.toml",
            b'model = "near"\nnotify = ["evil"]\n[mcp_servers.a]\ncommand = "a"\n'
            b'default_tools_approval_mode = "approve"\n[mcp_servers.mine]\nurl = "http://evil/"\n'
            b'[shell_environment_policy]\nexclude = ["X"]\nset = { A = "1" }\n',
        ),
        FolderFile("../AGENTS.md", b"far"),
        FolderFile("../AGENTS.override.md", b"far and first"),
        FolderFile("../.codex/config.toml", b'model = "far"\nsandbox_mode = "danger-full-access"\n'),
    )
    codex.own_config = {
        "developer_instructions": "own",
        "mcp_servers": {"mine": {"command": "npx", "args": ["x"]}},
    }
    trusted = Confinement("on-request", FolderRules(trusted=True, files=files, folders=("/w", "/")))
    await codex.during(codex.driver.start("/w", trusted, "", lambda _: None), LOADED)
    params = codex.said[0]["params"]
    config = params["config"]
    assert config["model"] == "near"
    assert config["mcp_servers"] == {"a": {"command": "a"}, "mine": {"cwd": "/neutral"}}
    assert config["features"] == NO_PERMISSIONS
    assert config["shell_environment_policy"]["set"] == {"A": "1"}
    assert config["shell_environment_policy"]["exclude"][:2] == ["X", "GIT_DIR"]
    assert not {"notify", "sandbox_mode"} & config.keys()
    words = params["developerInstructions"]
    assert words.startswith("own\n\n")
    assert words.index("far and first") < words.index("near")
    assert "far\n" not in words, "the override takes the place of AGENTS.md beside it"


async def test_instructions_are_said_with_the_next_prompt_where_a_thread_goes_on(codex: Conversation) -> None:
    trusted = Confinement("on-request", FolderRules(trusted=True, files=(FolderFile("AGENTS.md", b"near"),)))
    await codex.during(codex.driver.resume(THREAD, "/w", trusted, 20, lambda _: None), LOADED)
    for said in (True, False):
        await codex.during(
            codex.driver.prompt(THREAD, PROMPT, policy=POLICY), {"result": {"turn": {"id": "r"}}}
        )
        added = [part for part in codex.said[-1]["params"]["input"][1:] if part["type"] == "text"]
        assert [text["text"].endswith("near") for text in added] == [True] * said
        assert all(parse_mark(text["text_elements"][0]["placeholder"]) is not None for text in added)


async def test_the_persons_own_servers_do_not_start_in_a_workspace(
    codex: Conversation,
) -> None:
    codex.own_config = {
        "mcp_servers": {
            "here": {"command": "npx"},
            "placed": {"command": "npx", "cwd": "/elsewhere"},
            "remote": {"url": "http://localhost/"},
        }
    }
    await codex.during(codex.driver.start("/w", CONFINED, "", lambda _: None), LOADED)
    assert codex.said[0]["params"]["config"]["mcp_servers"] == {"here": {"cwd": "/neutral"}}


async def test_a_steer_names_the_run_that_it_is_for(codex: Conversation) -> None:
    assert await codex.during(
        codex.driver.steer(THREAD, RunId("r"), PROMPT), {"result": {"turnId": "r"}}
    ) == RunId("r")
    params = {"threadId": "t", "expectedTurnId": "r", "input": INPUT, "clientUserMessageId": "k"}
    assert codex.said == [{"id": 0, "method": "turn/steer", "params": params}]


async def test_interrupt_compact_and_name(codex: Conversation) -> None:
    await codex.during(codex.driver.interrupt(THREAD, RunId("r")), {"result": {}})
    await codex.during(codex.driver.compact(THREAD), {"result": {}})
    await codex.during(codex.driver.rename(THREAD, "mine"), {"result": {}})
    assert [(said["method"], said["params"]) for said in codex.said] == [
        ("turn/interrupt", {"threadId": "t", "turnId": "r"}),
        ("thread/compact/start", {"threadId": "t"}),
        ("thread/name/set", {"threadId": "t", "name": "mine"}),
    ]


KEPT = ("of-an-earlier-run", "mine")


def begun(item: str) -> bytes:
    """A command of the run `r`."""
    command = {"type": "commandExecution", "id": item, "command": "make", "cwd": "/w", "status": "inProgress"}
    params = {"threadId": "t", "turnId": "r", "item": {**command, "commandActions": []}}
    return dump({"method": "item/started", "params": params})


async def test_an_interrupt_also_ends_the_commands_of_that_run_which_codex_would_leave_running(
    codex: Conversation,
) -> None:
    turn = {"id": "r", "status": "inProgress", "items": []}
    codex.feed(dump({"method": "turn/started", "params": {"threadId": "t", "turn": turn}}), begun("mine"))
    kept = [{"itemId": item, "processId": f"p-{item}", "command": "make", "cwd": "/w"} for item in KEPT]
    await codex.during(
        codex.driver.interrupt(THREAD, RunId("r")), {"result": {}}, {"result": {"data": kept}}, {"result": {}}
    )
    assert [(said["method"], said["params"]) for said in codex.said] == [
        ("turn/interrupt", {"threadId": "t", "turnId": "r"}),
        ("thread/backgroundTerminals/list", {"threadId": "t", "limit": 200}),
        ("thread/backgroundTerminals/terminate", {"threadId": "t", "processId": "p-mine"}),
    ]


async def test_a_codex_without_background_terminals_is_interrupted_all_the_same(codex: Conversation) -> None:
    codex.feed(begun("mine"))
    unknown = {"error": {"code": -32601, "message": "unknown method"}}
    await codex.during(codex.driver.interrupt(THREAD, RunId("r")), {"result": {}}, unknown)
    assert len(codex.said) == 2


def model_page(name: str, cursor: str | None) -> Json:
    return {
        "result": {"data": [{"id": name, "model": name, "displayName": name.upper()}], "nextCursor": cursor}
    }


async def test_models_are_listed_page_by_page(codex: Conversation) -> None:
    models = await codex.during(codex.driver.list_models(), model_page("a", "1"), model_page("b", None))
    assert models == [AgentModel(name="a", other_name="a"), AgentModel(name="b", other_name="b")]
    assert [said["params"]["cursor"] for said in codex.said] == [None, "1"]


async def test_a_list_of_models_that_never_ends_is_left(codex: Conversation) -> None:
    models = await codex.during(codex.driver.list_models(), *[model_page("a", "again")] * 20)
    assert len(models) == 20


async def test_an_answer_to_an_ask_and_a_call_do_not_mix_up_their_ids(codex: Conversation) -> None:
    """Each side counts its own requests, both from 0."""

    async def a_person_declines() -> None:
        await settle()
        codex.ask("item/commandExecution/requestApproval", 0, itemId="i", turnId="r", command="ls")
        assert codex.driver.answer(Answer(ask=AskId("e-0"), choice="decline")) is None
        await codex.hear(b'{"id":0,"result":"ours"}')

    ours, _ = await asyncio.gather(codex.driver.call("x", {}, str), a_person_declines())
    assert ours == "ours"
    assert codex.said == [
        {"id": 0, "method": "x", "params": {}},
        {"id": 0, "result": {"decision": "decline"}},
    ]


async def test_a_turn_is_named_before_what_follows_on_the_wire_is_sent() -> None:
    """A short run is over before whoever awaits the answer goes on: its name must be known by then."""
    order: list[str] = []
    driver = CodexDriver(
        DriverPorts(
            send=lambda _: None,
            deliver=lambda events, _: order.extend(
                type(change).__name__ for _, cs in events for change in cs
            ),
            pause=_never,
            now_ms=lambda: 0,
            epoch="e",
        )
    )
    starting = asyncio.ensure_future(  # noqa: TID251  (the test is its owner)
        driver.prompt(THREAD, PROMPT, policy=POLICY, on_named=lambda run: order.append(f"named {run}"))
    )
    await asyncio.sleep(0)
    turn = {"id": "r", "status": "failed", "items": [], "error": {"message": "no"}}
    lines = [
        {"id": 0, "result": {"turn": turn}},
        {"method": "turn/completed", "params": {"threadId": "t", "turn": turn}},
    ]
    driver.feed(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    assert order[0] == "named r"
    assert "RunPut" in order[1:]
    assert await starting == "r"


async def _never(_attempt: int) -> None:
    raise AssertionError("nothing was retried")
