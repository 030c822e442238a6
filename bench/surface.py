"""The flood through a WebSocket to a surface's folded state, beside mere decoding; and who waits for it."""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import psutil
from msgspec import Struct

from bascule.client.mirror import Mirror
from bascule.host.folder import Folder
from bascule.host.registration import find_daemon
from bench import flood_server
from bench.flood_once import count_characters
from bench.scale import Figures, Scale, megabytes, milliseconds, spread_percent
from bench.surface_client import connect, is_done
from bench.yardsticks import time_bare

QUIET_S = 0.5  # of probing before the flood begins


class Flooded(Struct, frozen=True, kw_only=True):
    seconds: float  # from the prompt to the end state at the surface
    rss_before: int
    rss_after: int


def measure(scale: Scale) -> Figures:
    wire = b"".join(flood_server.tell_turn(scale.deltas))
    floods, bare = [], []
    for _ in range(scale.rounds):  # in turn, so that a busy moment of the machine meets both
        with _daemon(scale.deltas) as root:
            floods.append(asyncio.run(_flood(root, scale.deltas)))
        bare.append(scale.deltas / time_bare(wire))
    with _daemon(scale.deltas) as root:
        idle, busy = _probe(root, scale.deltas)
    return {**_compare(scale, floods, bare), **_delays(idle, busy)}


@contextmanager
def _daemon(deltas: int) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as root, _running("bench.surface_daemon", root, str(deltas)) as daemon:
        Path(root, "workspace").mkdir()
        yield Path(root)
        assert daemon.poll() is None


@contextmanager
def _running(module: str, *words: str) -> "Iterator[subprocess.Popen[bytes]]":
    """Until left; it has said that it is ready, and its stdin tells it to end."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-m", module, *words], stdin=pipe, stdout=pipe) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == b"ready\n"
        yield process
        process.stdin.close()
        process.wait()


async def _flood(root: Path, deltas: int) -> Flooded:
    folder, workspace = Folder(root / "data"), str(root / "workspace")
    daemon = psutil.Process(_owner(folder))
    async with connect(folder, workspace) as client:
        session = (await client.call("session.create")).session_id
        mirror = await client.watch(session)
        before = daemon.memory_info().rss
        start = time.perf_counter()
        await client.call("run.start", session_id=session, input={"type": "text", "text": "Flood me"})
        await _until_done(mirror)
        seconds = time.perf_counter() - start
        count_characters(mirror.session(), deltas)
        return Flooded(seconds=seconds, rss_before=before, rss_after=daemon.memory_info().rss)


async def _until_done(mirror: Mirror) -> None:
    while not is_done(mirror.head()):
        await mirror.news()


def _owner(folder: Folder) -> int:
    daemon = find_daemon(folder)
    assert daemon is not None
    return daemon.pid


def _probe(root: Path, deltas: int) -> tuple[list[float], list[float]]:
    """Delays of small changes while nothing else goes on, and while the flood does."""
    with _running("bench.surface_probe", str(root)) as probe:
        time.sleep(QUIET_S)
        idle = _stop(probe)
    with _running("bench.surface_probe", str(root)) as probe:
        asyncio.run(_flood(root, deltas))
        busy = _stop(probe)
    return idle, busy


def _stop(probe: "subprocess.Popen[bytes]") -> list[float]:
    said, _ = probe.communicate()
    return msgspec.json.decode(said, type=list[float])


def _compare(scale: Scale, floods: list[Flooded], bare: list[float]) -> Figures:
    rates = [scale.deltas / flooded.seconds for flooded in floods]
    return {
        "deltas": scale.deltas,
        "deltas_per_s": round(max(rates)),
        "bare_decodes_per_s": round(max(bare)),
        "ratio_to_bare": round(max(rates) / max(bare), 2),
        "daemon_rss_growth_mb": megabytes(max(one.rss_after - one.rss_before for one in floods)),
        "rounds": scale.rounds,
        "spread_percent": spread_percent(rates),
        "bare_spread_percent": spread_percent(bare),
    }


def _delays(idle: list[float], busy: list[float]) -> Figures:
    return {
        "small_changes": len(busy),
        "delay_p50_ms": milliseconds(_percentile(busy, 50)),
        "delay_p99_ms": milliseconds(_percentile(busy, 99)),
        "idle_delay_p50_ms": milliseconds(_percentile(idle, 50)),
        "idle_delay_p99_ms": milliseconds(_percentile(idle, 99)),
        "delay_p99_ratio_to_idle": round(_percentile(busy, 99) / _percentile(idle, 99), 2),
    }


def _percentile(values: Sequence[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]
