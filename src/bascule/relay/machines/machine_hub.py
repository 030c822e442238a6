"""Connected machines: each proves its key, gets its commands in order, and gives their outcomes back."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Protocol

import msgspec

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
    ResultFrame,
    StoredFrame,
    TakenFrame,
    WelcomeFrame,
)
from bascule.relay.machines.machine_keys import is_signed_by
from bascule.relay.storage.audit_chain import AuditLine
from bascule.relay.storage.relay_store import RelayStore, StoredCommand

HELLO_S = 10.0
STALE_S = 45.0
LOOK_S = 0.5  # how soon a revoked machine is out
MAX_SUMMARY, MAX_DIFF = 20_000, 400_000  # characters of an outcome that is taken

FRAMES: msgspec.json.Decoder[FromMachine] = msgspec.json.Decoder(FromMachine)

log = logging.getLogger("bascule.relay")


class MachineSocket(Protocol):
    async def send(self, frame: bytes) -> None:
        """`EOFError` where it is closed."""

    async def receive(self) -> bytes:
        """One frame; `EOFError` at its end."""

    async def close(self, why: str) -> None: ...


class ConnectedMachine:
    def __init__(self, name: str, socket: MachineSocket, now_ms: int) -> None:
        self.name = name
        self.socket = socket
        self.since_ms = now_ms
        self.news = asyncio.Event()
        self.revoked = asyncio.Event()
        self.sent: set[str] = set()  # command ids, on this connection
        self.cancelled: set[str] = set()
        self.late: set[str] = set()


class MachineHub:
    def __init__(self, *, store: RelayStore, now_ms: Callable[[], int]) -> None:
        self._store = store
        self._now_ms = now_ms
        self._connected: dict[str, ConnectedMachine] = {}
        self.on_outcome: Callable[[], None] = lambda: None

    def is_connected(self, machine: str) -> bool:
        return machine in self._connected

    def list_connected(self) -> dict[str, int]:
        """Since when, by name."""
        return {name: one.since_ms for name, one in self._connected.items()}

    def wake(self, machine: str) -> None:
        """Something is to be sent, or cancelled."""
        if (connected := self._connected.get(machine)) is not None:
            connected.news.set()

    async def serve(self, socket: MachineSocket) -> None:
        """One connection, from its challenge to its end."""
        try:
            async with asyncio.timeout(HELLO_S):
                machine = await self._greet(socket)
        except (TimeoutError, EOFError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            machine = None
        if machine is None:
            await socket.close("not known here")
            return
        await self._serve(ConnectedMachine(machine, socket, self._now_ms()))

    async def _greet(self, socket: MachineSocket) -> str | None:
        nonce = secrets.token_urlsafe(32)
        await socket.send(_encode(ChallengeFrame(nonce=nonce)))
        hello = FRAMES.decode(await socket.receive())
        if not isinstance(hello, HelloFrame):
            return None
        key = await self._store.find_key(hello.machine_id)
        if key is None or not is_signed_by(key, hello.machine_id, nonce, hello.signature):
            return None
        await socket.send(_encode(WelcomeFrame(machine_id=hello.machine_id)))
        return hello.machine_id

    async def _serve(self, machine: ConnectedMachine) -> None:
        """A newer connection of the same machine takes the place of an older one."""
        older = self._connected.pop(machine.name, None)
        self._connected[machine.name] = machine
        if older is not None:
            await older.socket.close("the machine connected again")
        log.info("%s is connected", machine.name)
        try:
            async with Tasks() as tasks:
                writing = tasks.start(f"commands for {machine.name}", self._write(machine))
                watching = tasks.start(f"standing of {machine.name}", _until(machine.revoked))
                reading = tasks.start(f"outcomes of {machine.name}", self._read(machine))
                await asyncio.wait({writing, watching, reading}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if self._connected.get(machine.name) is machine:
                del self._connected[machine.name]
            log.info("%s is no longer connected", machine.name)
            await machine.socket.close("the connection ends")

    async def watch_keys(self) -> None:
        """Whom another process revokes is out at once; for all machines together."""
        while True:
            await asyncio.sleep(LOOK_S)
            if not self._connected:
                continue
            keys = await self._store.list_keys()
            for machine in list(self._connected.values()):
                if machine.name not in keys:
                    machine.revoked.set()

    async def _write(self, machine: ConnectedMachine) -> None:
        """What has no outcome: all of it once on each connection, then what is new."""
        try:
            while True:
                machine.news.clear()
                for command in await self._store.list_open(machine.name):
                    await self._send(machine, command)
                await machine.news.wait()
        except EOFError:
            return

    async def _send(self, machine: ConnectedMachine, command: StoredCommand) -> None:
        name = command.order.command_id
        if name not in machine.sent:
            machine.sent.add(name)
            await machine.socket.send(_encode(CommandFrame(seq=command.seq, command=command.order)))
        if command.is_cancelled and name not in machine.cancelled:
            machine.cancelled.add(name)
            await machine.socket.send(_encode(CancelFrame(command_id=name)))

    async def _read(self, machine: ConnectedMachine) -> None:
        try:
            while True:
                async with asyncio.timeout(STALE_S):
                    frame = FRAMES.decode(await machine.socket.receive())
                await self._take(machine, frame)
        except (EOFError, TimeoutError):
            return
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            log.warning("%s sent what is no frame, and is disconnected", machine.name)

    async def _take(self, machine: ConnectedMachine, frame: FromMachine) -> None:
        match frame:
            case TakenFrame(command_id=name):
                await self._store.mark_taken(name, machine.name, self._now_ms())
            case ResultFrame(result=result):
                if await self._store.finish(_bounded(result), machine.name, self._now_ms()):
                    self.on_outcome()
                else:
                    await self._note_late(machine, result)
                machine.sent.discard(result.command_id)
                await machine.socket.send(_encode(StoredFrame(command_id=result.command_id)))
            case HelloFrame() | HeartbeatFrame():
                pass

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
        await self._store.note(line)

    async def close(self) -> None:
        for machine in list(self._connected.values()):
            await machine.socket.close("the relay stops")


async def _until(event: asyncio.Event) -> None:
    await event.wait()


def _bounded(result: OrderOutcome) -> OrderOutcome:
    return msgspec.structs.replace(
        result, summary=result.summary[:MAX_SUMMARY], diff=result.diff if len(result.diff) <= MAX_DIFF else ""
    )


def _encode(frame: FromRelay) -> bytes:
    return msgspec.json.encode(frame)
