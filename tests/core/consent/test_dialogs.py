"""An Ask, dialog by dialog: only a clear yes is a yes, and nothing is allowed that was not shown."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.codex.listening import PLAYS, Listener, read_play
from tests.core.consent.dialog_cases import (
    ACCEPT,
    ALL,
    ANSWER,
    CANCEL,
    COMMAND,
    DECLINE,
    LEAF,
    NAME,
    NO,
    SESSION,
    UNKNOWN,
    YES,
    answer,
    first,
    make_ask,
    said,
)

from bascule.core.consent.ask_subjects import MAX_SHOWN
from bascule.core.consent.dialogs import METHOD, NOT_SHOWN, UiReply, UiRequest, questions_for, withdrawn
from bascule.core.diff.show.unified import updated
from bascule.model.asks import (
    Answer,
    Ask,
    Choice,
    CommandSubject,
    FilesSubject,
    PermissionsSubject,
    QuestionsSubject,
    Subject,
)
from bascule.model.changes import AskOpened
from bascule.model.ids import AskId
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

ALWAYS = Choice(
    id="acceptWithExecpolicyAmendment",
    label="Yes, and always",
    grants=True,
    lasts="always",
    rule="allow commands: rm",
)
NEVER_HOST = Choice(
    id="applyNetworkPolicyAmendment",
    label="Always, for this host",
    grants=False,
    lasts="always",
    rule="deny x",
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
