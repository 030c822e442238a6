"""The model server over a real socket: who may ask, what is refused, and how it stops."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from tests.patience import PATIENCE_S

from bascule.demo.server import MAX_BODY, DemoModel

FOREVER_S = 3600.0


def ask(prompt: str) -> bytes:
    message = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": prompt}]}
    return json.dumps({"model": "demo", "input": [message]}).encode()


@asynccontextmanager
async def posted(
    model: DemoModel, body: bytes, *, token: str | None = None
) -> AsyncIterator[asyncio.StreamReader]:
    """The server's answer to one request, as it arrives; leaving the block hangs up."""
    port = int(model.base_url.rsplit(":", 1)[1].split("/")[0])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = (
        "POST /v1/responses HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Authorization: Bearer {model.token if token is None else token}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body)
    try:
        yield reader
    finally:
        writer.close()
        await writer.wait_closed()


async def answer_to(model: DemoModel, body: bytes, *, token: str | None = None) -> str:
    async with posted(model, body, token=token) as reader:
        return (await asyncio.wait_for(reader.read(), PATIENCE_S)).decode()


async def test_an_answer_is_a_stream_of_events() -> None:
    async with DemoModel() as model:
        answer = await answer_to(model, ask("demo:text"))
    assert answer.startswith("HTTP/1.1 200 OK")
    assert "content-type: text/event-stream" in answer
    assert answer.index("event: response.created") < answer.index("event: response.completed")


@pytest.mark.parametrize("token", ["", "wrong", "ünknown"])
async def test_strangers_are_turned_away(token: str) -> None:
    async with DemoModel() as model:
        answer = await answer_to(model, ask("demo:text"), token=token)
    assert answer.startswith("HTTP/1.1 401")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"input": 3}', b'{"input": [{}]}', b"\xff\xfe"])
async def test_what_is_no_request_is_refused_with_a_reason(body: bytes) -> None:
    async with DemoModel() as model:
        answer = await answer_to(model, body)
    assert answer.startswith("HTTP/1.1 400")
    assert "Not a Responses API request" in answer


async def test_a_request_beyond_the_ceiling_is_refused() -> None:
    async with DemoModel() as model, posted(model, b" " * (MAX_BODY + 1)) as reader:
        status = await asyncio.wait_for(reader.readline(), PATIENCE_S)
    assert status.startswith(b"HTTP/1.1 413")


async def test_it_listens_on_loopback_only_and_has_no_address_before() -> None:
    model = DemoModel()
    with pytest.raises(RuntimeError, match="no address yet"):
        model.base_url  # noqa: B018
    async with model:
        assert model.base_url.startswith("http://127.0.0.1:")


async def test_a_stream_ends_when_its_reader_hangs_up() -> None:
    async with DemoModel(word_delay_s=FOREVER_S) as model:
        before = asyncio.all_tasks()
        async with posted(model, ask("demo:slow")) as reader:
            await asyncio.wait_for(reader.readuntil(b"output_text.delta"), PATIENCE_S)
            serving = asyncio.all_tasks() - before
        assert serving
        _, left = await asyncio.wait(serving, timeout=PATIENCE_S)
    assert left == set()


async def test_it_stops_with_a_stream_open() -> None:
    async with asyncio.timeout(PATIENCE_S):
        async with DemoModel(word_delay_s=FOREVER_S) as model:
            stream = posted(model, ask("demo:slow"))
            reader = await stream.__aenter__()
            await reader.readuntil(b"output_text.delta")
        assert b"response.completed" not in await reader.read()
        await stream.__aexit__(None, None, None)


async def test_a_slow_answer_keeps_its_pace() -> None:
    loop = asyncio.get_running_loop()
    async with DemoModel(word_delay_s=0.002) as model:
        began = loop.time()
        answer = await answer_to(model, ask("demo:slow"))
    assert answer.count("event: response.output_text.delta") == 300
    assert loop.time() - began >= 300 * 0.002


async def test_signals_stay_the_callers() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    async with DemoModel():
        assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


async def test_an_error_in_the_block_comes_out_as_it_is() -> None:
    with pytest.raises(KeyError, match="ours"):
        async with DemoModel():
            raise KeyError("ours")
