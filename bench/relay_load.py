"""The load on a relay: people who post signed messages, machines that answer, a chat that takes replies.

`python -m bench.relay_load FILE`, where FILE says how many, and where the relay's nodes are.
"""

import asyncio
import base64
import itertools
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct

from bascule.host.config.bridge_file import JoinedRelay, make_joined
from bascule.host.network.fast_loop import run_fast
from bascule.host.network.relay_link import dial_relay, enroll
from bascule.model.consent.orders import OrderOutcome
from bascule.model.relay_frames import (
    ChallengeFrame,
    CommandFrame,
    EnrollRequest,
    FromRelay,
    HelloFrame,
    ResultFrame,
    WelcomeFrame,
)
from bascule.relay.chat.webhook_chat import SIGNATURE, sign_webhook

SECRET = "the secret of the bench"  # nothing else knows it
CONNECTING = 50  # machines at once
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}"
FRAMES: msgspec.json.Decoder[FromRelay] = msgspec.json.Decoder(FromRelay)
ENCODER = msgspec.json.Encoder()


class Load(Struct, frozen=True):
    nodes: tuple[str, ...]  # URLs
    codes: tuple[str, ...]  # one for each machine
    people: int
    each: int
    per_s: int = 0  # of all people together; 0: each as fast as replies come


class Figures(Struct, frozen=True):
    commands: int
    commands_per_s: int
    p50_ms: float
    p99_ms: float


async def run_load(load: Load) -> Figures:
    sent: dict[str, float] = {}
    got: dict[str, float] = {}
    everything = asyncio.Event()
    nodes = itertools.cycle(load.nodes)
    joined = [await join(next(nodes), code) for code in load.codes]
    ready = asyncio.Semaphore(0)
    wanted = load.people * load.each
    async with asyncio.TaskGroup() as group:
        machines = []
        for number, one in enumerate(joined):
            machines.append(group.create_task(answer(one, ready, got, everything, wanted)))
            if number >= CONNECTING:
                await ready.acquire()
        for _ in joined[-CONNECTING:]:
            await ready.acquire()
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        began = time.perf_counter()
        talks = [talk(load, number, sent) for number in range(load.people)]
        await asyncio.gather(*talks)
        async with asyncio.timeout(60):
            await everything.wait()
        took = time.perf_counter() - began
        for task in machines:
            task.cancel()
    waits = sorted((got[name] - at) * 1000 for name, at in sent.items())
    return Figures(
        commands=len(waits),
        commands_per_s=round(len(waits) / took),
        p50_ms=round(waits[len(waits) // 2], 1),
        p99_ms=round(waits[int(len(waits) * 0.99) - 1], 1),
    )


async def join(url: str, code: str) -> JoinedRelay:
    parts = json.loads(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)))
    joined = make_joined(url, parts["machine"])
    secret = parts["secret"]
    request = EnrollRequest(
        machine_id=joined.machine, secret=secret, public_key=joined.public_key, signature=joined.sign(secret)
    )
    await enroll(url, request)
    return joined


async def answer(
    joined: JoinedRelay,
    ready: asyncio.Semaphore,
    got: dict[str, float],
    everything: asyncio.Event,
    wanted: int,
) -> None:
    """A machine whose work takes no time."""
    link = await dial_relay(joined.url)
    try:
        while True:
            match FRAMES.decode(await link.receive()):
                case ChallengeFrame(nonce=nonce):
                    hello = HelloFrame(
                        machine_id=joined.machine, version="bench", signature=joined.sign(nonce)
                    )
                    await link.send(ENCODER.encode(hello))
                case WelcomeFrame():
                    ready.release()
                case CommandFrame(command=order):
                    got.setdefault(order.prompt, time.perf_counter())
                    result = OrderOutcome(
                        command_id=order.command_id,
                        machine_id=order.machine_id,
                        status="ok",
                        summary="done",
                        created_at=order.created_at,
                    )
                    await link.send(ENCODER.encode(ResultFrame(result=result)))
                    if len(got) == wanted:
                        everything.set()
                case _:
                    pass
    finally:
        await link.close()


async def talk(load: Load, number: int, sent: dict[str, float]) -> None:
    """One person, who waits for each reply."""
    url = load.nodes[number % len(load.nodes)]
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    began = time.perf_counter()
    for count in range(load.each):
        if load.per_s:
            due = began + (count * load.people + number) / load.per_s
            await asyncio.sleep(max(due - time.perf_counter(), 0))
        name = f"{number}-{count}"
        body = ENCODER.encode({"messageId": name, "userId": f"u{number}", "text": f"@dev plan {name}"})
        signed = sign_webhook(SECRET, body, int(time.time()))
        head = f"POST /webhook HTTP/1.1\r\nHost: {host}\r\n{SIGNATURE}: {signed}\r\n"
        head += f"Content-Length: {len(body)}"
        sent[name] = time.perf_counter()
        writer.write(head.encode() + b"\r\n\r\n" + body)
        answered = await reader.readuntil(b"\r\n\r\n")
        length = int(answered.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        reply = await reader.readexactly(length)
        assert answered.startswith(b"HTTP/1.1 200"), (answered, reply)
    writer.close()


class ChatSink(asyncio.Protocol):
    """A chat that takes every reply."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._unread = b""

    def data_received(self, data: bytes) -> None:
        self._unread += data
        while (head_end := self._unread.find(b"\r\n\r\n")) >= 0:
            length = int(self._unread.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            if len(self._unread) < head_end + 4 + length:
                return
            self._unread = self._unread[head_end + 4 + length :]
            self._transport.write(OK)


async def main(read_load: Callable[[], Load]) -> None:
    server = await asyncio.get_running_loop().create_server(ChatSink, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)  # where the relay sends its replies
    await asyncio.to_thread(sys.stdin.readline)
    print(msgspec.json.encode(await run_load(read_load())).decode(), flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    server.close()


if __name__ == "__main__":
    run_fast(main(lambda: msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Load)))
