"""Forms that MCP servers ask to be filled: a JSON schema becomes questions, answers become its content."""

from typing import Any, Literal

from bascule.model.asks import Option, Question

MAX_FIELDS = 50
MAX_DEFAULT = 2_000  # characters; a longer one is no start for an answer

TYPES: dict[str, Literal["text", "number", "integer", "boolean"]] = {
    "number": "number",
    "integer": "integer",
    "boolean": "boolean",
}


def form_questions(schema: Any) -> tuple[Question, ...]:
    """One question per property; a schema of another shape gives none, and the server gets no content."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return ()
    required = items_of(schema.get("required"))
    return tuple(
        _question(str(name), spec if isinstance(spec, dict) else {}, name in required)
        for name, spec in list(properties.items())[:MAX_FIELDS]
    )


def _question(name: str, spec: dict[str, Any], required: bool) -> Question:
    several = spec.get("type") == "array"
    options = _options(spec.get("items") if several else spec)
    kind = TYPES.get(str(spec.get("type")), "text")
    if kind == "boolean":
        options = (Option("yes"), Option("no"))
    return Question(
        id=name,
        text=str(spec.get("description") or spec.get("title") or name),
        header=str(spec.get("title") or name),
        options=options,
        free_text=not options,
        several=several,
        required=required,
        type=kind,
        default="" if options else _default(spec.get("default")),
    )


def _default(value: Any) -> str:
    """Of a text or a number; a server that sends something else has sent none."""
    is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value) if is_plain and len(str(value)) <= MAX_DEFAULT else ""


def items_of(value: Any) -> list[Any]:
    """A list where one was promised; a server that sends something else has sent none."""
    return value if isinstance(value, list) else []


def _options(spec: Any) -> tuple[Option, ...]:
    if not isinstance(spec, dict):
        return ()
    if isinstance(spec.get("enum"), list):
        names = items_of(spec.get("enumNames"))
        return tuple(
            Option(str(value), str(names[i]) if i < len(names) else "")
            for i, value in enumerate(spec["enum"])
        )
    titled = items_of(spec.get("oneOf")) or items_of(spec.get("anyOf"))
    return tuple(
        Option(str(choice["const"]), str(choice.get("title", "")))
        for choice in titled
        if isinstance(choice, dict) and "const" in choice
    )


def form_content(questions: tuple[Question, ...], answers: dict[str, tuple[str, ...]]) -> dict[str, object]:
    """Each answer in the type that the schema wants; what cannot be read as that stays text."""
    content: dict[str, object] = {}
    for question in questions:
        values = answers.get(question.id, ())
        if question.several:
            content[question.id] = list(values)
        elif values:
            content[question.id] = _typed(question.type, values[0])
    return content


def _typed(kind: str, value: str) -> object:
    match kind:
        case "boolean":
            return value.strip().lower() in ("yes", "true", "y", "1")
        case "integer" | "number":
            try:
                return int(value) if kind == "integer" else float(value)
            except ValueError:
                return value
        case _:
            return value
