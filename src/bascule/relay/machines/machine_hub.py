"""Connected machines: each proves its key, gets its commands in order, and gives their outcomes back."""

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable
from typing import Protocol

import msgspec

from bascule.core.relay.relay_ids import is_id
from bascule.host.processes.tasks import Tasks
from bascule.model.consent.orders import OrderOutcome
from bascule.model.relay_frames import (
    CancelFrame,
    ChallengeFrame,
    CommandFrame,
    FromMachine,
    FromRelay,
    HeartbeatFrame,
    HelloFrame,
    LeaveFrame,
    LeftFrame,
    LineFrame,
    ProgressFrame,
    ResultFrame,
    StoredFrame,
    TakenFrame,
    WelcomeFrame,
)
from bascule.relay.machines.machine_keys import is_signed_by
from bascule.relay.storage.audit_chain import AuditLine
from bascule.relay.storage.database import StoreAway
from bascule.relay.storage.machine_steps import Revoke
from bascule.relay.storage.node_steps import Connect, Disconnect
from bascule.relay.storage.records import StoredCommand
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import Finish, Note, Progress, Take, WaitInLine

HELLO_S = 10.0
STALE_S = 45.0
LOOK_S = 0.5  # how soon a revoked machine is out
MAX_SUMMARY, MAX_DIFF = 20_000, 400_000  # characters of an outcome that is taken
MAX_UNSENT = 1_000  # frames that a machine has not read

FRAMES: msgspec.json.Decoder[FromMachine] = msgspec.json.Decoder(FromMachine)
ENCODER = msgspec.json.Encoder()

log = logging.getLogger("bascule.relay")


class MachineSocket(Protocol):
    async def send(self, frame: bytes) -> None:
        """`EOFError` where it is closed."""

    async def receive(self) -> bytes:
        """One frame; `EOFError` at its end."""

    def know(self, machine: str) -> bool:
        """It has proved who it is. False: there are too many of them."""

    async def close(self, why: str) -> None: ...


class ConnectedMachine:
    """One socket, and what was sent on it."""

    def __init__(self, name: str, key: str, socket: MachineSocket, now_ms: int) -> None:
        self.name = name
        self.key = key  # that it has proved; its name may get another
        self.socket = socket
        self.connection = secrets.token_hex(8)
        self.since_ms = now_ms
        self.last_seq: int | None = None  # of the commands sent; None until the stored ones are read
        self.ended = asyncio.Event()
        self.is_leaving = False  # and ends by itself
        self.sent: set[str] = set()  # command ids
        self.cancelled: set[str] = set()
        self.late: set[str] = set()
        self._unsent: deque[bytes] = deque()
        self._news = asyncio.Event()

    def send(self, frame: FromRelay) -> None:
        """In this order, by one writer; a machine that reads nothing is disconnected."""
        self._unsent.append(ENCODER.encode(frame))
        self._news.set()
        if len(self._unsent) > MAX_UNSENT:
            self.ended.set()

    def send_command(self, command: StoredCommand) -> None:
        """Once on each connection."""
        if command.id not in self.sent:
            self.sent.add(command.id)
            self.send(CommandFrame(seq=command.seq, command=command.order))
        if command.is_cancelled and command.id not in self.cancelled:
            self.cancelled.add(command.id)
            self.send(CancelFrame(command_id=command.id))

    def forget(self, command_id: str) -> None:
        self.sent.discard(command_id)
        self.cancelled.discard(command_id)

    async def write(self) -> None:
        try:
            while True:
                while self._unsent:
                    await self.socket.send(self._unsent.popleft())
                self._news.clear()
                await self._news.wait()
        except EOFError:
            return


class MachineHub:
    """The sockets that this node holds."""

    def __init__(self, *, store: RelayStore, node: str, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._node = node
        self._now_ms = now_ms
        self._connected: dict[str, ConnectedMachine] = {}
        self._to_look: set[str] = set()
        self._looking = asyncio.Event()
        self.on_outcome: Callable[[StoredCommand], None] = lambda _command: None
        self.on_ask: Callable[[], None] = lambda: None

    @property
    def count(self) -> int:
        return len(self._connected)

    def holds(self, machine: str) -> bool:
        return machine in self._connected

    # -- what is to be sent --

    def deliver(self, command: StoredCommand) -> None:
        """A command that was just stored, in its turn; else what is stored is read, in order."""
        machine = self._connected.get(command.machine)
        if machine is None:
            return
        if machine.last_seq is not None and command.seq == machine.last_seq + 1:
            machine.last_seq = command.seq
            machine.send_command(command)
        else:
            self.look(command.machine)

    def look(self, machine: str) -> None:
        """Something is stored for it: commands, or a cancellation."""
        if machine in self._connected:
            self._to_look.add(machine)
            self._looking.set()

    def look_at_all(self) -> None:
        """News may have been missed."""
        for name in self._connected:
            self.look(name)

    async def run_looks(self) -> None:
        """One query for all machines that have news; until it is cancelled."""
        while True:
            await self._looking.wait()
            self._looking.clear()
            names, self._to_look = self._to_look, set()
            machines = {name: one for name in names if (one := self._connected.get(name)) is not None}
            try:
                for command in await self._store.list_open(list(machines)):
                    machine = machines[command.machine]
                    machine.send_command(command)
                    machine.last_seq = max(machine.last_seq or 0, command.seq)
            except StoreAway as fault:
                log.warning("commands could not be read, and are looked for again: %s", fault)

    # -- one connection --

    async def serve(self, socket: MachineSocket) -> None:
        """From its challenge to its end."""
        try:
            async with asyncio.timeout(HELLO_S):
                known = await self._greet(socket)
        except (TimeoutError, EOFError, StoreAway, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            known = None
        if known is None or not socket.know(known.name):
            await socket.close("not known here")
            return
        await self._serve(known)

    async def _greet(self, socket: MachineSocket) -> ConnectedMachine | None:
        nonce = secrets.token_urlsafe(32)
        await socket.send(ENCODER.encode(ChallengeFrame(nonce=nonce)))
        hello = FRAMES.decode(await socket.receive())
        if not isinstance(hello, HelloFrame) or not is_id(hello.machine_id):
            return None
        key = await self._store.find_key(hello.machine_id)
        if key is None or not is_signed_by(key, hello.machine_id, nonce, hello.signature):
            return None
        await socket.send(ENCODER.encode(WelcomeFrame(machine_id=hello.machine_id)))
        return ConnectedMachine(hello.machine_id, key, socket, self._now_ms())

    async def _serve(self, machine: ConnectedMachine) -> None:
        """A newer connection of the same machine takes the place of an older one."""
        if (older := self._connected.pop(machine.name, None)) is not None:
            older.ended.set()
        self._connected[machine.name] = machine
        log.info("%s is connected", machine.name)
        try:
            await self._register(machine)
            async with Tasks() as tasks:
                ends = {
                    tasks.start(f"frames for {machine.name}", machine.write()),
                    tasks.start(f"outcomes of {machine.name}", self._read(machine)),
                    tasks.start(f"end of {machine.name}", _until(machine.ended)),
                }
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        except StoreAway as fault:
            log.warning("%s is disconnected: %s", machine.name, fault)
        finally:
            if self._connected.get(machine.name) is machine:
                del self._connected[machine.name]
            log.info("%s is no longer connected", machine.name)
            await machine.socket.close("the connection ends")
            await self._unregister(machine)

    async def _register(self, machine: ConnectedMachine) -> None:
        """What was stored before is read next, and what is stored from now on reaches this node."""
        held = Connect(
            machine=machine.name, node=self._node, connection=machine.connection, now_ms=machine.since_ms
        )
        last_seq = await self._store.run(held)
        for command in await self._store.list_open([machine.name]):
            machine.send_command(command)
            last_seq = max(last_seq, command.seq)
        machine.last_seq = last_seq

    async def _unregister(self, machine: ConnectedMachine) -> None:
        try:
            await self._store.run(Disconnect(machine=machine.name, connection=machine.connection))
        except StoreAway as fault:
            log.warning("that %s is gone could not be stored: %s", machine.name, fault)

    def end(self, machine: str, newest: str = "") -> None:
        """It is revoked, or has a newer connection at another node."""
        held = self._connected.get(machine)
        if held is not None and held.connection != newest and not held.is_leaving:
            held.ended.set()

    def end_all(self) -> None:
        for machine in self._connected.values():
            machine.ended.set()

    async def watch_keys(self) -> None:
        """Whom another process revokes is out at once; for all machines together."""
        while True:
            await asyncio.sleep(LOOK_S)
            if self._connected:
                await self.check_keys()

    async def check_keys(self) -> None:
        try:
            keys = await self._store.list_keys()
        except StoreAway:
            return  # the next look finds out
        for machine in list(self._connected.values()):
            if keys.get(machine.name) != machine.key:
                self.end(machine.name)

    async def _read(self, machine: ConnectedMachine) -> None:
        try:
            while True:
                async with asyncio.timeout(STALE_S):
                    frame = _decode(await machine.socket.receive())
                await self._take(machine, frame)
        except (EOFError, TimeoutError):
            return
        except StoreAway as fault:
            log.warning("%s is disconnected, and sends again: %s", machine.name, fault)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            log.warning("%s sent something that is not a frame, and is disconnected", machine.name)

    async def _take(self, machine: ConnectedMachine, frame: FromMachine) -> None:
        match frame:
            case TakenFrame(command_id=name):
                await self._store.run(Take(command_id=name, machine=machine.name, now_ms=self._now_ms()))
            case LineFrame(command_id=name, is_waiting=is_waiting):
                waits = WaitInLine(
                    command_id=name, machine=machine.name, is_waiting=is_waiting, now_ms=self._now_ms()
                )
                await self._store.run(waits)
            case ProgressFrame(command_id=name, asks=asks, is_asking=is_asking):
                progress = Progress(
                    command_id=name,
                    machine=machine.name,
                    asks=asks,
                    is_asking=is_asking,
                    now_ms=self._now_ms(),
                )
                if await self._store.run(progress) is not None:
                    self.on_ask()
            case ResultFrame(result=result):
                finish = Finish(
                    outcome=_bounded(result, machine.name),
                    machine=machine.name,
                    now_ms=self._now_ms(),
                    node=self._node,
                )
                if (done := await self._store.run(finish)) is not None:
                    self.on_outcome(done)
                else:
                    await self._note_late(machine, result)
                machine.forget(result.command_id)
                machine.send(StoredFrame(command_id=result.command_id))
            case LeaveFrame():
                await self._leave(machine)
            case HelloFrame() | HeartbeatFrame():
                pass

    async def _leave(self, machine: ConnectedMachine) -> None:
        """It hears that this is stored before it is disconnected as any machine without a key."""
        machine.is_leaving = True
        try:
            leaves = Revoke(machine=machine.name, now_ms=self._now_ms(), actor=machine.name, is_left=True)
            await self._store.run(leaves)
            await machine.socket.send(ENCODER.encode(LeftFrame()))
        finally:
            machine.ended.set()

    async def _note_late(self, machine: ConnectedMachine, result: OrderOutcome) -> None:
        """Another outcome than the one that counts, of a command that this machine had: noted once."""
        command = await self._store.find_command(result.command_id)
        if command is None or command.machine != machine.name or result.command_id in machine.late:
            return
        if command.outcome is not None and command.outcome.status == result.status:
            return
        machine.late.add(result.command_id)
        line = AuditLine(
            at_ms=self._now_ms(),
            step="late outcome",
            command_id=result.command_id,
            machine=machine.name,
            status=result.status,
        )
        await self._store.run(Note(line=line))

    async def close(self) -> None:
        for machine in list(self._connected.values()):
            await machine.socket.close("the relay stops")


async def _until(event: asyncio.Event) -> None:
    await event.wait()


def _decode(data: bytes) -> FromMachine:
    """`DecodeError` also for the id of a command that cannot be one."""
    frame = FRAMES.decode(data)
    match frame:
        case (
            TakenFrame(command_id=name)
            | LineFrame(command_id=name)
            | ProgressFrame(command_id=name)
            | ResultFrame(result=OrderOutcome(command_id=name))
        ):
            if not is_id(name):
                raise msgspec.DecodeError("this is not the id of a command")
        case _:
            pass
    return frame


def _bounded(result: OrderOutcome, machine: str) -> OrderOutcome:
    """Of the machine that sent it, whatever it calls itself."""
    return msgspec.structs.replace(
        result,
        machine_id=machine,
        summary=result.summary[:MAX_SUMMARY],
        diff=result.diff if len(result.diff) <= MAX_DIFF else "",
    )
