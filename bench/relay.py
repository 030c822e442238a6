"""The relay under load: people send commands, machines answer, every step is on the disk before it counts."""

import asyncio
import base64
import http.client
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
import psutil

from bascule.host.clock import now_ms
from bascule.host.config.bridge_file import JoinedRelay, make_joined
from bascule.host.network.relay_link import dial_relay, enroll
from bascule.model.consent.orders import OrderOutcome
from bascule.model.relay_frames import (
    ChallengeFrame,
    CommandFrame,
    EnrollRequest,
    FromRelay,
    HelloFrame,
    ResultFrame,
)
from bascule.relay.chat.platforms import SIGNATURE, sign_webhook
from bascule.relay.machines.machine_keys import make_code
from bascule.relay.storage.relay_store import RelayStore
from bench.relay_server import SECRET
from bench.scale import Scale

PEOPLE, EACH = 50, 20
FRAMES: msgspec.json.Decoder[FromRelay] = msgspec.json.Decoder(FromRelay)


def measure(_scale: Scale) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "bench.relay_server", folder, str(PEOPLE)]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            url = server.stdout.readline().strip()
            process = psutil.Process(server.pid)
            figures = asyncio.run(_load(url, Path(folder) / "relay.db", process))
            memory = process.memory_info().rss
        finally:
            server.stdin.close()
            server.wait()
            server.stdout.close()
        return {**figures, "relay_mib": round(memory / 2**20, 1)}


async def _load(url: str, database: Path, process: psutil.Process) -> dict[str, object]:
    sent: dict[str, float] = {}
    got: dict[str, float] = {}
    everything = asyncio.Event()
    joined = [await _enroll(url, database, f"m{number}") for number in range(PEOPLE)]
    ready = asyncio.Semaphore(0)
    async with asyncio.TaskGroup() as machines:
        running = [machines.create_task(_answer(one, ready, got, everything)) for one in joined]
        for _ in joined:
            await ready.acquire()
        began, before = time.perf_counter(), process.cpu_times()
        await asyncio.gather(*(asyncio.to_thread(_say, url, number, sent) for number in range(PEOPLE)))
        async with asyncio.timeout(120):
            await everything.wait()
        took, after = time.perf_counter() - began, process.cpu_times()
        for task in running:
            task.cancel()
    waits = sorted((got[name] - at) * 1000 for name, at in sent.items())
    return {
        "commands": len(waits),
        "commands_per_s": round(len(waits) / took),
        "cpu_ms_per_command": round(_spent_s(before, after) * 1000 / len(waits), 2),
        "p50_ms": round(waits[len(waits) // 2], 1),
        "p99_ms": round(waits[int(len(waits) * 0.99) - 1], 1),
    }


async def _enroll(url: str, database: Path, machine: str) -> JoinedRelay:
    code, hashed = make_code(url, machine)
    store = RelayStore(database)
    store.add_code(machine, hashed, now_ms() + 600_000, now_ms())
    store.close()
    secret = json.loads(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)))["secret"]
    joined = make_joined(url, machine)
    request = EnrollRequest(
        machine_id=machine, secret=secret, public_key=joined.public_key, signature=joined.sign(secret)
    )
    await enroll(url, request)
    return joined


async def _answer(
    joined: JoinedRelay, ready: asyncio.Semaphore, got: dict[str, float], everything: asyncio.Event
) -> None:
    link = await dial_relay(joined.url)
    try:
        while True:
            match FRAMES.decode(await link.receive()):
                case ChallengeFrame(nonce=nonce):
                    hello = HelloFrame(
                        machine_id=joined.machine, version="bench", signature=joined.sign(nonce)
                    )
                    await link.send(msgspec.json.encode(hello))
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
                    await link.send(msgspec.json.encode(ResultFrame(result=result)))
                    if len(got) == PEOPLE * EACH:
                        everything.set()
                case _:
                    pass
    finally:
        await link.close()


def _say(url: str, number: int, sent: dict[str, float]) -> None:
    """One person after the other sends, each over a connection of their own."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=60)
    for count in range(EACH):
        name = f"{number}-{count}"
        message = {"messageId": name, "userId": f"u{number}", "text": f"@dev plan {name}"}
        body = json.dumps(message).encode()
        sent[name] = time.perf_counter()
        connection.request(
            "POST", "/webhook", body, {SIGNATURE: sign_webhook(SECRET, body, int(time.time()))}
        )
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        answer.read()
    connection.close()


def _spent_s(before: Any, after: Any) -> float:
    return float(after.user + after.system - before.user - before.system)
