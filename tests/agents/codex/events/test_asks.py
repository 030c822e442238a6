"""Every server request: what is shown, what may be answered, and what goes back for each answer."""

from typing import Any

import pytest
from tests.agents.codex.events.asking import (
    COMMAND,
    E0,
    EVERY_ASK,
    FILES,
    FOUR,
    LEGACY_COMMAND,
    NEW_FILE,
    PERMISSIONS,
    RUN_LS,
    asking,
    choice_ids,
    reply,
)
from tests.agents.codex.listening import NOW_MS, Json, Listener, dump

from bascule.agents.codex.events.asks import ASKS, PLAIN
from bascule.agents.codex.events.blocks import MAX_FILES
from bascule.core.consent.answer_check import TOO_LATE
from bascule.model.asks import (
    Answer,
    Ask,
    Choice,
    CommandSubject,
    FilesSubject,
    PermissionsSubject,
)
from bascule.model.changes import AskClosed
from bascule.model.ids import AskId, RunId, ThreadId
from bascule.model.said import Said

GONE = TOO_LATE


# -- commands --


def test_a_command_approval_shows_command_folder_and_reason() -> None:
    listener = asking(COMMAND, **RUN_LS, reason="needs the network")
    assert listener.open_ask() == Ask(
        id=E0,
        title="Run this command?",
        subject=CommandSubject(command="ls", original="/bin/bash -lc ls", cwd="/w", sandbox="unknown"),
        choices=tuple(PLAIN[name] for name in FOUR),
        run=RunId("r"),
        reason="needs the network",
        opened_at_ms=NOW_MS,
    )
    assert listener.session().status == "waiting_user"


@pytest.mark.parametrize("choice", FOUR)
def test_a_plain_decision_goes_back_by_its_name(choice: str) -> None:
    assert reply(asking(COMMAND, **RUN_LS), choice) == {"decision": choice}


def test_only_yes_grants_and_every_lasting_yes_shows_its_rule() -> None:
    assert {name: choice.grants for name, choice in PLAIN.items()} == {
        "accept": True,
        "acceptForSession": True,
        "decline": False,
        "cancel": False,
    }
    assert PLAIN["acceptForSession"].rule


def test_exactly_the_available_decisions_are_offered() -> None:
    amendment = {"acceptWithExecpolicyAmendment": {"execpolicy_amendment": ["git", "commit", "a b"]}}
    listener = asking(COMMAND, **RUN_LS, availableDecisions=["accept", amendment, "cancel"])
    assert listener.open_ask().choices == (
        PLAIN["accept"],
        Choice(
            id="acceptWithExecpolicyAmendment",
            label="Yes, and always",
            grants=True,
            lasts="always",
            rule="allow commands that begin with: git commit 'a b'",
            rule_said=Said("rule.acceptWithExecpolicyAmendment", {"words": "git commit 'a b'"}),
        ),
        PLAIN["cancel"],
    )
    assert reply(listener, "acceptWithExecpolicyAmendment") == {"decision": amendment}


def test_a_rule_about_a_word_that_says_deny_is_still_a_yes() -> None:
    amendment = {"acceptWithExecpolicyAmendment": {"execpolicy_amendment": ["deny-hosts"]}}
    listener = asking(COMMAND, **RUN_LS, availableDecisions=[amendment])
    assert [choice.grants for choice in listener.open_ask().choices] == [True]


def test_a_network_approval_names_the_host_and_its_rules() -> None:
    def rule(action: str) -> Json:
        amendment = {"host": "deny.example.org", "action": action}
        return {"applyNetworkPolicyAmendment": {"network_policy_amendment": amendment}}

    listener = asking(
        COMMAND,
        **RUN_LS,
        networkApprovalContext={"host": "deny.example.org", "protocol": "https"},
        availableDecisions=["accept", rule("allow"), rule("deny")],
    )
    ask = listener.open_ask()
    assert ask.title == "Reach deny.example.org?"
    assert isinstance(ask.subject, CommandSubject)
    assert ask.subject.host == "deny.example.org"
    assert [(choice.id, choice.grants, choice.rule) for choice in ask.choices[1:]] == [
        ("applyNetworkPolicyAmendment", True, "allow deny.example.org"),
        ("applyNetworkPolicyAmendment:2", False, "deny deny.example.org"),
    ]
    assert reply(listener, "applyNetworkPolicyAmendment:2") == {"decision": rule("deny")}


@pytest.mark.parametrize(
    "decision",
    [
        "acceptTomorrow",
        5,
        None,
        [],
        {},
        {"acceptTomorrow": {"at": 9}},
        {"acceptWithExecpolicyAmendment": None},
        {"acceptWithExecpolicyAmendment": {"execpolicy_amendment": [1]}},
        {"applyNetworkPolicyAmendment": {"network_policy_amendment": {}}},
    ],
    ids=str,
)
def test_a_decision_that_cannot_be_explained_is_never_a_plain_yes(decision: Any) -> None:
    listener = asking(COMMAND, **RUN_LS, availableDecisions=[decision, "cancel"])
    strange, cancel = listener.open_ask().choices
    assert (strange.grants, strange.rule, cancel) == (True, "not known here", PLAIN["cancel"])
    assert reply(listener, strange.id) == {"decision": decision}


def test_a_command_approval_without_a_command_falls_back_to_the_threads_folder() -> None:
    listener = Listener()
    listener.tell_agent("thread/started", thread={"id": "t", "cwd": "/w"})
    listener.ask(COMMAND, itemId="i", turnId="r")
    assert listener.open_ask().subject == CommandSubject(command="", original="", cwd="/w", sandbox="unknown")


@pytest.mark.parametrize(
    ("approvals", "sandbox"), [("untrusted", "unknown"), ("on-request", "outside"), ("on-failure", "outside")]
)
def test_a_command_approval_says_whether_it_leaves_the_sandbox_as_far_as_that_is_known(
    approvals: str, sandbox: str
) -> None:
    listener = Listener()
    listener.begin()
    listener.driver._sink.view(ThreadId("t")).approvals = approvals
    listener.ask(COMMAND, **RUN_LS)
    subject = listener.open_ask().subject
    assert isinstance(subject, CommandSubject)
    assert subject.sandbox == sandbox


# -- files --


def test_no_yes_to_files_that_are_not_listed() -> None:
    listener = Listener()
    listener.begin()
    changes = [{"path": f"{n}.txt", "kind": {"type": "add"}, "diff": ""} for n in range(MAX_FILES + 2)]
    listener.item("fileChange", done=False, changes=changes, status="inProgress")
    listener.ask(FILES, turnId="r", itemId="i")
    subject = listener.open_ask().subject
    assert isinstance(subject, FilesSubject)
    assert (len(subject.files), subject.more) == (MAX_FILES, 2)
    assert choice_ids(listener) == ("decline", "cancel")


def test_a_file_approval_shows_the_files_with_their_diff() -> None:
    listener = Listener()
    listener.begin()
    change = {"path": "a.txt", "kind": {"type": "add"}, "diff": "hi\n"}
    listener.item("fileChange", done=False, changes=[change], status="inProgress")
    listener.ask(FILES, turnId="r", itemId="i", reason="outside", grantRoot="/w")
    ask = listener.open_ask()
    assert (ask.title, ask.subject, ask.reason) == (
        "Write these files?",
        FilesSubject(files=(NEW_FILE,), grant_root="/w"),
        "outside",
    )
    assert choice_ids(listener) == FOUR


@pytest.mark.parametrize("choice", FOUR)
def test_a_file_decision_goes_back_by_its_name(choice: str) -> None:
    assert reply(asking(FILES, turnId="r", itemId="i"), choice) == {"decision": choice}


# -- permissions --

PROFILE: Json = {
    "network": {"enabled": True},
    "fileSystem": {"read": ["/w/a"], "write": ["/x"], "entries": [{"path": "/y", "access": "read"}]},
}


def test_a_permission_approval_says_each_wish_in_a_line() -> None:
    listener = Listener()
    listener.tell_agent("thread/started", thread={"id": "t", "cwd": "/w"})
    listener.ask(PERMISSIONS, turnId="r", itemId="i", cwd="/w", permissions=PROFILE, reason="to build")
    ask = listener.open_ask()
    wants = ("use the network", "read a", "write /x", 'entries: [{"path":"/y","access":"read"}]')
    assert (ask.title, ask.subject, ask.reason) == (
        "Give these permissions?",
        PermissionsSubject(wants=wants, cwd="/w", paths=("/w/a", "/x", "/y", "read")),
        "to build",
    )
    assert [(choice.id, choice.grants, bool(choice.rule)) for choice in ask.choices] == [
        ("turn", True, False),
        ("session", True, True),
        ("decline", False, False),
    ]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("turn", {"permissions": PROFILE, "scope": "turn"}),
        ("session", {"permissions": PROFILE, "scope": "session"}),
        ("decline", {"permissions": {}, "scope": "turn"}),
    ],
)
def test_a_permission_answer_grants_what_was_asked_or_nothing(choice: str, expected: Json) -> None:
    params = {"turnId": "r", "itemId": "i", "cwd": "/w", "permissions": {**PROFILE, "later": None}}
    assert reply(asking(PERMISSIONS, **params), choice) == expected


@pytest.mark.parametrize(
    ("permissions", "wants"),
    [
        ({}, ()),
        ({"network": {"enabled": False}}, ()),
        ({"network": {"enabled": None, "hosts": ["x"]}}, ('hosts: ["x"]',)),
        ({"fileSystem": {"read": None, "write": 5}}, ("write: 5",)),
        ({"fileSystem": {"read": ["/w/a"], "write": {"/": 1}}}, ("read /w/a", 'write: {"/":1}')),
        ({"network": {"enabled": "yes"}}, ('enabled: "yes"',)),
        ({"fileSystem": "all"}, ('fileSystem: "all"',)),
        ({"camera": {"on": True}}, ('camera: {"on":true}',)),
    ],
)
def test_permissions_of_a_strange_shape_are_shown_as_they_came(
    permissions: Json, wants: tuple[str, ...]
) -> None:
    ask = asking(PERMISSIONS, turnId="r", itemId="i", permissions=permissions).open_ask()
    assert isinstance(ask.subject, PermissionsSubject)
    assert ask.subject.wants == wants
    assert any(choice.grants for choice in ask.choices) == bool(wants)  # no yes to what is not said


# -- for every Ask --

each_ask = pytest.mark.parametrize("method", sorted(EVERY_ASK))


def test_every_ask_of_the_protocol_is_tried_here() -> None:
    assert set(EVERY_ASK) == set(ASKS)


@each_ask
def test_nothing_is_answered_before_a_person_answers(method: str) -> None:
    listener = asking(method, **EVERY_ASK[method])
    assert len(listener.session().asks) == 1
    listener.end(status="interrupted")
    listener.tell("serverRequest/resolved", requestId=0)
    listener.driver.fail("the child died")
    assert listener.said == []


@each_ask
def test_the_first_answer_wins(method: str) -> None:
    listener = asking(method, **EVERY_ASK[method])
    *_, no = listener.open_ask().choices
    assert listener.driver.answer(Answer(ask=E0, choice=no.id, by="browser", reason="no")) is None
    assert listener.driver.answer(Answer(ask=E0, choice=no.id)) == GONE
    assert len(listener.said) == 1
    closed = [c for c in listener.changes[ThreadId("t")] if isinstance(c, AskClosed)]
    assert closed == [AskClosed(E0, "answered", choice=no.id, by="browser", why="no")]
    assert listener.session().asks == ()
    assert listener.session().status == "working"


@each_ask
def test_an_ask_is_withdrawn_when_somebody_else_resolved_it(method: str) -> None:
    listener = asking(method, **EVERY_ASK[method])
    listener.tell("serverRequest/resolved", requestId=0)
    closed = [c for c in listener.changes[ThreadId("t")] if isinstance(c, AskClosed)]
    assert closed == [AskClosed(E0, "withdrawn", why="the agent no longer waits for it")]
    assert listener.driver.answer(Answer(ask=E0, choice="accept")) == GONE
    assert listener.said == []


@each_ask
def test_an_ask_is_withdrawn_when_its_run_ends(method: str) -> None:
    listener = asking(method, **EVERY_ASK[method])
    listener.end(status="interrupted")
    listener.tell("serverRequest/resolved", requestId=0)
    closed = [c for c in listener.changes[ThreadId("t")] if isinstance(c, AskClosed)]
    assert closed == [AskClosed(E0, "withdrawn", why="the run has ended")]
    assert listener.driver.answer(Answer(ask=E0, choice="accept")) == GONE
    assert listener.said == []


@each_ask
def test_an_ask_is_withdrawn_when_the_child_dies(method: str) -> None:
    listener = asking(method, **EVERY_ASK[method])
    listener.driver.fail("codex was killed")
    closed = [c for c in listener.changes[ThreadId("t")] if isinstance(c, AskClosed)]
    assert closed == [AskClosed(E0, "withdrawn", why="codex was killed", unbegun=True)]
    assert listener.driver.answer(Answer(ask=E0, choice="accept")) == GONE
    assert listener.said == []


@each_ask
@pytest.mark.parametrize("params", [None, 5, {}, {"threadId": 5}, {"conversationId": 5}])
def test_an_ask_of_a_strange_shape_is_an_error_for_codex_and_never_a_yes(method: str, params: Any) -> None:
    listener = Listener()
    listener.feed(dump({"id": 3, "method": method, "params": params}))
    (said,) = listener.said
    assert (said["id"], said["error"]["code"]) == (3, -32602)
    assert f"codex asked {method}, in an unknown shape:" in listener.other_events()


def test_an_ask_of_a_thread_without_a_name_is_shown_all_the_same() -> None:
    listener = Listener()
    listener.ask(COMMAND, threadId="", itemId="i", turnId="r")
    assert [ask.id for ask in listener.session("").asks] == ["e-0"]


def test_an_ask_that_names_no_run_belongs_to_the_present_one() -> None:
    listener = asking(LEGACY_COMMAND, **EVERY_ASK[LEGACY_COMMAND])
    assert listener.open_ask().run == RunId("r")


def test_two_asks_wait_side_by_side() -> None:
    listener = Listener()
    listener.begin()
    listener.ask(COMMAND, 0, **RUN_LS)
    listener.ask(COMMAND, "a", **RUN_LS)
    assert [ask.id for ask in listener.session().asks] == ["e-0", "e-a"]
    assert listener.driver.answer(Answer(ask=AskId("e-a"), choice="decline")) is None
    assert listener.session().status == "waiting_user"
    assert listener.driver.answer(Answer(ask=E0, choice="accept")) is None
    assert listener.session().status == "working"
    assert listener.said == [
        {"id": "a", "result": {"decision": "decline"}},
        {"id": 0, "result": {"decision": "accept"}},
    ]


def test_an_ask_that_was_never_opened_cannot_be_answered() -> None:
    assert Listener().driver.answer(Answer(ask=AskId("e-99"), choice="accept")) == GONE
