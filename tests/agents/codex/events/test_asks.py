"""Every server request: what is shown, what may be answered, and what goes back for each answer."""

from typing import Any

import pytest
from tests.agents.codex.listening import NOW_MS, Json, Listener, dump

from bascule.agents.codex.events.asks import ASKS, PLAIN, REFUSED_CALLS
from bascule.agents.codex.events.blocks import MAX_FILES
from bascule.core.consent.answer_check import TOO_LATE
from bascule.model.asks import (
    Answer,
    Ask,
    Choice,
    CommandSubject,
    FilesSubject,
    Option,
    PermissionsSubject,
    Question,
    QuestionsSubject,
)
from bascule.model.blocks import FileEdit
from bascule.model.changes import AskClosed
from bascule.model.edits import HunkSpan
from bascule.model.ids import AskId, RunId, ThreadId

E0 = AskId("e-0")
GONE = TOO_LATE
FOUR = ("accept", "acceptForSession", "decline", "cancel")

COMMAND = "item/commandExecution/requestApproval"
FILES = "item/fileChange/requestApproval"
PERMISSIONS = "item/permissions/requestApproval"
QUESTION = "item/tool/requestUserInput"
ELICITATION = "mcpServer/elicitation/request"
LEGACY_PATCH = "applyPatchApproval"
LEGACY_COMMAND = "execCommandApproval"

RUN_LS: Json = {"turnId": "r", "itemId": "i", "command": "/bin/bash -lc ls", "cwd": "/w"}
EVERY_ASK: dict[str, Json] = {
    COMMAND: RUN_LS,
    FILES: {"turnId": "r", "itemId": "i"},
    PERMISSIONS: {"turnId": "r", "itemId": "i", "cwd": "/w", "permissions": {"network": {"enabled": True}}},
    QUESTION: {"turnId": "r", "itemId": "i", "questions": [{"id": "q", "question": "Which?"}]},
    ELICITATION: {"turnId": "r", "serverName": "s", "mode": "form", "message": "May I?"},
    LEGACY_PATCH: {"conversationId": "t", "callId": "c", "fileChanges": {}},
    LEGACY_COMMAND: {"conversationId": "t", "callId": "c", "command": ["ls"], "cwd": "/w"},
}


def asking(method: str, /, **params: Any) -> Listener:
    listener = Listener()
    listener.begin()
    listener.ask(method, **params)
    return listener


def reply(listener: Listener, choice: str, **answer: Any) -> Any:
    """What goes back when a person chooses this."""
    assert listener.said == [], "nothing is said before a person has spoken"
    assert listener.driver.answer(Answer(ask=E0, choice=choice, **answer)) is None
    (said,) = listener.said
    assert said["id"] == 0
    return said["result"]


def choice_ids(listener: Listener) -> tuple[str, ...]:
    return tuple(choice.id for choice in listener.open_ask().choices)


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
    edit = FileEdit(
        path="a.txt",
        change="add",
        diff="@@ -0,0 +1,1 @@\n+hi\n",
        additions=1,
        spans=(HunkSpan(first=1, count=1, old_start=0, new_start=1),),
    )
    assert (ask.title, ask.subject, ask.reason) == (
        "Write these files?",
        FilesSubject(files=(edit,), grant_root="/w"),
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


# -- questions --


def test_questions_show_options_and_take_words_of_ones_own() -> None:
    questions = [
        {
            "id": "colour",
            "header": "Colour",
            "question": "Which colour?",
            "isOther": True,
            "isSecret": False,
            "options": [{"label": "red", "description": "warm"}, {"label": "blue", "description": ""}],
        },
        {"id": "key", "header": "Key", "question": "The key?", "isSecret": True, "options": None},
    ]
    listener = asking(QUESTION, turnId="r", itemId="i", questions=questions)
    ask = listener.open_ask()
    assert ask.title == "The agent has questions"
    assert ask.subject == QuestionsSubject(
        questions=(
            Question(
                id="colour",
                text="Which colour?",
                header="Colour",
                options=(Option("red", "warm"), Option("blue")),
                free_text=True,
            ),
            Question(id="key", text="The key?", header="Key", free_text=True, secret=True),
        )
    )
    assert choice_ids(listener) == ("answer", "decline")
    answers = {"colour": ("red",), "key": ("k", "l")}
    assert reply(listener, "answer", answers=answers) == {
        "answers": {"colour": {"answers": ["red"]}, "key": {"answers": ["k", "l"]}}
    }


def test_a_question_that_is_declined_gets_no_answers() -> None:
    listener = asking(QUESTION, **EVERY_ASK[QUESTION])
    assert listener.open_ask().title == "The agent has a question"
    assert reply(listener, "decline", answers={"q": ("leaked",)}) == {"answers": {}}


# -- elicitations --

FORM: Json = {
    "turnId": "r",
    "serverName": "s",
    "mode": "form",
    "message": "Who are you?",
    "requestedSchema": {
        "type": "object",
        "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        "required": ["name"],
    },
    "_meta": None,
}


def test_an_elicitation_form_is_filled_in_the_types_of_its_schema() -> None:
    listener = asking(ELICITATION, **FORM)
    ask = listener.open_ask()
    assert ask.title == "s asks"
    assert ask.subject == QuestionsSubject(
        questions=(
            Question(id="name", text="name", header="name", free_text=True, required=True),
            Question(id="age", text="age", header="age", free_text=True, type="integer"),
        ),
        server="s",
        message="Who are you?",
    )
    assert [(choice.id, choice.label) for choice in ask.choices[:1]] == [("accept", "Send")]
    assert choice_ids(listener) == ("accept", "decline", "cancel")
    sent = reply(listener, "accept", answers={"name": ("Ada",), "age": ("36",)})
    assert sent == {"action": "accept", "content": {"name": "Ada", "age": 36}, "_meta": None}


@pytest.mark.parametrize("choice", ["decline", "cancel"])
def test_an_elicitation_that_is_refused_carries_no_content(choice: str) -> None:
    sent = reply(asking(ELICITATION, **FORM), choice, answers={"name": ("leaked",)})
    assert sent == {"action": choice, "content": None, "_meta": None}


def test_an_elicitation_url_is_shown_to_be_opened_by_the_person() -> None:
    params = {
        "serverName": "s",
        "mode": "url",
        "message": "Sign in",
        "url": "https://example.org/login",
        "elicitationId": "x",
    }
    listener = asking(ELICITATION, **params)
    assert listener.open_ask().subject == QuestionsSubject(
        questions=(), server="s", message="Sign in", url="https://example.org/login"
    )
    assert reply(listener, "accept") == {"action": "accept", "content": None, "_meta": None}


def tool_approval(persist: Any) -> Json:
    meta = {"codex_approval_kind": "mcp_tool_call", "tool_params": {"city": "Oslo"}, "persist": persist}
    schema = {"type": "object", "properties": {}}
    params = {"turnId": "r", "serverName": "weather", "mode": "form", "message": "Allow forecast?"}
    return {**params, "requestedSchema": schema, "_meta": meta}


def test_a_tool_approval_shows_the_arguments_and_the_answers_that_last() -> None:
    listener = asking(ELICITATION, **tool_approval(["session", "always"]))
    ask = listener.open_ask()
    assert ask.title == "Call this tool?"
    assert ask.subject == QuestionsSubject(
        questions=(), server="weather", message='Allow forecast?\n{"city":"Oslo"}'
    )
    assert [(choice.id, choice.label, choice.grants, bool(choice.rule)) for choice in ask.choices] == [
        ("accept", "Yes, once", True, False),
        ("session", "Yes, for this session", True, True),
        ("always", "Yes, and always", True, True),
        ("decline", "No, go on without it", False, False),
        ("cancel", "No, and stop the run", False, False),
    ]


@pytest.mark.parametrize(
    ("choice", "meta"),
    [("accept", None), ("session", {"persist": "session"}), ("always", {"persist": "always"})],
)
def test_a_tool_approval_says_how_long_it_lasts(choice: str, meta: Json | None) -> None:
    sent = reply(asking(ELICITATION, **tool_approval(["session", "always"])), choice)
    assert sent == {"action": "accept", "content": {}, "_meta": meta}


@pytest.mark.parametrize(
    ("persist", "lasting"),
    [
        (None, []),
        ("session", ["session"]),
        ("always", ["always"]),
        (["always"], ["always"]),
        (5, []),
        (["x"], []),
    ],
)
def test_only_the_lasting_answers_that_codex_offers_are_offered(persist: Any, lasting: list[str]) -> None:
    listener = asking(ELICITATION, **tool_approval(persist))
    assert [name for name in choice_ids(listener) if name in ("session", "always")] == lasting


def test_an_elicitation_that_a_person_cannot_do_here_can_only_be_refused() -> None:
    params = {"serverName": "s", "mode": "openai/userVerification", "title": "Verify", "challenge": "x"}
    listener = asking(ELICITATION, **params, description="", _meta={"persist": ["always"]})
    assert choice_ids(listener) == ("decline", "cancel")
    assert listener.open_ask().subject == QuestionsSubject(questions=(), server="s", message="Verify")


# -- the two legacy approvals --

LEGACY = [
    ("accept", {"decision": "approved"}),
    ("acceptForSession", {"decision": "approved_for_session"}),
    ("decline", {"decision": {"denied": {"rejection": "declined by the user"}}}),
    ("cancel", {"decision": "abort"}),
]


def test_a_legacy_patch_approval_shows_the_files() -> None:
    changes = {"/w/a.txt": {"type": "add", "content": "hi\n"}}
    listener = Listener()
    listener.tell_agent("thread/started", thread={"id": "t", "cwd": "/w"})
    listener.ask(
        LEGACY_PATCH, conversationId="t", callId="c", fileChanges=changes, reason="x", grantRoot="/w"
    )
    ask = listener.open_ask()
    edit = FileEdit(
        path="a.txt",
        change="add",
        diff="@@ -0,0 +1,1 @@\n+hi\n",
        additions=1,
        spans=(HunkSpan(first=1, count=1, old_start=0, new_start=1),),
    )
    assert (ask.title, ask.subject, ask.reason) == (
        "Write these files?",
        FilesSubject(files=(edit,), grant_root="/w"),
        "x",
    )
    assert choice_ids(listener) == FOUR


def test_a_legacy_command_approval_shows_the_command() -> None:
    words = ["bash", "-lc", "cd /w && make"]
    listener = asking(LEGACY_COMMAND, conversationId="t", callId="c", command=words, cwd="/w", parsedCmd=[])
    original = "bash -lc 'cd /w && make'"
    subject = CommandSubject(command="make", original=original, cwd="/w", sandbox="unknown")
    assert (listener.open_ask().title, listener.open_ask().subject) == ("Run this command?", subject)


@pytest.mark.parametrize("method", [LEGACY_PATCH, LEGACY_COMMAND])
@pytest.mark.parametrize(("choice", "expected"), LEGACY)
def test_legacy_decisions_have_words_of_their_own(method: str, choice: str, expected: Json) -> None:
    assert reply(asking(method, **EVERY_ASK[method]), choice) == expected


def test_a_legacy_no_carries_the_reason() -> None:
    listener = asking(LEGACY_COMMAND, **EVERY_ASK[LEGACY_COMMAND])
    assert reply(listener, "decline", reason="not here") == {
        "decision": {"denied": {"rejection": "not here"}}
    }


# -- what a person cannot help with --


def test_a_tool_of_ours_is_refused_with_a_result() -> None:
    listener = asking("item/tool/call", turnId="r", callId="c", tool="x", arguments={})
    (said,) = listener.said
    assert said["result"]["success"] is False
    assert "Bascule offers no tools" in said["result"]["contentItems"][0]["text"]
    assert "refused item/tool/call:" in listener.other_events()


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("account/chatgptAuthTokens/refresh", "codex login"),
        ("attestation/generate", "cannot attest"),
    ],
)
def test_tokens_and_attestation_are_refused_with_the_next_step(method: str, words: str) -> None:
    listener = asking(method, reason="unauthorized")
    (said,) = listener.said
    assert said["error"]["code"] == -32000
    assert words in said["error"]["message"]
    assert f"refused {method}:" in listener.other_events()


@pytest.mark.parametrize("method", sorted(REFUSED_CALLS))
def test_a_refused_request_of_a_strange_shape_is_refused_all_the_same(method: str) -> None:
    listener = Listener()
    listener.ask(method, threadId=5)
    assert len(listener.said) == 1
    assert "refused" in listener.other_events()


def test_current_time_is_sent_in_seconds() -> None:
    listener = asking("currentTime/read")
    assert listener.said == [{"id": 0, "result": {"currentTimeAt": NOW_MS // 1000}}]


def test_an_unknown_request_is_refused_and_shown() -> None:
    listener = asking("hologram/show", colour="blue")
    (said,) = listener.said
    assert (said["id"], said["error"]["code"]) == (0, -32601)
    assert '"colour": "blue"' in listener.other_events()


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
    assert closed == [AskClosed(E0, "withdrawn", why="codex was killed")]
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
