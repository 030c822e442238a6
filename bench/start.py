"""Milliseconds from nothing to the first delta of a real Codex offline, beside a bare client; and memory."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bascule.agents.codex.launch import make_launch
from bascule.demo.home import prepare_home
from bascule.demo.project import prepare_project
from bascule.demo.server import DemoModel
from bascule.host.processes.agent_program import find_agent_program
from bascule.model.settings import CodexSettings
from bench.scale import Figures, Scale, megabytes, milliseconds, spread_percent
from bench.start_once import Reached

FIRST_WORD = "item/agentMessage/delta"


class Place(Struct, frozen=True):
    """Where one start happens, all of it fresh: the data folder, the demo's project, Codex's own home."""

    data: Path
    project: Path
    env: Mapping[str, str]


class Started(Struct, frozen=True):
    seconds: dict[str, float]  # from nothing to each stage
    idle: Reached


def measure(scale: Scale) -> Figures:
    return asyncio.run(_measure(scale))


async def _measure(scale: Scale) -> Figures:
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as root:
        async with DemoModel() as model:  # in this process, so that the daemon's memory is its own
            for number in range(scale.rounds):
                place = prepare(Path(root, f"bare-{number}"), model)
                bare.append(await asyncio.to_thread(time_bare_client, place))
                place = prepare(Path(root, f"ours-{number}"), model)
                ours.append(await asyncio.to_thread(start_once, place))
    return report(scale, ours, bare)


def prepare(root: Path, model: DemoModel) -> Place:
    root.mkdir()
    project = root / "project"
    prepare_project(project, os.environ)
    env = prepare_home(root / "codex", base_url=model.base_url, token=model.token)
    return Place(root / "data", project, env)


def report(scale: Scale, ours: list[Started], bare: list[float]) -> Figures:
    best = min(ours, key=lambda started: started.seconds["delta"])
    at = best.seconds
    return {
        "first_delta_ms": milliseconds(at["delta"]),
        "bare_client_ms": milliseconds(min(bare)),
        "ratio_to_bare_client": round(at["delta"] / min(bare), 2),
        "daemon_open_ms": milliseconds(at["open"]),  # Python, imports, lock, reaping, store
        "thread_ms": milliseconds(at["thread"] - at["open"]),  # Codex started, handshake, thread/start
        "turn_ms": milliseconds(at["delta"] - at["thread"]),
        "rss_idle_mb": megabytes(best.idle.rss),
        "codex_rss_mb": megabytes(best.idle.child_rss),
        "rss_ratio_to_codex": round(best.idle.rss / best.idle.child_rss, 2),
        "rounds": scale.rounds,
        "spread_percent": spread_percent([started.seconds["delta"] for started in ours]),
    }


def start_once(place: Place) -> Started:
    arguments = [str(place.data), str(place.project), msgspec.json.encode(place.env).decode()]
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "bench.start_once", *arguments], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        seconds = {}
        reached = None
        for line in process.stdout:
            reached = msgspec.json.decode(line, type=Reached)
            seconds[reached.stage] = time.perf_counter() - start
    assert process.returncode == 0, f"the daemon ended with exit code {process.returncode}"
    assert reached is not None
    return Started(seconds, reached)


# The yardstick: the same words said to the same Codex by a client that does nothing else


def time_bare_client(place: Place) -> float:
    launch = make_launch(CodexSettings())
    codex = find_agent_program(launch, os.environ)
    assert codex is not None, launch.missing
    start = time.perf_counter()
    with subprocess.Popen(
        [str(codex), "app-server"],
        cwd=place.project,
        env={**os.environ, **place.env},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        talk(process, str(place.project))
        seconds = time.perf_counter() - start
        process.kill()
    return seconds


def talk(process: "subprocess.Popen[bytes]", cwd: str) -> None:
    assert process.stdout is not None
    heard = map(json.loads, process.stdout)
    info = {"name": "bench", "title": "bench", "version": "0"}
    call(process, heard, "initialize", {"clientInfo": info, "capabilities": {"experimentalApi": True}})
    said = {"cwd": cwd, "approvalPolicy": "on-request", "sandbox": "read-only"}
    thread = call(process, heard, "thread/start", said)["thread"]["id"]
    call(process, heard, "turn/start", {"threadId": thread, "input": [{"type": "text", "text": "demo:text"}]})
    next(message for message in heard if message.get("method") == FIRST_WORD)


def call(
    process: "subprocess.Popen[bytes]", heard: Iterator[dict[str, Any]], method: str, params: object
) -> Any:
    assert process.stdin is not None
    process.stdin.write(json.dumps({"id": method, "method": method, "params": params}).encode() + b"\n")
    process.stdin.flush()
    return next(message for message in heard if message.get("id") == method)["result"]
