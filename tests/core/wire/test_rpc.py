"""One frame is one message: sorted by what it has, tolerant of what it has besides, and never a crash."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from bascule.core.wire import rpc
from bascule.core.wire.rpc import Fault, Message, Notification, Reply, Request, parse_frame


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (b'{"jsonrpc":"2.0","id":"1","method":"x","params":{"a":1}}', Request("1", "x", Raw(b'{"a":1}'))),
        (b'{"jsonrpc":"2.0","id":7,"method":"x"}', Request(7, "x", Raw(b"{}"))),
        (b'{"id":"1","method":"x","trace":"kept out of the way"}', Request("1", "x", Raw(b"{}"))),
        (b'{"jsonrpc":"2.0","method":"x","params":{"a":1}}', Notification("x", Raw(b'{"a":1}'))),
        (b'{"jsonrpc":"2.0","id":null,"method":"x"}', Notification("x", Raw(b"{}"))),
        (b'{"jsonrpc":"2.0","id":"9","result":{"ok":true}}', Reply("9", Raw(b'{"ok":true}'))),
        (
            b'{"jsonrpc":"2.0","id":"9","error":{"code":-1,"message":"no"}}',
            Reply("9", Raw(b"null"), {"code": -1, "message": "no"}),
        ),
    ],
)
def test_a_frame_is_what_it_has(frame: bytes, message: Message) -> None:
    assert parse_frame(frame) == message


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"hello", rpc.PARSE_ERROR),
        (b'{"id":', rpc.PARSE_ERROR),
        (b'{"method":"\xff"}', rpc.PARSE_ERROR),
        (b"[" * 100_000, rpc.INVALID_REQUEST),
        (b"[]", rpc.INVALID_REQUEST),
        (b"5", rpc.INVALID_REQUEST),
        (b"{}", rpc.INVALID_REQUEST),
        (b'{"id":{},"method":"x"}', rpc.INVALID_REQUEST),
        (b'{"id":"1","method":5}', rpc.INVALID_REQUEST),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_is_no_message_has_a_code(frame: bytes, code: int) -> None:
    message = parse_frame(frame)
    assert isinstance(message, Fault)
    assert message.code == code


def test_a_frame_over_the_ceiling_is_not_read() -> None:
    message = parse_frame(b" " * (rpc.MAX_FRAME + 1))
    assert isinstance(message, Fault)
    assert message.code == rpc.INVALID_REQUEST
    assert str(rpc.MAX_FRAME) in message.message


@given(st.binary(max_size=40) | st.text('{}[]":,idmethod01', max_size=40).map(str.encode))
def test_no_bytes_make_it_raise(frame: bytes) -> None:
    parse_frame(frame)


def test_what_we_say_has_the_shape_of_json_rpc() -> None:
    assert json.loads(rpc.request("1", "x", {"a": 1})) == {
        "jsonrpc": "2.0",
        "id": "1",
        "method": "x",
        "params": {"a": 1},
    }
    assert json.loads(rpc.notification("x", {})) == {"jsonrpc": "2.0", "method": "x", "params": {}}
    assert json.loads(rpc.result("1", None)) == {"jsonrpc": "2.0", "id": "1", "result": None}
    assert json.loads(rpc.error("1", -32001, "busy")) == {
        "jsonrpc": "2.0",
        "id": "1",
        "error": {"code": -32001, "message": "busy"},
    }
    assert json.loads(rpc.error(None, -32700, "?", {"at": 1}))["error"]["data"] == {"at": 1}
    assert b"\n" not in rpc.notification("x", {"text": "two\nlines"})


@pytest.mark.parametrize(
    ("frame", "call_id"),
    [
        (b'{"jsonrpc":"2.0","id":"9","method":5}', "9"),
        (b'{"jsonrpc":"2.0","method":5,"id":7}', 7),
        (b'{"jsonrpc":"2.0","method":5}', None),
        (b'{"jsonrpc":"2.0","id":{},"method":5}', None),
        (b'{"jsonrpc":"2.0","id":"9","method":5,"more":', None),
        (b'{"id":' + b"1" * 5_000 + b',"method":"x"}', None),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_wrong_message_keeps_the_id_that_could_be_read(frame: bytes, call_id: str | int | None) -> None:
    message = parse_frame(frame)
    assert isinstance(message, Fault)
    assert message.id == call_id


@pytest.mark.parametrize("call_id", ["", "x", 0, -1, 2**53 + 1, 2**70])
def test_ids_go_out_as_they_came_in(call_id: str | int) -> None:
    message = parse_frame(rpc.request("_", "x", {}).replace(b'"_"', json.dumps(call_id).encode()))
    assert isinstance(message, Request)
    assert json.loads(rpc.result(message.id, None))["id"] == call_id
