"""What a client says beyond what is known is kept where something outlives the call, as far as it fits."""

from typing import Any

import msgspec
import pytest
from msgspec import Struct

from bascule.core.wire import rpc
from bascule.core.wire.rpc import RpcError
from bascule.daemon.protocol.unknown_fields import MAX_KEPT, keep_extra
from bascule.model.protocol.runs import RunStartParams, SessionListParams, UiContext

INPUT = {"type": "text", "text": "Hello."}


def read(kind: type[Struct], fields: dict[str, Any]) -> Any:
    body = msgspec.json.encode(fields)
    return keep_extra(msgspec.json.decode(body, type=kind), body)


def test_beside_a_prompt() -> None:
    params = read(RunStartParams, {"input": INPUT, "mood": "calm", "extra": {"a": 1}, "meta": {"m": 2}})
    assert (params.extra, params.meta) == ({"a": 1, "mood": "calm"}, {"m": 2})
    assert read(RunStartParams, {"input": INPUT}).extra == {}


def test_in_a_context() -> None:
    fields = {"cwd": "/w", "cursor": [3, 4], "extensions": {"theme": "dark", "cursor": "said on purpose"}}
    kept = UiContext(cwd="/w", extensions={"theme": "dark", "cursor": "said on purpose"})
    assert read(UiContext, fields) == kept
    assert read(UiContext, {"cursor": [3, 4]}) == UiContext(extensions={"cursor": [3, 4]})


def test_in_the_context_of_a_prompt() -> None:
    params = read(RunStartParams, {"input": INPUT, "ui_context": {"cwd": "/w", "tab": 2}})
    assert params.ui_context == UiContext(cwd="/w", extensions={"tab": 2})
    assert params.extra == {}


def test_a_call_that_is_over_with_its_answer_keeps_nothing() -> None:
    assert read(SessionListParams, {"limit": 3, "colour": "blue"}) == SessionListParams(limit=3)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (RunStartParams, {"input": INPUT, "meta": {"a": "x" * MAX_KEPT}}),
        (RunStartParams, {"input": INPUT, "a": "x" * MAX_KEPT}),
        (RunStartParams, {"input": INPUT, "ui_context": {"a": "x" * MAX_KEPT}}),
        (UiContext, {"extensions": {"a": "x" * MAX_KEPT}}),
    ],
)
def test_what_is_too_much_is_refused(kind: type[Struct], fields: dict[str, Any]) -> None:
    with pytest.raises(RpcError, match=f"{MAX_KEPT} are kept") as refused:
        read(kind, fields)
    assert refused.value.code == rpc.INVALID_PARAMS
