"""The bridge to a relay: takes Orders and cancellations, gives outcomes back, and knows nothing else."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
from msgspec.structs import replace

from bascule.core.bounded import forget_oldest
from bascule.core.faults import UserError
from bascule.core.text.plain import plain_line
from bascule.daemon.consent.record import Record
from bascule.daemon.orders.orders import Orders
from bascule.daemon.orders.relay_greeting import FRAMES, BridgeLink, greet, send_frame
from bascule.host.clock import now_ms, spread, utc_text
from bascule.host.config.bridge_file import BridgeFile, JoinedRelay
from bascule.host.network.relay_link import RelayAway
from bascule.host.processes.tasks import Tasks
from bascule.model.consent.orders import Order, OrderOutcome
from bascule.model.protocol.sessions import BridgeState, BridgeStatus
from bascule.model.relay_frames import (
    MAX_ASKS,
    CancelFrame,
    ChallengeFrame,
    CommandFrame,
    FromRelay,
    HeartbeatFrame,
    LineFrame,
    ProgressFrame,
    ResultFrame,
    StoredFrame,
    TakenFrame,
    WelcomeFrame,
)
from bascule.model.settings import Settings

LOOK_S = 1.0  # how soon a relay that was joined or left is noticed
LONGEST_WAIT_S = 60.0
MAX_GOING = 64  # Orders at a time; a relay cannot start more, however fast it sends
MAX_UNSENT = 500  # outcomes that the relay has not stored; it asks for others again
VIA = "relay"

log = logging.getLogger("bascule.bridge")


class Bridge:
    """What a relay sends is decoded as a frame of Orders or not at all: it cannot spell an answer."""

    def __init__(
        self,
        *,
        orders: Orders,
        file: BridgeFile,
        settings: Callable[[str], Settings],
        record: Record,
        dial: Callable[[str], Awaitable[BridgeLink]],
        tasks: Tasks,
        now_ms: Callable[[], int] = now_ms,
    ) -> None:
        self._orders = orders
        self._file = file
        self._settings = settings
        self._record = record
        self._dial = dial
        self._tasks = tasks
        self._unsent: dict[str, OrderOutcome] = {}
        self._going: set[str] = set()  # command ids
        self._cancelled: set[str] = set()  # of these
        self._progress: dict[str, LineFrame | ProgressFrame] = {}  # how these go
        self._taken_again: dict[str, int] = {}  # of these: the number by which it came
        self._progressed = asyncio.Event()
        self._recorded: JoinedRelay | None = None  # from which orders came
        self._link: BridgeLink | None = None
        self._now_ms = now_ms
        self._state: BridgeState | None = None
        self._changed = asyncio.Condition()
        self.on_change: Callable[[], None] = lambda: None

    @property
    def state(self) -> BridgeState | None:
        """None: no relay was joined."""
        return self._state

    async def until(self, holds: Callable[[BridgeState | None], bool]) -> BridgeState | None:
        async with self._changed:
            await self._changed.wait_for(lambda: holds(self._state))
            return self._state

    async def _set(self, state: BridgeState | None) -> None:
        if state == self._state:
            return
        async with self._changed:
            self._state = state
            self._changed.notify_all()
        self.on_change()

    async def _enter(self, status: BridgeStatus, joined: JoinedRelay) -> None:
        """What went wrong last stays known."""
        relay = self._settings("").relay_url or joined.url
        before = self._state
        state = BridgeState(status=status, relay=relay, machine=joined.machine, since_ms=self._now_ms())
        if before is not None and (before.relay, before.machine) == (relay, joined.machine):
            state = replace(state, last_error=before.last_error, last_error_ms=before.last_error_ms)
        await self._set(state)

    async def _wait(self, joined: JoinedRelay | None, why: str, failures: int) -> None:
        """Until it is tried again."""
        pause_s, now_ms = self._wait_s(failures), self._now_ms()
        await self._set(
            BridgeState(
                status="waiting",
                relay=(self._settings("").relay_url or joined.url) if joined else "",
                machine=joined.machine if joined else "",
                since_ms=self._state.since_ms if self._state and self._state.status == "waiting" else now_ms,
                last_error=plain_line(why),
                last_error_ms=now_ms,
                retry_ms=now_ms + int(pause_s * 1000),
            )
        )
        log.info("not connected to the relay: %s", plain_line(why))
        try:
            async with asyncio.timeout(pause_s):
                await self._watch(joined)
        except TimeoutError:
            return

    async def run(self) -> None:
        """Until it is cancelled: connected, or about to be, as long as a relay is joined."""
        failures = 0
        while True:
            joined: JoinedRelay | None = None
            try:
                joined = await asyncio.to_thread(self._file.read)
                if joined != self._recorded:
                    await self._end_orders()
                if joined is None:
                    failures = 0
                    await self._set(None)
                    await asyncio.sleep(LOOK_S)
                    continue
                await self._stay(joined)
                failures = 0
                if await asyncio.to_thread(self._file.read) != joined:
                    continue  # it was left
                why = "the relay closed the connection"
            except (RelayAway, UserError) as fault:
                failures += 1
                why = str(fault)
            await self._wait(joined, why, failures)

    def _wait_s(self, failures: int) -> float:
        first_s = self._settings("").reconnect_ms / 1000
        return spread(min(first_s * 2 ** min(failures, 10), max(LONGEST_WAIT_S, first_s)))

    async def _stay(self, joined: JoinedRelay) -> None:
        """One connection. It ends with the link, or when the relay is left."""
        await self._enter("connecting", joined)
        link = await self._dial(self._settings("").relay_url or joined.url)
        try:
            await greet(link, joined)
            await self._enter("connected", joined)
            log.info("connected to %s as %s", joined.url, joined.machine)
            await self._record_joined(joined)
            self._link = link
            async with Tasks() as tasks:
                ends = {
                    tasks.start("read from the relay", self._read(link, joined)),
                    tasks.start("heartbeats to the relay", self._beat(link)),
                    tasks.start("progress to the relay", self._send_progress(link)),
                    tasks.start("look whether the relay was left", self._watch(joined)),
                }
                for outcome in list(self._unsent.values()):
                    await send_frame(link, ResultFrame(result=outcome))
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._link = None
            await link.close()

    async def _record_joined(self, joined: JoinedRelay) -> None:
        """Recorded once for each relay that was joined: from here on Orders can come from it."""
        if joined != self._recorded:
            self._recorded = joined
            asked = f"take orders of {joined.url} as {joined.machine}"
            await self._record.write(
                self._record.entry("device", "done", asker="bridge", asked=asked, workspace="")
            )

    async def _read(self, link: BridgeLink, joined: JoinedRelay) -> None:
        try:
            while True:
                self._take(link, joined, FRAMES.decode(await link.receive()))
        except EOFError:
            return
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            log.warning("the relay sent something that is not an order, and is disconnected")

    def _take(self, link: BridgeLink, joined: JoinedRelay, frame: FromRelay) -> None:
        match frame:
            case CommandFrame(seq=seq, command=order) if order.command_id in self._going:
                self._taken_again[order.command_id] = seq  # the relay may not have heard it
                self._progressed.set()
            case CommandFrame() if len(self._going) >= MAX_GOING:
                pass  # it comes again with the next connection
            case CommandFrame(seq=seq, command=order):
                self._going.add(order.command_id)
                self._tasks.start(
                    f"order {order.command_id[:80]} of the relay", self._carry_out(link, joined, seq, order)
                )
            case CancelFrame(command_id=name):
                if name in self._going:
                    self._cancelled.add(name)
                    self._tasks.start("an order cancelled by the relay", self._cancel(name))
            case StoredFrame(command_id=name):
                self._unsent.pop(name, None)
            case ChallengeFrame() | WelcomeFrame():
                pass

    async def _end_orders(self) -> None:
        """Of a relay that was left: it has ended them too, and no other hears of them."""
        going = list(self._going)
        for kept in (self._going, self._unsent, self._progress, self._taken_again):
            kept.clear()
        for name in going:
            await self._cancel(name)

    async def _cancel(self, command_id: str) -> None:
        await self._orders.cancel(command_id)

    async def _carry_out(self, link: BridgeLink, joined: JoinedRelay, seq: int, order: Order) -> None:
        """Its outcome goes over whatever connection there is by then."""
        try:
            await send_frame(link, TakenFrame(seq=seq, command_id=order.command_id))
            is_cancelled = order.command_id in self._cancelled  # right behind it
            outcome = await self._orders.take(
                order,
                "",
                VIA,
                relay=joined.url,
                is_cancelled=is_cancelled,
                on_ask=partial(self._note_ask, order.command_id),
                on_line=partial(self._note_line, order.command_id),
            )
            if order.command_id not in self._going:
                return  # the relay was left
        except EOFError:
            return  # it comes again
        finally:
            self._going.discard(order.command_id)
            self._cancelled.discard(order.command_id)
            self._progress.pop(order.command_id, None)
        self._unsent[order.command_id] = outcome = replace(outcome, diff="")  # it stays here
        forget_oldest(self._unsent, MAX_UNSENT)
        if self._link is not None:
            try:
                await send_frame(self._link, ResultFrame(result=outcome))
            except EOFError:
                return

    def _note_ask(self, command_id: str, asks: int, is_asking: bool) -> None:
        if asks <= MAX_ASKS:
            self._note(ProgressFrame(command_id=command_id, asks=asks, is_asking=is_asking))

    def _note_line(self, command_id: str, is_waiting: bool) -> None:
        self._note(LineFrame(command_id=command_id, is_waiting=is_waiting))

    def _note(self, frame: LineFrame | ProgressFrame) -> None:
        if frame.command_id in self._going:
            self._progress[frame.command_id] = frame
            self._progressed.set()

    async def _send_progress(self, link: BridgeLink) -> None:
        """As it is now: all of it on each new connection, then what changes."""
        sent: dict[str, LineFrame | ProgressFrame] = {}
        try:
            while True:
                self._progressed.clear()
                while self._taken_again:
                    name, seq = self._taken_again.popitem()
                    await send_frame(link, TakenFrame(seq=seq, command_id=name))
                for name, frame in list(self._progress.items()):
                    if sent.get(name) != frame:
                        await send_frame(link, frame)
                        sent[name] = frame
                sent = {name: frame for name, frame in sent.items() if name in self._progress}
                await self._progressed.wait()
        except EOFError:
            return

    async def _beat(self, link: BridgeLink) -> None:
        try:
            while True:
                await asyncio.sleep(self._settings("").heartbeat_ms / 1000)
                await send_frame(link, HeartbeatFrame())
        except EOFError:
            return

    async def _watch(self, joined: JoinedRelay | None) -> None:
        """Until it is left, or another is joined."""
        while True:
            await asyncio.sleep(LOOK_S)
            if await self._find_joined() != joined:
                return

    async def _find_joined(self) -> JoinedRelay | None:
        """None also where the file cannot be believed."""
        try:
            return await asyncio.to_thread(self._file.read)
        except UserError:
            return None


def say_bridge(state: BridgeState | None) -> str:
    """For a person; empty where no relay was joined."""
    if state is None:
        return ""
    error = f"{state.last_error} ({utc_text(state.last_error_ms)})" if state.last_error else ""
    match state.status:
        case "waiting":
            again = f"trying again at {utc_text(state.retry_ms)}"
            return f"not connected to {state.relay}: {state.last_error}; {again}"
        case "connecting":
            return f"connecting to {state.relay}" + (f"; last problem: {error}" if error else "")
        case "connected":
            connected = f"connected to {state.relay} since {utc_text(state.since_ms)}"
            return connected + (f"; last problem: {error}" if error else "")
