"""Forms that MCP servers ask to be filled."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bascule.agents.codex.events.forms import MAX_DEFAULT, MAX_FIELDS, form_content, form_questions
from bascule.model.asks import Option, Question


def one(spec: Any, required: Any = ()) -> Question:
    (question,) = form_questions({"type": "object", "properties": {"f": spec}, "required": list(required)})
    return question


@pytest.mark.parametrize(
    ("spec", "question"),
    [
        (
            {"type": "string", "title": "Name", "description": "Your name"},
            Question(id="f", text="Your name", header="Name", free_text=True),
        ),
        ({"type": "string"}, Question(id="f", text="f", header="f", free_text=True)),
        (
            {"type": "string", "default": "Ann"},
            Question(id="f", text="f", header="f", free_text=True, default="Ann"),
        ),
        (
            {"type": "integer", "default": 3},
            Question(id="f", text="f", header="f", free_text=True, type="integer", default="3"),
        ),
        ({"type": "string", "default": {}}, Question(id="f", text="f", header="f", free_text=True)),
        (
            {"type": "string", "default": "x" * (MAX_DEFAULT + 1)},
            Question(id="f", text="f", header="f", free_text=True),
        ),
        ({"type": "number"}, Question(id="f", text="f", header="f", free_text=True, type="number")),
        ({"type": "integer"}, Question(id="f", text="f", header="f", free_text=True, type="integer")),
        (
            {"type": "boolean", "default": True},
            Question(id="f", text="f", header="f", options=(Option("yes"), Option("no")), type="boolean"),
        ),
        (
            {"type": "string", "enum": ["a", "b"], "enumNames": ["Ah"]},
            Question(id="f", text="f", header="f", options=(Option("a", "Ah"), Option("b"))),
        ),
        (
            {"type": "string", "oneOf": [{"const": "a", "title": "Ah"}, {"const": "b"}]},
            Question(id="f", text="f", header="f", options=(Option("a", "Ah"), Option("b"))),
        ),
        (
            {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
            Question(id="f", text="f", header="f", options=(Option("a"), Option("b")), several=True),
        ),
        (
            {"type": "array", "items": {"anyOf": [{"const": "a", "title": "Ah"}]}},
            Question(id="f", text="f", header="f", options=(Option("a", "Ah"),), several=True),
        ),
    ],
)
def test_each_kind_of_field_is_a_question(spec: Any, question: Question) -> None:
    assert one(spec) == question


def test_a_required_field_says_so() -> None:
    assert one({"type": "string"}, required=["f"]).required
    assert not one({"type": "string"}, required=["g"]).required


@pytest.mark.parametrize("schema", [None, 5, "x", [], {}, {"properties": 5}, {"properties": []}])
def test_a_schema_of_another_shape_gives_no_questions(schema: Any) -> None:
    assert form_questions(schema) == ()


def test_a_form_has_only_so_many_fields() -> None:
    properties = {f"f{number}": {"type": "string"} for number in range(MAX_FIELDS + 1)}
    assert len(form_questions({"properties": properties})) == MAX_FIELDS


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)
words = ("type", "title", "default", "description", "enum", "enumNames", "oneOf", "anyOf", "items")
specs = st.dictionaries(st.sampled_from(words), anything | st.sampled_from(["array", "boolean"]), max_size=6)


@given(st.dictionaries(st.text(max_size=3), specs | anything, max_size=3), anything)
def test_any_form_is_taken(properties: dict[str, Any], required: Any) -> None:
    questions = form_questions({"properties": properties, "required": required})
    assert [question.id for question in questions] == list(properties)


def test_answers_are_sent_in_the_type_that_the_form_wants() -> None:
    properties = {
        "text": {"type": "string"},
        "number": {"type": "number"},
        "integer": {"type": "integer"},
        "yes": {"type": "boolean"},
        "no": {"type": "boolean"},
        "many": {"type": "array", "items": {"enum": ["a", "b"]}},
        "none": {"type": "array", "items": {"enum": ["a", "b"]}},
        "left_out": {"type": "string"},
    }
    answers = {
        "text": ("5",),
        "number": ("2.5",),
        "integer": ("7",),
        "yes": ("Yes",),
        "no": ("no",),
        "many": ("a", "b"),
        "not asked": ("x",),
    }
    assert form_content(form_questions({"properties": properties}), answers) == {
        "text": "5",
        "number": 2.5,
        "integer": 7,
        "yes": True,
        "no": False,
        "many": ["a", "b"],
        "none": [],
    }


@pytest.mark.parametrize("value", ["seven", "", "9" * 5000])
def test_an_answer_that_is_no_number_stays_text(value: str) -> None:
    questions = form_questions({"properties": {"f": {"type": "integer"}}})
    assert form_content(questions, {"f": (value,)}) == {"f": value}
