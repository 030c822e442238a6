"""The bridge with a relay that is hostile, slow or gone: it takes Orders and nothing else."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.patience import PATIENCE_S

from bascule.daemon.consent.record import Record
from bascule.daemon.orders import bridge as bridge_module
from bascule.daemon.orders.bridge import MAX_GOING, Bridge, say_bridge
from bascule.daemon.orders.order_actions import OnAsk, OnLine
from bascule.daemon.orders.orders import Orders
from bascule.daemon.orders.relay_greeting import FRAMES
from bascule.host.config.bridge_file import BridgeFile, JoinedRelay, make_joined
from bascule.host.network.relay_link import RelayAway
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Refuse
from bascule.model.consent.orders import Order, OrderOutcome
from bascule.model.protocol.sessions import BridgeState
from bascule.model.relay_frames import (
    CancelFrame,
    ChallengeFrame,
    CommandFrame,
    FromMachine,
    FromRelay,
    HelloFrame,
    LineFrame,
    ProgressFrame,
    ResultFrame,
    StoredFrame,
    TakenFrame,
    WelcomeFrame,
)
from bascule.model.settings import Settings
from bascule.relay.machines.machine_keys import is_signed_by

MACHINE_FRAMES: msgspec.json.Decoder[FromMachine] = msgspec.json.Decoder(FromMachine)


class FakeOrders:
    """Orders that end when the test says so."""

    def __init__(self) -> None:
        self.taken: list[Order] = []
        self.cancelled: list[str] = []
        self.relays: list[str] = []  # from which they came
        self.begun_cancelled: list[str] = []
        self.may_end = asyncio.Event()

    async def take(
        self,
        order: Order,
        _workspace: str,
        via: str,
        *,
        relay: str,
        is_cancelled: bool = False,
        on_ask: OnAsk = lambda _asks, _is_asking: None,
        on_line: OnLine = lambda _is_waiting: None,
    ) -> OrderOutcome:
        assert via == "relay"
        self.relays.append(relay)
        self.on_ask, self.on_line = on_ask, on_line
        self.taken.append(order)
        if is_cancelled:
            self.begun_cancelled.append(order.command_id)
        await self.may_end.wait()
        return OrderOutcome(
            command_id=order.command_id,
            machine_id="m",
            status="ok",
            summary="done",
            diff="lines of a file",
            created_at="x",
        )

    async def cancel(self, command_id: str) -> Refuse | None:
        self.cancelled.append(command_id)
        return None


class FakeRelay:
    """The other end of each connection."""

    def __init__(self) -> None:
        self._to_machine: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.heard: asyncio.Queue[FromMachine] = asyncio.Queue()
        self.dialled: asyncio.Queue[FakeRelay] = asyncio.Queue()
        self.is_slow = False

    async def dial(self, _url: str) -> "FakeRelay":
        link = FakeRelay()
        self.dialled.put_nowait(link)
        return link

    async def next_link(self) -> "FakeRelay":
        async with asyncio.timeout(PATIENCE_S):
            return await self.dialled.get()

    # as the machine sees it
    async def send(self, frame: bytes) -> None:
        for _ in range(20 if self.is_slow else 0):
            await asyncio.sleep(0)
        self.heard.put_nowait(MACHINE_FRAMES.decode(frame))

    async def receive(self) -> bytes:
        frame = await self._to_machine.get()
        if frame is None:
            raise EOFError
        return frame

    async def close(self) -> None:
        self._to_machine.put_nowait(None)

    # as the test does
    @property
    def unread(self) -> bool:
        return not self._to_machine.empty()

    def say(self, frame: FromRelay | bytes) -> None:
        self._to_machine.put_nowait(frame if isinstance(frame, bytes) else msgspec.json.encode(frame))

    async def next(self) -> FromMachine:
        async with asyncio.timeout(PATIENCE_S):
            return await self.heard.get()

    async def welcome(self, joined: JoinedRelay) -> None:
        self.say(ChallengeFrame(nonce="a nonce"))
        hello = await self.next()
        assert isinstance(hello, HelloFrame)
        assert is_signed_by(joined.public_key, joined.machine, "a nonce", hello.signature)
        self.say(WelcomeFrame(machine_id=joined.machine))


@pytest.fixture(autouse=True)
def looks_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a relay that was joined or left."""
    monkeypatch.setattr(bridge_module, "LOOK_S", 0.05)


@asynccontextmanager
async def open_bridge(
    root: Path, dial: Callable[[str], Awaitable[FakeRelay]] | None = None, reconnect_ms: int = 100
) -> AsyncIterator[tuple[Bridge, FakeRelay, FakeOrders, JoinedRelay]]:
    orders, relay, record = FakeOrders(), FakeRelay(), Record(root, lambda: 0)
    joined = make_joined("https://relay.example", "m")
    BridgeFile(root).write(joined)
    settings = Settings(reconnect_ms=reconnect_ms, heartbeat_ms=30_000)
    async with Tasks() as tasks:
        bridge = Bridge(
            orders=cast(Orders, orders),
            file=BridgeFile(root),
            settings=lambda _: settings,
            record=record,
            dial=dial or relay.dial,
            tasks=tasks,
        )
        tasks.start("bridge", bridge.run())
        yield bridge, relay, orders, joined
    await record.close()


def order(name: str) -> Order:
    return Order(command_id=name, machine_id="m", user_id="ann", kind="plan", prompt="x", created_at="x")


async def until_status(bridge: Bridge, status: str) -> BridgeState:
    async with asyncio.timeout(PATIENCE_S):
        state = await bridge.until(lambda state: state is not None and state.status == status)
    assert state is not None
    return state


async def test_an_outcome_is_sent_until_the_relay_has_stored_it(tmp_path: Path) -> None:
    async with open_bridge(tmp_path) as (bridge, relay, orders, joined):
        link = await relay.next_link()
        await link.welcome(joined)
        link.say(CommandFrame(seq=1, command=order("c-1")))
        assert await link.next() == TakenFrame(seq=1, command_id="c-1")
        link.say(CommandFrame(seq=1, command=order("c-1")))  # the relay did not hear that it was taken
        assert await link.next() == TakenFrame(seq=1, command_id="c-1")
        link.say(CancelFrame(command_id="c-1"))
        await link.close()  # the relay goes while it is carried out
        await until_status(bridge, "waiting")
        assert say_bridge(bridge.state).startswith("not connected to https://relay.example: ")
        orders.may_end.set()
        for stored in (False, True):
            link = await relay.next_link()
            await link.welcome(joined)
            result = await link.next()
            assert isinstance(result, ResultFrame)
            assert (result.result.command_id, result.result.diff) == ("c-1", ""), "the diff stays here"
            if stored:
                link.say(StoredFrame(command_id="c-1"))
                link.say(ChallengeFrame(nonce="after that"))
                while link.unread:
                    await asyncio.sleep(0)
            await link.close()
        link = await relay.next_link()
        await link.welcome(joined)
        await until_status(bridge, "connected")
        assert link.heard.empty()
        assert [one.command_id for one in orders.taken] == ["c-1"]


async def test_that_an_order_waits_here_is_said_on_each_connection_and_not_after_its_end(
    tmp_path: Path,
) -> None:
    def progress(asks: int, *, is_asking: bool) -> ProgressFrame:
        return ProgressFrame(command_id="c-1", asks=asks, is_asking=is_asking)

    async with open_bridge(tmp_path) as (_, relay, orders, joined):
        link = await relay.next_link()
        await link.welcome(joined)
        link.say(CommandFrame(seq=1, command=order("c-1")))
        assert await link.next() == TakenFrame(seq=1, command_id="c-1")
        while not orders.taken:
            await asyncio.sleep(0)
        for is_waiting in (True, False):
            orders.on_line(is_waiting)
            assert await link.next() == LineFrame(command_id="c-1", is_waiting=is_waiting)
        orders.on_ask(1, True)
        assert await link.next() == progress(1, is_asking=True)
        orders.on_ask(1, False)
        assert await link.next() == progress(1, is_asking=False)
        await link.close()
        orders.on_ask(2, True)
        link = await relay.next_link()
        await link.welcome(joined)
        assert await link.next() == progress(2, is_asking=True)
        orders.may_end.set()
        assert isinstance(await link.next(), ResultFrame)
        orders.on_ask(3, True)  # too late
        await link.close()
        link = await relay.next_link()
        await link.welcome(joined)
        assert isinstance(await link.next(), ResultFrame)
        assert link.heard.empty()


async def test_a_flood_of_orders_starts_only_so_many(tmp_path: Path) -> None:
    async with open_bridge(tmp_path) as (_, relay, orders, joined):
        link = await relay.next_link()
        await link.welcome(joined)
        for number in range(10 * MAX_GOING):
            link.say(CommandFrame(seq=number, command=order(f"c-{number}")))
        link.say(CancelFrame(command_id="c-0"))
        link.say(CancelFrame(command_id="unknown"))
        async with asyncio.timeout(PATIENCE_S):
            while not orders.cancelled:
                await asyncio.sleep(0)
        assert len(orders.taken) <= MAX_GOING
        assert orders.cancelled == ["c-0"], "what is not carried out here is not cancelled"


async def test_a_cancellation_right_behind_its_order_is_not_lost(tmp_path: Path) -> None:
    """As they come after a reconnect, where the link takes its time."""
    async with open_bridge(tmp_path) as (_, relay, orders, joined):
        link = await relay.next_link()
        await link.welcome(joined)
        link.is_slow = True
        link.say(CommandFrame(seq=1, command=order("c-1")))
        link.say(CancelFrame(command_id="c-1"))
        async with asyncio.timeout(PATIENCE_S):
            while not orders.taken:
                await asyncio.sleep(0)
        assert orders.begun_cancelled == ["c-1"]


@pytest.mark.parametrize("frame", [b"", b"{}", b'{"type":"ask.answer","choice":"accept"}', b"[" * 100_000])
async def test_a_relay_that_says_anything_else_is_left_and_tried_again(tmp_path: Path, frame: bytes) -> None:
    async with open_bridge(tmp_path) as (bridge, relay, orders, joined):
        link = await relay.next_link()
        link.say(frame)  # instead of a challenge
        await until_status(bridge, "waiting")
        link = await relay.next_link()
        await link.welcome(joined)
        await until_status(bridge, "connected")
        link.say(frame)
        await until_status(bridge, "waiting")
        assert orders.taken == []


async def test_a_relay_that_cannot_be_reached_is_said_to_be_so(tmp_path: Path) -> None:
    async def away(_url: str) -> FakeRelay:
        raise RelayAway("relay.example cannot be reached: \x1b[31mrefused")

    async with open_bridge(tmp_path, away) as (bridge, *_), asyncio.timeout(PATIENCE_S):
        state = await until_status(bridge, "waiting")
        assert "cannot be reached" in state.last_error
        assert "\x1b" not in state.last_error
        assert state.retry_ms >= state.last_error_ms >= state.since_ms > 0


async def test_what_is_said_of_the_connection_is_true_from_joining_to_leaving(tmp_path: Path) -> None:
    """Every change reaches the surfaces; the last problem stays known after it is over."""
    async with open_bridge(tmp_path) as (bridge, relay, _, joined):
        seen: list[str] = []
        bridge.on_change = lambda: seen.append(bridge.state.status if bridge.state else "off")
        link = await relay.next_link()
        await link.close()
        waiting = await until_status(bridge, "waiting")
        assert waiting.last_error
        link = await relay.next_link()
        await link.welcome(joined)
        connected = await until_status(bridge, "connected")
        assert (connected.last_error, connected.retry_ms) == (waiting.last_error, 0)
        assert connected.since_ms >= waiting.last_error_ms
        said = say_bridge(bridge.state)
        assert said.startswith("connected to https://relay.example since 2")
        assert waiting.last_error in said
        BridgeFile(tmp_path).remove()
        async with asyncio.timeout(PATIENCE_S):
            await bridge.until(lambda state: state is None)
        assert say_bridge(bridge.state) == ""
        assert seen[-4:] == ["waiting", "connecting", "connected", "off"]


async def test_who_leaves_a_relay_stops_its_orders_and_the_next_one_hears_nothing_of_them(
    tmp_path: Path,
) -> None:
    async with open_bridge(tmp_path) as (bridge, relay, orders, joined):
        link = await relay.next_link()
        await link.welcome(joined)
        orders.may_end.set()
        link.say(CommandFrame(seq=1, command=order("c-1")))
        assert isinstance((await link.next(), await link.next())[1], ResultFrame)  # that is never stored
        orders.may_end.clear()
        link.say(CommandFrame(seq=2, command=order("c-2")))
        assert await link.next() == TakenFrame(seq=2, command_id="c-2")
        while len(orders.taken) < 2:
            await asyncio.sleep(0)
        BridgeFile(tmp_path).remove()
        async with asyncio.timeout(PATIENCE_S):
            await bridge.until(lambda state: state is None)
        assert orders.cancelled == ["c-2"]
        other = make_joined("https://other.example", "m")
        BridgeFile(tmp_path).write(other)
        link = await relay.next_link()
        await link.welcome(other)
        await until_status(bridge, "connected")
        orders.on_ask(1, True)
        orders.may_end.set()
        link.say(CommandFrame(seq=1, command=order("d-1")))
        assert await link.next() == TakenFrame(seq=1, command_id="d-1")
        result = await link.next()
        assert isinstance(result, ResultFrame)
        assert (result.result.command_id, link.heard.empty()) == ("d-1", True)
        assert orders.relays == [joined.url, joined.url, other.url]


async def test_a_relay_that_is_left_in_a_long_pause_is_soon_no_longer_shown(tmp_path: Path) -> None:
    async with open_bridge(tmp_path, reconnect_ms=3_600_000) as (bridge, relay, *_):
        await (await relay.next_link()).close()
        await until_status(bridge, "waiting")
        BridgeFile(tmp_path).remove()
        async with asyncio.timeout(PATIENCE_S):
            assert await bridge.until(lambda state: state is None) is None


PLAIN = st.none() | st.booleans() | st.integers() | st.text()
JSON = st.recursive(PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8)


@settings(max_examples=2 * settings().max_examples, deadline=None)
@given(JSON)
def test_no_json_of_any_shape_is_decoded_as_more_than_a_frame(value: object) -> None:
    data = msgspec.json.encode(value) if not _is_huge(value) else b"null"
    with pytest.raises(msgspec.DecodeError):
        FRAMES.decode(data)


def _is_huge(value: object) -> bool:
    try:
        msgspec.json.encode(value)
    except (OverflowError, UnicodeEncodeError):
        return True
    return False
