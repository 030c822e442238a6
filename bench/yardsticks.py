"""What the flood is held against: the same lines merely decoded, barely and as the official SDK does it."""

import io
import time
from types import SimpleNamespace
from typing import Any

import msgspec
from openai_codex.client import CodexClient
from openai_codex.models import UnknownNotification


def time_bare(wire: bytes) -> float:
    """Seconds for msgspec to make dicts of the lines, one call a line; cutting them is not counted."""
    lines = wire.splitlines()
    start = time.perf_counter()
    for line in lines:
        msgspec.json.decode(line)
    return time.perf_counter() - start


def time_sdk(wire: bytes) -> float:
    """Seconds for the SDK's own reader to make notifications of the lines; sorting them out is not counted.

    These are the two calls of its reader thread, with the process's stdout already in memory.
    """
    client = CodexClient()
    stdout = io.TextIOWrapper(io.BytesIO(wire), encoding="utf-8")
    reader: Any = client
    reader._proc = SimpleNamespace(stdout=stdout)
    lines = wire.count(b"\n")
    unknown = 0
    start = time.perf_counter()
    for _ in range(lines):
        message = client._read_message()
        notification = client._coerce_notification(str(message["method"]), message.get("params"))
        unknown += isinstance(notification.payload, UnknownNotification)
    seconds = time.perf_counter() - start
    assert unknown < lines / 100, "the SDK does not know these notifications: nothing was measured"
    return seconds
