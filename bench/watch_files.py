"""Session files as agents leave them: rollouts of Codex, and the registry entry of a Claude that runs."""

import json
import os
from pathlib import Path

from bascule.host.watch.process_facts import read_process

STAMP = "2026-11-17T10:00:00.000Z"


def make_id(number: int) -> str:
    return f"01a1e2e1-9688-71e0-afcf-{number:012d}"


def line(kind: str, payload: dict[str, object]) -> bytes:
    return json.dumps({"timestamp": STAMP, "type": kind, "payload": payload}).encode() + b"\n"


def make_record(number: int) -> bytes:
    said = {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": f"record {number}"}],
    }
    return line("response_item", {**said, "padding": "x" * 300})


def write_rollouts(home: Path, count: int) -> list[Path]:
    """Over forty days, a few kilobytes each."""
    paths = []
    for number in range(count):
        folder = home / ".codex" / "sessions" / "2026" / f"{number % 4 + 8:02}" / f"{number % 10 + 1:02}"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"rollout-{make_id(number)}.jsonl"
        meta = line("session_meta", {"id": make_id(number), "cwd": "/srv/shop"})
        path.write_bytes(meta + b"".join(make_record(one) for one in range(6)))
        paths.append(path)
    return paths


def write_claude(home: Path, status: str) -> None:
    """Of this very process."""
    folder = home / ".claude" / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    start = read_process(os.getpid()).proc_start
    said = {"pid": os.getpid(), "sessionId": "c1", "procStart": start, "cwd": "/srv/shop", "status": status}
    fresh = folder / "fresh.tmp"
    fresh.write_text(json.dumps(said))
    fresh.replace(folder / f"{os.getpid()}.json")
