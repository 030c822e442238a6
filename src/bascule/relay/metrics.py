"""Figures for Prometheus: steps of the audit trail are counted, what waits is looked up when asked."""

from collections import Counter as Tally

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from bascule import __version__
from bascule.relay.storage.relay_store import RelayStore

CONTENT_TYPE = CONTENT_TYPE_LATEST
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


class RelayMetrics:
    """Of one node. `committed` is called on the store's thread."""

    def __init__(self, node: str) -> None:
        self._registry = CollectorRegistry()
        self._steps = Counter(
            "bascule_relay_steps", "Lines of the audit trail", ["step", "status"], registry=self._registry
        )
        self._batches = Histogram(
            "bascule_relay_batch_steps", "Steps in one transaction", buckets=SIZES, registry=self._registry
        )
        self._seconds = Histogram(
            "bascule_relay_commit_seconds",
            "From the begin of a transaction until it is on the disk",
            buckets=SECONDS,
            registry=self._registry,
        )
        self._machines = Gauge(
            "bascule_relay_machines_connected", "Sockets that this node holds", registry=self._registry
        )
        self._commands = Gauge(
            "bascule_relay_commands",
            "Commands of all nodes: queued, taken, in line or asking at the machine, or unreported",
            ["state"],
            registry=self._registry,
        )
        build = Gauge("bascule_relay_info", "This node", ["node", "version"], registry=self._registry)
        build.labels(node, __version__).set(1)

    def committed(self, lines: Tally[tuple[str, str]], steps: int, seconds: float) -> None:
        for (step, status), count in lines.items():
            self._steps.labels(step, status).inc(count)
        self._batches.observe(steps)
        self._seconds.observe(seconds)

    async def write(self, store: RelayStore, machines: int) -> bytes:
        counts = await store.count_by_state()
        for state in ("queued", "taken", "inLine", "asking", "unreported"):
            self._commands.labels(state).set(counts.get(state, 0))
        self._machines.set(machines)
        return generate_latest(self._registry)
