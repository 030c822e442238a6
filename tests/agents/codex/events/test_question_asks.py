"""Questions and forms of Codex and its MCP servers: what is shown, and what goes back."""

from typing import Any

import pytest
from tests.agents.codex.events.asking import (
    ELICITATION,
    EVERY_ASK,
    QUESTION,
    asking,
    choice_ids,
    reply,
)
from tests.agents.codex.listening import Json

from bascule.model.asks import (
    Option,
    Question,
    QuestionsSubject,
)

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
