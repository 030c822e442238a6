"""Questions asked one at a time, and the answers put together."""

import pytest
from tests.core.consent.dialog_cases import (
    ACCEPT,
    ALL,
    ANSWER,
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

from bascule.core.consent.dialogs import UiReply, questions_for
from bascule.model.asks import (
    Ask,
    Question,
    QuestionsSubject,
)
from bascule.model.protocol.runs import UiCapabilities
from bascule.model.protocol.ui import (
    PickItem,
    UiConfirmParams,
    UiPickParams,
    UiPickResult,
    UiPromptParams,
    UiPromptResult,
)

# -- questions --


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
