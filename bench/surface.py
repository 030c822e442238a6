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
from bascule.host.files.data_folder import Folder
from bascule.host.network.registration import find_daemon
from bench import flood_server
from bench.flood_once import count_characters
from bench.scale import Figures, Scale, megabytes, milliseconds, spread_percent
from bench.surface_client import connect, is_done
from bench.surface_probe import Delay
from bench.yardsticks import time_bare

QUIET_S = 0.3  # of probing while nothing else goes on
LONGER = 4  # times as many deltas while it is probed, so that there is time for many small changes


class Flooded(Struct, frozen=True, kw_only=True):
    began_s: float  # of the clock that all processes share
    ended_s: float  # the end state is at the surface
    rss_before: int
    rss_after: int

    @property
    def seconds(self) -> float:
        return self.ended_s - self.began_s


def measure(scale: Scale) -> Figures:
    wire = b"".join(flood_server.tell_turn(scale.deltas))
    floods, bare, idle, busy = [], [], [], []
    for _ in range(scale.rounds):  # in turn, so that a busy moment of the machine meets all
        with _daemon(scale.deltas) as root:
            floods.append(asyncio.run(_flood(root, scale.deltas)))
        bare.append(scale.deltas / time_bare(wire))
        with _daemon(LONGER * scale.deltas) as root:
            idle += _probe_idle(root)
            busy += _probe_flooded(root, LONGER * scale.deltas)
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
        began_s = time.monotonic()
        await client.call("run.start", session_id=session, input={"type": "text", "text": "Flood me"})
        await _until_done(mirror)
        ended_s = time.monotonic()
        count_characters(mirror.session(), deltas)
        after = daemon.memory_info().rss
        return Flooded(began_s=began_s, ended_s=ended_s, rss_before=before, rss_after=after)


async def _until_done(mirror: Mirror) -> None:
    while not is_done(mirror.head()):
        await mirror.news()


def _owner(folder: Folder) -> int:
    daemon = find_daemon(folder)
    assert daemon is not None
    return daemon.pid


def _probe_idle(root: Path) -> list[float]:
    with _running("bench.surface_probe", str(root)) as probe:
        time.sleep(QUIET_S)
        return [delay.seconds for delay in _stop(probe)]


def _probe_flooded(root: Path, deltas: int) -> list[float]:
    """Of the changes that were asked for while the flood was going on."""
    with _running("bench.surface_probe", str(root)) as probe:
        flooded = asyncio.run(_flood(root, deltas))
        delays = _stop(probe)
    return [delay.seconds for delay in delays if flooded.began_s <= delay.at_s <= flooded.ended_s]


def _stop(probe: "subprocess.Popen[bytes]") -> list[Delay]:
    said, _ = probe.communicate()
    return msgspec.json.decode(said, type=list[Delay])


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
    assert values, "the flood was over before anything else was tried"
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]
