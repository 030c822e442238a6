"""An Ask, dialog by dialog: only a clear yes is a yes, and nothing is allowed that was not shown."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.codex.listening import PLAYS, Listener, read_play

from bascule.core.consent.ask_subjects import MAX_SHOWN
from bascule.core.consent.dialogs import METHOD, NOT_SHOWN, UiReply, UiRequest, questions_for, withdrawn
from bascule.core.diff.show.unified import updated
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
    Subject,
)
from bascule.model.changes import AskOpened
from bascule.model.ids import AskId
from bascule.model.protocol.runs import UiCapabilities
from bascule.model.protocol.table import METHODS
from bascule.model.protocol.ui import (
    PickItem,
    UiConfirmParams,
    UiConfirmResult,
    UiPickParams,
    UiPickResult,
    UiPromptParams,
    UiPromptResult,
)

ALL = UiCapabilities(
    supports_confirm=True,
    supports_prompt=True,
    supports_pick=True,
    supports_permission_preflight_events=True,
)
ACCEPT = Choice(id="accept", label="Yes, once", grants=True)
SESSION = Choice(
    id="acceptForSession",
    label="Yes, for this session",
    grants=True,
    lasts="session",
    rule="Not asked again.",
)
ALWAYS = Choice(
    id="acceptWithExecpolicyAmendment",
    label="Yes, and always",
    grants=True,
    lasts="always",
    rule="allow commands: rm",
)
UNKNOWN = Choice(
    id="acceptAllForEver", label="acceptAllForEver", grants=True, lasts="unknown", rule="not known here"
)
NEVER_HOST = Choice(
    id="applyNetworkPolicyAmendment",
    label="Always, for this host",
    grants=False,
    lasts="always",
    rule="deny x",
)
DECLINE = Choice(id="decline", label="No, go on without it", grants=False)
CANCEL = Choice(id="cancel", label="No, and stop the run", grants=False)
ANSWER = Choice(id="answer", label="Answer", grants=True)

COMMAND = CommandSubject(command="rm x", original="bash -c 'rm x'", cwd="/w")


def make_ask(subject: Subject = COMMAND, *choices: Choice, reason: str = "") -> Ask:
    given_choices = choices or (ACCEPT, SESSION, DECLINE, CANCEL)
    return Ask(id=AskId("a"), title="Run this?", subject=subject, choices=given_choices, reason=reason)


def first(ask: Ask, can: UiCapabilities = ALL) -> UiRequest | Answer:
    dialogue = questions_for(ask, "r", can)
    assert dialogue is not None
    return dialogue.now


def answer(ask: Ask, *replies: UiReply | None) -> Answer:
    dialogue = questions_for(ask, "r", ALL, by="tui")
    assert dialogue is not None
    for reply in replies:
        assert not isinstance(dialogue.now, Answer)
        dialogue.feed(reply)
    assert isinstance(dialogue.now, Answer)
    assert dialogue.feed(UiConfirmResult(ok=True, remember=True)) is dialogue.now  # answered once
    return dialogue.now


def said(choice: str, reason: str = "", **answers: tuple[str, ...]) -> Answer:
    return Answer(
        ask=AskId("a"), choice=choice, answers=answers, reason=reason, follow_up=bool(reason), by="tui"
    )


@pytest.mark.parametrize(
    ("asked", "instead"),
    [
        (
            UiConfirmParams(
                title="Run?", message="$ rm x", run_id="r", allow_remember=True, allow_reason=True
            ),
            UiConfirmParams(
                title="This is no longer asked",
                message="ann has answered it. Nothing is decided here.",
                run_id="r",
                confirm_label="Close",
                cancel_label="Close",
            ),
        ),
        (
            UiPickParams(title="Which?", items=(PickItem(id="option-0", label="x"),), run_id="r", multi=True),
            UiPickParams(
                title="This is no longer asked: ann has answered it. Nothing is decided here.",
                items=(PickItem(id="close", label="Close"),),
                run_id="r",
            ),
        ),
        (
            UiPromptParams(title="Who?", message="name", run_id="r", secret=True),
            UiPromptParams(
                title="This is no longer asked",
                message="ann has answered it. Nothing is decided here.",
                run_id="r",
            ),
        ),
    ],
)
def test_a_dialog_that_was_answered_elsewhere_gives_way_to_one_that_says_so(
    asked: UiRequest, instead: UiRequest
) -> None:
    assert withdrawn(asked, "ann") == instead


YES, NO = UiConfirmResult(ok=True), UiConfirmResult(ok=False)

# -- approvals --


def test_a_command_is_confirmed_with_all_that_a_yes_would_mean() -> None:
    assert first(make_ask(reason="it is\nold")) == UiConfirmParams(
        title="Run this?",
        message="$ rm x\nin /w\nThe agent says: it is old\nAllowing it for longer means: Not asked again.",
        run_id="r",
        confirm_label="Allow",
        cancel_label="Deny",
        danger_level="danger",
        allow_remember=True,
        allow_reason=True,
    )


def test_files_are_confirmed_by_name_and_count() -> None:
    files = FilesSubject(files=(updated("a.py", "@@ -1 +1 @@\n-x\n+y\n"),))
    assert first(make_ask(files, ACCEPT, DECLINE)) == UiConfirmParams(
        title="Run this?",
        message="1 file, +1 -1\nM a.py (+1 -1)",
        run_id="r",
        confirm_label="Allow",
        cancel_label="Deny",
        allow_reason=True,
    )


@pytest.mark.parametrize(
    ("choices", "reply", "expected"),
    [
        ((ACCEPT, SESSION, DECLINE, CANCEL), YES, said("accept")),
        ((SESSION, ACCEPT, DECLINE), YES, said("accept")),
        (
            (ACCEPT, ALWAYS, SESSION, DECLINE),
            UiConfirmResult(ok=True, remember=True),
            said("acceptForSession"),
        ),
        (
            (ACCEPT, ALWAYS, DECLINE),
            UiConfirmResult(ok=True, remember=True),
            said("acceptWithExecpolicyAmendment"),
        ),
        ((ACCEPT, DECLINE), UiConfirmResult(ok=True, remember=True), said("accept")),
        ((ACCEPT, UNKNOWN, DECLINE), UiConfirmResult(ok=True, remember=True), said("accept")),
        ((UNKNOWN, DECLINE), YES, said("decline")),
        ((SESSION, CANCEL), YES, said("acceptForSession")),
        ((ACCEPT, SESSION, DECLINE, CANCEL), NO, said("decline")),
        ((ACCEPT, CANCEL), NO, said("cancel")),
        ((ACCEPT, NEVER_HOST, CANCEL), NO, said("cancel")),
        ((ACCEPT, NEVER_HOST), NO, said("applyNetworkPolicyAmendment")),
        ((ACCEPT,), NO, said("cancel")),
        ((ACCEPT, DECLINE), UiConfirmResult(ok=False, remember=True), said("decline")),
        ((ACCEPT, DECLINE), UiConfirmResult(ok=False, reason=" not this "), said("decline", "not this")),
        ((ACCEPT, CANCEL), UiConfirmResult(ok=False, reason="no"), said("cancel", "no")),
        ((ACCEPT, DECLINE), UiConfirmResult(ok=True, reason="fine"), said("accept")),
        ((ACCEPT, DECLINE), None, said("decline")),
        ((ACCEPT, DECLINE), UiPromptResult(value="yes"), said("decline")),
        ((ACCEPT, DECLINE), UiPickResult(ids=("accept",)), said("decline")),
    ],
)
def test_what_a_reply_means(choices: tuple[Choice, ...], reply: UiReply | None, expected: Answer) -> None:
    assert answer(make_ask(COMMAND, *choices), reply) == expected


def test_a_yes_that_can_only_last_is_named_as_such() -> None:
    request = first(make_ask(COMMAND, SESSION, DECLINE))
    assert isinstance(request, UiConfirmParams)
    assert (request.confirm_label, request.allow_remember) == ("Allow: Yes, for this session", False)
    assert "Allowing it for longer means: Not asked again." in request.message


def test_a_rule_that_is_too_long_to_read_is_not_offered() -> None:
    long_rule = Choice(id="always", label="Always", grants=True, lasts="always", rule="x" * 5_000)
    request = first(make_ask(COMMAND, ACCEPT, long_rule, DECLINE))
    assert isinstance(request, UiConfirmParams)
    assert not request.allow_remember
    assert answer(make_ask(COMMAND, long_rule, DECLINE), YES) == said("decline")


@pytest.mark.parametrize(
    "subject",
    [
        CommandSubject(command="x" * (MAX_SHOWN + 1), original=""),
        CommandSubject(command="", original="", cwd="/w"),
        PermissionsSubject(wants=()),
    ],
)
@pytest.mark.parametrize("reply", [YES, UiConfirmResult(ok=True, remember=True), NO, None])
def test_what_was_not_shown_cannot_be_allowed(subject: Subject, reply: UiReply | None) -> None:
    request = first(make_ask(subject))
    assert isinstance(request, UiConfirmParams)
    assert (request.confirm_label, request.cancel_label) == ("Deny", "Deny")
    assert not request.allow_remember
    assert request.message.endswith(NOT_SHOWN)
    assert answer(make_ask(subject), reply) == said("decline")


# -- questions --

LEAF = Question(
    id="leaf", text="Which leaf?", header="Leaf", options=(Option("North", "cold"), Option("South"))
)
NAME = Question(id="name", text="Your name?", free_text=True)


def ask_about(*questions: Question, server: str = "", message: str = "", url: str = "") -> Ask:
    subject = QuestionsSubject(questions=questions, server=server, message=message, url=url)
    yes = ACCEPT if server else ANSWER
    return make_ask(subject, yes, DECLINE)


def test_options_are_picked() -> None:
    assert first(ask_about(LEAF)) == UiPickParams(
        title="The agent asks: Leaf: Which leaf?",
        items=(PickItem(id="option-0", label="North", detail="cold"), PickItem(id="option-1", label="South")),
        run_id="r",
    )
    assert answer(ask_about(LEAF), UiPickResult(ids=("option-1",))) == said("answer", leaf=("South",))


def test_an_answer_of_ones_own_is_asked_for_next() -> None:
    free = Question(id="leaf", text="Which leaf?", options=LEAF.options, free_text=True, several=True)
    dialogue = questions_for(ask_about(free), "r", ALL, by="tui")
    assert dialogue is not None
    assert isinstance(dialogue.now, UiPickParams)
    assert dialogue.now.multi
    assert dialogue.now.items[-1] == PickItem(id="own", label="Other answer")
    written = UiPromptParams(title="The agent asks", message="Which leaf?", run_id="r", multiline=True)
    assert dialogue.feed(UiPickResult(ids=("option-0", "own"))) == written
    assert dialogue.feed(UiPromptResult(value=" East ")) == said("answer", leaf=("North", "East"))


def test_without_prompts_only_the_options_are_offered() -> None:
    free = Question(id="leaf", text="Which leaf?", options=LEAF.options, free_text=True)
    request = first(ask_about(free), UiCapabilities(supports_pick=True))
    assert isinstance(request, UiPickParams)
    assert [item.id for item in request.items] == ["option-0", "option-1"]


def test_a_form_is_asked_field_by_field() -> None:
    pin = Question(id="pin", text="PIN?", free_text=True, secret=True, required=True, type="integer")
    form = ask_about(NAME, LEAF, pin, server="bank", message="Open an account")
    dialogue = questions_for(form, "r", ALL, by="tui")
    assert dialogue is not None
    assert dialogue.now == UiPromptParams(
        title="bank asks (1/3)", message="Open an account — Your name?", run_id="r", multiline=True
    )
    picking = dialogue.feed(UiPromptResult(value=""))
    assert isinstance(picking, UiPickParams)
    assert picking.title == "bank asks (2/3): Leaf: Which leaf?"
    assert picking.items[-1] == PickItem(id="skip", label="Leave it empty")
    assert dialogue.feed(UiPickResult(ids=("skip",))) == UiPromptParams(
        title="bank asks (3/3)", message="PIN? (integer)", run_id="r", secret=True
    )
    assert dialogue.feed(UiPromptResult(value="42")) == said("accept", pin=("42",))


@pytest.mark.parametrize(
    ("question", "begins_with", "multiline"),
    [
        (Question(id="n", text="N?", default="Ann"), "Ann", True),
        (Question(id="n", text="N?", default="A\x1b[2Jnn"), "Ann", True),
        (Question(id="n", text="N?", default="3", type="integer"), "3", False),
        (Question(id="n", text="N?", default="hunter2", secret=True), "", False),
    ],
)
def test_a_prompt_begins_with_the_default_and_takes_lines_where_words_are_asked_for(
    question: Question, begins_with: str, multiline: bool
) -> None:
    request = first(ask_about(question, server="s"))
    assert isinstance(request, UiPromptParams)
    assert (request.default_value, request.multiline) == (begins_with, multiline)


@pytest.mark.parametrize(
    ("ask", "reply"),
    [
        (ask_about(LEAF), UiPickResult(ids=())),
        (ask_about(LEAF), UiPickResult(ids=("option-9",))),
        (ask_about(LEAF), UiPickResult(ids=("own",))),
        (ask_about(LEAF), UiPickResult(ids=("option-0", "option-1"))),
        (ask_about(LEAF), YES),
        (ask_about(LEAF), None),
        (ask_about(NAME), UiPromptResult(value=None)),
        (ask_about(NAME), UiPromptResult(value="  ")),
        (ask_about(NAME), UiPromptResult(value="x" * 100_001)),
        (ask_about(NAME), YES),
        (ask_about(Question(id="n", text="N?", required=True), NAME), UiPromptResult(value="")),
    ],
)
def test_no_answer_is_a_no(ask: Ask, reply: UiReply | None) -> None:
    assert answer(ask, reply) == said("decline")


def test_a_tool_of_a_server_is_confirmed() -> None:
    ask = ask_about(server="demo", message='Run "sign"?\n{"page":1}')
    request = first(ask)
    assert isinstance(request, UiConfirmParams)
    assert request.message == '> Run "sign"?\n> {"page":1}'
    assert answer(ask, YES) == said("accept")


def test_an_address_is_shown_before_it_is_agreed_to() -> None:
    ask = ask_about(server="demo", message="Sign in", url="https://x.test/\u202egood")
    request = first(ask)
    assert isinstance(request, UiConfirmParams)
    assert request.message == "> Sign in\nopen: https://x.test/<U+202E>good"
    assert answer(ask, NO) == said("decline")


def test_a_question_cannot_pass_for_a_list_of_models() -> None:
    """A known client draws a pick with exactly this title as its own table."""
    request = first(ask_about(Question(id="q", text="Select model (openai)", options=LEAF.options)))
    assert isinstance(request, UiPickParams)
    assert request.title == "The agent asks: Select model (openai)"


def test_a_question_whose_answer_would_last_says_so_first() -> None:
    ask = make_ask(QuestionsSubject(questions=(NAME,), message="?"), SESSION, DECLINE)
    assert isinstance(first(ask), UiConfirmParams)
    assert answer(ask, NO) == said("decline")
    assert answer(ask, YES, UiPromptResult(value="Ann")) == said("acceptForSession", name=("Ann",))


def test_a_question_that_no_known_yes_answers_is_only_denied() -> None:
    ask = make_ask(QuestionsSubject(questions=(NAME,), message="?"), UNKNOWN, DECLINE)
    assert answer(ask, YES) == said("decline")


@pytest.mark.parametrize(
    ("ask", "can"),
    [
        (make_ask(), UiCapabilities(supports_prompt=True, supports_pick=True)),
        (ask_about(LEAF), UiCapabilities(supports_confirm=True, supports_prompt=True)),
        (ask_about(NAME), UiCapabilities(supports_confirm=True, supports_pick=True)),
        (ask_about(LEAF, NAME), UiCapabilities(supports_pick=True)),
    ],
)
def test_what_a_surface_cannot_put_stays_open_for_others(ask: Ask, can: UiCapabilities) -> None:
    assert questions_for(ask, "r", can) is None


# -- whatever is said --

REPLIES = st.one_of(
    st.none(),
    st.builds(UiConfirmResult, ok=st.booleans(), remember=st.booleans(), reason=st.none() | st.text()),
    st.builds(UiPromptResult, value=st.none() | st.text(max_size=5)),
    st.builds(
        UiPickResult,
        ids=st.lists(st.sampled_from(["option-0", "option-1", "own", "skip", "?"]), max_size=3).map(tuple),
    ),
)
CHOICES = st.lists(
    st.sampled_from([ACCEPT, SESSION, ALWAYS, UNKNOWN, NEVER_HOST, DECLINE, CANCEL, ANSWER]), unique_by=id
)
SUBJECTS = st.sampled_from(
    [
        COMMAND,
        CommandSubject(command="", original=""),
        CommandSubject(command="x" * (MAX_SHOWN + 1), original=""),
        FilesSubject(files=()),
        PermissionsSubject(wants=("net",)),
        QuestionsSubject(questions=(LEAF, NAME)),
        QuestionsSubject(questions=(NAME,), server="s", url="https://x.test"),
    ]
)


@given(SUBJECTS, CHOICES, st.lists(REPLIES, min_size=8, max_size=8))
def test_every_dialogue_ends_and_no_yes_comes_of_a_no(
    subject: Subject, choices: list[Choice], replies: list[UiReply | None]
) -> None:
    ask = Ask(id=AskId("a"), title="?", subject=subject, choices=tuple(choices))
    dialogue = questions_for(ask, "r", ALL)
    assert dialogue is not None
    taken = []
    for reply in replies:
        if not isinstance(dialogue.now, Answer):
            taken.append((dialogue.now, reply))
            dialogue.feed(reply)
    assert isinstance(dialogue.now, Answer)
    granted = [choice for choice in choices if choice.id == dialogue.now.choice and choice.grants]
    assert UNKNOWN not in granted
    if granted:
        assert all(is_yes(request, reply) for request, reply in taken)
    else:
        assert dialogue.now.answers == {}


def is_yes(request: UiRequest | Answer, reply: UiReply | None) -> bool:
    match request, reply:
        case UiConfirmParams(), UiConfirmResult():
            return reply.ok and request.confirm_label.startswith("Allow")
        case UiPromptParams(), UiPromptResult():
            return reply.value is not None
        case UiPickParams(), UiPickResult():
            return bool(reply.ids)
        case _:
            return False


@pytest.mark.parametrize("path", sorted(PLAYS.glob("*.wire")), ids=lambda path: path.stem)
def test_every_ask_of_a_real_agent_can_be_put_and_declined(path: Path) -> None:
    listener = Listener()
    for line in read_play(path):
        listener.feed(line)
    for change in (one for changes in listener.changes.values() for one in changes):
        if isinstance(change, AskOpened):
            dialogue = questions_for(change.ask, "r", ALL)
            assert dialogue is not None
            assert not isinstance(dialogue.now, Answer)
            assert isinstance(dialogue.now, METHODS[METHOD[type(dialogue.now)]].params)
            no = "decline" if DECLINE in change.ask.choices else "cancel"
            assert dialogue.feed(None) == Answer(ask=change.ask.id, choice=no)


def test_a_real_approval_is_allowed() -> None:
    listener = Listener()
    for line in read_play(PLAYS / "codex-0.166-approval.wire"):
        listener.feed(line)
    (ask,) = [c.ask for changes in listener.changes.values() for c in changes if isinstance(c, AskOpened)]
    dialogue = questions_for(ask, str(ask.run), ALL)
    assert dialogue is not None
    assert isinstance(dialogue.now, UiConfirmParams)
    assert dialogue.now.message.startswith("$ python3 -m compileall -q wordkit.py\nin /home/dev/demo\n")
    assert dialogue.feed(YES) == Answer(ask=ask.id, choice="accept")
