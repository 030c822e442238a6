"""The carriers leave nothing out: every free text of what a page is sent is one that they fill."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import Struct
from msgspec.inspect import DictType, StrType, StructType, Type, UnionType, VarTupleType, type_info
from tests.page.answers import make_answers
from tests.page.filled_models import make_agent, make_asks, make_blocks, make_latest, make_queue

from bascule.model.asks import Ask
from bascule.model.blocks import Block
from bascule.model.protocol.table import METHODS
from bascule.model.session import AgentState, LatestDiff, Prompt

TEXT = "<b>carried</b>"
ANSWERS = make_answers((TEXT,))
# Names by which things are found: texts of their own kind in the carriers, or never read by a person.
NAMES = {
    *("id", "key", "run", "run_id", "session_id", "diff_id", "undo_id", "artifact_id", "command_id"),
    *("workspace", "agent"),
    "asked_in",  # the run in which a prompt was asked
    *("edit", "of", "undoes", "reverts", "plan"),  # edits, plans and runs
    "code",  # of a sentence: the page has the words
}


def free_texts(kind: Type) -> Iterator[str]:
    """Every place where any text may stand, as "Struct.field"."""
    if isinstance(kind, StructType):
        for field in kind.fields:
            if field.name not in NAMES and any(isinstance(one, StrType) for one in alternatives(field.type)):
                yield f"{kind.cls.__name__}.{field.name}"
            yield from free_texts(field.type)
    else:
        for one in alternatives(kind):
            if isinstance(one, StructType):
                yield from free_texts(one)


def alternatives(kind: Type) -> Iterator[Type]:
    """What it may be, and what may be in it."""
    if isinstance(kind, UnionType):
        for one in kind.types:
            yield from alternatives(one)
    elif isinstance(kind, VarTupleType):
        yield from alternatives(kind.item_type)
    elif isinstance(kind, DictType):
        yield from alternatives(kind.value_type)
    else:
        yield kind


def carried(value: Any) -> Iterator[str]:
    """Every place where the text does stand."""
    if isinstance(value, Struct):
        for name in value.__struct_fields__:
            held = getattr(value, name)
            if any(TEXT in one for one in ((held,) if isinstance(held, str) else told_texts(held))):
                yield f"{type(value).__name__}.{name}"
            yield from carried(held)
    elif isinstance(value, tuple | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from carried(one)


def told_texts(value: Any) -> Iterator[str]:
    held = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()
    return (one for one in held if isinstance(one, str))


CARRIERS: dict[str, tuple[Any, Any]] = {
    "blocks": (Block, make_blocks(TEXT)),
    "asks": (Ask, make_asks(TEXT)),
    "queue": (Prompt, make_queue(TEXT)),
    "latest diff": (LatestDiff, make_latest(TEXT)),
    "agent": (AgentState, make_agent("/w", TEXT)),
    **{method: (METHODS[method].result, answer) for method, answer in ANSWERS.items()},
}


@pytest.mark.parametrize("name", CARRIERS)
def test_every_free_text_is_carried(name: str) -> None:
    kind, made = CARRIERS[name]
    assert set(free_texts(type_info(kind))) - set(carried(made)) == set()
